"""Whole matches as rows, played at random from a number: the same number is always the same match. What some of them hold
is written down here, found by trying one number after the other."""

import hashlib
import random
from datetime import timedelta

from django.utils import timezone

from campaign.models import Match
from cvarenta.game.match import Match as Game
from cvarenta.game.notation import format_play
from cvarenta.game.rulesets import get_ruleset
from cvarenta.game.shuffle import first_dealer, shuffled_deck
from cvarenta.game.state import dump_state


def play_out(number, ruleset="quito"):
    """A game played to its end; with its seed, the events and the plays."""
    seed, rules, rng = hashlib.sha256(b"ended %d" % number).digest(), get_ruleset(ruleset), random.Random(number)
    game, events, plays = Game(rules, first_dealer(seed, "", rules.seats)), [], []
    while not game.is_over:
        if game.awaits_deck:
            events += game.begin_deck(shuffled_deck(seed, "", game.deck_number + 1))
            continue
        play = rng.choice(game.legal())
        events += game.play(play)
        plays.append(format_play(play))
    return game, seed, events, plays


def save_ended(player, number, ruleset="quito", *, days_ago=0, times=1500, **fields):
    """A match of `play_out` as a finished row, its figures not written yet."""
    game, seed, events, plays = play_out(number, ruleset)
    at, seats = timezone.now() - timedelta(days=days_ago), game.rules.seats
    own = sum(getattr(event, "seat", None) == 0 and hasattr(event, "ply") for event in events)
    fields = {"rival": "greedy", "bots": "0:" + ",".join(["greedy/1"] * (seats - 1))} | fields
    return Match.objects.create(
        player=player, ruleset=ruleset, seed=seed, ply=game.ply, state=dump_state(game), plays=" " + " ".join(plays),
        think_times=f" {times}" * own, started_at=at - timedelta(hours=1), played_at=at, finished_at=at, winner=game.winner,
        **fields,
    )  # fmt: skip
