"""Seasons, runs and points made by the tournament's own services, without a card."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest
from django.db import connection

from campaign.models import new_id
from cvarenta.models import Player
from tournament import services
from tournament.audit import audit
from tournament.models import Season

CLOSE = datetime(2026, 12, 7, 4, 59, tzinfo=UTC)  #: 6 December, 23:59 in Quito
MONDAY = datetime(2026, 11, 30, 17, tzinfo=UTC)  #: noon in Quito
LAST = 5


def make_season(**fields):
    Season.objects.all().delete()
    return Season.objects.create(**{"name": "Fiestas de Quito 2026", "slug": "fiestas-de-quito-2026", "closes_at": CLOSE, **fields})


@pytest.fixture
def season(db):
    """The Fiestas de Quito 2026, the only season there is."""
    return make_season()


@pytest.fixture
def clock(time_machine):
    """Monday noon in Quito, until it is moved."""
    time_machine.move_to(MONDAY, tick=False)
    return time_machine


def begin(player, at=MONDAY):
    """A scored run begun by a player; returns its id, or None if there was no slot."""
    run_id = new_id()
    return run_id if services.open_slot(player_id=player.pk, run_id=run_id, at=at) else None


def win(run_id, chapters, at=MONDAY, *, first=1, outcome=None):
    """The run wins these many chapters, and ends if all are won or an outcome is given."""
    for chapter in range(first, first + chapters):
        services.award(run_id=run_id, chapter=chapter, at=at)
    if outcome or first + chapters > LAST:
        services.close_run(run_id=run_id, outcome=outcome or "completed", at=at)


def score(player, chapters, at=MONDAY):
    """A scored run of a player that won these many chapters and then lost, or won all."""
    run_id = begin(player, at)
    win(run_id, chapters, at, outcome=None if chapters == LAST else "lost")
    return run_id


def crowd(number, prefix="jugador"):
    """So many players, quickly made; they cannot log in."""
    return Player.objects.bulk_create(Player(username=f"{prefix}{n}", password="!") for n in range(number))


def minutes(number):
    return timedelta(minutes=number)


def seconds(number):
    return timedelta(seconds=number)


def quito(month, day, hour=12, minute=0, second=0):
    """A moment of 2026 by Quito's clocks, five hours behind UTC all year."""
    return datetime(2026, month, day, hour, minute, second, tzinfo=UTC) + timedelta(hours=5)


def in_threads(calls):
    """What the calls return, each in a thread with a connection of its own; all set off together."""
    calls = list(calls)
    gate = Barrier(len(calls))

    def go(call):
        try:
            connection.ensure_connection()
            gate.wait(30)
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(go, calls))


def own_faults(season):
    """What the audit finds wrong in the books themselves; runs made here were not played."""
    return [fault for name, _, faults in audit(season) for fault in faults if not name.startswith("what others keep")]
