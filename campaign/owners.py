"""Whose matches these are: a player's, or a guest's, known by a signed cookie in the browser."""

import secrets
from typing import NamedTuple

from django.conf import settings
from django.core.signing import BadSignature

COOKIE = "invitado"
SALT = "campaign.guest"
COOKIE_SECONDS = 400 * 24 * 3600


class Owner(NamedTuple):
    """Who asks: a player's id or None, and the guest key of the browser or ''."""

    player_id: int | None
    guest: str


def owner_of(request):
    """The owner that a request speaks for."""
    try:
        guest = request.get_signed_cookie(COOKIE, default="", salt=SALT)
    except BadSignature:
        guest = ""
    return Owner(request.user.pk if request.user.is_authenticated else None, guest)


def new_guest(owner):
    """The owner with a key to keep its matches under, if it has none yet."""
    return owner if owner.player_id or owner.guest else owner._replace(guest=secrets.token_urlsafe(24))


def remember_guest(response, owner):
    """Leave the guest's key in the browser, beyond its closing."""
    if owner.guest:
        response.set_signed_cookie(
            COOKIE, owner.guest, salt=SALT, max_age=COOKIE_SECONDS, httponly=True, samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )  # fmt: skip
    return response
