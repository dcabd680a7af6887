"""What *maestro* would play for a seat, beside the next best, and what it comes from."""

from typing import NamedTuple

from ..danger import Threat, chance_of, threats_after
from ..view import View, Worth, worth_of
from .search import LANES, Outlook, outlooks

_CLEAR = 0.2  #: points by which a difference is told as one, and not as a matter of taste


class Option(NamedTuple):
    """A play with where it leads (`outlook`), what it does at once (`worth`), and what may be done to it."""

    outlook: Outlook
    worth: Worth
    threats: list[Threat]
    risk: float  #: how likely, 0 to 1, the next seat has a card that scores against it

    @property
    def play(self) -> tuple[int, int]:
        return self.outlook.play


class Advice(NamedTuple):
    """The best play and the next best (None when all plays come to the same), and the `reason` that speaks first:
    `only`, `caida`, `limpia`, `thirty_eight`, `safer`, `cards`, `lead` or `even`."""

    best: Option
    other: Option | None
    reason: str


def advise(view: View, rng, lanes: int = LANES) -> Advice:
    """The Advice for a view whose turn it is; `rng` has `below(m)`. The same view and chance give the same advice."""
    best, *others = [_option(view, outlook) for outlook in outlooks(view, rng, lanes)[:2]]
    other = others[0] if others else None
    return Advice(best, other, _reason(view, best, other))


def _option(view, outlook):
    threats = threats_after(view, outlook.play)
    return Option(outlook, worth_of(view, outlook.play), threats, chance_of(view, threats) if threats else 0.0)


def _reason(view, best, other):
    """What sets the best play apart, the plainest thing first."""
    if other is None:
        return "only"
    if best.worth.points > other.worth.points:
        return "caida" if best.worth.caida else "limpia"
    limit = view.rules.caida_alone_from
    if limit is not None and max(view.score) >= limit:
        return "thirty_eight"
    if best.risk < other.risk - 0.05:
        return "safer"
    if best.worth.cards > other.worth.cards:
        return "cards"
    return "lead" if best.outlook.lead > other.outlook.lead + _CLEAR else "even"
