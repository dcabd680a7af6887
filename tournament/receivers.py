"""What the books do when a player leaves, or asks for what is kept about them."""

from django.dispatch import receiver

from cvarenta.accounts.signals import gathering_data, player_leaving

from . import services


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
                "vueltas": [_run(run) for run in standing.scored_runs.order_by("started_at")],
            }
            for standing in player.standings.select_related("season").order_by("season__closes_at")
        ]
    }


def _run(run):
    asked = getattr(run, "second_look", None)
    return {
        "id": run.run_id,
        "día": run.day,
        "cupo": run.slot,
        "premios": list(run.awards.order_by("at", "pk").values("chapter", "points", "at")),
        "estado": run.get_state_display(),
        "comprobada": run.checked_at,
        "decisiones": [
            {"cuándo": decision.at, "decisión": decision.get_action_display(), "motivo": decision.reason}
            for decision in run.decisions.order_by("number")
        ],
        "segunda_mirada": asked and {"cuándo": asked.at, "texto": asked.text},
        "rastros": [
            {"clase": trace.get_kind_display(), "cuándo": trace.at} for trace in run.traces.order_by("at", "pk")
        ],
    }
