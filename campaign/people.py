"""A player's public page."""

from django.contrib.auth import get_user_model
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from cvarenta.accounts.names import name_key

from .lists import listed_match, listed_run

SHOWN = 20


@never_cache
@require_safe
def player(request, name):
    """Runs and finished matches of a player; of what is under way nothing."""
    found = get_object_or_404(get_user_model(), name_key=name_key(name), is_active=True)
    if found.username != name:  # written another way
        return redirect("player", found.username)
    runs = found.runs.ended().order_by("-started_at")[:SHOWN]
    matches = found.matches.finished().order_by("-finished_at")[:SHOWN]
    context = {
        "player": found,
        "is_me": found == request.user,
        "runs": [listed_run(run) for run in runs],
        "matches": [listed_match(match) for match in matches],
    }
    return render(request, "campaign/player.html", context)
