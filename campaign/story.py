"""The pages of the story: the map, a run, its chapters. What a program needs of them also answers in JSON."""

from django.http import Http404, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from cvarenta.errors import log_in_first, prefers_json
from cvarenta.game.errors import GameError
from cvarenta.wording import counted
from tournament import services as tournament
from tournament.models import Season
from tournament.wording import countdown, season_in_words

from . import services
from .chapters import CHAPTERS, COMPANY, FAREWELLS, LAST, get_chapter
from .devices import traced
from .lists import listed_match, listed_run, own_runs
from .models import Run
from .pledges import PledgeRefused, new_pledge, pledge_json
from .points import just_won, points_in_words
from .requests import BadFields, fields_of, my_run, whole_number
from .reviewed import review_json, review_of
from .table import url_of
from .wording import BAD_NONCE, USED_PLEDGE

RUN_KINDS = ("scored", "free")
START_FIELDS = {"kind", "slot", "pledge", "nonce", "run", "chapter", "csrfmiddlewaretoken"}
SHOWN_RUNS = 10


@never_cache
@ensure_csrf_cookie
@vary_on_headers("Accept")
@require_http_methods(["GET", "HEAD", "POST"])
def campaign(request):
    """The map of the five chapters: start, go on, look back; POST begins a run or its next match."""
    if request.method == "POST":
        return _play_on(request)
    if prefers_json(request):
        run, at = _run_under_way(request.user), timezone.now()
        answer = {
            "run": run and _run_json(run),
            "offer": _offer_json(_offer(request.user, at)),
            "chapters": [_chapter_json(found) for found in CHAPTERS],
            "pledge": pledge_json(new_pledge(at=at)),
        }
        return JsonResponse(answer)
    return _map_page(request)


def _play_on(request):
    if not request.user.is_authenticated:
        return log_in_first(request)
    try:
        fields = fields_of(request)
        match, is_new = _match_asked_for(request.user, fields, at=timezone.now())
    except services.BadNonce:
        return _refused(request, 400, BAD_NONCE)
    except PledgeRefused:
        return _refused(request, 409, USED_PLEDGE)
    except (GameError, BadFields):
        return _refused(request, 400, "No entendimos qué vuelta querías. Empieza desde aquí.")
    except (services.RunHasEnded, services.WrongChapter):
        return _refused(request, 409, "Tu vuelta ya no está donde la dejó esa página. Aquí está como va ahora.")
    except services.OfferHasChanged:
        return _refused(request, 409, "Lo que te ofrecía esa página ya cambió y no empezó nada. Mira lo que hay ahora.")
    if prefers_json(request):
        answer = {
            "id": match.pk,
            "url": url_of(match),
            "commitment": match.commitment,
            "run": match.run_id,
            "kind": _kind(match.run),
            "chapter": match.chapter,
        }
        response = JsonResponse(answer, status=201 if is_new else 200, headers={"Location": answer["url"]})
    elif "run" in fields:
        response = redirect("table", match.pk)
    else:
        response = redirect("chapter", match.run_id, match.chapter)
    return traced(request, response, run=match.run, at=timezone.now()) if is_new else response


def _match_asked_for(player, fields, *, at):
    """The match to be played now, and whether it was dealt now. A run that is under way is gone on with, whatever is
    asked; `run` and `chapter` say where the page that asks believed it to be, `slot` which one it offered."""
    kind = fields.get("kind", RUN_KINDS[1])
    seal = {"pledge": fields.get("pledge"), "nonce": fields.get("nonce", "")}
    if kind not in RUN_KINDS or not fields.keys() <= START_FIELDS:
        raise BadFields
    run = _run_under_way(player)
    if "run" in fields and (run is None or run.pk != fields["run"]):
        raise services.RunHasEnded
    chapter = whole_number(fields["chapter"]) if "chapter" in fields else None
    if run is None:
        if chapter not in (None, 1):
            raise services.WrongChapter
        try:
            asked = {"is_scored": kind == RUN_KINDS[0], "offered": fields.get("slot")}
            return services.start_run(player_id=player.pk, **asked, **seal, at=at), True
        except services.RunUnderWay:  # another tab was quicker
            run = _run_under_way(player)
            if run is None:
                raise services.RunHasEnded from None
    return services.go_on(run=run, chapter=run.chapter if chapter is None else chapter, **seal, at=at)


def _refused(request, status, text):
    if prefers_json(request):
        run = _run_under_way(request.user)
        offer = _offer_json(_offer(request.user, timezone.now()))
        return JsonResponse({"error": text, "run": run and _run_json(run), "offer": offer}, status=status)
    return _map_page(request, status=status, notice=text)


def _run_under_way(user):
    return Run.objects.of(user).under_way().first()


def _offer(user, at):
    return tournament.offer(player_id=user.pk if user.is_authenticated else None, at=at)


def _offer_json(offer):
    return offer and {
        "season": offer.season.slug,
        "slot": offer.slot and offer.slot.name,
        "left": offer.left,
        "runs_a_day": offer.season.runs_a_day,
        "next_day_at": offer.next_day_at.isoformat(),
        "closes_at": offer.season.closes_at.astimezone(offer.season.zone).isoformat(),
    }


def _offer_in_words(offer, at):
    """What the map says of a run that would be begun now: its slot, those left, the next day, the close."""
    season = offer.season
    return {
        "slot": offer.slot,
        "left": offer.left,
        "chances": counted(offer.left, "vuelta puntuable", "vueltas puntuables"),
        "next_day": countdown(offer.next_day_at, season, at),
        # After the last midnight before the close there is no other day.
        "has_next_day": not season.has_closed(offer.next_day_at),
    }


