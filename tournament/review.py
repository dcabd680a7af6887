"""The review of scored runs, and its only writer: what verifying a run found, what a reviewer decided, what a player
asks. A decision takes the points of an annulled run out of the books, or puts them back, in one transaction."""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, F, Max, OuterRef, Q, Sum

from . import postgres
from .audit import faults_of
from .models import Award, Decision, Flag, ScoredRun, Season, SecondLook, Standing, Trace
from .services import store, write_final
from .signals import checking_run

CHECKED_AT_ONCE = 200
LONGEST_REASON = Decision._meta.get_field("reason").max_length
LONGEST_REQUEST = SecondLook._meta.get_field("text").max_length
TRACES_KEPT = timedelta(days=30)

State, Action = ScoredRun.State, Decision.Action
FROM = {  #: the states in which an action changes something
    Action.APPROVE: (State.WAITING,),
    Action.ANNUL: (State.WAITING, State.APPROVED),
    Action.RESTORE: (State.ANNULLED,),
}
IN_SPANISH = {  #: what `audit.faults_of` finds, as the desk reads it
    "paid chapters are not the first ones": "Los capítulos pagados no son los primeros.",
    "paid the bonus without having been completed": "Se pagó el premio por los cinco sin haberla completado.",
    "paid other points than its terms say": "Se pagaron otros puntos que los de su temporada.",
    "paid after the close or before it began": "Se pagó después del cierre o antes de que empezara.",
}
SAME = {State.APPROVED: Action.APPROVE, State.ANNULLED: Action.ANNUL}  #: what a second look may find once more


class ReasonMissing(ValueError):
    """Who annuls a run says why."""


class NotPossible(Exception):
    """The run is not in a state in which that can be decided."""


class OwnRun(Exception):
    """The run is the reviewer's: somebody else decides on it."""


class Overtaken(Exception):
    """Somebody has decided on the run since the page was made; `last` is their decision."""

    def __init__(self, last: Decision | None):
        self.last = last


class AlreadyAsked(Exception):
    """The player has asked for a second look at this run."""


class NothingToLookAt(Exception):
    """The run is under way, and nobody has decided on it."""


class Finding(NamedTuple):
    """Something that verifying a run found. `about` tells several of a kind apart (a match's id), `link` is a query of
    the run's page where it is seen."""

    kind: str
    reason: str
    evidence: str = ""
    about: str = ""
    link: str = ""


# Verifying


def flag(*, run_id: str, finding: Finding, at: datetime) -> None:
    """Something about a scored run that a reviewer should look at, also at one that was approved without knowing it;
    said once, whoever says it again later."""
    with transaction.atomic():
        run = ScoredRun.objects.select_for_update(no_key=True).get(
            pk=run_id
        )  # or two who flag it may wait for each other
        if run.flags.filter(kind=finding.kind, about=finding.about).exists():
            return
        Flag.objects.create(run=run, at=at, **finding._asdict())
        run.is_flagged, run.is_waiting = True, run.is_waiting or run.state == State.APPROVED
        run.save(update_fields=["is_flagged", "is_waiting"])


