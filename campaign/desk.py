"""What the review desk sees of a run that needs cards: its matches as replays, how long each play was thought about,
and the figures that verifying it gave."""

from math import log10
from statistics import median

from django.dispatch import receiver
from django.template.loader import render_to_string
from django.urls import reverse

from cvarenta.game.record import record_from
from cvarenta.wording import counted, tenths
from tournament.signals import showing_run

from .chapters import get_chapter
from .characters import seated, seen_by_others
from .history import record_of
from .models import Match
from .pictures import GUEST
from .replay import MINE, moments_of, replay_context
from .signs import describe

HIGH = 40  #: units of a chart
LEAST_MS, MOST_MS = 100, 60_000  #: from which to which a chart tells think times apart
MARKS_MS = (1000, 10_000)


@receiver(showing_run)
def show_measures(run, **_):
    rows = describe(run.measures)
    return ("En cifras", render_to_string("campaign/desk/measures.html", {"rows": rows})) if rows else None


@receiver(showing_run)
def show_matches(run, request, **_):
    """Each match with its think times, and the one that is asked for as a replay: else the first that is flagged, else
    the first. What is under way nobody looks into."""
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
        "replay": _replay(shown, request, url) if shown else None,
    }
    return "Partidas", render_to_string("campaign/desk/matches.html", context, request)


def _row(match, *, is_flagged):
    times = [int(ms) for ms in match.think_times.split()]
    return {
        "match": match,
        "chapter": get_chapter(match.chapter),
        "score": match.load_game().score if match.is_over else None,
        "is_flagged": is_flagged,
        "times": times,
        "chart": think_chart(times) if times else None,
    }


def think_chart(times: list[int]) -> dict:
    """A bar for each think time in milliseconds, in order: its place and height, the places of the marks, and all of it
    in words. Heights grow with the logarithm, so that tenths of seconds and half minutes are both to be seen."""
    says = f"{counted(len(times), 'jugada', 'jugadas')}, de {_seconds(min(times))} a {_seconds(max(times))}"
    return {
        "width": 4 * len(times),
        "high": HIGH,
        "bars": [(4 * place, HIGH - _height(ms), _height(ms)) for place, ms in enumerate(times)],
        "marks": [HIGH - _height(ms) for ms in MARKS_MS],
        "says": f"{says}, la mitad en {_seconds(median(times))} o menos",
    }


def _height(ms):
    share = log10(min(max(ms, LEAST_MS), MOST_MS) / LEAST_MS) / log10(MOST_MS / LEAST_MS)
    return max(1, round(HIGH * share))


def _seconds(ms):
    return f"{tenths(ms / 1000)} s" if ms >= 1000 else f"{ms:.0f} ms"


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
