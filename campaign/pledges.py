"""Decks pledged before they are asked for: a page shows the commitment of a seed, and a start takes that seed, once.

The seed follows from the id of the pledge and the secret key of the site, so nothing is kept of pages only looked at;
and whoever begins a match adds the nonce when the seed can no longer be another.
"""

import secrets
from datetime import datetime, timedelta
from typing import NamedTuple

from django.core.signing import BadSignature, Signer
from django.db import IntegrityError
from django.utils.crypto import salted_hmac

from cvarenta.game.shuffle import commitment

from .models import SpentPledge

VALID = timedelta(days=7)
#: Longer than a pledge is valid: one that is no longer remembered as spent is too old anyway.
REMEMBERED = timedelta(days=8)
ID_BYTES = 16


class PledgeRefused(Exception):
    """The pledge is not one of ours, is too old, or has dealt a match already."""


class Pledge(NamedTuple):
    """What a page holds of a deck to come: the signed token that a start gives back, and the SHA-256 of its seed in
    hex."""

    token: str
    commitment: str


class Opened(NamedTuple):
    """A pledge that is ours and not too old; whether it is spent is known when it is spent."""

    id: str
    seed: bytes


def new_pledge(*, at: datetime) -> Pledge:
    """A pledge nobody has seen; nothing is written."""
    pledge_id = secrets.token_urlsafe(ID_BYTES)
    token = _signer().sign(f"{pledge_id}:{int(at.timestamp())}")
    return Pledge(token, commitment(_seed(pledge_id)))


def pledge_json(pledge: Pledge) -> dict:
    """What a program gets of a pledge, to give `pledge` back with its nonce when it starts a match."""
    return {"pledge": pledge.token, "commitment": pledge.commitment}


def open_pledge(token: str, *, at: datetime) -> Opened:
    """The seed that a token stands for; raises PledgeRefused if it is forged or too old."""
    try:
        pledge_id, issued = _signer().unsign(token).split(":")
    except (BadSignature, UnicodeError) as error:  # half a surrogate pair cannot even be compared
        raise PledgeRefused from error
    if at.timestamp() - int(issued) > VALID.total_seconds():
        raise PledgeRefused
    return Opened(pledge_id, _seed(pledge_id))


def spend(pledge: Opened, *, at: datetime) -> None:
    """The pledge deals a match, and never again; in the transaction that writes the match, so that it is spent if and
    only if the match began. Raises PledgeRefused if it is spent, with which that transaction has to end."""
    try:
        SpentPledge(pk=pledge.id, at=at).save(force_insert=True)
    except IntegrityError as error:
        raise PledgeRefused from error


def forget(*, at: datetime) -> int:
    """Remove what need not be remembered as spent; returns how many."""
    return SpentPledge.objects.filter(at__lt=at - REMEMBERED).delete()[0]


def _signer():
    # Of the present key alone: with a new secret key the seed of an old token would not be the one that was shown.
    return Signer(salt="campaign.pledge", fallback_keys=())


def _seed(pledge_id):
    return salted_hmac("campaign.pledge.seed", pledge_id, algorithm="sha256").digest()
