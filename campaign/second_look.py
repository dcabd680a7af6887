"""A player asks the desk to look at a run of theirs again: once, when it has ended or was annulled."""

import re

from django.http import JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from cvarenta.errors import prefers_json
from tournament import review
from tournament.models import ScoredRun

from .requests import BadFields, fields_of, my_run
from .story import run_page

UNKEPT = re.compile("[\0\ud800-\udfff]")  #: NUL, and half a surrogate pair
UNREADABLE = "No pudimos leer lo que escribiste. Quita los signos raros y pídelo otra vez."
TOO_LONG = f"Escríbelo en {review.LONGEST_REQUEST} letras o menos: con lo que hay que mirar basta."
FREE = "Esta vuelta es libre: no da puntos y nadie la revisa."
ASKED = "La segunda mirada ya está pedida: se pide una vez por vuelta."
UNDER_WAY = "Esta vuelta sigue en camino: la segunda mirada se pide cuando termine."


@never_cache
@ensure_csrf_cookie
@vary_on_headers("Accept")
@require_http_methods(["GET", "HEAD", "POST"])
def second_look(request, run_id):
    """Ask for it, with some words or none; whoever only comes here is led to the run's page."""
    found = my_run(request, run_id)
    page = f"{reverse('run', args=[found.pk])}#revision"
    if request.method != "POST":
        return redirect(page)
    text = ""
    try:
        text = _text_of(request)
        asked = review.ask_again(run_id=found.pk, text=_readable(text), at=timezone.now())
    except BadFields:
        return _refused(request, found, 400, UNREADABLE, text)
    except ValueError:
        return _refused(request, found, 400, TOO_LONG, text)
    except ScoredRun.DoesNotExist:
        return _refused(request, found, 409, FREE)
    except review.AlreadyAsked:
        return _refused(request, found, 409, ASKED)
    except review.NothingToLookAt:
        return _refused(request, found, 409, UNDER_WAY)
    if prefers_json(request):
        return JsonResponse({"run": found.pk, "asked_at": asked.at.isoformat()}, status=201)
    return redirect(page)


def _text_of(request):
    """What was written, its lines ended as the page counted them: browsers send two signs for each."""
    return fields_of(request).get("text", "").replace("\r\n", "\n")


def _readable(text):
    """The text, if every database can keep it; raises BadFields."""
    if UNKEPT.search(text):
        raise BadFields
    return text


def _refused(request, found, status, text, written=""):
    """Nothing was asked: say why, and keep what was written."""
    if prefers_json(request):
        return JsonResponse({"error": text}, status=status)
    return run_page(request, found, status=status, notice=text, written=UNKEPT.sub("", written))
