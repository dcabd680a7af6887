"""Deciding at the desk, one run or many: what a form may ask for, what each run would lose or get, and what became of
it. All of it goes through `tournament.decisions`."""

from typing import NamedTuple

from django import forms
from django.utils import timezone

from cvarenta.wording import counted
from tournament import decisions
from tournament.models import Decision, Flag, ScoredRun, SecondLook

from .words import moment_of, points_of

Action, State = Decision.Action, ScoredRun.State
AT_ONCE = 100  #: runs
DID = {Action.APPROVE: "aprobó", Action.ANNUL: "anuló", Action.RESTORE: "restituyó"}
YOU_DID = {Action.APPROVE: "aprobaste", Action.ANNUL: "anulaste", Action.RESTORE: "restituiste"}
DONE = {Action.APPROVE: "Aprobada.", Action.ANNUL: "Anulada.", Action.RESTORE: "Restituida."}
OWN_RUN = "Es tu propia vuelta: que la decida otra persona."
STAYS = "Queda como está"
REASON_NEEDED = "Para anular hace falta el motivo: es lo que lee quien la jugó."


class DecisionForm(forms.Form):
    """A decision as a page sends it; whoever annuls says why."""

    action = forms.ChoiceField(
        choices=Action.choices,
        error_messages={"required": "Elige qué decides.", "invalid_choice": "Elige qué decides."},
    )
    reason = forms.CharField(
        max_length=decisions.LONGEST_REASON, required=False, widget=forms.Textarea(attrs={"rows": 2}), label="Motivo"
    )

    def clean(self):
        given = super().clean()
        is_silent = not decisions.says_something(given.get("reason") or "")
        if given.get("action") == Action.ANNUL and is_silent and "reason" not in self.errors:
            self.add_error("reason", REASON_NEEDED)
        return given


class OneDecisionForm(DecisionForm):
    """`seen` is how much news there was of the run when the page was made."""

    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


class Fate(NamedTuple):
    """What became of a run that was to be decided on; `says` is for the reviewer."""

    run: ScoredRun
    is_done: bool
    is_overtaken: bool
    says: str


def choices_for(run: ScoredRun) -> list[tuple[Action, str, str]]:
    """What can be decided on a run as it stands: (action, what its button says, what it would do)."""
    return [
        (action, STAYS if decisions.SAME.get(run.state) == action else action.label, effect_of(run, action))
        for action in decisions.possible(run)
    ]


def effect_of(run: ScoredRun, action: Action, *, is_one: bool = True) -> str:
    """What an action would do to the points of a run's player, in words; where the sum comes to, if `is_one`."""
    if action not in decisions.possible(run):
        return refusal(run, action)
    if decisions.SAME.get(run.state) == action:
        return f"Sigue {run.get_state_display().lower()}: ya se miró otra vez"
    points, total = points_of(run), run.standing.points
    if action == Action.ANNUL and points:
        return f"Pierde {counted(points, 'punto', 'puntos')}" + (f": queda en {total - points}" if is_one else "")
    if action == Action.RESTORE and points:
        return f"Recupera {counted(points, 'punto', 'puntos')}" + (f": queda en {total + points}" if is_one else "")
    return f"Sus puntos no cambian: tiene {total}"


def refusal(run: ScoredRun, action: Action) -> str:
    if action == Action.RESTORE:
        return "No está anulada"
    if run.state == State.ANNULLED:
        return "Ya está anulada"
    return "Ya está aprobada" if run.state == State.APPROVED else "Sigue en juego: se aprueba cuando termina"


def overtaken(last: Decision | Flag | SecondLook | None, run: ScoredRun, by) -> str:
    """Who decided what meanwhile, or what else came, in words."""
    if last is None:
        return "La página no era de esta vuelta como está ahora."
    if isinstance(last, Flag):
        return f"Mientras mirabas llegó una señal: {last.reason}. Mírala y decide."
    if isinstance(last, SecondLook):
        return "Mientras mirabas se pidió una segunda mirada. Léela y decide."
    said = f" «{last.reason}»" if last.reason else ""
    moment = f"{moment_of(last.at, run.season)}.{said}"
    if last.by_id == by.pk:
        return f"Tú ya la {YOU_DID[last.action]}, {moment}"
    return f"Mientras mirabas la {DID[last.action]} {last.by_name}, {moment}"


def decide(runs: list[ScoredRun], *, action: str, reason: str, by, seen: dict[str, int]) -> list[Fate]:
    """Decide on runs, and say what became of each."""
    moment = {"at": timezone.now(), "clock": timezone.now}
    became = decisions.decide_many(seen=seen, action=action, reason=reason, by=by, **moment)
    return [_fate(run, became[run.pk], Action(action), by) for run in runs]


def _fate(run, became, action, by):
    if isinstance(became, decisions.Overtaken):
        return Fate(run, False, True, overtaken(became.last, run, by))
    if isinstance(became, decisions.OwnRun):
        return Fate(run, False, False, OWN_RUN)
    if isinstance(became, decisions.NotPossible):
        return Fate(run, False, False, f"{refusal(run, action)}.")
    return Fate(run, True, False, DONE[action])
