"""Matches and runs as lists show them, and what a player's victories keep switched on."""

from django.utils.formats import date_format
from django.utils.timezone import localtime

from .chapters import LAST, get_chapter, layers_on
from .characters import TABLES, seated
from .models import Run
from .table import url_of
from .wording import counted, team_name

DAY = r"j \d\e F \d\e Y"


def listed_match(match):
    """A match as lists show it."""
    game = match.load_game()
    characters = seated(game.rules, match.rival)
    place = f"Capítulo {get_chapter(match.chapter).numeral}" if match.run_id else TABLES[match.ruleset].name
    return {
        "match": match,
        "url": url_of(match),
        "table": place,
        "rival": characters[1],
        "teams": [(team_name(team, characters), game.score[team]) for team in (0, 1)],
        "has_won": match.winner == 0,
    }


def listed_run(run):
    """A run as lists show it."""
    won = (
        counted(run.chapters_won, "capítulo ganado", "capítulos ganados")
        if run.chapters_won
        else "Sin capítulos ganados"
    )
    return {
        "run": run,
        "kind": "Vuelta puntuable" if run.is_scored else "Vuelta libre",
        "won": "Los cinco capítulos" if run.chapters_won == LAST else won,
        "day": date_format(localtime(run.started_at), DAY),
        "moment": in_words(run.started_at),
        "outcome": run.get_outcome_display() if run.outcome else "En camino",
    }


def in_words(at):
    """«30 de noviembre de 2026, 18:05 (hora de Quito)»."""
    return date_format(localtime(at), f"{DAY}, H:i") + " (hora de Quito)"


def layers_kept(user):
    """The layers that stay on outside a run: all of them for someone who once completed the story."""
    if not user.is_authenticated:
        return []
    return layers_on(LAST if Run.objects.filter(player=user, outcome=Run.Outcome.COMPLETED).exists() else 0)
