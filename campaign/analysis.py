"""The analysis of a finished match, asked for and shown: how far it is, and what it says in words and bars."""

from django.http import Http404, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from cvarenta.errors import explain, prefers_json
from cvarenta.game.bots.analysis import VERSION
from cvarenta.game.cards import NAMES
from cvarenta.game.notation import parse_play
from cvarenta.tasks import soon
from cvarenta.wording import counted, tenths

from . import analysing, tasks
from .models import Analysis, Match
from .requests import FRAGMENT, match_to_look_at, my_match, wants_fragment
from .table import drawing, url_of
from .wording import play_label, points_in_words, the_card

BUSY = "El maestro todavía mira otras partidas. Pídele esta en un ratito."
FULL_BAR = 4  #: the points of a play's cost that fill its bar
FULL_LUCK = 30  #: those of a deck's luck that fill the bar to one side


@never_cache
@vary_on_headers("Accept", FRAGMENT)
@require_http_methods(["GET", "HEAD", "POST"])
def analysis(request, match_id):
    """Ask for the analysis of a match of one's own; see how far it is, or what it says."""
    if request.method == "POST":
        return _ask(request, my_match(request, match_id))
    match, is_mine = match_to_look_at(request, match_id)
    return _answer(request, match, is_mine)


def _ask(request, match):
    try:
        if analysing.ask_analysis(match=match, at=timezone.now()):
            soon(tasks.analyse, match.pk)
    except analysing.NotFinished:
        return _not_yet(request, match, 409)
    except analysing.TooMany:
        return _busy(request, match)
    except Match.DoesNotExist:
        raise Http404 from None
    return _answer(request, match, is_mine=True, is_asked=True)


def _busy(request, match):
    if not wants_fragment(request):
        back = {"back": f"{url_of(match)}#analisis", "back_label": "Volver a la partida"}
        return explain(request, 429, "Un ratito", BUSY, **back)
    context = analysis_context(match, is_mine=True) | {"busy": BUSY}
    return render(request, "campaign/_analysis.html", {"match": match, "analysis": context}, status=429)


def _not_yet(request, match, status):
    if prefers_json(request):
        return JsonResponse({"error": "La partida no ha terminado: se analiza al final."}, status=status)
    return redirect("table", match.pk)


def _answer(request, match, is_mine, is_asked=False):
    found = Analysis.objects.filter(pk=match.pk).first()
    if is_asked and found is None:  # deleted meanwhile
        raise Http404
    context = _context(match, found, is_mine)
    if context is None:
        if is_mine:
            return _not_yet(request, match, 404)
        raise Http404
    if prefers_json(request):
        return JsonResponse(_as_json(found), status=202 if is_asked and not found.is_finished else 200)
    if wants_fragment(request):
        return render(request, "campaign/_analysis.html", {"match": match, "analysis": context})
    return redirect(f"{url_of(match)}#analisis")


def _as_json(found):
    """How far an analysis is, and its result; of one that nobody asked for, nulls."""
    names = ("done", "total", "version", "asked_at", "finished_at", "result")
    return {name: getattr(found, name, None) for name in names}


def analysis_context(match, is_mine):
    """What the page of a match shows of its analysis, or None: before the end, and to others before it is worked out.

    `state` is `none`, `working`, `lost` (asked for, and then nothing came), `old` (of a version that is gone) or
    `finished`, which has all of `_told`.
    """
    return _context(match, Analysis.objects.filter(pk=match.pk).first(), is_mine)


def _context(match, found, is_mine):
    if not match.is_over:
        return None
    context = {"is_mine": is_mine, "url": reverse("analysis", args=[match.pk])}
    if found is None:
        state = "none"
    elif found.version != VERSION:
        state = "old"
    elif found.is_finished:
        return context | {"state": "finished"} | _told(match, found.result)
    else:
        state = "lost" if analysing.is_lost(found, timezone.now()) else "working"
        context |= {"done": found.done, "total": found.total, "per_cent": 100 * found.done // max(1, found.total)}
    return context | {"state": state} if is_mine else None


def _told(match, result):
    """A result in words: the sums, the three moments, every play by deck, the luck by deck."""
    plays = [_play(match, play) for play in result["plays"]]
    luck = result["luck"]
    return {
        "cost": points_in_words(result["cost"]),
        "costly": sum(play["costs"] for play in plays),
        "plays": len(plays),
        "moments": [plays[i] for i in result["moments"]],
        "decks": [_deck(number, deck, plays) for number, deck in enumerate(luck["decks"])],
        "luck": f"{_signed(luck['points'])} {'punto' if abs(luck['points']) == 1 else 'puntos'}",
        "luck_is": _direction(luck),
        "error": tenths(luck["error"]),
    }


def _play(match, play):
    made, best = parse_play(play["played"]), parse_play(play["best"])
    chance, most = play["chance"]
    return {
        "deck": play["deck"],
        "number": play["ply"] + 1,
        "url": f"{url_of(match)}?jugada={play['ply']}#repaso",
        "made": _shown(made),
        "best": None if made == best else _shown(best),
        "cost": tenths(play["cost"]),
        "costs": play["cost"] > 0,
        "points": points_in_words(play["cost"]),
        "bar": round(100 * min(1, play["cost"] / FULL_BAR)),
        "chance": _per_cent(chance),
        "most": _per_cent(most),
        "second": _per_cent(play["second"]),
    }


def _shown(play):
    card = play[0]
    label = play_label(play)
    return {"drawing": drawing(NAMES[card], "card"), "text": f"{label} con {the_card(card)}" if play[1] else label}


def _deck(number, luck, plays):
    points = luck["points"]
    mine = [play for play in plays if play["deck"] == number]
    bar = round(100 * min(1, abs(points) / FULL_LUCK))
    return {
        "number": number + 1,
        "plays": mine,
        "costly": counted(sum(play["costs"] for play in mine), "jugada", "jugadas"),
        "luck": _signed(points),
        "error": tenths(luck["error"]),
        "is_good": points >= 0,
        "bar": bar,
        "bar_from": 100 if points >= 0 else 100 - bar,
    }


def _direction(luck):
    """`more` or `less` points than from other cards; `same` where the count is not that sure."""
    if abs(luck["points"]) <= luck["error"]:
        return "same"
    return "more" if luck["points"] > 0 else "less"


def _signed(number):
    return ("+" if round(number, 1) > 0 else "−" if round(number, 1) < 0 else "") + tenths(abs(number))


def _per_cent(chance):
    """«41,5 %», with a space that does not break."""
    return f"{tenths(100 * chance)}\N{NO-BREAK SPACE}%"
