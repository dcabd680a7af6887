"""Scored runs as rows, really played, with bots in the person's place; only the times of thinking are told."""

import hashlib
import itertools
import random
from datetime import timedelta

import pytest

from campaign import services
from campaign.chapters import LAST
from campaign.models import SEAT, Match, Run
from cvarenta.game.bots import get_bot
from cvarenta.game.notation import format_play
from cvarenta.game.shuffle import Stream
from cvarenta.game.view import view_of
from tournament.models import ScoredRun


@pytest.fixture
def known_seeds(monkeypatch):
    """The matches of a test are dealt from the same seeds each time it runs."""
    numbers = itertools.count()
    monkeypatch.setattr(services, "new_seed", lambda: hashlib.sha256(b"seed %d" % next(numbers)).digest())


def human(number, median=2.5, spread=0.6, wait=1.5):
    """Think times of a person, in ms: what the table shows for `wait` seconds, then a thought, short or long by chance."""
    rng = random.Random(number)
    return lambda: round(1000 * (wait + median * rng.lognormvariate(0, spread)))


def play_run(player, at, *, bot="aficionado", think=None, matches=LAST):
    """A scored run that a bot plays in the person's place until it ends or so many matches are over; returns the ScoredRun."""
    match, think = services.start_run(player_id=player.pk, is_scored=True, at=at), think or human(7)
    for _ in range(matches):
        at = play_match(match, at, bot, think)
        run = Run.objects.get(pk=match.run_id)
        if not run.is_under_way:
            break
        match, _ = services.go_on(run=run, chapter=run.chapter, at=at)
    return ScoredRun.objects.get(pk=match.run_id)


def play_match(match, at, bot, think):
    """A match under way, played to its end; returns when that was."""
    chooser = get_bot(bot)
    while not match.is_over:
        play = chooser.choose(view_of(match.load_game(), SEAT), Stream(bytes(match.seed), f"person|{match.ply}"))
        at += timedelta(milliseconds=think())
        services.play(match=match, text=format_play(play), ply=match.ply, at=at)
        match = Match.objects.get(pk=match.pk)
    return at
