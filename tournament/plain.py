"""What `tournament.postgres` does, for every database: statement by statement, places counted one by one. SQLite runs
on it, where one writes at a time; and the tests hold the rank index against it."""

from datetime import datetime

from django.db import transaction
from django.db.models import F, Max, Q, Sum

from .models import Award, Decision, ScoredRun, Season, Standing


def open_slot(*, player_id: int, run_id: str, at: datetime) -> tuple | None:
    """(season's slug, day, slot, attempts) of the slot taken; None if the day has none left."""
    with transaction.atomic():
        season = Season.objects.open_at(at).first()
        if season is None:
            return None
        day = season.day(at)
        of = {"season": season, "player_id": player_id}
        standing, _ = Standing.objects.get_or_create(**of, defaults={"day": day, "taken": 0})
        standing = Standing.objects.select_for_update().get(pk=standing.pk)
        slot = ScoredRun.objects.filter(standing=standing, day=day).count() + 1
        if slot > season.runs_a_day:
            return None
        ScoredRun.objects.create(
            run_id=run_id,
            season=season,
            standing=standing,
            day=day,
            slot=slot,
            runs_a_day=season.runs_a_day,
            chapter_points=season.chapter_points,
            bonus_points=season.bonus_points,
            started_at=at,
        )
        standing.runs += 1
        if day >= standing.day:
            standing.day, standing.taken = day, slot
        standing.save(update_fields=["runs", "day", "taken"])
    return season.slug, day, slot, season.attempts


def award(*, run_id: str, chapter: int | None, at: datetime) -> tuple | None:
    """(season's id, points, None) of an award that counts from now; None if there is one, the season has closed or the
    run is annulled."""
    with transaction.atomic():
        run = ScoredRun.objects.select_for_update().select_related("season").filter(run_id=run_id).first()
        if (
            run is None
            or run.season.has_closed(at)
            or run.season.final_at
            or run.awards.filter(chapter=chapter).exists()
        ):
            return None
        points = run.bonus_points if chapter is None else run.chapter_points
        Award.objects.create(run=run, chapter=chapter, points=points, at=at)
        if not run.is_valid:
            return None
        standing = Standing.objects.select_for_update().get(pk=run.standing_id)
        standing.points, standing.reached_at = standing.points + points, max(standing.reached_at or at, at)
        standing.moved_at = max(standing.moved_at or at, at)
        standing.save(update_fields=["points", "reached_at", "moved_at"])
    return run.season_id, points, None


def move(*, season_id: int, old_points: int, old_reached_at, points: int, reached_at) -> None:
    """Nothing is kept beside the standings here."""


def leave(*, player_id: int) -> None:
    """Nothing is kept beside the standings here."""


def gather(*, season_id: int) -> int:
    return 0


def rebuild(*, season_id: int) -> None:
    pass


# Reading


def _ranked(season_id: int):
    return Standing.objects.ranked().filter(season_id=season_id)


def total(*, season_id: int) -> int:
    """How many have a place."""
    return _ranked(season_id).count()


def place_of(*, season_id: int, player_id: int) -> tuple | None:
    """(place, name, points, runs, reached_at) of a player; None if they have no points."""
    me = _ranked(season_id).select_related("player").filter(player_id=player_id).first()
    if me is None:
        return None
    before = Q(points__gt=me.points) | Q(points=me.points) & (
        Q(reached_at__lt=me.reached_at) | Q(reached_at=me.reached_at, player__search_key__lt=me.player.search_key)
    )
    place = _ranked(season_id).filter(before).count() + 1
    return place, me.player.username, me.points, me.runs, me.reached_at


def start_of(*, season_id: int, place: int) -> tuple[int, datetime, int] | None:
    """Where a place lies: (points, when they were reached, how many of that moment come before it)."""
    found = _ranked(season_id).in_order()[place - 1 : place].first()
    if found is None:
        return None
    before = Q(points__gt=found.points) | Q(points=found.points, reached_at__lt=found.reached_at)
    return found.points, found.reached_at, place - 1 - _ranked(season_id).filter(before).count()


_COLUMNS = ("pk", "player__username", "points", "runs", "reached_at", "player__search_key")


def rows_from(*, season_id, points, reached_at, name, skip=0, until, limit) -> list[tuple]:
    """(standing's id, name, points, runs, reached_at, search key) of those after a position, in order; without those
    who have moved since `until`."""
    after = Q(points__lt=points) | Q(points=points) & (
        Q(reached_at__gt=reached_at) | Q(reached_at=reached_at, player__search_key__gt=name)
    )
    found = _ranked(season_id).filter(after, moved_at__lte=until).in_order()
    return list(found.values_list(*_COLUMNS)[skip : skip + limit])


def moved_since(*, season_id: int, since: datetime) -> list[tuple]:
    """Where those who have moved since a moment were at it, as `rows_from`."""
    moved = Standing.objects.filter(season_id=season_id, player__isnull=False, moved_at__gt=since)
    then = {}
    decisions = Decision.objects.filter(run__standing__in=moved, at__lte=since).order_by("number")
    then.update(decisions.values_list("run_id", "state_after"))
    annulled = [run_id for run_id, state in then.items() if state == ScoredRun.State.ANNULLED]
    # Runs whose awards counted then, whatever has been decided since
    counted = Award.objects.filter(run__standing__in=moved, at__lte=since).exclude(run__in=annulled)
    return list(
        counted.values_list("run__standing__pk", "run__standing__player__username")
        .annotate(
            sum=Sum("points"),
            number=F("run__standing__runs"),
            reached=Max("at"),
            key=F("run__standing__player__search_key"),
        )
        .order_by("run__standing__pk")
    )
