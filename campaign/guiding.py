"""The addresses of help at the table: hints, their switch, and the led match's way out."""

from django.http import JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from cvarenta.errors import explain, prefers_json
from cvarenta.game.view import view_of

from . import services
from .aids import aids_of, remember_hints
from .hints import advice_for, advice_words, hints_json, may_hint
from .models import SEAT
from .requests import FRAGMENT, BadFields, my_match, switch_of, wants_fragment
from .table import table_context, url_after
from .views import table_page

NO_HINTS = "En una vuelta puntuable no hay pistas: esta la juegas tú."
OVER = "La partida ya terminó: no queda jugada que aconsejar."
SWITCH = "El interruptor de las pistas es «on», con 1 o 0."


@never_cache
@ensure_csrf_cookie
@vary_on_headers("Accept", FRAGMENT)
@require_http_methods(["GET", "HEAD", "POST"])
def hint(request, match_id):
    """What maestro would play and why each play is dangerous; POST `on` keeps the dangers in sight, or no longer."""
    match = my_match(request, match_id)
    if not may_hint(match):
        return _no(request, match, 403, NO_HINTS)
    if request.method == "POST":
        return _switch(request, match)
    if match.is_over or match.is_abandoned:
        return _no(request, match, 409, OVER)
    game = match.load_game()
    view = view_of(game, SEAT)
    if prefers_json(request):
        return JsonResponse(hints_json(match, view))
    maestro = advice_words(advice_for(match, view))
    if wants_fragment(request):
        context = table_context(match, game, ())
        context |= aids_of(request, match, game, context["hand"], asked=True)
        return render(request, "campaign/_hints.html", context | {"maestro": maestro})
    return table_page(request, match, asked=True, maestro=maestro)


def _no(request, match, status, text):
    """No hint: a program and the table's script are told so, anybody else is shown the table or where it went."""
    if prefers_json(request) or wants_fragment(request):
        return JsonResponse({"error": text}, status=status, json_dumps_params={"ensure_ascii": False})
    if match.is_over or match.is_abandoned:
        return (
            redirect(url_after(match))
            if status == 409
            else explain(request, status, "Sin pistas", text, back=url_after(match), back_label="Volver")
        )
    return table_page(request, match, status=status, notice=text)


def _switch(request, match):
    try:
        is_on = switch_of(request, "on")
    except BadFields:
        return _no(request, match, 400, SWITCH)
    answer = JsonResponse({"on": is_on}) if prefers_json(request) else redirect("table", match.pk)
    return remember_hints(answer, is_on)


@never_cache
@vary_on_headers("Accept")
@require_POST
def lesson(request, match_id):
    """Go on without being led; where nothing leads, nothing changes."""
    match = my_match(request, match_id)
    services.leave_lesson(match=match)
    return JsonResponse({"led": False}) if prefers_json(request) else redirect("table", match.pk)
