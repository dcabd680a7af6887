"""A run on one page: what the books and the review know of it, and what other apps add."""

from urllib.parse import urljoin

from django.urls import reverse

from tournament import ranking
from tournament.models import ScoredRun
from tournament.signals import showing_run

from .words import FLAG_KINDS, OUTCOMES, kinds_of, moment_of, player_of, points_of

OTHERS = 30  #: other runs of the player


def url_of(run: ScoredRun) -> str:
    return reverse("admin:tournament_scoredrun_change", args=[run.pk])


def run_context(run: ScoredRun, request) -> dict:
    """What the page of a run shows."""
    season, url = run.season, url_of(run)
    line = ranking.line_of(season, run.standing.player_id) if run.standing.player_id else None
    sections = [answer for _, answer in showing_run.send(sender=ScoredRun, run=run, request=request) if answer]
    return {
        "run": run,
        "url": url,
        "player": run.standing.player,
        "total": run.standing.points,
        "line": line,
        "reached": moment_of(run.standing.reached_at, season),
        "points": points_of(run),
        "outcome": OUTCOMES.get(run.outcome, run.outcome),
        "began": moment_of(run.started_at, season),
        "ended": moment_of(run.ended_at, season),
        "checked": moment_of(run.checked_at, season),
        "awards": [
            (award, moment_of(award.at, season))
            for award in sorted(run.awards.all(), key=lambda award: (award.at, award.chapter or 9))
        ],
        "flags": [
            (flag, FLAG_KINDS.get(flag.kind, flag.kind), _link(url, flag.link))
            for flag in run.flags.order_by("at", "pk")
        ],
        "asked": getattr(run, "second_look", None),
        "asked_at": moment_of(run.second_look.at, season) if hasattr(run, "second_look") else "",
        "sections": sections,
        "others": _others(run),
        "decisions": [(decision, moment_of(decision.at, season)) for decision in run.decisions.order_by("number")],
    }


def _link(url, link):
    """Where a flag's link leads, which is a query of the run's page; nothing for what leads off the site."""
    target = urljoin(url, link) if link else ""
    return target if target.startswith("/") and not target.startswith("//") else ""


def _others(run):
    """The player's other runs, the latest first, in all seasons; of an account that is gone those of its season."""
    runs = ScoredRun.objects.exclude(pk=run.pk).select_related("season", "standing__player")
    player = run.standing.player_id
    runs = runs.filter(standing__player=player) if player else runs.filter(standing=run.standing_id)
    runs = runs.prefetch_related("awards", "flags").order_by("-started_at", "run_id")
    return [
        {
            "run": other,
            "url": url_of(other),
            "points": points_of(other),
            "outcome": OUTCOMES.get(other.outcome, other.outcome),
            "kinds": kinds_of(other.flags.all()),
            "player": player_of(other),
        }
        for other in runs[:OTHERS]
    ]