def _map_page(request, status=200, **context):
    runs = Run.objects.of(request.user).order_by("-started_at")
    run, latest = runs.under_way().first(), list(runs[:SHOWN_RUNS])
    match = run and run.matches.under_way().first()
    at, offer = timezone.now(), None
    season = Season.objects.shown_at(at)
    if run is None:
        offer = _offer(request.user, at)
    is_done = run is None and bool(latest) and latest[0].outcome == Run.Outcome.COMPLETED
    context |= {
        "run": run,
        "row": run and listed_run(run),
        "stops": _stops(latest[0] if is_done else run),
        "standing": None if is_done else get_chapter(run.chapter if run else 1),
        "on_table": match and listed_match(match),
        "has_lost": bool(run and not match and run.matches.lost().filter(chapter=run.chapter).exists()),
        "farewell": FAREWELLS["completed"],
        "rows": own_runs(latest),
        "offer": offer and _offer_in_words(offer, at),
        "tournament": season and season_in_words(season, at),
        "points": run and points_in_words(run, at),
        "pledge": new_pledge(at=at),
    }
    if run:
        context["layers"] = run.layers
    return render(request, "campaign/map.html", context, status=status)


def _stops(run):
    """The five chapters as the map shows them: won, next or still closed."""
    won = run.chapters_won if run else 0
    return [
        {
            "chapter": chapter,
            "is_won": chapter.number <= won,
            "is_next": chapter.number == won + 1 and (run is None or run.is_under_way),
            "url": reverse("chapter", args=[run.pk, chapter.number]) if run and chapter.number <= run.chapter else "",
        }
        for chapter in CHAPTERS
    ]


def _kind(run):
    return RUN_KINDS[0] if run.is_scored else RUN_KINDS[1]


def _run_json(run):
    match = run.matches.under_way().first()
    return {
        "id": run.pk,
        "kind": _kind(run),
        "chapter": run.chapter,
        "chapters_won": run.chapters_won,
        "outcome": run.outcome or None,
        "started_at": run.started_at.isoformat(),
        "ended_at": run.ended_at and run.ended_at.isoformat(),
        "match": match and {"id": match.pk, "url": url_of(match)},
        "layers": run.layers,
        "review": review_json(run),
    }


def _chapter_json(chapter):
    shown = ("number", "title", "place", "rival", "layer", "before", "after")
    return {name: getattr(chapter, name) for name in shown}


@never_cache
@vary_on_headers("Accept")
@require_safe
def run(request, run_id):
    """One run: its chapters and the matches played in them."""
    found = my_run(request, run_id)
    if prefers_json(request):
        return JsonResponse(_run_json(found))
    return run_page(request, found)


def run_page(request, found, status=200, **context):
    """The page of a run; `notice` says why something was refused, `written` is what a form had in it then."""
    points = points_in_words(found, timezone.now())
    matches = found.matches.finished().order_by("started_at")
    context |= {
        "run": found,
        "row": listed_run(found),
        "stops": _stops(found),
        "matches": [listed_match(match) for match in matches],
        "points": points,
        "review": points and review_of(points["books"], points["earned"]),
        "layers": found.layers,
    }
    return render(request, "campaign/run.html", context, status=status)


@never_cache
@ensure_csrf_cookie
@require_safe
def chapter(request, run_id, number):
    """A chapter of a run: its scene before, or the one after once it is won, and what can be done next."""
    found = my_run(request, run_id)
    if not 1 <= number <= found.chapter:
        raise Http404
    matches, is_won = found.matches.filter(chapter=number), number <= found.chapters_won
    is_open, has_lost = found.is_under_way and not is_won, matches.lost().exists()
    match = matches.under_way().first() if is_open else None
    points = points_in_words(found, timezone.now())
    played = None if match else matches.finished().order_by("-finished_at").first()
    context = {
        "run": found,
        "chapter": get_chapter(number),
        "is_won": is_won,
        "is_open": is_open,
        "has_lost": has_lost,
        "match": match,
        "played": played and listed_match(played),
        "next": get_chapter(number + 1) if is_won and number < LAST and found.is_under_way else None,
        "company": COMPANY if number == 1 else "",
        "points": points,
        "just_won": just_won(points, number) if points and is_won else "",
        "farewell": _farewell(found, number, has_lost and not match),
        "pledge": new_pledge(at=timezone.now()),
        "layers": found.layers[:number] if is_won else found.layers,
    }
    return render(request, "campaign/chapter.html", context)


def _farewell(run, number, is_lost):
    """What is said at the chapter where a run has ended, or where a match was just lost."""
    if number == run.chapter and not run.is_under_way:
        return FAREWELLS[run.outcome]
    return FAREWELLS["lost"] if is_lost and number > run.chapters_won else ""


@never_cache
@ensure_csrf_cookie
@vary_on_headers("Accept")
@require_http_methods(["GET", "HEAD", "POST"])
def abandon(request, run_id):
    """Ask once, say what it costs; POST ends the run."""
    found = my_run(request, run_id)
    if request.method == "POST":
        try:
            found = services.abandon_run(run=found, at=timezone.now())
        except services.RunHasEnded:
            return _refused(request, 409, "Esa vuelta ya había terminado.")
        if prefers_json(request):
            return JsonResponse(_run_json(found))
        return redirect("run", found.pk)
    if not found.is_under_way:
        return redirect("run", found.pk)
    context = {"row": listed_run(found), "points": points_in_words(found, timezone.now()), "layers": found.layers}
    return render(request, "campaign/abandon.html", context)
