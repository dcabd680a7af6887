"""The desk in Spanish: flags, outcomes, moments, and who a run is of."""

from collections import Counter
from datetime import datetime

from django.utils.timezone import localtime

from tournament.models import Flag, ScoredRun, Season

FLAG_KINDS = {
    "books": "Libros",
    "awards": "Premios",
    "result": "Resultado",
    "shuffle": "Baraja",
    "plays": "Jugadas",
    "untold": "Sin comprobar",
    "bots": "Bots",
    "pace": "Muy rápido",
    "beat": "Muy parejo",
    "strong": "Como el maestro",
    "device": "Mismo aparato",
    "address": "Misma dirección",
}
OUTCOMES = {"completed": "Completa", "lost": "Perdida", "abandoned": "Abandonada", "": "En camino"}
GONE = "(cuenta cerrada)"


def kinds_of(flags: list[Flag]) -> str:
    """«Baraja · Muy rápido ×3»."""
    counts = Counter(FLAG_KINDS.get(flag.kind, flag.kind) for flag in flags)
    return " · ".join(f"{kind} ×{count}" if count > 1 else kind for kind, count in counts.items())


def moment_of(at: datetime | None, season: Season) -> str:
    """«30/11/2026, 12:00 (Quito)», by the clocks of the season; nothing for no moment."""
    return f"{localtime(at, season.zone):%d/%m/%Y, %H:%M} ({season.zone_name})" if at else ""


def player_of(run: ScoredRun) -> str:
    player = run.standing.player
    return player.username if player else GONE


def asked_in_words(run: ScoredRun) -> str:
    """How the second look stands that the run's player may ask for; nothing if nobody did."""
    if run.asks:
        return "Pedida"
    return "Dada" if hasattr(run, "second_look") else ""


def points_of(run: ScoredRun) -> int:
    """What its awards add up to, whether they count or not."""
    return sum(award.points for award in run.awards.all())
