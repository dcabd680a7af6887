"""How imagined seats play: by their own gain less what the next seat may be expected to make of the table they leave.

It looks at the table's ranks only (see `ranks`) and at how many cards of the rank played the seat has not seen, so that
every answer can be kept in one table. Worths are in hundredths of a point.
"""

from functools import cache

import numpy as np

from .ranks import CARDS, COLUMNS, NO_CARD, POSITION, POSITIONS, points_of, ranks_of, steps_of

POINT = 100
CARD = 60  #: what a card in the pile is worth while the carton can count
NEVER = -20_000  #: below every worth of a card that is there
UNSEEN = 2  #: how many cards of a rank a seat that plays it may be thought not to have seen


@cache
def gains_of(rules, limpia_counts, card):
    """What each rank brings at once at each position, an array (POSITIONS, COLUMNS)."""
    steps = steps_of(rules)
    worth = POINT * points_of(steps, limpia_counts) + card * (steps >> CARDS & 15)
    return worth.reshape(POSITIONS, COLUMNS)


@cache
def expected_gains(rules, own, other, held, unseen, depth):
    """What the team to play may expect from each position, an array (POSITIONS, 4).

    `own` and `other` are pairs (whether a limpia counts, what a card is worth) of the team and the one after it,
    `held` the chance that one unseen card is in a hand, `unseen` how many cards of a rank are unseen in general;
    column u is for u unseen cards of the rank that can be fallen on. With `depth` 1 the seat takes what brings most,
    with 2 it also thinks of the next seat.
    """
    steps = steps_of(rules).reshape(POSITIONS, COLUMNS)[:, :NO_CARD]
    worth = gains_of(rules, *own)[:, :NO_CARD].astype(float)
    if depth > 1:
        worth -= expected_gains(rules, other, own, held, unseen, depth - 1)[steps & POSITION, UNSEEN]
    order = np.argsort(-worth, axis=1, kind="stable")
    ranked = np.take_along_axis(worth, order, axis=1)
    last = np.array([-1 if ranks_of(position)[1] is None else ranks_of(position)[1] for position in range(POSITIONS)])
    is_last = order == last[:, None]
    expected = np.empty((POSITIONS, 4))
    for u in range(4):
        missing = np.where(is_last, (1 - held) ** u, (1 - held) ** unseen)
        none_better = np.cumprod(np.hstack([np.ones((POSITIONS, 1)), missing[:, :-1]]), axis=1)
        share = none_better * (1 - missing)
        share[:, -1] += none_better[:, -1] * missing[:, -1]
        expected[:, u] = (ranked * share).sum(axis=1)
    return expected


@cache
def policy_of(rules, own, other, held, unseen):
    """For `(position * COLUMNS + rank) * 4 + unseen cards of the rank` the worth of playing it, an int16 array; the
    arguments as for `expected_gains`."""
    worth = gains_of(rules, *own).reshape(-1)[:, None] - expected_gains(rules, other, own, held, unseen, 2)[
        steps_of(rules) & POSITION
    ]
    worth.reshape(POSITIONS, COLUMNS, 4)[:, NO_CARD] = NEVER
    return np.rint(worth).astype(np.int16).ravel()


def modes_of(rules, score):
    """For each team whether a limpia counts and what a card in the pile is worth, as `policy_of` takes them."""
    stop = rules.only_caida_from if rules.others_stop_at is None else rules.others_stop_at
    counts = [rules.carton_below is None or points < rules.carton_below for points in score]
    card = CARD * sum(counts) // 2  # a card that counts for one team counts against the other
    return [(stop is None or bool(points < stop), card) for points in score]
