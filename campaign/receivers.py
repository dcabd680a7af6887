"""What the campaign does when a player signs up, leaves, or asks for what is kept about them."""

from allauth.account.signals import user_signed_up
from django.contrib import messages
from django.dispatch import receiver

from cvarenta.accounts.signals import gathering_data, player_leaving

from . import services
from .owners import owner_of


@receiver(user_signed_up)
def claim_guest(request, user, **_):
    """What was played in this browser without account goes with whoever signs up in it."""
    claimed = services.claim_guest(player_id=user.pk, guest=owner_of(request).guest)
    welcome = f"Listo, {user.username}: ya tienes cuenta."
    messages.success(request, f"{welcome} Lo que jugaste aquí va contigo." if claimed else welcome)


@receiver(player_leaving)
def leave(player, at, **_):
    services.leave(player_id=player.pk, at=at)


@receiver(gathering_data)
def tell(player, **_):
    """Runs and matches, with the plays of those that are over: nobody sees the cards of a match under way."""
    runs = player.runs.order_by("started_at")
    matches = player.matches.order_by("started_at").defer("state", "seed")
    return {
        "vueltas": [
            {
                "id": run.pk,
                "puntuable": run.is_scored,
                "capítulos_ganados": run.chapters_won,
                "final": run.outcome,
                "empezó": run.started_at,
                "terminó": run.ended_at,
            }
            for run in runs
        ],
        "partidas": [
            {
                "id": match.pk,
                "vuelta": match.run_id,
                "capítulo": match.chapter,
                "mesa": match.ruleset,
                "rival": match.rival,
                "ganador": match.winner,
                "empezó": match.started_at,
                "última_jugada": match.played_at,
                "jugadas": match.plays.split() if match.is_over else None,
                "milisegundos": [int(ms) for ms in match.think_times.split()],
            }
            for match in matches
        ],
    }
