"""Uniformly random plays through public state APIs on one core: ours beside OpenSpiel, RLCard and python-chess.

Run: python -m tests.bench.engines [--rounds 11] [--slot 0.25]   (needs tests/bench/requirements.txt; what is missing is left out)
Every other engine is timed between two slots of ours (A B A) and the ratio is taken to their mean, so that a machine whose speed
drifts does not decide; the medians of the rounds and their quartiles are printed. Deals are in the time, not in the plies.
"""

import argparse
import importlib
import json
import random
import statistics
import time

from cvarenta.game.match import Match
from cvarenta.game.rulesets import RULESETS
from cvarenta.game.shuffle import random_deck


def ours(name="quito"):
    """Whole matches of a rule set: a new Match, legal(), play(), begin_deck() until there is a winner."""
    rules = RULESETS[name]

    def play_one(rand):
        match = Match(rules, int(rand() * rules.seats))
        while match.winner is None:
            match.begin_deck(random_deck(rand))
            while legal := match.legal():  # empty when the match is over or awaits a deck
                match.play(legal[int(rand() * len(legal))])
        return match.ply

    return play_one


def open_spiel(name="hearts"):
    pyspiel = importlib.import_module("pyspiel")
    game = pyspiel.load_game(name)

    def play_one(rand):
        state, plies = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():  # hearts deals each card with equal chance
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(rand() * len(outcomes))][0])
                continue
            legal = state.legal_actions()
            state.apply_action(legal[int(rand() * len(legal))])
            plies += 1
        return plies

    return play_one


def rlcard(name="uno"):
    env = importlib.import_module("rlcard").make(name)

    def play_one(rand):
        state, _ = env.reset()
        plies = 0
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(rand() * len(legal))])
            plies += 1
        return plies

    return play_one


def chess():
    module = importlib.import_module("chess")

    def play_one(rand):
        board, plies = module.Board(), 0
        while plies < 200:
            legal = list(board.legal_moves)
            if not legal:
                break
            board.push(legal[int(rand() * len(legal))])
            plies += 1
        return plies

    return play_one


def plies_a_second(play_one, rand, seconds):
    plies, start = 0, time.process_time()
    while True:
        plies += play_one(rand)
        spent = time.process_time() - start
        if spent >= seconds:
            return plies / spent


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--slot", type=float, default=0.25, help="seconds of processor time a slot")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    rand = random.Random(1534).random
    base, rows = ours(), []
    others = [("OpenSpiel hearts", open_spiel), ("RLCard uno", rlcard), ("python-chess", chess)]
    others += [(f"ours, {name}", lambda name=name: ours(name)) for name in RULESETS if name != "quito"]
    plies_a_second(base, rand, args.slot)
    for label, make in others:
        try:
            other = make()
        except ImportError as error:
            print(f"{label}: not run, {error}")
            continue
        plies_a_second(other, rand, args.slot)
        ratios, bases = [], []
        for _ in range(args.rounds):
            before = plies_a_second(base, rand, args.slot)
            between = plies_a_second(other, rand, args.slot)
            after = plies_a_second(base, rand, args.slot)
            bases.append((before + after) / 2)
            ratios.append(bases[-1] / between)
        low, middle, high = statistics.quantiles(ratios, n=4)
        rows.append({"engine": label, "ratio": middle, "quartiles": [low, high], "base": statistics.median(bases)})
        if not args.json:
            print(f"quito is {middle:5.2f} times {label:<22} [{low:.2f} .. {high:.2f}]  at {rows[-1]['base']:,.0f} plies/s")
    if args.json:
        print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
