"""The pages of the play; each also speaks JSON to `Accept: application/json`."""

from django.http import JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from cvarenta.errors import prefers_json
from cvarenta.game.cards import NAMES
from cvarenta.game.errors import GameError
from tournament.front import front
from tournament.models import Season
from tournament.wording import season_in_words

from . import lessons, services
from .aids import aids_of, has_hints_on, is_led
from .badges import BADGES
from .chapters import CHAPTERS
from .characters import FIRST_RIVAL, RIVAL_GROUPS, RIVALS, TABLES
from .hints import may_hint
from .history import events_of, since
from .lists import listed_match
from .models import SEAT, Match
from .owners import new_guest, owner_of, remember_guest
from .pledges import PledgeRefused, new_pledge, pledge_json
from .points import points_in_words
from .replay import CONTROLS
from .requests import FRAGMENT, BadFields, fields_of, my_match, wants_fragment, whole_number
from .table import CARD_NAMES, table_context, table_json, url_after, url_of
from .wording import BAD_NONCE, USED_PLEDGE

PLAY_FIELDS = {"play", "ply", "card", "seat", "csrfmiddlewaretoken"}
SHOWN_UNDER_WAY = 5
SHOWN_FINISHED = 5
TOP = 5


@never_cache
@ensure_csrf_cookie
@require_safe
def cover(request):
    """What this is, play now, go on where you were; how the tournament stands."""
    mine = Match.objects.of(owner_of(request))
    under_way = mine.knowing_lessons().under_way().order_by("-played_at").first()
    at = timezone.now()
    season = Season.objects.shown_at(at)
    context = {
        "under_way": under_way and listed_match(under_way),
        "is_new": not (under_way.was_led if under_way else mine.lessons().exists()),
        "rules": TABLES["quito"].rules,
        "tournament": season and season_in_words(season, at),
        "top": front(season, at=at).page.lines[:TOP] if season else [],
        "pledge": new_pledge(at=at),
    }
    return render(request, "campaign/cover.html", context)


@never_cache
@ensure_csrf_cookie
@vary_on_headers("Accept")
@require_http_methods(["GET", "HEAD", "POST"])
def practice(request):
    """Choose a table and a rival, start, resume."""
    if request.method == "POST":
        return _start_practice(request)
    return _practice_page(request)


def _practice_page(request, status=200, **context):
    mine = Match.objects.of(owner_of(request)).knowing_lessons().practice().order_by("-played_at")
    mine = mine.defer("plays", "think_times", "seed")
    under_way = [listed_match(match) for match in mine.under_way()[:SHOWN_UNDER_WAY]]
    pledge = new_pledge(at=timezone.now())
    if prefers_json(request):
        return JsonResponse(
            {
                "rulesets": list(TABLES),
                "rivals": list(RIVALS),
                "under_way": [{"id": row["match"].pk, "url": row["url"]} for row in under_way],
                "pledge": pledge_json(pledge),
            }
        )
    finished = [listed_match(match) for match in mine.finished()[:SHOWN_FINISHED]]
    context = {
        "tables": TABLES.items(),
        "rivals": [(title, group.items()) for title, group in RIVAL_GROUPS],
        "chosen": {"ruleset": "quito", "rival": FIRST_RIVAL},
        "under_way": under_way,
        "finished": finished,
        "is_new": not any(row["match"].was_led for row in (*under_way, *finished)),
        "pledge": pledge,
    } | context
    return render(request, "campaign/practice.html", context, status=status)


