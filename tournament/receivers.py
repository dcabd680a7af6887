"""What the books do when a player leaves, or asks for what is kept about them."""

from django.db.models import Prefetch
from django.dispatch import receiver

from cvarenta.accounts.signals import gathering_data, player_leaving

from . import services
from .models import Award, Decision, ScoredRun, Trace


@receiver(player_leaving)
def leave(player, at, **_):
    services.leave(player_id=player.pk, at=at)


@receiver(gathering_data)
def tell(player, **_):
    """Where the player stands in each season, the slots taken, what they were paid and what the review decided; not
    who decided, nor what it found to look at."""
    return {
        "torneos": [
            {
                "torneo": standing.season.name,
                "puntos": standing.points,
                "alcanzados": standing.reached_at,
                "vueltas": [_run(run) for run in standing.scored_runs.all()],
            }
            for standing in _standings_of(player)
        ]
    }


def _standings_of(player):
    """With all that is told of them, in as many questions as there are tables."""
    runs = ScoredRun.objects.select_related("second_look").order_by("started_at")
    runs = runs.prefetch_related(
        Prefetch("awards", Award.objects.order_by("at", "pk")),
        Prefetch("decisions", Decision.objects.order_by("number")),
        Prefetch("traces", Trace.objects.order_by("at", "pk")),
    )
    standings = player.standings.select_related("season").order_by("season__closes_at")
    return standings.prefetch_related(Prefetch("scored_runs", runs))


def _run(run):
    asked = getattr(run, "second_look", None)
    return {
        "id": run.run_id,
        "día": run.day,
        "cupo": run.slot,
        "premios": [{"chapter": award.chapter, "points": award.points, "at": award.at} for award in run.awards.all()],
        "estado": run.get_state_display(),
        "comprobada": run.checked_at,
        "decisiones": [
            {"cuándo": decision.at, "decisión": decision.get_action_display(), "motivo": decision.reason}
            for decision in run.decisions.all()
        ],
        "segunda_mirada": asked and {"cuándo": asked.at, "texto": asked.text},
        "rastros": [{"clase": trace.get_kind_display(), "cuándo": trace.at} for trace in run.traces.all()],
    }
