"""The pictures that go along with a shared address: a finished match's result and a player's badge, as PNG."""

import hashlib
from threading import Lock

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from . import services
from .models import Match, Picture
from .owners import owner_of
from .people import bearer_of
from .pictures import badge_says, draw_badge, draw_result, result_of

DRAWING = Lock()  #: an address that is sent around is asked for by many at once: one draws, the others find it
PUBLIC, PRIVATE = "public, max-age=60", "private, no-store"


@require_safe
def match_picture(request, match_id):
    """The result of a finished match: its player's alone until it is shared."""
    found = get_object_or_404(Match.objects.finished().select_related("player"), pk=match_id)
    if not found.is_public and not found.belongs_to(owner_of(request)):
        raise Http404
    result = result_of(found)
    png = _kept({"match_id": found.pk}, result.says, lambda: draw_result(result))
    return _png(request, png, PUBLIC if found.is_public else PRIVATE)


@require_safe
def badge_picture(request, name, badge):
    """A badge that a player has."""
    player, earned = bearer_of(name, badge)
    if player.username != name:
        return redirect("badge_picture", player.username, badge)
    png = _kept(
        {"player_id": player.pk, "badge": badge},
        badge_says(player.username, earned),
        lambda: draw_badge(player.username, earned),
    )
    return _png(request, png, PUBLIC)


def _kept(of, says, draw):
    """The picture that is kept if it still says this, or one drawn now."""
    if png := _found(of, says):
        return png
    with DRAWING:
        if png := _found(of, says):
            return png
        png = draw()
        services.keep_picture(of=of, says=says, png=png)
    return png


def _found(of, says):
    png = Picture.objects.filter(says=says, **of).values_list("png", flat=True).first()
    return png and bytes(png)


def _png(request, png, cached):
    etag = f'"{hashlib.sha256(png).hexdigest()[:24]}"'
    response = HttpResponse(png, content_type="image/png", headers={"ETag": etag, "Cache-Control": cached})
    return get_conditional_response(request, etag=etag, response=response)
