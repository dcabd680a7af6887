"""Proves that the books of a season agree with each other; changes nothing."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import accumulate

from django.db import connection, transaction
from django.db.models import Count, Exists, F, Max, Min, OuterRef, Prefetch, Q, Sum

from . import plain, postgres
from .models import Award, Decision, Flag, ScoredRun, Season, Standing
from .signals import auditing

FAULTS = {
    "chapters": "paid chapters are not the first ones",
    "bonus": "paid the bonus without having been completed",
    "terms": "paid other points than its terms say",
    "time": "paid after the close or before it began",
}
SLACK = timedelta(minutes=1)  #: between the moments that two requests say of themselves and what they found: see GRACE


def faults_of(run: ScoredRun, awards: Iterable[Award]) -> list[str]:
    """What is wrong with the awards of a run, of `FAULTS`."""
    awards = list(awards)
    chapters = sorted(award.chapter for award in awards if award.chapter)
    found = []
    if chapters != list(range(1, len(chapters) + 1)):
        found.append("chapters")
    if len(chapters) < len(awards) and run.outcome != "completed":
        found.append("bonus")
    if any(award.points != (run.chapter_points if award.chapter else run.bonus_points) for award in awards):
        found.append("terms")
    if any(run.season.has_closed(award.at) or award.at < run.started_at for award in awards):
        found.append("time")
    return found


def audit(season: Season) -> Iterator[tuple[str, int, list[str]]]:
    """For each promise of the books: what it is, how many rows were looked at, and what breaks it. All of it as it
    stands at one moment."""
    is_outermost = not connection.in_atomic_block
    with transaction.atomic():
        if is_outermost and connection.vendor == "postgresql":
            connection.cursor().execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        for name, check in CHECKS.items():
            looked_at, found = 0, []
            for count, faults in check(season):
                looked_at += count
                found += faults
            yield name, looked_at, found
        told = [fault for _, faults in auditing.send(sender=Season, season=season) for fault in faults or ()]
        yield "what others keep of the same runs agrees", ScoredRun.objects.filter(season=season).count(), told


def _runs(season):
    """Each run's awards are those of its first chapters and terms, in time."""
    runs = ScoredRun.objects.filter(season=season).select_related("season").prefetch_related("awards")
    for run in runs.iterator(1000):
        yield 1, [f"run {run.run_id} {FAULTS[fault]}" for fault in faults_of(run, run.awards.all())]


def _slots(season):
    """Each player's day has its slots from 1, no more than it may, and each run lies on the day it was begun."""
    runs = ScoredRun.objects.filter(season=season)
    for run in runs.only("run_id", "started_at", "day").iterator(2000):
        right = season.day(run.started_at)
        yield 1, [f"run {run.run_id} was begun on {right}, not {run.day}"] if run.day != right else []
    days = runs.values("standing_id", "day").annotate(runs=Count("pk"), first=Min("slot"), last=Max("slot"))
    for day in days.filter(~Q(first=1) | ~Q(last=Count("pk"))).iterator():
        slots = f"{day['runs']} runs on {day['day']}, slots {day['first']} to {day['last']}"
        yield 0, [f"standing {day['standing_id']} has {slots}"]
    # What the next slot is counted from.
    held = Count("scored_runs", filter=Q(scored_runs__day=F("day")))
    standings = Standing.objects.filter(season=season).annotate(held=held, last=Max("scored_runs__day"))
    for standing in standings.filter(Q(last=None) | ~Q(last=F("day")) | ~Q(held=F("taken"))).iterator(2000):
        counted = f"{standing.taken} slots taken on {standing.day}, and has {standing.held}"
        yield 0, [f"standing {standing.pk} counts {counted}; its last day is {standing.last}"]


def _standings(season):
    """Each standing is the sum of the awards of its valid runs, reached with the last of them."""
    valid = ~Q(scored_runs__state=ScoredRun.State.ANNULLED)
    standings = Standing.objects.filter(season=season).annotate(
        earned=Sum("scored_runs__awards__points", filter=valid, default=0),
        last=Max("scored_runs__awards__at", filter=valid),
    )
    counts = dict(ScoredRun.objects.filter(season=season).values_list("standing_id").annotate(Count("pk")))
    for standing in standings.iterator(2000):
        found = []
        if standing.points != standing.earned:
            found.append(f"standing {standing.pk} has {standing.points} points, and awards of {standing.earned}")
        if standing.reached_at != standing.last:
            found.append(f"standing {standing.pk} was reached at {standing.reached_at}, not {standing.last}")
        if standing.points and not (standing.moved_at and standing.moved_at >= standing.reached_at):
            found.append(f"standing {standing.pk} moved at {standing.moved_at}, before it was reached")
        if standing.runs != counts.get(standing.pk, 0):
            found.append(f"standing {standing.pk} has {standing.runs} runs, not {counts.get(standing.pk, 0)}")
        yield 1, found


def _rank_index(season):
    """The rank index is what counting the standings gives."""
    if not postgres.is_used():
        return
    wrong = postgres.wrong_buckets(season_id=season.pk)
    yield (
        Standing.objects.ranked().filter(season=season).count(),
        [
            f"the rank index says {said} and there are {there}: grain {grain}, {points} points, period {period}"
            for grain, points, period, said, there in wrong
        ],
    )