def check_run(*, run_id: str, at: datetime) -> list[Finding]:
    """Verify what was played in a run, and flag what was found in it, all of that or nothing; returns it. What is found
    of other runs is flagged by who finds it. May be repeated."""
    # Before the run: one that is completed between the two has been paid more than is looked at here, and not less.
    awards = list(Award.objects.filter(run=run_id))
    run = ScoredRun.objects.select_related("season", "standing").get(run_id=run_id)
    found = [
        Finding("books", "Los premios no cuadran con la vuelta", IN_SPANISH.get(fault, fault), fault[:60])
        for fault in faults_of(run, awards)
    ]
    measures = {}
    for _, answer in checking_run.send(sender=ScoredRun, run=run, at=at):
        if answer:
            found += answer[0]
            measures |= answer[1]
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
    are under way still, where the season closed before it."""
    unchecked = ScoredRun.objects.filter(checked_at=None)
    due = list(
        unchecked.filter(ended_at__lt=before).order_by("ended_at").values_list("pk", flat=True)[:CHECKED_AT_ONCE]
    )
    paid = Exists(Award.objects.filter(run=OuterRef("pk")))
    # Whatever was verified of one while it could still be paid
    unchecked = ScoredRun.objects.filter(Q(checked_at=None) | Q(checked_at__lt=F("season__closes_at")))
    left_open = unchecked.filter(paid, ended_at=None, season__closes_at__lt=before)
    return due + list(left_open.values_list("pk", flat=True)[: CHECKED_AT_ONCE - len(due)])


def trace(*, run_id: str, digests: dict[str, str], at: datetime) -> None:
    """A scored run is played from here: salted hashes by kind (`device`, `address`), each kept once a run."""
    traces = [Trace(run_id=run_id, kind=kind, digest=digest, at=at) for kind, digest in digests.items() if digest]
    Trace.objects.bulk_create(traces, ignore_conflicts=True)


def forget_traces(*, at: datetime) -> int:
    """Remove what is older than thirty days; returns how many."""
    return Trace.objects.filter(at__lt=at - TRACES_KEPT).delete()[0]


# Deciding


def says_something(reason: str) -> bool:
    """Whether there is anything to be read in a reason, and not only what nobody sees."""
    return any(character.isalnum() for character in reason)


def possible(run: ScoredRun) -> list[Action]:
    """What can be decided on a run as it stands; whoever gives it the second look it asks for may also find the same
    again."""
    changing = [action for action in Action if run.state in FROM[action] and (action != Action.APPROVE or run.ended_at)]
    return changing + ([SAME[run.state]] if run.is_waiting and run.state in SAME else [])


def decide(*, run_id: str, action: str, reason: str = "", by, seen: int, at: datetime) -> Decision:
    """A reviewer (`by`, a player) approves, annuls or restores a run; `seen` is how many decisions there were on it
    when they looked. The points of an annulled run count nowhere from this moment; restoring puts back what it has
    earned, reached when it was. A final table is written again.

    Raises ScoredRun.DoesNotExist, ReasonMissing, NotPossible, OwnRun, and Overtaken if somebody decided meanwhile;
    nothing has changed then.
    """
    action, reason = Action(action), " ".join(reason.split())
    if action == Action.ANNUL and not says_something(reason):
        raise ReasonMissing
    if len(reason) > LONGEST_REASON:
        raise ValueError("the reason is too long")
    with transaction.atomic():
        season = _hold(run_id)
        run = ScoredRun.objects.select_for_update(no_key=True).get(pk=run_id)
        last = run.decisions.order_by("number").last()
        if run.decided != seen:
            raise Overtaken(last)
        if run.standing.player_id == by.pk:
            raise OwnRun
        if action not in possible(run):
            raise NotPossible
        after = _state_after(run, action)
        at = max(at, last.at) if last else at
        before, run.state = run.state, after
        run.decided += 1
        run.is_waiting = after == State.WAITING and run.ended_at is not None
        run.save(update_fields=["state", "decided", "is_waiting"])
        points_before, points_after = _recount(run.standing_id, at)
        decision = Decision.objects.create(
            run=run,
            number=run.decided,
            action=action,
            reason=reason,
            by_id=by.pk,
            by_name=by.get_username(),
            at=at,
            state_before=before,
            state_after=after,
            points_before=points_before,
            points_after=points_after,
        )
        if points_before != points_after:
            season.revision = F("revision") + 1
            season.save(update_fields=["revision"])
            _amend_final(season, at)
    return decision


def _hold(run_id):
    """The run's season, so that no other decision and no award comes between what is read and what is written. Raises
    ScoredRun.DoesNotExist."""
    season = ScoredRun.objects.select_related("season").get(pk=run_id).season
    if connection.vendor == "postgresql" and season.final_at is None:  # once it is written nothing is awarded
        postgres.hold_awards()
    return Season.objects.select_for_update(no_key=True).get(pk=season.pk)


def _state_after(run, action):
    if action == Action.APPROVE:
        return State.APPROVED
    if action == Action.ANNUL:
        return State.ANNULLED
    annulled = run.decisions.filter(action=Action.ANNUL).exclude(state_before=State.ANNULLED)
    return State(annulled.order_by("number").last().state_before)


def _recount(standing_id, at):
    """The standing as the awards of its valid runs make it; returns its points before and after."""
    standing = Standing.objects.select_for_update(no_key=True).get(pk=standing_id)
    valid = Award.objects.filter(run__standing=standing_id, run__in=ScoredRun.objects.valid())
    earned = valid.aggregate(points=Sum("points", default=0), reached_at=Max("at"))
    before = {"points": standing.points, "reached_at": standing.reached_at}
    if earned != before:
        standing.points, standing.reached_at = earned["points"], earned["reached_at"]
        standing.moved_at = max(standing.moved_at or at, at)
        standing.save(update_fields=["points", "reached_at", "moved_at"])
        if standing.player_id is not None:
            old = {f"old_{name}": value for name, value in before.items()}
            store().move(season_id=standing.season_id, **old, **earned)
    return before["points"], earned["points"]


def _amend_final(season, at):
    if season.final_at:
        write_final(season)
        # Later than before in any case: whoever walks through the pages is told that it is another table.
        season.amended_at = max(at, season.written_at + timedelta(microseconds=1))
        season.save(update_fields=["amended_at"])


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
        run.is_waiting = True
        run.save(update_fields=["is_waiting"])
    return asked
