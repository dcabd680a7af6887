"""From which device and which address a scored run is played, kept as salted hashes that tell nothing by themselves;
and which other accounts played from there."""

import ipaddress
import logging
import secrets
from collections.abc import Iterator
from datetime import datetime

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.signing import BadSignature
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from cvarenta.wording import span_in_words
from tournament import review
from tournament.models import ScoredRun, Trace
from tournament.review import Finding

from . import thresholds as limits
from .models import Run
from .owners import COOKIE_SECONDS

logger = logging.getLogger(__name__)

COOKIE = "aparato"
SALT = "campaign.device"
IPV6_HOME = 64  #: bits of an IPv6 address that are of a home; the others change from day to day


def traced(request: HttpRequest, response: HttpResponse, *, run: Run, at: datetime) -> HttpResponse:
    """Keep from where a match of a run was begun, if the run is scored, and leave the device its mark; returns the
    response. Who begins a match never fails for it: then there is no trace, and the log says so."""
    if not run.is_scored:
        return response
    try:
        device = _device_of(request)
        digests = {"device": _digest("device", device or (new := secrets.token_urlsafe(24)))}
        digests["address"] = _digest("address", address_of(request))
        with transaction.atomic():
            review.trace(run_id=run.pk, digests=digests, at=at)
        if not device:
            _mark(response, new)
    except Exception:
        logger.exception("Run %s was begun without a trace", run.pk)
    return response


def _device_of(request):
    """What was left in this browser, whoever was logged in then; "" if nothing was."""
    try:
        return request.get_signed_cookie(COOKIE, default="", salt=SALT)
    except BadSignature:
        return ""


def _mark(response, device):
    response.set_signed_cookie(
        COOKIE, device, salt=SALT, max_age=COOKIE_SECONDS, httponly=True, samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )  # fmt: skip


def address_of(request: HttpRequest) -> str:
    """The visitor's address, as the limits of log-ins take it, or the network of an IPv6 one; "" if it is none of the
    Internet's: then it is our own proxy's, and would be everybody's."""
    try:
        address = ipaddress.ip_address(get_adapter().get_client_ip(request))
    except ValueError:
        return ""
    address = getattr(address, "ipv4_mapped", None) or address
    if not address.is_global:
        return ""
    return str(address if address.version == 4 else ipaddress.ip_network((int(address), IPV6_HOME), strict=False))


def _digest(kind, value):
    return salted_hmac(f"{SALT}.{kind}", value, algorithm="sha256").hexdigest() if value else ""


def shared(run: ScoredRun) -> Iterator[tuple[ScoredRun, Finding, Finding]]:
    """Other accounts' runs of which a match was begun from the same device or address in the hours before one of this
    run: each with what to say of `run` and what to say of the other; of each account and kind where they came nearest.

    Each looks back, so that it is the same whenever a run is verified: the other way, the later run finds this one.
    """
    nearest = {kind: {} for kind in limits.SHARED_HOURS}
    for trace in run.traces.order_by("at", "pk"):
        accounts = nearest[trace.kind]
        for account, other in _before(trace, run.standing_id).items():
            span = trace.at - other.at
            if account not in accounts or span < accounts[account][0]:
                accounts[account] = span, trace, other
    for accounts in nearest.values():
        for _, trace, other in sorted(accounts.values(), key=lambda met: met[0])[: limits.MOST_TOLD]:
            yield other.run, _shared(trace, other), _shared(other, trace)


def _before(trace, standing_id):
    """Of each other account the last trace from where a trace of this one is, in the hours before it, by account; none
    of an address that is everybody's."""
    hours = limits.SHARED_HOURS[trace.kind]
    before = Q(at__lt=trace.at) | Q(at=trace.at, pk__lt=trace.pk)
    alike = Trace.objects.filter(before, kind=trace.kind, digest=trace.digest, at__gte=trace.at - hours)
    alike = alike.exclude(run__standing=standing_id).select_related("run").order_by("-at", "-pk")
    last = {}
    for other in alike[: limits.MOST_TRACES]:
        last.setdefault(other.run.standing_id, other)
    return {} if trace.kind == "address" and len(last) >= limits.MOST_ACCOUNTS else last


def _shared(trace, other):
    reason, where = {
        "device": ("Otra cuenta jugó desde el mismo aparato a esas horas", "el mismo navegador"),
        "address": ("Otra cuenta jugó desde la misma dirección a esas horas", "la misma dirección de Internet"),
    }[trace.kind]
    after = "después" if other.at > trace.at else "antes"
    evidence = (
        f"La vuelta {other.run_id}, de otra cuenta, se jugó desde {where} "
        f"{span_in_words(abs(other.at - trace.at))} {after}. Puede ser una familia o un equipo prestado."
    )
    return Finding(trace.kind, reason, evidence, f"cuenta {other.run.standing_id}", f"../../{other.run_id}/change/")
