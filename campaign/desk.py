"""What the review desk sees of a run that needs cards: its matches as replays, how long each play was thought about,
and the figures that verifying it gave."""

import logging
from math import log10
from statistics import median

from django.dispatch import receiver
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html

from cvarenta.game.record import record_from
from cvarenta.wording import counted, seconds_in_words
from tournament.signals import showing_run

from .chapters import get_chapter
from .characters import seated, seen_by_others
from .history import record_of
from .models import Match
from .pictures import GUEST
from .proofs import UNTOLD
from .replay import MINE, moments_of, replay_context
from .signs import describe

logger = logging.getLogger(__name__)

HIGH = 40  #: units of a chart
LEAST_MS, MOST_MS = 100, 60_000  #: from which to which a chart tells think times apart
MARKS_MS = (1000, 10_000)
UNKNOWN = ("?", "?")  #: a score that cannot be read


@receiver(showing_run)
def show_measures(run, **_):
    rows = describe(run.measures)
    return ("En cifras", render_to_string("campaign/desk/measures.html", {"rows": rows})) if rows else None


@receiver(showing_run)
def show_matches(run, request, **_):
    """Each match with its think times, and the one that is asked for as a replay: else the first that is flagged, else
    the first. What is under way nobody looks into; of what cannot be read the page shows the rest."""
    matches = list(Match.objects.filter(run=run.pk).select_related("player").order_by("started_at", "pk"))
    over = {match.pk: match for match in matches if match.is_over}
    flagged = [flag.about for flag in run.flags.all() if flag.about in over]
    asked = request.GET.get("partida", "")
    shown = over.get(asked) or next((over[match_id] for match_id in [*flagged, *over]), None)
    url = reverse("admin:tournament_scoredrun_change", args=[run.pk])
    context = {
        "rows": [_row(match, is_flagged=match.pk in flagged) for match in matches],
        "shown": shown,
        "url": url,
        "replay": _told(_replay, shown, request, url) if shown else None,
    }
    html = render_to_string("campaign/desk/matches.html", context, request)
    if shown and not context["replay"]:
        html = format_html('{}<p id="repaso">{}</p>', html, UNTOLD)
    return "Partidas", html


def _told(tell, match, *more):
    """What `tell` tells of a match, or None where what is kept of it cannot be read; the log says so."""
    try:
        return tell(match, *more)
    except Exception:
        logger.exception("Match %s cannot be shown", match.pk)
        return None


def _row(match, *, is_flagged):
    times = _told(_times, match)
    return {
        "match": match,
        "chapter": get_chapter(match.chapter),
        "score": (_told(_score, match) or UNKNOWN) if match.is_over else None,
        "is_flagged": is_flagged,
        "chart": think_chart(times) if times else None,
    }


def _times(match):
    return [int(ms) for ms in match.think_times.split()]


def _score(match):
    return match.load_game().score


def think_chart(times: list[int]) -> dict:
    """A bar for each think time in milliseconds, in order: its place and height, the places of the marks, and all of it
    in words. Heights grow with the logarithm, so that tenths of seconds and half minutes are both to be seen."""
    least, most, middle = map(seconds_in_words, (min(times), max(times), median(times)))
    return {
        "width": 4 * len(times),
        "high": HIGH,
        "bars": [(4 * place, HIGH - _height(ms), _height(ms)) for place, ms in enumerate(times)],
        "marks": [HIGH - _height(ms) for ms in MARKS_MS],
        "says": f"{counted(len(times), 'jugada', 'jugadas')}, de {least} a {most}, la mitad en {middle} o menos",
    }


def _height(ms):
    share = log10(min(max(ms, LEAST_MS), MOST_MS) / LEAST_MS) / log10(MOST_MS / LEAST_MS)
    return max(1, round(HIGH * share))


def _replay(match, request, url):
    name = match.player.username if match.player_id else GUEST
    return replay_context(
        moments_of(record_from(record_of(match))),
        seated(match.rules, match.rival, seen_by_others(name)),
        asked=request.GET.get("jugada", ""),
        hides_hands=request.GET.get("manos") == MINE,
        base_url=url,
        of_match=match.pk,
    )
