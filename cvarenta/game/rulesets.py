"""The four tables as data for one engine; where each number comes from is in the table of the rules.

Sources: `quito` is the house guide; `mano-a-mano` the two-player guide; `tradicional-2` and `tradicional-4` the
description of the game to two chicas.
"""

from dataclasses import dataclass

from .errors import Unreadable


@dataclass(frozen=True, slots=True, eq=False)  # compared and kept in tables by identity, which is quick
class RuleSet:
    """What one table plays by. Points and cards are counts; None means that the table has no such rule."""

    name: str
    seats: int
    addends: int  #: how many cards a sum may take at the most
    capture_is_compulsory: bool  #: a card that can capture must, and goes up its whole escalera
    ronda: int  #: points for three or four equal cards of the five dealt
    ronda_up_to: int | None  #: the most points a team may have for its ronda to count
    doble_ronda_wins: bool  #: four equal cards win the whole match at once
    carton_for_each: bool  #: each team with 20 cards counts, not only the larger pile
    carton_below: int | None  #: the team must have fewer points than this before the count
    tie_to_next_dealer: int  #: points for the next dealer's team when the piles are equal
    larger_pile: int  #: points for the larger pile when no team has 20 cards
    only_caida_from: int | None  #: a play begun with this many points scores its caida only
    others_stop_at: int | None  #: points other than a caida carry no team past this
    chicas: int  #: games to 40 that win the match
    zapatero_below: int | None  #: the first chica wins the match if the loser has fewer points than this

    @property
    def is_mesa(self):
        """Whether the match is a mesa of chicas."""
        return self.chicas > 1

    @property
    def caida_alone_from(self):
        """The points from which a caida alone adds any, or None at a table without such a rule."""
        return self.only_caida_from if self.others_stop_at is None else self.others_stop_at


CAIDA = 2
LIMPIA = 2
GOAL = 40
HAND = 5  #: cards dealt to a seat at a time

_TRADICIONAL = dict(
    addends=7, capture_is_compulsory=False, ronda=2, ronda_up_to=None, doble_ronda_wins=True,
    carton_for_each=True, carton_below=None, tie_to_next_dealer=0, larger_pile=0,
    only_caida_from=None, others_stop_at=None, chicas=2, zapatero_below=10,
)  # fmt: skip

RULESETS = {
    rules.name: rules
    for rules in (
        RuleSet(
            name="quito", seats=4, addends=2, capture_is_compulsory=True, ronda=2, ronda_up_to=30,
            doble_ronda_wins=False, carton_for_each=False, carton_below=30, tie_to_next_dealer=2, larger_pile=0,
            only_caida_from=38, others_stop_at=None, chicas=1, zapatero_below=None,
        ),
        RuleSet(
            name="mano-a-mano", seats=2, addends=7, capture_is_compulsory=False, ronda=4, ronda_up_to=None,
            doble_ronda_wins=False, carton_for_each=True, carton_below=None, tie_to_next_dealer=0, larger_pile=2,
            only_caida_from=None, others_stop_at=38, chicas=1, zapatero_below=None,
        ),
        RuleSet(name="tradicional-2", seats=2, **_TRADICIONAL),
        RuleSet(name="tradicional-4", seats=4, **_TRADICIONAL),
    )
}  # fmt: skip


def get_ruleset(name):
    """The rule set of that name; raises Unreadable."""
    rules = RULESETS.get(name) if isinstance(name, str) else None
    if rules is None:
        raise Unreadable(f"the rule set is not one of {', '.join(RULESETS)}")
    return rules
