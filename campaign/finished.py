"""A finished match: its page with the replay, its record as JSON, and what its player may do with it."""

from django.contrib import messages
from django.http import Http404, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from cvarenta.errors import explain, prefers_json
from cvarenta.game.record import record_from
from cvarenta.wording import counted, moment_in_words

from . import services
from .analysis import analysis_context
from .characters import YOU, seated, seen_by_others
from .history import figures_of, record_of
from .lists import listed_match, place_of
from .models import Match
from .pictures import GUEST, result_of
from .pledges import new_pledge
from .replay import MINE, moments_of, plies_told, replay_context, told_of
from .requests import BadFields, match_to_look_at, my_match, switch_of
from .table import log_lines, url_of
from .transparency import SEATS
from .wording import team_name


@never_cache
@ensure_csrf_cookie
@vary_on_headers("Accept")
@require_safe
def finished_match(request, match_id):
    """A finished match: the result, its replay, its figures, the log; its record as JSON. Whoever has the address of a
    shared one may look too."""
    found, is_mine = match_to_look_at(request, match_id)
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
    return _match_page(request, found, is_mine)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def share(request, match_id):
    """Let others look at a match, or no longer; whoever only comes here is led to the button."""
    found = my_match(request, match_id)
    if request.method != "POST":
        return redirect(f"{url_of(found)}#compartir")
    try:
        services.share(match=found, is_shared=switch_of(request, "share"), at=timezone.now())
    except BadFields:
        return _refused(request, found, 400, "No entendimos si quieres compartirla. Usa el botón de la partida.")
    except Match.DoesNotExist:
        raise Http404 from None
    except services.MatchUnderWay:
        return _refused(request, found, 409, "Todavía se juega: se puede compartir cuando alguien la gane.")
    if prefers_json(request):
        return JsonResponse({"id": found.pk, "shared": found.is_shared})
    return redirect(f"{url_of(found)}#compartir")


@never_cache
@ensure_csrf_cookie
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request, match_id):
    """Ask once; POST removes a practice match."""
    found = my_match(request, match_id)
    if found.run_id:
        return _refused(request, found, 409, "Esta partida es de una vuelta de la historia y se queda con ella.")
    if request.method != "POST":
        return render(request, "campaign/delete_match.html", {"row": listed_match(found)})
    services.delete_match(match=found)
    if prefers_json(request):
        return JsonResponse({"deleted": match_id})
    messages.success(request, "Partida borrada: de ella no queda nada.")
    return redirect("practice")


def _refused(request, found, status, text):
    """Nothing was changed: say why, and lead back to the match."""
    return explain(request, status, "Así no se puede", text, back=url_of(found), back_label="Volver a la partida")


def _match_page(request, found, is_mine):
    name = found.player.username if found.player_id else GUEST
    game = found.load_game()
    characters = seated(game.rules, found.rival, YOU if is_mine else seen_by_others(name))
    moments = moments_of(record_from(record_of(found)))
    told, result = told_of(moments), result_of(found)
    context = {
        "match": found,
        "is_mine": is_mine,
        "name": name,
        "has_won": found.has_won,
        "table": place_of(found),
        "rival": characters[1],
        "names": [team_name(team, characters) for team in (0, 1)],
        "score": game.score,
        "chicas": game.chicas if game.rules.is_mesa else None,
        "log": _log(told, plies_told(moments), characters, game.rules),
        "started": moment_in_words(found.started_at),
        "minutes": _minutes(found),
        "replay": replay_context(
            moments,
            characters,
            asked=request.GET.get("jugada", ""),
            hides_hands=request.GET.get("manos") == MINE,
            base_url=url_of(found),
            is_public=found.is_shared,
        ),
        "analysis": analysis_context(found, is_mine),
        "seed": bytes(found.seed).hex(),
        "seats": SEATS,
        "says": result.says,
        "pledge": new_pledge(at=timezone.now()),  # of another match
        "card": _card(request, found, result) if found.is_shared else None,
        **_figures(told),
    }
    return render(request, "campaign/match.html", context)


def _card(request, found, result):
    """What other sites show of a shared match."""
    return {
        "url": request.build_absolute_uri(url_of(found)),
        "title": result.title,
        "description": f"{result.place}. Repásala jugada a jugada, con todas las manos abiertas.",
        "picture_url": request.build_absolute_uri(reverse("match_picture", args=[found.pk])),
        "says": result.says,
    }


def _minutes(found):
    minutes = max(1, round((found.finished_at - found.started_at).total_seconds() / 60))
    return counted(minutes, "minuto", "minutos")


def _figures(told):
    figures = figures_of(told)
    return {
        "rows": [("Caídas", figures["caidas"]), ("Limpias", figures["limpias"]), ("Rondas", figures["rondas"])],
        "cartones": [
            {"deck": deck + 1, "pairs": list(zip(carton.cards, carton.points, strict=True))}
            for deck, carton in figures["cartones"]
        ],
    }


def _log(told, plies, characters, rules):
    """The lines of the log by deck, each with the moment it tells of."""
    decks = {}
    for line, ply in zip(log_lines(told, characters, rules), plies, strict=True):
        decks.setdefault(line["deck"] + 1, []).append(line | {"ply": ply})
    return list(decks.items())
