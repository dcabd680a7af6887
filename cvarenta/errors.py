"""The pages, or JSON for programs, that say what went wrong and what to do."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.html import format_html
from django.utils.http import escape_leading_slashes

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
    return _answer(
        request,
        400,
        "No entendimos el pedido",
        "Algo en el pedido no está bien escrito. Vuelve a la portada y prueba otra vez desde allí.",
        trust_request=False,
    )


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _answer(
        request,
        403,
        "Esta puerta está cerrada",
        "Tu cuenta no tiene permiso para entrar aquí. Si es tuyo, inicia sesión con la cuenta que usaste.",
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return _answer(
        request,
        403,
        "Hay que repetirlo",
        "La página se quedó abierta mucho tiempo y, por tu seguridad, no aceptamos el envío. "
        "Vuelve a la página y hazlo otra vez; si pasa de nuevo, permite las cookies de este sitio.",
        back=escape_leading_slashes(request.get_full_path()),  # "//host" is another site
        back_label="Volver a la página",
    )


def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _answer(
        request,
        404,
        "Por aquí no hay mesa",
        "Esta página no existe o ya se levantó. Revisa la dirección o vuelve a la portada.",
    )


def server_error(request: HttpRequest) -> HttpResponse:
    """Asks nothing of the database, the session or, at worst, the templates: any may be what broke."""
    title = "Se nos cayeron las cartas"
    text = "El error es nuestro y tu partida sigue guardada. Espera un momento y vuelve a cargar la página."
    try:
        return _answer(request, 500, title, text, trust_request=False)
    except Exception:
        page = '<!doctype html><html lang="es"><meta charset="utf-8"><title>{0}</title><h1>{0}</h1><p>{1}</p>'
        return HttpResponse(format_html(page, title, text), status=500)


def _answer(
    request: HttpRequest, status: int, title: str, text: str, *, trust_request: bool = True, **back: str
) -> HttpResponse:
    if prefers_json(request):
        response = JsonResponse({"error": text}, status=status, json_dumps_params={"ensure_ascii": False})
    else:
        context = {"status": status, "title": title, "text": text, **HOME, **back}
        page = render_to_string("error.html", context, request if trust_request else None)
        response = HttpResponse(page, status=status)
    patch_vary_headers(response, ["Accept"])
    response["Cache-Control"] = "no-store"
    return response
