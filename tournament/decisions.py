"""What reviewers decide on scored runs, and its only writer: a decision takes the points of an annulled run out of the
books, or puts them back, and is a line of the trail, all in one transaction."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import F, Max, Sum

from . import postgres
from .models import Award, Decision, Flag, ScoredRun, Season, SecondLook, Standing
from .services import store, write_final

LONGEST_REASON = Decision._meta.get_field("reason").max_length

State, Action = ScoredRun.State, Decision.Action
FROM = {  #: the states in which an action changes something
    Action.APPROVE: (State.WAITING,),
    Action.ANNUL: (State.WAITING, State.APPROVED),
    Action.RESTORE: (State.ANNULLED,),
}
SAME = {State.APPROVED: Action.APPROVE, State.ANNULLED: Action.ANNUL}  #: what a second look may find once more


class ReasonMissing(ValueError):
    """Who annuls a run says why."""


class Refused(Exception):
    """The run stays as it is."""


class NotPossible(Refused):
    """The run is not in a state in which that can be decided."""


class OwnRun(Refused):
    """The run is the reviewer's: somebody else decides on it."""


class Overtaken(Refused):
    """Something has come to the run since the page was made; `last` is what came last: a Decision, Flag or SecondLook,
    or None if there never was any."""

    def __init__(self, last: Decision | Flag | SecondLook | None):
        self.last = last


def says_something(reason: str) -> bool:
    """Whether there is anything to be read in a reason, and not only what nobody sees."""
    return any(character.isalnum() for character in reason)


def possible(run: ScoredRun) -> list[Action]:
    """What can be decided on a run as it stands; whoever gives it the second look it asks for may also find the same
    again."""
    is_over = run.ended_at is not None or run.is_waiting  # or the season has closed over it
    changing = [action for action in Action if run.state in FROM[action] and (action != Action.APPROVE or is_over)]
    return changing + ([SAME[run.state]] if run.is_waiting and run.state in SAME else [])


def decide(*, run_id: str, seen: int, **decision) -> Decision:
    """As `decide_many`, on one run. Raises also ScoredRun.DoesNotExist, and why it was Refused."""
    became = decide_many(seen={run_id: seen}, **decision)
    if not became:
        raise ScoredRun.DoesNotExist
    if isinstance(became[run_id], Refused):
        raise became[run_id]
    return became[run_id]


def decide_many(
    *,
    seen: dict[str, int],
    action: str,
    reason: str = "",
    by,
    at: datetime,
    clock: Callable[[], datetime] | None = None,
) -> dict[str, Decision | Refused]:
    """A reviewer (`by`, a player) approves, annuls or restores runs, each by itself, so that one that is refused keeps
    no other back: `seen` says how much news there was of each (id: `ScoredRun.news`) when they looked. The points of an
    annulled run count nowhere from this moment; restoring puts back what it has earned, reached when it was. A final
    table is written again, once for all. `clock` tells the time anew once whoever else writes was waited for.

    Returns what became of each; what is no run is left out. Raises ReasonMissing; nothing has changed then.
    """
    action, reason = _checked(action, reason)
    became = {}
    for is_final, run_ids in _by_season(seen):
        # While a season is played awards would wait for all of them.
        for together in [run_ids] if is_final else [[run_id] for run_id in run_ids]:
            with transaction.atomic():
                season = _hold(together[0])
                now = max(at, clock()) if clock else at
                for run_id in together:
                    try:
                        with transaction.atomic():
                            became[run_id] = _decide(season, run_id, action, reason, by, seen[run_id], now)
                    except Refused as refused:
                        became[run_id] = refused
                if any(_moves_points(became[run_id]) for run_id in together):
                    _amend_final(season, now)
    return became


def _by_season(run_ids) -> Iterator[tuple[bool, list[str]]]:
    """The runs of each season, with whether its final table is written."""
    runs = ScoredRun.objects.filter(pk__in=run_ids).values_list("season", "season__final_at", "pk")
    seasons = {}
    for season_id, final_at, run_id in runs.order_by("season", "pk"):
        seasons.setdefault(season_id, (final_at is not None, []))[1].append(run_id)
    yield from seasons.values()


def _checked(action, reason):
    action, reason = Action(action), " ".join(reason.split())
    if action == Action.ANNUL and not says_something(reason):
        raise ReasonMissing
    if len(reason) > LONGEST_REASON:
        raise ValueError("the reason is too long")
    return action, reason


def _hold(run_id):
    """The run's season, so that no other decision and no award comes between what is read and what is written."""
    season = ScoredRun.objects.select_related("season").get(pk=run_id).season
    if connection.vendor == "postgresql" and season.final_at is None:  # once it is written nothing is awarded
        postgres.hold_awards()
    return Season.objects.select_for_update(no_key=True).get(pk=season.pk)


def _decide(season, run_id, action, reason, by, seen, at):
    """Decide on a run of a season that is held."""
    run = ScoredRun.objects.select_for_update(no_key=True).get(pk=run_id)
    run.season = season
    last = run.decisions.order_by("number").last()
    if run.news != seen:
        raise Overtaken(_latest_news(run, last))
    if run.standing.player_id == by.pk:
        raise OwnRun
    if action not in possible(run):
        raise NotPossible
    before, run.state = run.state, _state_after(run, action)
    at = max(at, last.at) if last else at
    run.decided += 1
    run.news += 1
    run.asks, run.is_waiting = False, run.is_undecided(at)
    run.save(update_fields=["state", "decided", "news", "asks", "is_waiting"])
    points_before, points_after = _recount(run.standing_id, at)
    if points_before != points_after:
        season.revision = F("revision") + 1
        season.save(update_fields=["revision"])
    return Decision.objects.create(
        run=run,
        number=run.decided,
        action=action,
        reason=reason,
        by_id=by.pk,
        by_name=by.get_username(),
        at=at,
        state_before=before,
        state_after=run.state,
        points_before=points_before,
        points_after=points_after,
    )


def _latest_news(run, decision):
    flag, asked = run.flags.order_by("pk").last(), SecondLook.objects.filter(run=run).first()
    return max(filter(None, [decision, flag, asked]), key=lambda news: news.at, default=None)


def _moves_points(decision):
    return isinstance(decision, Decision) and decision.points_before != decision.points_after


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
