"""What the books do when a player leaves, or asks for what is kept about them."""

from django.dispatch import receiver

from cvarenta.accounts.signals import gathering_data, player_leaving

from . import services


@receiver(player_leaving)
def leave(player, at, **_):
    services.leave(player_id=player.pk, at=at)


@receiver(gathering_data)
def tell(player, **_):
    """Where the player stands in each season, the slots taken and what they were paid."""
    return {
        "torneos": [
            {
                "torneo": standing.season.name,
                "puntos": standing.points,
                "alcanzados": standing.reached_at,
                "vueltas": [
                    {
                        "id": run.run_id,
                        "día": run.day,
                        "cupo": run.slot,
                        "premios": list(run.awards.order_by("at", "pk").values("chapter", "points", "at")),
                    }
                    for run in standing.scored_runs.order_by("started_at")
                ],
            }
            for standing in player.standings.select_related("season").order_by("season__closes_at")
        ]
    }
