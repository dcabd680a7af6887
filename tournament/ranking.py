"""The table of a season, read: places, pages, one's own place. As it moves while the season is open, and as it was
written down after the close."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.core import signing
from django.db.models import Max

from cvarenta.lists import called

from .models import Final, Season, Standing
from .services import store

PAGE = 50  #: lines
FOUND = 20
AROUND = 5  #: lines above one's own
WALK = timedelta(hours=2)  #: for which a walk through the pages may be gone on with
AHEAD = 2**31 - 1  #: points that nobody has


class BadCursor(ValueError):
    """The next page was asked for with something that no page gave, or that is too old."""


class Line(NamedTuple):
    """A place; the player is their name, or None if the account is gone."""

    place: int
    player: str | None
    points: int
    runs: int
    reached_at: datetime


class Page(NamedTuple):
    """Some lines, and what asks for the next ones; None at the end."""

    lines: list[Line]
    next: str | None


def is_final(season: Season) -> bool:
    return season.final_at is not None


def total(season: Season) -> int:
    """How many have a place."""
    if is_final(season):
        return season.final.aggregate(last=Max("place", default=0))["last"]
    return store().total(season_id=season.pk)


def line_of(season: Season, player_id: int) -> Line | None:
    """A player's own line; None without points."""
    if is_final(season):
        line = season.final.filter(standing__player_id=player_id).select_related("standing__player").first()
        return line and _final_line(line)
    found = store().place_of(season_id=season.pk, player_id=player_id)
    return Line(*found) if found else None


def around(line: Line) -> int:
    """The place from which a page shows a line with some above it."""
    return max(1, line.place - AROUND)


def page_at(season: Season, place: int, *, at: datetime, size: int = PAGE) -> Page:
    """The page that begins with a place (from 1). Its `next` goes on with the table as it stands now, whoever moves
    meanwhile: nobody comes twice and nobody is passed over."""
    if is_final(season):
        return _final_page(season, place, size)
    start = (AHEAD, datetime.fromtimestamp(0, UTC), 0)
    if place > 1:
        start = store().start_of(season_id=season.pk, place=place)
    if start is None:
        return Page([], None)
    points, reached_at, skip = start
    key = {"points": points, "reached_at": reached_at, "name": "", "skip": skip}
    rows = store().rows_from(season_id=season.pk, **key, until=at, limit=size + 1)
    return _page(season, rows, place, at, size)


def page_after(season: Season, cursor: str, *, at: datetime, size: int = PAGE) -> Page:
    """The page that a page's `next` asks for. Raises BadCursor."""
    try:
        of, since, place, points, reached_at, name = signing.loads(cursor, salt=__name__)
    except (signing.BadSignature, ValueError) as error:
        raise BadCursor from error
    since, reached_at = _moment(since), _moment(reached_at)
    if of != season.pk:
        raise BadCursor
    if is_final(season) and since >= season.written_at:  # for good
        return _final_page(season, place, size)
    if is_final(season) and since >= season.final_at:  # of a table that was written again since
        raise BadCursor
    if at - since > WALK:
        raise BadCursor
    position = {"points": points, "reached_at": reached_at, "name": name}
    rows = store().rows_from(season_id=season.pk, **position, until=since, limit=size + 1)
    earlier = [
        row for row in store().moved_since(season_id=season.pk, since=since) if _key(row) > (-points, reached_at, name)
    ]
    if earlier:
        rows = sorted([*rows, *earlier], key=_key)[: size + 1]
    return _page(season, rows, place, since, size)


def _page(season, rows, place, since, size):
    lines = [Line(number, *row[1:5]) for number, row in enumerate(rows[:size], place)]
    if len(rows) <= size:
        return Page(lines, None)
    _, _, points, _, reached_at, name = rows[size - 1]
    cursor = [season.pk, _micros(since), place + size, points, _micros(reached_at), name]
    return Page(lines, signing.dumps(cursor, salt=__name__))


def _final_page(season, place, size):
    lines = season.final.filter(place__gte=place, place__lt=place + size + 1).order_by("place")
    lines = [_final_line(line) for line in lines.select_related("standing__player")]
    if len(lines) <= size:
        return Page(lines, None)
    last = lines[size - 1]
    cursor = [season.pk, _micros(season.written_at), place + size, last.points, _micros(last.reached_at), ""]
    return Page(lines[:size], signing.dumps(cursor, salt=__name__))


def _final_line(line: Final) -> Line:
    player = line.standing.player
    return Line(line.place, player and player.username, line.points, line.runs, line.reached_at)


def search(season: Season, text: str) -> list[Line]:
    """The lines of those whose name begins so, or else has it somewhere, regardless of case and accents; the best
    few."""
    standings = Standing.objects.filter(season=season, points__gt=0, player__isnull=False)
    found = called(standings, text, key="player__search_key").in_order()[:FOUND]
    lines = [line_of(season, player_id) for player_id in found.values_list("player_id", flat=True)]
    return [line for line in lines if line]


def walk(season: Season):
    """Every line, as the table stands at one moment: it is read in one statement."""
    if is_final(season):
        for line in season.final.order_by("place").select_related("standing__player").iterator(1000):
            yield _final_line(line)
        return
    standings = Standing.objects.ranked().filter(season=season).in_order()
    rows = standings.values_list("player__username", "points", "runs", "reached_at")
    for place, row in enumerate(rows.iterator(1000), 1):
        yield Line(place, *row)


def _key(row):
    return -row[2], row[4], row[5]


def _micros(moment: datetime) -> int:
    """Whole microseconds from 1970, exactly."""
    return (moment - datetime.fromtimestamp(0, UTC)) // timedelta(microseconds=1)


def _moment(micros: int) -> datetime:
    return datetime.fromtimestamp(0, UTC) + timedelta(microseconds=micros)
