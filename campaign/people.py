"""A player's public page."""

from django.contrib.auth import get_user_model
from django.db.models import Q
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from cvarenta.accounts.names import name_key
from tournament import ranking
from tournament.models import Season

from .lists import listed_match, listed_run

SHOWN = 20


@never_cache
@require_safe
def player(request, name):
    """A player's place, runs and finished matches; of what is under way nothing."""
    found = _player_called(name)
    if found.username != name:  # written another way, or called so once
        return redirect("player", found.username)
    runs = found.runs.ended().order_by("-started_at")[:SHOWN]
    matches = found.matches.finished().order_by("-finished_at")[:SHOWN]
    is_me, season = found == request.user, Season.objects.shown_at(timezone.now())
    line = ranking.line_of(season, found.pk) if season else None
    context = {
        "player": found,
        "is_me": is_me,
        "season": season,
        "line": line,
        "around": line and ranking.around(line),
        "runs": [listed_run(run) for run in runs],
        "matches": [listed_match(match, we=None if is_me else found.username) for match in matches],
    }
    return render(request, "campaign/player.html", context)


def _player_called(name):
    players, key = get_user_model().objects.filter(is_active=True), name_key(name)
    return get_object_or_404(players.filter(Q(name_key=key) | Q(past_names__key=key)))
