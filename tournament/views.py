"""The ranking: of the season that is on, and of those that were; as a page, as JSON and as CSV."""

from urllib.parse import urlencode

from django.conf import settings
from django.core.cache import cache, caches
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from cvarenta.errors import prefers_json
from cvarenta.tasks import soon

from . import ranking, tasks
from .amendments import amended_in_words, amendments
from .export import csv_response
from .front import draw, drawn_at, front
from .models import ScoredRun, Season
from .services import GRACE
from .wording import season_in_words

LATEST_PLACE = 10**9
NO_SEASON = {"season": None, "slug": None, "opens_at": None, "closes_at": None, "final": False}
NO_SEASON |= {"amended_at": None, "amendments": [], "total": 0, "standings": [], "next": None, "me": None}
COLUMNS = ("puesto", "jugador", "puntos", "vueltas", "alcanzados")


class BadQuestion(ValueError):
    """A place that is no number, or a page that nobody gave."""


@never_cache
@vary_on_headers("Accept")
@require_safe
def ranking_now(request):
    """The season that is open, or the last that closed."""
    return _answer(request, Season.objects.shown_at(timezone.now()))


@never_cache
@vary_on_headers("Accept")
@require_safe
def season_ranking(request, slug):
    """A season by its name; after its close, the final table."""
    return _answer(request, get_object_or_404(Season, slug=slug))


def _answer(request, season):
    at = timezone.now()
    if season is None:
        if prefers_json(request):
            return JsonResponse(NO_SEASON)
        return render(request, "tournament/ranking.html", {"tournament": None})
    if season.final_at is None and season.has_closed(at - GRACE) and cache.add(f"closing:{season.pk}", 1, timeout=30):
        soon(tasks.close_seasons)  # nobody has written it down yet; it reads the same meanwhile
    if _asks_for_what_all_strangers_see(request):
        return HttpResponse(_strangers_page(request, season, at))
    mine = ranking.line_of(season, request.user.pk) if request.user.is_authenticated else None
    try:
        shown = _shown(request, season, mine, at)
    except BadQuestion:
        shown = {"status": 400, "notice": "Esa página de la tabla ya no está: aquí empieza de nuevo."}
        shown |= _first(request, season, mine, at)
    if prefers_json(request):
        return _json(request, season, mine, shown, at)
    annulled = _latest_annulled(season, request.user.pk) if request.user.is_authenticated and not mine else None
    context = _context(season, mine, shown, at, annulled)
    return render(request, "tournament/ranking.html", context, status=shown.get("status", 200))


def _context(season, mine, shown, at, annulled=None):
    if "drawing" not in shown or mine in shown["page"].lines:
        shown["drawing"] = draw(season, shown["page"], mine, is_front="is_front" in shown)
    return shown | {
        "tournament": season_in_words(season, at),
        "season": season,
        "amended": amended_in_words(season),
        "mine": mine,
        "around": mine and ranking.around(mine),
        "annulled": annulled,
        "others": Season.objects.closed_at(at).exclude(pk=season.pk),
    }


def _latest_annulled(season, player_id):
    """The id of a player's last run of the season that was annulled, or None."""
    runs = ScoredRun.objects.filter(season=season, standing__player_id=player_id, state=ScoredRun.State.ANNULLED)
    return runs.order_by("-started_at").values_list("pk", flat=True).first()


def _asks_for_what_all_strangers_see(request):
    """The first page, for a browser that has no session and was left no message."""
    has_own = settings.SESSION_COOKIE_NAME in request.COOKIES or "messages" in request.COOKIES
    return not has_own and not request.GET and not prefers_json(request)


def _strangers_page(request, season, at):
    """The whole page, drawn by each process once for each drawing of its table; the countdown begins at this moment."""
    left = f'data-seconds="{season_in_words(season, at)["closing"]["seconds"]:.1f}"'
    drawn = drawn_at(season, at=at)
    kept = drawn and caches["pages"].get(_key(request, season, drawn))
    if not kept:
        found = front(season, at=at)
        kept = render_to_string("tournament/ranking.html", _context(season, None, _front(found), at), request), left
        caches["pages"].set(_key(request, season, found.at), kept)
    page, left_then = kept
    return page.replace(left_then, left)


def _key(request, season, drawn):
    return f"{request.path}:{season.pk}:{season.revision}:{drawn.timestamp()}"


def _shown(request, season, mine, at):
    """The lines that were asked for, and what asks for the next ones."""
    asked = request.GET
    if text := asked.get("q", "").strip()[:60]:
        page = ranking.Page(ranking.search(season, text), None)
        is_cut = len(page.lines) == ranking.FOUND
        return {"text": text, "page": page, "total": ranking.total(season), "is_cut": is_cut}
    if "pagina" in asked:
        try:
            page = ranking.page_after(season, asked["pagina"], at=at)
        except ranking.BadCursor as error:
            raise BadQuestion from error
    elif "desde" in asked:
        place = _place(asked["desde"])
        if place == 1:
            return _first(request, season, mine, at)
        page = ranking.page_at(season, place, at=at)
    else:
        return _first(request, season, mine, at)
    return {"page": page, "total": ranking.total(season)}


def _first(request, season, mine, at):
    """The first page: drawn some seconds ago at most, and for programs, which are drawn nothing, as it is now."""
    if prefers_json(request):
        return {"page": ranking.page_at(season, 1, at=at), "total": ranking.total(season)}
    return _front(front(season, at=at, with_line=mine))


def _front(found):
    return {"page": found.page, "total": found.total, "drawing": found.drawing, "is_front": True}


def _place(text):
    if not (text.isascii() and text.isdigit() and len(text) < 11 and 1 <= int(text) <= LATEST_PLACE):
        raise BadQuestion
    return int(text)


def _json(request, season, mine, shown, at):
    if "status" in shown:
        return JsonResponse({"error": shown["notice"]}, status=400)
    page = shown["page"]
    answer = {
        "season": season.name,
        "slug": season.slug,
        "opens_at": season.opens_at and season.opens_at.astimezone(season.zone).isoformat(),
        "closes_at": season.closes_at.astimezone(season.zone).isoformat(),
        "final": season.has_closed(at),
        "amended_at": season.amended_at and season.amended_at.astimezone(season.zone).isoformat(),
        "amendments": [_amendment_json(amendment, season) for amendment in amendments(season)[0]],
        "total": shown["total"],
        "standings": [_line_json(line, season) for line in page.lines],
        "next": page.next and f"{request.path}?{urlencode({'pagina': page.next})}",
        "me": mine and _line_json(mine, season),
    }
    return JsonResponse(answer)


def _amendment_json(amendment, season):
    return amendment._asdict() | {"at": amendment.at.astimezone(season.zone).isoformat(timespec="minutes")}


def _line_json(line, season):
    return line._asdict() | {"reached_at": line.reached_at.astimezone(season.zone).isoformat()}


@never_cache
@require_safe
def season_csv(request, slug):
    """The whole table as it stands at this moment, streamed; UTF-8, safe to open in a spreadsheet."""
    season = get_object_or_404(Season, slug=slug)
    lines = (_cells(line, season) for line in ranking.walk(season))
    return csv_response(f"{season.slug}.csv", COLUMNS, lines)


def _cells(line, season):
    reached_at = line.reached_at.astimezone(season.zone)
    return line.place, line.player or "(cuenta cerrada)", line.points, line.runs, reached_at.isoformat()
