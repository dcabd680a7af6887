"""The first page of the ranking, which everybody asks for: drawn once for all, a few seconds old at most. Nothing of
who asks is in it."""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.core.cache import cache
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from . import ranking
from .models import Season

FRESH = timedelta(seconds=6)


class Front(NamedTuple):
    """The first page, how many there are in all, and its drawing, as they stood at a moment."""

    page: ranking.Page
    total: int
    drawing: SafeString
    at: datetime


def front(season: Season, *, at: datetime, with_line: ranking.Line | None = None) -> Front:
    """The first page; drawn anew if it is old, or if the line of who asks stands otherwise now."""
    found = cache.get(_key(season))
    if found is None or not _is_fresh(found.at, season, at) or with_line and not _agrees(found, with_line):
        return refresh(season, at=at)
    return found


def drawn_at(season: Season, *, at: datetime) -> datetime | None:
    """When the first page that is kept was drawn, if it may be shown still; asks for nothing more of it."""
    found = cache.get(_key(season, "at"))
    return found if found is not None and _is_fresh(found, season, at) else None


def _is_fresh(drawn, season, at):
    """What was drawn before the close may lack the last points, and is no final table."""
    return timedelta(0) <= at - drawn < FRESH and season.has_closed(drawn) == season.has_closed(at)


def _agrees(found, line):
    shown = next((other for other in found.page.lines if other.player == line.player), None)
    return shown == (line if line.place <= ranking.PAGE else None) and line.place <= found.total


def refresh(season: Season, *, at: datetime) -> Front:
    """Draw the first page anew, and keep it for all."""
    page = ranking.page_at(season, 1, at=at)
    found = Front(page, ranking.total(season), draw(season, page, is_front=True), at)
    cache.set_many({_key(season): found, _key(season, "at"): at}, timeout=FRESH.total_seconds())
    return found


def draw(season: Season, page: ranking.Page, mine: ranking.Line | None = None, *, is_front: bool = False) -> SafeString:
    """The lines as a page shows them; the line of who asks is marked, and the first three of all are honoured."""
    context = {
        "honoured": page.lines[:3] if is_front else [],
        "lines": page.lines[3:] if is_front else page.lines,
        "mine": mine and mine.place,
        "season": season,
        "zone": season.zone,
    }
    return render_to_string("tournament/_lines.html", context)


def _key(season, part="front"):
    """What was drawn before the table was final, or before a decision of the review, is not shown after it."""
    return f"ranking:{season.pk}:{'final' if ranking.is_final(season) else 'open'}:{season.revision}:{part}"
