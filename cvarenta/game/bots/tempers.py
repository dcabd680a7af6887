"""Levels and characters as data: how much each remembers, sees and fears, and its quirks, over one way to weigh plays.

The rivals' tempers are those of the story. Worths are in hundredths of a point.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ..rulesets import CAIDA
from ..view import worth_of
from . import reply, search
from .choosing import best_of
from .quirks import (
    bait,
    builder,
    carton_no_more,
    figures_first,
    for_partner,
    fourth_card,
    hunter,
    showy_limpia,
    was_fallen_on,
)
from .worth import SURE

CHANCE_OF_A_POINT = 170  #: ten-thousandths of a match that a point is worth on the average


@dataclass(frozen=True)
class Temper:
    """How somebody plays; knobs are shares, 0 to 1.

    Where lanes are imagined the weighing is the strong bot's: memory, limpia, carton and risk are then as good as they
    can be, and only caida and the quirks tell the character. A play that wins is never overlooked.
    """

    memory: float = 1.0  #: of the cards played, how many it remembers
    caida: float = 1.0  #: how well it sees caidas: it misses half of the rest
    limpia: float = 1.0  #: how dear limpias are to it: it takes half of the rest off their points
    carton: float = 0.5  #: what cards are worth to it: twice this against what they are worth
    risk: float = 0.2  #: how little it fears what the next seat may do; at 0.2 as much as it should
    pecked: float | None = None  #: the memory left for two turns after a caida suffered
    lanes: int = 0  #: imagined lanes a decision; 0 weighs the next reply only
    quirks: tuple[Callable, ...] = ()

    def choose(self, view, rng):
        """The play of a view whose turn it is; chance from `rng.below(m)`."""
        if len(view.legal) == 1:
            return view.legal[0]
        weighed = [
            (worth + sum(quirk(view, play) for quirk in self.quirks), play) for worth, play in self._weigh(view, rng)
        ]
        return best_of(weighed, rng)

    def _weigh(self, view, rng):
        """Each play and what it is worth to this temper, quirks aside."""
        sees = self.caida == 1.0 or rng.below(1000) < 500 + 500 * self.caida
        if self.lanes:
            for chance, play in search.weigh(view, rng, lanes=self.lanes):
                worth = 100 * chance / CHANCE_OF_A_POINT
                if not sees and chance < SURE and worth_of(view, play).caida:
                    worth -= 100 * CAIDA
                yield worth, play
            return
        fear = 1.25 - 1.25 * self.risk
        memory = self.memory if self.pecked is None or not was_fallen_on(view) else self.pecked
        forget = None if memory == 1.0 else _forgetting(memory, rng)
        # a caida that is not seen must not be played for its cards either
        for play, caida, limpia, cards, expected in reply.weigh(view, forget):
            worth = (caida if sees else -caida) + limpia * (1 + self.limpia) / 2 + 2 * cards * self.carton
            yield worth - (fear if expected > 0 else 1) * expected, play


def _forgetting(memory, rng):
    """A function that takes some of the played cards out of a list of those nobody has played, by rank."""
    share = round(1000 * memory)

    def forget(unplayed):
        for rank, count in enumerate(unplayed):
            for _ in range(4 - count):
                if rng.below(1000) >= share:
                    unplayed[rank] += 1

    return forget


LEVELS = {
    "aprendiz": Temper(memory=0.1, caida=0.5, limpia=0.7, carton=0.2, risk=0.85),
}

#: the rivals of the five chapters, in their order
RIVALS = {
    "almeida": Temper(memory=0.2, caida=0.5, limpia=0.8, carton=0.1, risk=0.8),
    "ramon": Temper(memory=0.4, caida=0.9, limpia=0.5, carton=0.3, risk=0.7, pecked=0.1, quirks=(figures_first,)),
    "cantuna": Temper(
        memory=0.7, caida=0.6, limpia=0.5, carton=1.0, risk=0.2, quirks=(builder, carton_no_more),
    ),
    "manuela": Temper(
        memory=0.85, caida=0.8, limpia=0.6, carton=0.7, risk=0.4, lanes=256, quirks=(for_partner, fourth_card, hunter),
    ),
    "diablo": Temper(caida=0.9, carton=0.8, risk=0.5, lanes=1024, quirks=(bait, showy_limpia)),
}  # fmt: skip

#: San Miguel, who grows with the chapters; he sees every caida and has no quirk
MIGUEL = {
    "miguel-1": Temper(memory=0.2, risk=0.6),
    "miguel-2": Temper(memory=0.4, risk=0.5),
    "miguel-3": Temper(memory=0.7, risk=0.3),
    "miguel-4": Temper(),
    "miguel-5": Temper(lanes=1024),
}

VIRGEN = {"virgen": Temper(lanes=search.LANES)}

TEMPERS = LEVELS | RIVALS | MIGUEL | VIRGEN
