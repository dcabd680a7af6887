"""What the campaign does when a player signs up, leaves, or asks for what is kept about them."""

from allauth.account.signals import user_signed_up
from django.contrib import messages
from django.dispatch import receiver

from cvarenta.accounts.signals import gathering_data, player_leaving
from tournament.models import ScoredRun
from tournament.signals import auditing

from . import services
from .differences import TOLD, differences
from .models import Run
from .owners import owner_of

AT_A_TIME = 1000


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
    matches = player.matches.order_by("started_at").defer("state", "seed").select_related("summary", "analysis")
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
                "compartida": match.shared_at,
                "guiada": match.get_lesson_display() or None,
                "análisis": match.analysis.result if hasattr(match, "analysis") else None,
                "cifras": _figures(match),
            }
            for match in matches
        ],
    }


def _figures(match):
    """The figures of a finished match, or None before they are written."""
    summary = getattr(match, "summary", None)
    return summary and {
        "puntos": summary.own_score,
        "puntos_del_rival": summary.rival_score,
        "caídas": summary.caidas,
        "caídas_recibidas": summary.caidas_suffered,
        "limpias": summary.limpias,
        "rondas": summary.rondas,
        "ganada_con_caída": summary.won_by_caida,
        "dejó_zapatero": summary.is_zapatero,
        "cartones": [int(cards) for cards in summary.cartones.split()],
        "jugadas": summary.plays,
        "milisegundos": summary.think_ms,
    }


@receiver(auditing)
def compare_with_the_books(season, **_):
    """Whether the books of a season have the scored runs that were played, and pay the chapters that were won in them
    before the close."""
    found, last = [], ""
    booked = ScoredRun.objects.filter(season=season).select_related("standing").order_by("run_id")
    while batch := list(booked.filter(run_id__gt=last)[:AT_A_TIME]):
        parted = differences(season, {books.run_id: books for books in batch})
        found += [difference.told(TOLD) for difference in parted]
        last = batch[-1].run_id
    unbooked = Run.objects.filter(is_scored=True).exclude(pk__in=ScoredRun.objects.values("run_id"))
    return found + [
        f"run {run_id} was played as scored and is in no season" for run_id in unbooked.values_list("pk", flat=True)
    ]