def _start_practice(request):
    owner = new_guest(owner_of(request))
    chosen = {"ruleset": "quito", "rival": FIRST_RIVAL}
    try:
        fields = fields_of(request)
        led = fields.get("led", "")
        if led not in ("", "1"):
            raise BadFields
        chosen |= {name: fields[name] for name in chosen if name in fields}
        match = services.start_practice(
            owner=owner,
            ruleset=lessons.RULESET if led else chosen["ruleset"],
            rival=lessons.RIVAL if led else chosen["rival"],
            pledge=fields.get("pledge"),
            nonce=fields.get("nonce", ""),
            is_led=bool(led),
            at=timezone.now(),
        )
    except PledgeRefused:
        return _no_start(request, 409, USED_PLEDGE, chosen=chosen)
    except services.BadNonce:
        return _no_start(request, 400, BAD_NONCE, chosen=chosen)
    except (GameError, BadFields):
        return _no_start(request, 400, "Esa mesa no la tenemos. Elige una de las cuatro y un rival de la lista.")
    if prefers_json(request):
        url = reverse("table", args=[match.pk])
        answer = {"id": match.pk, "url": url, "commitment": match.commitment}
        response = JsonResponse(answer, status=201, headers={"Location": url})
    else:
        response = redirect("table", match.pk)
    return remember_guest(response, owner)


def _no_start(request, status, text, **context):
    if prefers_json(request):
        return JsonResponse({"error": text}, status=status)
    return _practice_page(request, status=status, error=text, **context)


@never_cache
@ensure_csrf_cookie
@vary_on_headers("Accept", FRAGMENT)
@require_http_methods(["GET", "HEAD", "POST"])
def table(request, match_id):
    """The table: look at it, or play a card in it."""
    if request.method == "POST":
        return _play(request, my_match(request, match_id, without=("plays", "think_times")))
    match = my_match(request, match_id)
    if prefers_json(request):
        try:
            ply = whole_number(request.GET.get("since", "0"))
        except BadFields:
            return JsonResponse({"error": "«since» es el número de una jugada."}, status=400)
        return _table_json(match, ply)
    if (match.is_over or match.is_abandoned) and not wants_fragment(request):
        return redirect(url_after(match))
    return table_page(request, match)


def _play(request, match):
    try:
        fields = fields_of(request)
        ply, text = whole_number(fields.get("ply", "")), fields.get("play", "")
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
    if wants_fragment(request):
        context = table_context(match, game, told)
        return render(request, "campaign/_table.html", context | aids_of(request, match, game, context["hand"]))
    return redirect(url_after(match) if game.is_over else url_of(match))


def _refused(request, match, status, text):
    """The play was not made: say so, and show the table as it really is."""
    match = get_object_or_404(Match, pk=match.pk)
    if prefers_json(request):
        if status == 409:
            return _table_json(match, 0, status=status)
        return JsonResponse({"error": text}, status=status)
    return table_page(request, match, status=status, notice=text)


def _table_json(match, ply, status=200):
    events = [event for _, event in since(events_of(match), ply)]
    return JsonResponse(table_json(match, match.load_game(), events), status=status)


def table_page(request, match, status=200, asked=False, **more):
    """The whole table, or its fragment for the script; `asked` says that hints were asked for now."""
    game = match.load_game()
    context = table_context(match, game, events_of(match)) | more
    context |= {"differences": TABLES[match.ruleset].differences, "rules": TABLES[match.ruleset].rules}
    context |= aids_of(request, match, game, context["hand"], asked=asked)
    if wants_fragment(request):
        return render(request, "campaign/_table.html", context, status=status)
    if not match.run_id:
        context["pledge"] = new_pledge(at=timezone.now())  # of another match
    if match.run:
        context |= {"layers": match.run.layers, "points": points_in_words(match.run, timezone.now())}
    context |= {"may_hint": may_hint(match), "hints_on": has_hints_on(request), "is_led": is_led(match)}
    return render(request, "campaign/table.html", context, status=status)


@require_safe
def style(request):
    """Every card, counter, emblem and button on one page, for those who draw (DEBUG only)."""
    cards = [{"name": NAMES[card], "label": CARD_NAMES[card]} for card in range(40)]
    emblems = ["tu", "virgen", "miguel", *(rival.emblem for rival in RIVALS.values())]
    controls = [kind for kind, *_ in CONTROLS]
    context = {"cards": cards, "emblems": emblems, "chapters": CHAPTERS, "badges": BADGES, "controls": controls}
    return render(request, "campaign/style.html", context)
