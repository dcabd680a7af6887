"""A player's public page and their badges' pages."""

from django.contrib.auth import get_user_model
from django.db.models import Q
from django.http import Http404, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from cvarenta.accounts.names import name_key
from cvarenta.errors import prefers_json
from cvarenta.wording import day_in_words
from tournament import ranking
from tournament.models import Season

from . import services
from .badges import BADGES, earned_badge, earned_badges, get_badge
from .charts import charts_of
from .figures import figures_of_player
from .lists import listed_match, listed_run, own_runs, place_of
from .pictures import badge_says
from .requests import BadFields, whole_number
from .table import url_of

SHOWN = 20
SUMMED_ON_A_VISIT = 50


@never_cache
@vary_on_headers("Accept")
@require_safe
def player(request, name):
    """A player's place, badges, figures, runs and finished matches; of what is under way nothing. JSON for programs."""
    found = _player_called(name)
    if found.username != name:  # written another way, or called so once
        return redirect("player", found.username)
    services.sum_up(player_id=found.pk, most=SUMMED_ON_A_VISIT)
    is_me, figures = found == request.user, figures_of_player(found.pk)
    page, pages = _page_asked(request, figures["played"])
    matches = found.matches.finished().defer("seed", "plays", "think_times").order_by("-played_at", "-pk")
    matches = matches[(page - 1) * SHOWN : page * SHOWN]
    runs = found.runs.ended().order_by("-started_at")[:SHOWN]
    earned = earned_badges(found.pk)
    if prefers_json(request):
        return JsonResponse(_as_json(found, is_me, figures, earned, runs, matches, page, pages))
    season = Season.objects.shown_at(timezone.now())
    line = ranking.line_of(season, found.pk) if season else None
    has = {one.badge.key for one in earned}
    context = {
        "player": found,
        "is_me": is_me,
        "season": season,
        "line": line,
        "around": line and ranking.around(line),
        "figures": figures,
        "charts": charts_of(figures),
        "badges": [(one, url_of(one.match) if _may_open(one.match, is_me) else "") for one in earned],
        "badges_left": [badge for badge in BADGES if badge.key not in has] if is_me else [],
        # Of the review others read nothing: an annulled run is to them a run like any other, its points gone.
        "runs": own_runs(runs) if is_me else [listed_run(run) for run in runs],
        "matches": [_listed(match, found, is_me) for match in matches],
        "page": page,
        "pages": pages,
        "newer": page - 1,
        "older": page + 1 if page < pages else 0,
    }
    return render(request, "campaign/player.html", context)


@never_cache
@require_safe
def badge(request, name, badge):
    """A badge that a player has, to be shared; 404 for one they have not."""
    found, earned = bearer_of(name, badge)
    if found.username != name:
        return redirect("badge", found.username, badge)
    context = {
        "player": found,
        "earned": earned,
        "is_me": found == request.user,
        "place": place_of(earned.match),
        "card": {
            "url": request.build_absolute_uri(request.path),
            "title": f"{earned.badge.name} · {found.username}",
            "description": f"{earned.badge.earned} Tú también puedes jugar en Quito, sin cuenta.",
            "picture_url": request.build_absolute_uri(reverse("badge_picture", args=[found.username, badge])),
            "says": badge_says(found.username, earned),
        },
    }
    return render(request, "campaign/badge.html", context)


def bearer_of(name, key):
    """The player of a name and their badge of a key, as (Player, Earned); 404 if there is no such player or badge, or
    they have not earned it."""
    wanted = get_badge(key)
    if wanted is None:
        raise Http404
    found = _player_called(name)
    earned = earned_badge(found.pk, wanted)
    if earned is None:
        raise Http404
    return found, earned


def _player_called(name):
    players, key = get_user_model().objects.filter(is_active=True), name_key(name)
    return get_object_or_404(players.filter(Q(name_key=key) | Q(past_names__key=key)))


def _page_asked(request, matches):
    """The page of the matches that is asked for, and how many there are; 404 beyond them."""
    pages = max(1, -(-matches // SHOWN))
    try:
        page = whole_number(request.GET.get("pagina", "1"))
    except BadFields:
        raise Http404 from None
    if not 1 <= page <= pages:
        raise Http404
    return page, pages


def _may_open(match, is_me):
    """Whether who looks at the page may look back at this finished match of the page's player."""
    return is_me or match.is_shared


def _listed(match, found, is_me):
    row = listed_match(match, we=None if is_me else found.username)
    return row | {"is_linked": _may_open(match, is_me), "day": day_in_words(match.finished_at)}


def _as_json(found, is_me, figures, earned, runs, matches, page, pages):
    """The page for programs; ids only of what the visitor may open."""
    address = reverse("player", args=[found.username])
    return {
        "player": found.username,
        "figures": figures,
        "badges": [{"badge": one.badge.key, "name": one.badge.name, "at": one.match.finished_at} for one in earned],
        "runs": [
            {
                "id": run.pk if is_me else None,
                "kind": "scored" if run.is_scored else "free",
                "chapters_won": run.chapters_won,
                "outcome": run.outcome,
                "started_at": run.started_at,
                "ended_at": run.ended_at,
            }
            for run in runs
        ],
        "matches": [
            {
                "id": match.pk if _may_open(match, is_me) else None,
                "ruleset": match.ruleset,
                "rival": match.rival,
                "chapter": match.chapter,
                "score": match.load_game().score,
                "won": match.has_won,
                "finished_at": match.finished_at,
                "shared": match.is_shared,
            }
            for match in matches
        ],
        "next": f"{address}?pagina={page + 1}" if page < pages else None,
    }
