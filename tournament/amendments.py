"""That a final table was written again, when and why: in public, and naming nobody."""

from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, F
from django.db.models.functions import TruncMinute

from cvarenta.wording import counted, moment_in_words

from .models import Decision, Season

SHOWN = 5
ONE_CHANGED = "corrigió una vuelta"
VERBS = {Decision.Action.ANNUL: "anuló", Decision.Action.RESTORE: "restituyó"}


class Amendment(NamedTuple):
    """So many runs were annulled, or restored, in a minute."""

    at: datetime
    action: str
    runs: int


def amendments(season: Season) -> tuple[list[Amendment], int]:
    """The latest changes of a final table, newest first, and how many there were before these."""
    if season.amended_at is None:
        return [], 0
    decisions = Decision.objects.filter(run__season=season, at__gte=season.final_at, action__in=VERBS)
    moved = decisions.exclude(points_before=F("points_after"))
    minutes = moved.annotate(minute=TruncMinute("at")).values("minute", "action").annotate(runs=Count("pk"))
    found = [Amendment(*line) for line in minutes.order_by("-minute", "action").values_list("minute", "action", "runs")]
    return found[:SHOWN], len(found[SHOWN:])


def amended_in_words(season: Season) -> dict | None:
    """The last change and those before it, each as what follows «se volvió a escribir el», and how many more; None if
    the table stands as first written."""
    if season.amended_at is None:
        return None
    found, more = amendments(season)
    # A decision that waited for the first writing is dated before it, and is none of these.
    lines = [_in_words(amendment, season) for amendment in found] or [_line(season.amended_at, season, ONE_CHANGED)]
    return {"last": lines[0], "before": lines[1:], "more": more}


def _in_words(amendment, season):
    runs = "una vuelta" if amendment.runs == 1 else counted(amendment.runs, "vuelta", "vueltas")
    return _line(amendment.at, season, f"{VERBS[amendment.action]} {runs}")


def _line(at, season, done):
    return f"{moment_in_words(at, season.zone, season.zone_name)}: la revisión {done}."
