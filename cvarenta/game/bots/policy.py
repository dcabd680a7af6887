"""How imagined seats play: by their own gain less what the next seat may be expected to take, looked up in a table.

Worths are in hundredths of a point.
"""

from functools import cache

import numpy as np

from .ranks import CARDS, COLUMNS, NO_CARD, POSITIONS, points_of, ranks_of, steps_of

POINT = 100
CARD = 30  #: what a card in the pile is worth while the carton can count
NEVER = -20_000  #: below every worth of a card that is there


@cache
def replies_of(rules, limpia_counts, card):
    """What each rank would bring at once at each position, an array (POSITIONS, 10)."""
    steps = steps_of(rules)
    worth = POINT * points_of(steps, limpia_counts) + card * (steps >> CARDS & 15)
    return worth.reshape(POSITIONS, COLUMNS)[:, :NO_CARD]


@cache
def expected_replies(rules, limpia_counts, card, held, unseen):
    """The best reply to be expected at each position, an array (POSITIONS, 4).

    `held` is the chance that one unseen card is in the next hand, `unseen` how many cards of a rank are unseen in
    general; column u is for u unseen cards of the rank that can be fallen on.
    """
    worth = replies_of(rules, limpia_counts, card)
    order = np.argsort(-worth, axis=1, kind="stable")
    ranked = np.take_along_axis(worth, order, axis=1)
    last = np.array([-1 if ranks_of(position)[1] is None else ranks_of(position)[1] for position in range(POSITIONS)])
    is_last = order == last[:, None]
    expected = np.empty((POSITIONS, 4))
    for u in range(4):
        missing = np.where(is_last, (1 - held) ** u, (1 - held) ** unseen)
        none_better = np.cumprod(np.hstack([np.ones((POSITIONS, 1)), missing[:, :-1]]), axis=1)
        expected[:, u] = (ranked * none_better * (1 - missing)).sum(axis=1)
    return np.rint(expected).astype(np.int32)


@cache
def policy_of(rules, own, other, held, unseen):
    """For `(position * COLUMNS + rank) * 4 + unseen cards of the rank` the worth of playing it, an int16 array.

    `own` and `other` are pairs (whether a limpia counts, what a card is worth) of the player's team and the other.
    """
    steps = steps_of(rules)
    limpia_counts, card = own
    gain = POINT * points_of(steps, limpia_counts) + card * (steps >> CARDS & 15)
    loss = expected_replies(rules, *other, held, unseen)[steps & 8191]
    worth = gain[:, None] - loss
    worth.reshape(POSITIONS, COLUMNS, 4)[:, NO_CARD] = NEVER
    return worth.astype(np.int16).ravel()
