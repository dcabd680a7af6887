"""Matches and runs as lists show them."""

from cvarenta.wording import counted, day_in_words, moment_in_words

from .chapters import FAREWELLS, LAST, get_chapter
from .characters import TABLES, seated
from .reviewed import states_in_words
from .table import url_of
from .wording import team_name


def place_of(match):
    """Where a match is played: its chapter, or its table."""
    return f"Capítulo {get_chapter(match.chapter).numeral}" if match.run_id else TABLES[match.ruleset].name


def listed_match(match, we=None):
    """A match as lists show it; `we` is what the person's team is called for those who are not in it."""
    game = match.load_game()
    characters = seated(game.rules, match.rival)
    return {
        "match": match,
        "url": url_of(match),
        "table": place_of(match),
        "rival": characters[1],
        "teams": [(we or team_name(0, characters), game.score[0]), (team_name(1, characters), game.score[1])],
    }


def listed_run(run):
    """A run as lists show it."""
    if run.chapters_won == LAST:
        won = "Los cinco capítulos"
    elif run.chapters_won:
        won = counted(run.chapters_won, "capítulo ganado", "capítulos ganados")
    else:
        won = "Sin capítulos ganados"
    return {
        "run": run,
        "kind": "Vuelta puntuable" if run.is_scored else "Vuelta libre",
        "won": won,
        "day": day_in_words(run.started_at),
        "moment": moment_in_words(run.started_at),
        "outcome": run.get_outcome_display() if run.outcome else "En camino",
        "farewell": FAREWELLS.get(run.outcome, ""),
    }


def own_runs(runs):
    """Runs as lists show them to their player, who also reads how their review stands."""
    runs = list(runs)
    states = states_in_words(runs)
    return [listed_run(run) | {"review": states.get(run.pk, "")} for run in runs]
