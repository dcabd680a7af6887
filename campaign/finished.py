"""The page of a finished match, and its record as JSON."""

from django.http import JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from cvarenta.errors import prefers_json
from cvarenta.wording import counted, moment_in_words

from .characters import TABLES, seated
from .history import events_of, figures_of, record_of
from .requests import my_match
from .table import log_lines
from .wording import team_name


@never_cache
@ensure_csrf_cookie
@vary_on_headers("Accept")
@require_safe
def finished_match(request, match_id):
    """A finished match: the result, its figures, the log; its record as JSON."""
    found = my_match(request, match_id)
    as_record = prefers_json(request) or "record" in request.GET
    if not found.is_over:
        if as_record:
            return JsonResponse({"error": "La partida no ha terminado: su registro sale al final."}, status=404)
        return redirect("table", found.pk)
    if as_record:
        response = JsonResponse(record_of(found), json_dumps_params={"indent": 1})
        if "record" in request.GET:
            response["Content-Disposition"] = f'attachment; filename="cvarenta-{found.pk}.json"'
        return response
    return render(request, "campaign/match.html", _match_context(found))


def _match_context(found):
    game = found.load_game()
    told, characters = events_of(found), seated(game.rules, found.rival)
    figures = figures_of(told)
    rows = [("Caídas", figures["caidas"]), ("Limpias", figures["limpias"]), ("Rondas", figures["rondas"])]
    minutes = max(1, round((found.finished_at - found.started_at).total_seconds() / 60))
    decks = {}
    for line in log_lines(told, characters, game.rules):
        decks.setdefault(line["deck"], []).append(line)
    return {
        "match": found,
        "has_won": found.has_won,
        "table": TABLES[found.ruleset].name,
        "rival": characters[1],
        "names": [team_name(team, characters) for team in (0, 1)],
        "score": game.score,
        "chicas": game.chicas if game.rules.is_mesa else None,
        "rows": rows,
        "cartones": [
            {"deck": deck + 1, "pairs": list(zip(carton.cards, carton.points, strict=True))}
            for deck, carton in figures["cartones"]
        ],
        "log": [(deck + 1, lines) for deck, lines in decks.items()],
        "started": moment_in_words(found.started_at),
        "minutes": counted(minutes, "minuto", "minutos"),
    }
