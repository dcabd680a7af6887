"""What is played, written into the books. The campaign tells what happened, inside the transaction of what it tells and
with plain values: a run begins, a chapter is won, a run ends. This app knows no card and no campaign."""

from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import Prefetch, Q

from . import plain, postgres
from .models import Award, ScoredRun, Season, Standing
from .signals import run_closed

# No request lives as long; then the final table is written down.
GRACE = timedelta(minutes=1)


def store():
    """The module that writes and reads the books in the database at hand."""
    return postgres if postgres.is_used() else plain


class Slot(NamedTuple):
    """A scored place among a day's runs, from 1, and how often each chapter may be tried."""

    season: str
    day: date
    number: int
    attempts: int

    @property
    def name(self) -> str:
        """What a page offered and what was taken are the same if their names are."""
        return f"{self.season}:{self.day}:{self.number}"


class Offer(NamedTuple):
    """What a run begun now would be: the slot it would take, if any is left, and when the next day begins."""

    season: Season
    slot: Slot | None
    left: int
    next_day_at: datetime


def open_slot(*, player_id: int, run_id: str, at: datetime) -> Slot | None:
    """The slot that a run begun now takes, or None: no season is open, or the day's slots are taken. However many ask
    at once, a day has no more than the season says."""
    taken = store().open_slot(player_id=player_id, run_id=run_id, at=at)
    if taken is None and store() is postgres and _is_behind(player_id, at):
        taken = plain.open_slot(player_id=player_id, run_id=run_id, at=at)
    return Slot(*taken) if taken else None


def _is_behind(player_id: int, at: datetime) -> bool:
    """Whether the player has taken a slot of a later day already: two servers' clocks disagree about midnight."""
    standing = Standing.objects.filter(player_id=player_id, season__in=Season.objects.open_at(at)).first()
    return standing is not None and standing.season.day(at) < standing.day


def offer(*, player_id: int | None, at: datetime) -> Offer | None:
    """What a run begun now would be; None if no season is open."""
    season = Season.objects.open_at(at).first()
    if season is None:
        return None
    day, taken = season.day(at), 0
    if player_id is not None:
        taken = ScoredRun.objects.filter(standing__season=season, standing__player_id=player_id, day=day).count()
    slot = Slot(season.slug, day, taken + 1, season.attempts) if taken < season.runs_a_day else None
    return Offer(season, slot, max(season.runs_a_day - taken, 0), season.next_day(at))


def books_of(run_id: str) -> ScoredRun | None:
    """A scored run with its season and awards, in the order they were earned; None for a free run."""
    runs = ScoredRun.objects.select_related("season").prefetch_related(
        Prefetch("awards", Award.objects.order_by("at", "pk"))
    )
    return runs.filter(run_id=run_id).first()


def award(*, run_id: str, chapter: int, at: datetime) -> None:
    """A scored run has won its chapter (from 1): paid once, and only before the close."""
    _pay(run_id, chapter, at)


def close_run(*, run_id: str, outcome: str, at: datetime) -> None:
    """A scored run has ended, once: «completed», «lost» or «abandoned». A completed one is paid the bonus, as a chapter
    is."""
    # What was verified while it was under way is verified again; one that was decided on already waits for nothing new.
    waits = Q(state=ScoredRun.State.WAITING) | Q(is_waiting=True)
    ended = {"outcome": outcome, "ended_at": at, "checked_at": None, "is_waiting": waits}
    if not ScoredRun.objects.filter(run_id=run_id, ended_at=None).update(**ended):
        return
    if outcome == "completed":
        _pay(run_id, None, at)
    run_closed.send(sender=ScoredRun, run_id=run_id)


def _pay(run_id, chapter, at):
    paid = store().award(run_id=run_id, chapter=chapter, at=at)
    if paid and paid[2] and paid[2] % postgres.GATHER_EVERY == 0:
        transaction.on_commit(lambda: gather(season_id=paid[0]), robust=True)


def gather(*, season_id: int) -> int:
    """Keep the rank index short (see `tournament.postgres`); returns how many movements it took in."""
    return store().gather(season_id=season_id)


def rebuild_rank_index(*, season_id: int) -> None:
    """Work the rank index out anew from the standings."""
    with transaction.atomic():
        store().rebuild(season_id=season_id)


def leave(*, player_id: int, at: datetime) -> None:
    """The player's account is being deleted: their places go, and the books keep what was played without a name. A
    final table that is due is written first, and one that is not due yet will have who left after the close: nobody's
    place in it changes."""
    close_seasons(at=at)
    standings = Standing.objects.filter(player_id=player_id)
    list(standings.select_for_update())
    store().leave(player_id=player_id)
    standings.update(player=None, left_at=at)


def close_seasons(*, at: datetime) -> int:
    """Write down the final tables that are due; returns how many. May be repeated, late, or by several at once."""
    due = Season.objects.closed_at(at - GRACE).filter(final_at=None).values_list("pk", flat=True)
    return sum(close_season(season_id=season_id, at=at) for season_id in list(due))


_WRITE_FINAL = """
INSERT INTO tournament_final (season_id, place, standing_id, points, runs, reached_at)
SELECT season_id, row_number() OVER (ORDER BY points DESC, reached_at, search_key IS NULL, search_key), standing.id,
points, runs, reached_at FROM tournament_standing standing LEFT JOIN cvarenta_player player ON player.id = player_id
WHERE season_id = %(season)s AND points > 0
AND (player_id IS NOT NULL OR left_at >= (SELECT closes_at FROM tournament_season WHERE id = %(season)s))
"""


def close_season(*, season_id: int, at: datetime) -> bool:
    """Write the final table down, once; whether it was done now."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            postgres.hold_awards()
        season = Season.objects.select_for_update().get(pk=season_id)
        if season.final_at or not season.has_closed(at - GRACE):
            return False
        write_final(season)
        season.final_at = at
        season.save(update_fields=["final_at"])
    return True


def write_final(season: Season) -> None:
    """The lines of the final table, from the standings; in the transaction of who holds the season."""
    season.final.all().delete()
    with connection.cursor() as cursor:
        cursor.execute(_WRITE_FINAL, {"season": season.pk})
