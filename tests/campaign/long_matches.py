"""Matches far on, written through the model: their plays are legal ones chosen so that nobody wins, and lead to their state."""

import hashlib
import random
from datetime import timedelta

from django.utils import timezone

from campaign.models import Match
from cvarenta.game.match import Match as Game
from cvarenta.game.notation import format_play
from cvarenta.game.rulesets import GOAL, get_ruleset
from cvarenta.game.shuffle import first_dealer, shuffled_deck
from cvarenta.game.state import dump_state, load_state
from cvarenta.game.view import view_of, worth_of


def far_on(*, plies, score=None, seed=b"far on", ruleset="quito"):
    """A game at the person's turn after at least so many plies and, if asked, at this score; with its seed and plays."""
    seed, rules, rng = hashlib.sha256(seed).digest(), get_ruleset(ruleset), random.Random(1534)
    game, plays, start = Game(rules, first_dealer(seed, "", rules.seats)), [], None
    most = score or (GOAL - 2, GOAL - 2)
    while game.ply < plies or game.to_play != 0 or game.awaits_deck or (score and game.score != score):
        assert game.ply < plies + 4000, "no such match"
        if game.awaits_deck:
            start = dump_state(game), len(plays)
            game.begin_deck(shuffled_deck(seed, "", game.deck_number + 1))
        view, team = view_of(game, game.to_play), game.to_play % 2
        quiet = [play for play in view.legal if game.score[team] + worth_of(view, play).points <= most[team]]
        if quiet:
            play = rng.choice(quiet)
            game.play(play)
            plays.append(format_play(play))
        if not quiet or game.is_over or any(game.score[side] > most[side] for side in (0, 1)):
            game, plays = load_state(start[0]), plays[: start[1]]  # this deck once more, played otherwise
    return game, seed, plays


def save_far_on(*, player=None, guest="", **wanted):
    """A match of `far_on` as a row; returns it."""
    game, seed, plays = far_on(**wanted)
    now, seats = timezone.now(), game.rules.seats
    return Match.objects.create(
        player=player, guest=guest, ruleset=game.rules.name, rival="greedy", bots="0:" + ",".join(["greedy/1"] * (seats - 1)),
        seed=seed, ply=game.ply, state=dump_state(game), plays=" " + " ".join(plays),
        think_times=" 1500" * (game.ply // seats), started_at=now - timedelta(hours=1), played_at=now - timedelta(seconds=2),
    )  # fmt: skip
