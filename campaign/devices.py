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
from django.db.models import Count, Q
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
    """Other accounts' runs that were begun from the same device or address in the hours before: each with what to say
    of `run` and what to say of the other; of each account and kind the run that is nearest in time.

    Each looks back, so that it is the same whenever a run is verified: the other way, the later run finds this one.
    """
    for trace in run.traces.order_by("kind", "at", "pk"):
        hours = limits.SHARED_HOURS[trace.kind]
        before = Q(at__lt=trace.at) | Q(at=trace.at, pk__lt=trace.pk)
        alike = Trace.objects.filter(before, kind=trace.kind, digest=trace.digest, at__gte=trace.at - hours)
        alike = alike.exclude(run__standing=run.standing_id)
        others = alike.aggregate(others=Count("run__standing", distinct=True))["others"]
        if trace.kind == "address" and others >= limits.MOST_ACCOUNTS:
            continue
        nearest = {}
        for other in alike.select_related("run").order_by("-at", "-pk")[: limits.MOST_TRACES]:
            nearest.setdefault(other.run.standing_id, other)
        for other in list(nearest.values())[: limits.MOST_TOLD]:
            yield other.run, _shared(trace, other), _shared(other, trace)


def _shared(trace, other):
    reason, where = {
        "device": ("Otra cuenta jugó desde el mismo aparato a esas horas", "el mismo navegador"),
        "address": ("Otra cuenta jugó desde la misma dirección a esas horas", "la misma dirección de Internet"),
    }[trace.kind]
    after = "después" if other.at > trace.at else "antes"
    evidence = (
        f"La vuelta {other.run_id}, de otra cuenta, empezó a jugarse desde {where} "
        f"{span_in_words(abs(other.at - trace.at))} {after}. Puede ser una familia o un equipo prestado."
    )
    return Finding(trace.kind, reason, evidence, f"cuenta {other.run.standing_id}", f"../../{other.run_id}/change/")
