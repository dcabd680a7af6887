"""The pages, or JSON for programs, that say what went wrong and what to do."""

import sys
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.html import format_html
from django.utils.http import escape_leading_slashes

PLAYERS_OWN = ("/mesa/", "/partida/", "/campana/")
HOME = {"back": "/", "back_label": "Volver a la portada"}


def prefers_json(request: HttpRequest) -> bool:
    """Whether a program asks: JSON is named, and no page is preferred. Browsers' */* means a page."""
    try:
        preferred = request.get_preferred_type(["text/html", "application/json", "application/json; charset=utf-8"])
        return bool(preferred) and preferred.startswith("application/json")
    except (LookupError, ValueError):  # a header that names an unknown charset
        return False


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    # Without the request: what is wrong may be its very host or session.
    return explain(
        request,
        400,
        "No entendimos el pedido",
        "Algo en el pedido no está bien escrito. Vuelve a la portada y prueba otra vez desde allí.",
        trust_request=False,
    )


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return explain(
        request,
        403,
        "Esta puerta está cerrada",
        "Tu cuenta no tiene permiso para entrar aquí. Si es tuyo, inicia sesión con la cuenta que usaste.",
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return explain(
        request,
        403,
        "Hay que repetirlo",
        "La página se quedó abierta mucho tiempo y, por tu seguridad, no aceptamos el envío. "
        "Vuelve a la página y hazlo otra vez; si pasa de nuevo, permite las cookies de este sitio.",
        back=escape_leading_slashes(request.get_full_path()),  # "//host" is another site
        back_label="Volver a la página",
    )


def log_in_first(request: HttpRequest) -> HttpResponse:
    """The way in and back here; 401 for programs."""
    if prefers_json(request):
        return JsonResponse({"error": "Para esto hace falta una cuenta: inicia sesión primero."}, status=401)
    return redirect_to_login(request.path)


def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    # The same for what is another's and what is nobody's, so that it tells nothing.
    text = "Esta página no existe o ya se levantó. Revisa la dirección o vuelve a la portada."
    way_in = {}
    if request.path.startswith(PLAYERS_OWN) and not getattr(request, "user", AnonymousUser()).is_authenticated:
        text = f"{text} Si es tuya, entra con tu cuenta y aquí estará."
        way_in = {"more": f"{reverse('account_login')}?{urlencode({'next': request.path})}", "more_label": "Entrar"}
    return explain(request, 404, "Por aquí no hay mesa", text, **way_in)


def method_not_allowed(request: HttpRequest) -> HttpResponse:
    return explain(
        request,
        405,
        "Por aquí no se entra así",
        "Esta dirección espera un botón, no una visita. Vuelve a la página y hazlo desde allí.",
    )


def in_our_words(get_response):
    """Refusals that Django leaves empty, or in DEBUG tells in its own words, said in ours."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code == 405 and not response.content:
            ours = method_not_allowed(request)
            ours["Allow"] = response["Allow"]
            return ours
        if settings.DEBUG and response.status_code == 404 and "no-store" not in response.get("Cache-Control", ""):
            return page_not_found(request)
        return response

    return middleware


def too_many_requests(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    response = explain(
        request,
        429,
        "Un respiro",
        "Van muchos intentos seguidos desde aquí. Espera diez minutos y prueba otra vez; "
        "tu cuenta y tus partidas siguen en su lugar.",
    )
    response["Retry-After"] = "600"
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Asks nothing of the database, the session or, at worst, the templates: any may be what broke. While the database
    is away it is 503, so that programs come again."""
    is_away = isinstance(sys.exc_info()[1], OperationalError | InterfaceError)
    status, title = (503, "Las cartas ya vuelven") if is_away else (500, "Se nos cayeron las cartas")
    text = "El error es nuestro y tu partida sigue guardada. Espera un momento y vuelve a cargar la página."
    try:
        response = explain(request, status, title, text, trust_request=False)
    except Exception:
        page = '<!doctype html><html lang="es"><meta charset="utf-8"><title>{0}</title><h1>{0}</h1><p>{1}</p>'
        response = HttpResponse(format_html(page, title, text), status=status)
    if is_away:
        response["Retry-After"] = "5"
    return response


def explain(
    request: HttpRequest, status: int, title: str, text: str, *, trust_request: bool = True, **back: str
) -> HttpResponse:
    """What went wrong as a page of its own, or as JSON for programs. `back` and `back_label` are its way on, the cover
    if not given; with `trust_request` False nothing of the request is looked at."""
    if prefers_json(request):
        response = JsonResponse({"error": text}, status=status, json_dumps_params={"ensure_ascii": False})
    else:
        context = {"status": status, "title": title, "text": text, **HOME, **back}
        page = render_to_string("error.html", context, request if trust_request else None)
        response = HttpResponse(page, status=status)
    patch_vary_headers(response, ["Accept"])
    response["Cache-Control"] = "no-store"
    return response
