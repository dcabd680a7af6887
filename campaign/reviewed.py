"""What the review says of a run to its player: its state, the reasons given, the second look they may ask for."""

from cvarenta.wording import moment_in_words
from tournament.models import Decision, ScoredRun

from .models import Run

DECIDED = {
    Decision.Action.APPROVE: ScoredRun.State.APPROVED.label,
    Decision.Action.ANNUL: ScoredRun.State.ANNULLED.label,
    Decision.Action.RESTORE: "Restituida",
}


def state_of(books: ScoredRun) -> str | None:
    """`waiting`, `approved` or `annulled`; None while it is under way and there is nothing to say of it."""
    if books.state == ScoredRun.State.WAITING and books.ended_at is None and not books.is_waiting:
        return None
    return books.state


def states_in_words(runs: list[Run]) -> dict[str, str]:
    """«Por revisar», «Aprobada», «Anulada» by id of those runs of which there is something to say."""
    books = ScoredRun.objects.filter(run_id__in=[run.pk for run in runs if run.is_scored])
    states = {found.run_id: state_of(found) for found in books.only("state", "ended_at", "is_waiting")}
    return {run_id: ScoredRun.State(state).label for run_id, state in states.items() if state}


def review_of(books: ScoredRun, earned: int) -> dict | None:
    """What the page of a run says that earned so many points; None while there is nothing to say."""
    decisions, asked = list(books.decisions.order_by("number")), _second_look(books)
    state = state_of(books)
    if not (state or decisions):
        return None
    trail = [_decision_in_words(decision, books.season) for decision in decisions]
    is_annulled = state == ScoredRun.State.ANNULLED
    return {
        "state": state,
        "is_annulled": is_annulled,
        "comes_first": any(decision.action == Decision.Action.ANNUL for decision in decisions),
        "earned": earned,
        "reason": _as_sentence(decisions[-1].reason) if is_annulled else "",
        "last": trail[-1] if trail else None,
        "trail": trail if trail and (len(trail) > 1 or not is_annulled) else [],
        "asked": asked and _moment(asked.at, books.season),
        "asked_text": asked.text if asked else "",
        "is_answered": asked is not None and not books.asks,
        "may_ask": asked is None and (books.ended_at is not None or is_annulled),
    }


def review_json(run: Run) -> dict | None:
    """The same for programs; None for a free run."""
    books = ScoredRun.objects.filter(run_id=run.pk).first() if run.is_scored else None
    if books is None:
        return None
    decisions, state = list(books.decisions.order_by("number")), state_of(books)
    return {
        "state": state,
        "reason": decisions[-1].reason if state == ScoredRun.State.ANNULLED else None,
        "decided_at": decisions[-1].at.isoformat() if decisions else None,
        "second_look": _second_look(books) is not None,
    }


def _second_look(books):
    return getattr(books, "second_look", None)


def _as_sentence(text):
    """With a full stop, unless it ends as a sentence does."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _decision_in_words(decision, season):
    what = DECIDED[decision.action]
    return {"what": what, "reason": decision.reason, "moment": _moment(decision.at, season)}


def _moment(at, season):
    return moment_in_words(at, season.zone, season.zone_name)