def _places(season):
    """A sample of places agrees with counting all who are before."""
    if not postgres.is_used():
        return
    ranked = Standing.objects.ranked().filter(season=season)
    lowest, highest = ranked.aggregate(low=Min("pk", default=1), high=Max("pk", default=0)).values()
    for pk in range(lowest, highest + 1, max(1, (highest - lowest) // 20)):
        standing = ranked.filter(pk__gte=pk).order_by("pk").first()
        asked = {"season_id": season.pk, "player_id": standing.player_id}
        said, counted = postgres.place_of(**asked)[0], plain.place_of(**asked)[0]
        yield 1, [f"standing {standing.pk} is told place {said}, not {counted}"] if said != counted else []


def _final(season):
    """The final table, once written, has every standing that had a place at the close, in order and without gaps."""
    if season.final_at is None:
        return
    last, before = 0, None
    for line in season.final.order_by("place").select_related("standing").iterator(2000):
        standing, key, found = line.standing, (-line.points, line.reached_at), []
        if line.place != last + 1 or before and key < before:
            found.append(f"place {line.place} is out of order")
        if (line.points, line.reached_at, line.runs) != (standing.points, standing.reached_at, standing.runs):
            found.append(f"place {line.place} is not what standing {standing.pk} says")
        last, before = line.place, key
        yield 1, found
    stayed = Q(left_at=None) | Q(left_at__gte=season.closes_at)
    missing = Standing.objects.filter(stayed, season=season, points__gt=0, final=None).count()
    yield 0, [f"{missing} standings are missing in the final table"] if missing else []


def _decisions(season):
    """Each run is in the state that its decisions lead to, one after the other without a gap."""
    has_trail = Exists(Decision.objects.filter(run=OuterRef("pk")))
    told = Q(decided__gt=0) | ~Q(state=ScoredRun.State.WAITING) | Q(has_trail)
    runs = ScoredRun.objects.filter(told, season=season).prefetch_related(
        Prefetch("decisions", Decision.objects.order_by("number")),
        Prefetch("awards", Award.objects.order_by("at", "pk")),
    )
    for run in runs.iterator(1000):
        yield 1, [f"run {run.pk} {fault}" for fault in _faults_of_trail(run, list(run.decisions.all()))]


def _faults_of_trail(run, trail):
    awards = list(run.awards.all())
    # What it had been paid after each of its awards
    sums = set(accumulate(award.points for award in awards)) or {0}
    state, before = ScoredRun.State.WAITING, None
    for number, decision in enumerate(trail, 1):
        if decision.number != number:
            yield f"has no decision {number} in its trail"
            return
        if decision.state_before != state:
            yield f"was {state} before its decision {number}, not {decision.state_before}"
        if before and decision.at < before:
            yield f"has a decision {number} from before the one before it"
        moved = decision.points_after - decision.points_before
        sign, was_paid = _sign(decision), bool(awards) and awards[0].at < decision.at - SLACK
        may_be = {sign * points for points in (sums if was_paid else sums | {0})}
        if moved not in may_be:
            yield f"moved {moved} points with its decision {number}, which it never had been paid"
        state, before = decision.state_after, decision.at
    if run.state != state:
        yield f"is {run.state}, and its trail leads to {state}"
    if run.decided != len(trail):
        yield f"was decided on {run.decided} times, and its trail has {len(trail)}"


def _sign(decision):
    """Whether a decision takes the run's points out, puts them back, or leaves them."""
    annulled = ScoredRun.State.ANNULLED
    return (decision.state_before == annulled) - (decision.state_after == annulled)


def _waiting(season):
    """Each run that has ended waits for the desk until somebody decides on it, and so does a wish for a second look."""
    runs = ScoredRun.objects.filter(season=season)
    forgotten = runs.filter(Q(state="waiting", ended_at__isnull=False) | Q(asks=True), is_waiting=False)
    yield (
        runs.filter(is_waiting=True).count(),
        [f"run {run_id} does not wait for the desk, and should" for run_id in forgotten.values_list("pk", flat=True)],
    )


def _flags(season):
    """Runs with flags are told to have them, and no others."""
    runs = ScoredRun.objects.filter(season=season).annotate(has=Exists(Flag.objects.filter(run=OuterRef("pk"))))
    wrong = runs.exclude(is_flagged=F("has")).values_list("pk", flat=True)
    yield (
        runs.filter(is_flagged=True).count(),
        [f"run {run_id} is told to have flags or none, wrongly" for run_id in wrong],
    )


CHECKS = {
    "runs are paid for their first chapters, by their terms, before the close": _runs,
    "a day has no more runs than it may, and runs lie on their day": _slots,
    "standings are the sums of their valid runs' awards": _standings,
    "the rank index counts the standings": _rank_index,
    "places are what counting gives": _places,
    "the final table is whole and in order": _final,
    "runs stand as their decisions say": _decisions,
    "runs are marked that have flags": _flags,
    "runs wait until they are decided on": _waiting,
}
