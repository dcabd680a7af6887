"""The pages of the play; each also speaks JSON to `Accept: application/json`."""

import json

from django.http import Http404, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from cvarenta.errors import prefers_json
from cvarenta.game.cards import NAMES
from cvarenta.game.errors import GameError

from . import services
from .characters import FIRST_RIVAL, RIVAL_GROUPS, RIVALS, TABLES, seated
from .history import events_of, figures_of, record_of, since
from .models import SEAT, Match
from .owners import new_guest, owner_of, remember_guest
from .table import CARD_NAMES, log_lines, table_context, table_json
from .wording import counted, team_name

FRAGMENT = "X-Fragment"  #: the header by which the table's script asks for the table alone
PLAY_FIELDS = {"play", "ply", "card", "seat", "csrfmiddlewaretoken"}
SHOWN_UNDER_WAY = 5
SHOWN_FINISHED = 5


class BadFields(ValueError):
    """What was posted is no form and no JSON object of short strings and numbers."""


def _fields(request):
    """The posted fields as a dict of strings, from a form or a JSON object; raises BadFields."""
    if request.content_type != "application/json":
        return request.POST.dict()
    try:
        fields = json.loads(request.body)
    except (ValueError, RecursionError):
        raise BadFields from None
    if not isinstance(fields, dict) or not all(type(value) in (str, int) for value in fields.values()):
        raise BadFields
    return {name: str(value) for name, value in fields.items()}


def _whole_number(text):
    """The number in a string of a few digits; raises BadFields."""
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise BadFields
    return int(text)


def _my_match(request, match_id, *, without=()):
    """The match of this id if it is the visitor's; 404 otherwise, nothing told. `without` names fields left unread."""
    try:
        found = Match.objects.defer(*without).get(pk=match_id)
    except Match.DoesNotExist:
        raise Http404 from None
    if not found.belongs_to(owner_of(request)):
        raise Http404
    return found


@never_cache
@ensure_csrf_cookie
@require_safe
def cover(request):
    """What this is, play now, go on where you were."""
    under_way = Match.objects.of(owner_of(request)).under_way().order_by("-played_at").first()
    return render(
        request, "campaign/cover.html", {"under_way": under_way and _listed(under_way), "rules": TABLES["quito"].rules}
    )


@never_cache
@ensure_csrf_cookie
@vary_on_headers("Accept")
@require_http_methods(["GET", "HEAD", "POST"])
def practice(request):
    """Choose a table and a rival, start, resume."""
    if request.method == "POST":
        return _start_practice(request)
    mine = Match.objects.of(owner_of(request)).order_by("-played_at").defer("plays", "think_times", "seed")
    under_way = [_listed(match) for match in mine.under_way()[:SHOWN_UNDER_WAY]]
    finished = [_listed(match) for match in mine.finished()[:SHOWN_FINISHED]]
    if prefers_json(request):
        return JsonResponse(
            {
                "rulesets": list(TABLES),
                "rivals": list(RIVALS),
                "under_way": [{"id": row["match"].pk, "url": row["url"]} for row in under_way],
            }
        )
    return _practice_page(request, under_way=under_way, finished=finished)


def _practice_page(request, status=200, **context):
    context |= {
        "tables": TABLES.items(),
        "rivals": [(title, group.items()) for title, group in RIVAL_GROUPS],
    }
    context.setdefault("chosen", {"ruleset": "quito", "rival": FIRST_RIVAL})
    return render(request, "campaign/practice.html", context, status=status)


def _start_practice(request):
    owner = new_guest(owner_of(request))
    try:
        fields = _fields(request)
        match = services.start_practice(
            owner=owner,
            ruleset=fields.get("ruleset", "quito"),
            rival=fields.get("rival", FIRST_RIVAL),
            nonce=fields.get("nonce", ""),
            at=timezone.now(),
        )
    except (GameError, BadFields):
        text = "Esa mesa no la tenemos. Elige una de las cuatro y un rival de la lista."
        if prefers_json(request):
            return JsonResponse({"error": text}, status=400)
        return _practice_page(request, status=400, error=text)
    if prefers_json(request):
        url = reverse("table", args=[match.pk])
        answer = {"id": match.pk, "url": url, "commitment": match.commitment}
        response = JsonResponse(answer, status=201, headers={"Location": url})
    else:
        response = redirect("table", match.pk)
    return remember_guest(response, owner)


