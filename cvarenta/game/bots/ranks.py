"""Tables by their ranks alone, numbered, and for each card played on each: what it takes and what table it leaves.

A *position* is an int: which ranks lie on the table, and which of them, if any, was just laid and can be fallen on.
Positions below 1,024 are a table's mask of ranks where nothing can be fallen on; `1024 + 512 * rank + rest` those on
which `rank` can be, `rest` being the mask without that rank's bit. Equal cards on one table, which only the tables with
optional captures know, count once: bots that imagine play on do so by these ranks, the rules never do.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from ..captures import captures
from ..cards import ONE_OF_EACH
from ..rulesets import CAIDA, LIMPIA

RANKS = 10
NO_CARD = 10  #: the rank that stands for a card already played
COLUMNS = 11  #: the ten ranks and NO_CARD
FULL = 4 * ONE_OF_EACH  #: all forty cards in a counter by rank
POSITIONS = 1024 + 512 * RANKS
POSITION = 8191  #: the bits of a step that hold the next position
CARDS, CAIDAS, LIMPIAS = 13, 17, 18  #: where a step keeps cards taken, caida and limpia, above the next position


def position_of(mask, last=None):
    """The position of a mask of ranks and the rank just laid (in the mask) or None."""
    if last is None:
        return mask
    return 1024 + 512 * last + (mask >> last + 1 << last | mask & (1 << last) - 1)


def ranks_of(position):
    """The mask of ranks and the rank just laid, or None, of a position."""
    if position < 1024:
        return position, None
    last, rest = divmod(position - 1024, 512)
    return rest >> last << last + 1 | 1 << last | rest & (1 << last) - 1, last


def steps_of(rules):
    """For `position * COLUMNS + rank` the step that follows, an int32 array: the next position in the low 13 bits, the
    cards that come to the pile (0 for a laid card), whether it is a caida and whether a limpia.

    Of several captures the one that takes most cards, which is the limpia if there is one; but a caida before all.
    """
    return _steps_of(_Captures(rules.addends, rules.capture_is_compulsory))


class _Captures(NamedTuple):
    """What captures depend on; rule sets that share it share their steps."""

    addends: int
    capture_is_compulsory: bool


@cache
def _steps_of(rules):
    steps = np.zeros((POSITIONS, COLUMNS), np.int32)
    best = [[_best(rules, rank, mask) for rank in range(RANKS)] for mask in range(1024)]
    for position in range(POSITIONS):
        mask, last = ranks_of(position)
        for rank in range(RANKS):
            matched, any_kind = best[mask][rank]
            taken = matched if rank == last else any_kind
            if taken:
                step = mask ^ taken | (taken.bit_count() + 1) << CARDS
                step |= (rank == last) << CAIDAS | (mask == taken) << LIMPIAS
            else:
                step = position_of(mask | 1 << rank, rank)
            steps[position, rank] = step
        steps[position, NO_CARD] = position
    return steps.ravel()


def _best(rules, rank, mask):
    """The masks of ranks taken at the most by matching and by any capture; 0 for none."""
    table = sum(1 << 4 * on for on in range(RANKS) if mask >> on & 1)
    matched = any_kind = 0
    for takes in captures(rules, rank, table):
        taken = sum(1 << on for on in range(RANKS) if takes >> 4 * on & 1)
        if taken.bit_count() > any_kind.bit_count():
            any_kind = taken
        if taken >> rank & 1 and taken.bit_count() > matched.bit_count():
            matched = taken
    return matched, any_kind


def points_of(steps, limpia_counts=True):
    """The points of steps, an array like them."""
    return CAIDA * (steps >> CAIDAS & 1) + LIMPIA * limpia_counts * (steps >> LIMPIAS & 1)


def mask_of_ranks(table):
    """The mask of the ranks of a mask of cards."""
    mask = 0
    while table:
        rank = (table & -table).bit_length() - 1 >> 2
        mask |= 1 << rank
        table &= ~(15 << 4 * rank)
    return mask


def has_ronda(counters):
    """Where a hand of five, an array of counters by rank, holds three or four equal cards."""
    # as in scoring: five more of each rank carry into the fourth bit of a counter where there are three or four
    return (counters + 5 * ONE_OF_EACH & 8 * ONE_OF_EACH) != 0
