"""How imagined seats play: by their own gain less what the next seat may be expected to make of the table they leave.

It looks at the table's ranks only (see `ranks`) and at how many cards of the rank played the seat has not seen, so that
every answer can be kept in one table. Worths are in hundredths of a point.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..rulesets import CAIDA, GOAL, HAND, LIMPIA
from .ranks import CARDS, COLUMNS, NO_CARD, POSITION, POSITIONS, points_of, ranks_of, steps_of

POINT = 100
VICTORY = 2000  #: what winning is worth above its points
CARD = 60  #: what a card in the pile is worth while the carton can count
NEVER = -20_000  #: below every worth of a card that is there
HELD = 3  #: cards in a hand in the middle of a deal
KEPT = 64  #: tables of each kind that are kept, of about half a megabyte


class Mode(NamedTuple):
    """How a team's score changes the worth of things: whether a limpia counts, what a card in the pile is worth, and
    how many points win (0 for more than one play can bring)."""

    limpia_counts: bool
    card: int
    missing: int


@lru_cache(KEPT)
def gains_of(rules, mode):
    """What each rank brings at once at each position to a team in this mode, an array (POSITIONS, COLUMNS)."""
    steps = steps_of(rules)
    points = points_of(steps, mode.limpia_counts)
    worth = POINT * points + mode.card * (steps >> CARDS & 15)
    if mode.missing:
        worth = worth + VICTORY * (points >= mode.missing)
    return worth.reshape(POSITIONS, COLUMNS)


@lru_cache(KEPT)
def expected_gains(rules, mode, deals_left):
    """The most that the team to play, in this mode, may expect to gain at once from each position.

    An array (POSITIONS, 4): column u is for u unseen cards of the rank that can be fallen on. `deals_left` are the
    deals of the deck still to come.
    """
    held, unseen = _stage(rules, deals_left)
    worth = gains_of(rules, mode)[:, :NO_CARD].astype(float)
    order = np.argsort(-worth, axis=1, kind="stable")
    ranked = np.take_along_axis(worth, order, axis=1)
    last = np.array([-1 if ranks_of(position)[1] is None else ranks_of(position)[1] for position in range(POSITIONS)])
    is_last = order == last[:, None]
    expected = np.empty((POSITIONS, 4))
    for u in range(4):
        missing = np.where(is_last, (1 - held) ** u, (1 - held) ** unseen)
        none_better = np.cumprod(np.hstack([np.ones((POSITIONS, 1)), missing[:, :-1]]), axis=1)
        expected[:, u] = (ranked * none_better * (1 - missing)).sum(axis=1)
    return expected


@lru_cache(KEPT)
def policy_of(rules, own, other, deals_left):
    """For `(position * COLUMNS + rank) * 4 + unseen cards of the rank` the worth of playing it, an int16 array.

    `own` and `other` are the modes of the team to play and of the other.
    """
    after = expected_gains(rules, other, deals_left)[steps_of(rules) & POSITION]
    worth = gains_of(rules, own).reshape(-1)[:, None] - after
    worth.reshape(POSITIONS, COLUMNS, 4)[:, NO_CARD] = NEVER
    return np.rint(worth).astype(np.int16).ravel()


def _stage(rules, deals_left):
    """In the middle of a deal, the chance that a hand holds a given unseen card, and the unseen cards of a rank."""
    unseen = HELD * (rules.seats - 1) + deals_left * HAND * rules.seats
    return HELD / unseen, unseen / 14


def modes_of(rules, score, card=CARD):
    """The modes of both teams at a score; `card` is what a card is worth while the carton can count for both."""
    stop = rules.caida_alone_from
    counts = [rules.carton_below is None or points < rules.carton_below for points in score]
    card = card * sum(counts) // 2  # a card that counts for one team counts against the other
    return [
        Mode(stop is None or bool(points < stop), card, _missing(GOAL - int(points)))
        for points in score
    ]  # fmt: skip


def _missing(points):
    """The points that win, in steps of two, or 0 if one play cannot bring so many."""
    return (points + 1) // 2 * 2 if points <= CAIDA + LIMPIA else 0