def _listed(match):
    """A match as lists show it."""
    game = match.load_game()
    characters = seated(game.rules, match.rival)
    return {
        "match": match,
        "url": reverse("match" if match.is_over else "table", args=[match.pk]),
        "table": TABLES[match.ruleset].name,
        "rival": characters[1],
        "teams": [(team_name(team, characters), game.score[team]) for team in (0, 1)],
        "has_won": match.winner == 0,
    }


@never_cache
@ensure_csrf_cookie
@vary_on_headers("Accept", FRAGMENT)
@require_http_methods(["GET", "HEAD", "POST"])
def table(request, match_id):
    """The table: look at it, or play a card in it."""
    if request.method == "POST":
        return _play(request, _my_match(request, match_id, without=("plays", "think_times")))
    match = _my_match(request, match_id)
    if prefers_json(request):
        try:
            ply = _whole_number(request.GET.get("since", "0"))
        except BadFields:
            return JsonResponse({"error": "«since» es el número de una jugada."}, status=400)
        return _table_json(match, ply)
    if match.is_over and not _wants_fragment(request):
        return redirect("match", match.pk)
    return _table_page(request, match)


def _play(request, match):
    try:
        fields = _fields(request)
        ply, text = _whole_number(fields.get("ply", "")), fields.get("play", "")
        if not fields.keys() <= PLAY_FIELDS or fields.get("seat", str(SEAT)) != str(SEAT):
            raise BadFields  # nobody sets a score, and nobody plays for another seat
        if fields.get("card") and not text.startswith(fields["card"]):
            raise BadFields  # the card that was chosen is not the one that would be played
        game, told = services.play(match=match, text=text, ply=ply, at=timezone.now())
    except services.OldPly:
        return _refused(request, match, 409, "La mesa ya avanzó. Esta es la de ahora: sigue desde aquí.")
    except (GameError, BadFields):
        return _refused(
            request, match, 400, "Esa jugada no vale en esta mesa. Elige una de tus cartas y juega otra vez."
        )
    if prefers_json(request):
        return JsonResponse(table_json(match, game, [event for _, event in told]))
    if _wants_fragment(request):
        return render(request, "campaign/_table.html", table_context(match, game, told))
    return redirect("match" if game.is_over else "table", match.pk)


def _refused(request, match, status, text):
    """The play was not made: say so, and show the table as it really is."""
    match = Match.objects.get(pk=match.pk)
    if prefers_json(request):
        if status == 409:
            return _table_json(match, 0, status=status)
        return JsonResponse({"error": text}, status=status)
    return _table_page(request, match, status=status, notice=text)


def _table_json(match, ply, status=200):
    events = [event for _, event in since(events_of(match), ply)]
    return JsonResponse(table_json(match, match.load_game(), events), status=status)


def _table_page(request, match, status=200, **more):
    context = table_context(match, match.load_game(), events_of(match)) | more
    context |= {"differences": TABLES[match.ruleset].differences, "rules": TABLES[match.ruleset].rules}
    name = "campaign/_table.html" if _wants_fragment(request) else "campaign/table.html"
    return render(request, name, context, status=status)


def _wants_fragment(request):
    return FRAGMENT in request.headers


@never_cache
@ensure_csrf_cookie
@vary_on_headers("Accept")
@require_safe
def finished_match(request, match_id):
    """A finished match: the result, its figures, the log; its record as JSON."""
    found = _my_match(request, match_id)
    as_record = prefers_json(request) or "record" in request.GET
    if not found.is_over:
        if as_record:
            return JsonResponse({"error": "La partida sigue en juego: su registro sale al final."}, status=404)
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
    for line in log_lines(told, characters):
        decks.setdefault(line["deck"], []).append(line)
    return {
        "match": found,
        "has_won": found.winner == 0,
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
        "started": date_format(localtime(found.started_at), r"j \d\e F \d\e Y, H:i") + " (hora de Quito)",
        "minutes": counted(minutes, "minuto", "minutos"),
    }


@require_safe
def style(request):
    """Every card, counter, emblem and button on one page, for those who draw (DEBUG only)."""
    cards = [{"name": NAMES[card], "label": CARD_NAMES[card]} for card in range(40)]
    emblems = ["tu", "virgen", "miguel", *(rival.emblem for rival in RIVALS.values())]
    return render(request, "campaign/style.html", {"cards": cards, "emblems": emblems})
