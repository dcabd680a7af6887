"""The analysis of a finished match against what the bots themselves took to play it.

Run: python -m tests.bench.analysis [--pairs 4] [--rounds 5] [--seed bench]
Of some matches between `virgen` and `diablo` the one nearest to 230 plays (a common match of the house game) and the one nearest
to 400 (a mesa of four) are analysed as the site does, in this process; the bots' own time is that of the seats 1, 2 and 3, whose
decisions were timed as the match was played. The median of the rounds is printed, with their quartiles.
"""

import argparse
import statistics
import time

from cvarenta.game.bots import get_bot, prepare
from cvarenta.game.bots.analysis import analyse
from cvarenta.game.cards import parse_deck
from cvarenta.game.duel import play_pair, seed_of
from cvarenta.game.notation import parse_play
from cvarenta.game.record import record_from

ROWS = [("quito", 230), ("tradicional-4", 400)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", default="bench")
    options = parser.parse_args()
    prepare()
    bots = get_bot("virgen"), get_bot("diablo")
    for ruleset, plies in ROWS:
        pairs = [play_pair(ruleset, bots, options.seed, n, time.perf_counter) for n in range(options.pairs)]
        # of the first of each pair, in which the first bot sits with seat 0
        n, match = min(enumerate(pair[0] for pair in pairs), key=lambda row: abs(row[1].plies - plies))
        seed, record = seed_of(options.seed, n), record_from(match.record)
        decks, plays = [parse_deck(deck) for deck in record.decks], [parse_play(play) for play in record.plays]
        seconds = []
        for _ in range(options.rounds):
            start = time.perf_counter()
            found = analyse(record.new_match(), decks, plays, seed)
            seconds.append(time.perf_counter() - start)
        theirs = sum(match.seconds[0]) / 2 + sum(match.seconds[1])
        low, middle, high = statistics.quantiles(seconds, n=4)
        print(
            f"{ruleset}, {match.plies} plays, {len(decks)} decks, {len(found['plays'])} choices: {middle:.2f} s "
            f"[{low:.2f} – {high:.2f}]; the bots took {theirs:.2f} s: {middle / theirs:.1f} times as long "
            f"[{low / theirs:.1f} – {high / theirs:.1f}]"
        )


if __name__ == "__main__":
    main()
