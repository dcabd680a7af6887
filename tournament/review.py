"""What is found of scored runs, and what their players ask, and its only writer: verifying, flags, traces, second
looks. What is decided on them then is in `decisions`."""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q

from .audit import faults_of
from .models import Award, Flag, ScoredRun, SecondLook, Trace
from .signals import checking_run

CHECKED_AT_ONCE = 200
LONGEST_REQUEST = SecondLook._meta.get_field("text").max_length
TRACES_KEPT = timedelta(days=30)

State = ScoredRun.State
FAULTS = {  #: what `audit.faults_of` finds, as the desk reads it
    "chapters": "Los capítulos pagados no son los primeros.",
    "bonus": "Se pagó el premio por los cinco sin haberla completado.",
    "terms": "Se pagaron otros puntos que los de su temporada.",
    "time": "Se pagó después del cierre o antes de que empezara.",
}


class AlreadyAsked(Exception):
    """The player has asked for a second look at this run."""


class NothingToLookAt(Exception):
    """The run is under way, and nobody has decided on it."""


class Finding(NamedTuple):
    """Something that verifying a run found. `about` tells several of a kind apart (a match's id, an account), `link` is
    where it is seen, from the run's page."""

    kind: str
    reason: str
    evidence: str = ""
    about: str = ""
    link: str = ""


def flag(*, run_id: str, finding: Finding, at: datetime) -> None:
    """Something about a scored run that a reviewer should look at, also at one that was approved without knowing it;
    said once, whoever says it again later."""
    with transaction.atomic():
        # Held first, or two who flag it may wait for each other.
        run = ScoredRun.objects.select_for_update(no_key=True).get(pk=run_id)
        if run.flags.filter(kind=finding.kind, about=finding.about).exists():
            return
        Flag.objects.create(run=run, at=at, **finding._asdict())
        run.is_flagged, run.is_waiting = True, run.is_waiting or run.state == State.APPROVED
        run.news += 1
        run.save(update_fields=["is_flagged", "is_waiting", "news"])


def check_run(*, run_id: str, at: datetime) -> list[Finding]:
    """Verify what was played in a run, and flag what was found in it, all of that or nothing; returns it. What that
    tells of other runs is flagged first, each by itself. May be repeated."""
    ScoredRun.objects.filter(run_id=run_id).update(tried_at=at)
    # Before the run: one that is completed between the two has been paid more than is looked at here, and not less.
    awards = list(Award.objects.filter(run=run_id))
    run = ScoredRun.objects.select_related("season", "standing").get(run_id=run_id)
    found = [
        Finding("books", "Los premios no cuadran con la vuelta", FAULTS[fault], fault)
        for fault in faults_of(run, awards)
    ]
    measures, others = {}, []
    for _, answer in checking_run.send(sender=ScoredRun, run=run, at=at):
        if answer:
            found += answer[0]
            measures |= answer[1]
            others += answer[2]
    # Not together with its own: two runs verified at once would wait for each other.
    for other_id, finding in others:
        flag(run_id=other_id, finding=finding, at=at)
    with transaction.atomic():
        for finding in found:
            flag(run_id=run_id, finding=finding, at=at)
        # One that ended meanwhile was seen as it was before.
        seen = ScoredRun.objects.filter(run_id=run_id, ended_at=run.ended_at)
        seen.update(checked_at=at, measures=measures or None)
        if run.ended_at is None and run.season.has_closed(at):  # left open, with its points, over the close
            ScoredRun.objects.filter(run_id=run_id, state=State.WAITING).update(is_waiting=True)
    return found


def runs_to_check(*, before: datetime) -> list[str]:
    """Runs that nobody has verified though they ended before a moment, their task lost; and those that were paid and
    are under way still, where the season closed before it. Those that were never tried come first: one that cannot be
    verified keeps no other from it."""
    unchecked = ScoredRun.objects.filter(checked_at=None)
    oldest = F("tried_at").asc(nulls_first=True), "ended_at"
    due = list(unchecked.filter(ended_at__lt=before).order_by(*oldest).values_list("pk", flat=True)[:CHECKED_AT_ONCE])
    paid = Exists(Award.objects.filter(run=OuterRef("pk")))
    # Whatever was verified of one while it could still be paid
    unchecked = ScoredRun.objects.filter(Q(checked_at=None) | Q(checked_at__lt=F("season__closes_at")))
    left_open = unchecked.filter(paid, ended_at=None, season__closes_at__lt=before)
    return due + list(left_open.order_by(*oldest).values_list("pk", flat=True)[: CHECKED_AT_ONCE - len(due)])


def trace(*, run_id: str, digests: dict[str, str], at: datetime) -> None:
    """A match of a scored run was begun from here: salted hashes by kind (`device`, `address`)."""
    traces = [Trace(run_id=run_id, kind=kind, digest=digest, at=at) for kind, digest in digests.items() if digest]
    Trace.objects.bulk_create(traces, ignore_conflicts=True)


def forget_traces(*, at: datetime) -> int:
    """Remove what is older than thirty days; returns how many."""
    return Trace.objects.filter(at__lt=at - TRACES_KEPT).delete()[0]


def ask_again(*, run_id: str, text: str = "", at: datetime) -> SecondLook:
    """The run's player asks the desk for a second look, which it finds among the waiting runs.

    Raises AlreadyAsked, however many ask at once; NothingToLookAt; ValueError if the text is too long.
    """
    text = text.strip()
    if len(text) > LONGEST_REQUEST:
        raise ValueError("the text is too long")
    with transaction.atomic():
        run = ScoredRun.objects.select_for_update(no_key=True).get(pk=run_id)
        if run.ended_at is None and run.state == State.WAITING:
            raise NothingToLookAt
        try:
            with transaction.atomic():
                asked = SecondLook.objects.create(run=run, text=text, at=at)
        except IntegrityError as error:
            raise AlreadyAsked from error
        run.is_waiting = run.asks = True
        run.news += 1
        run.save(update_fields=["is_waiting", "asks", "news"])
    return asked
