"""The quick weighing of a play: what it brings, less the best reply to be expected of the next seat.

The expectation goes over the cards that the seat has not seen and the next seat may hold; a reply counts for what it
brings, less what may be expected after it. Worths are in hundredths of a point.
"""

from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np

from ..cards import ONE_OF_EACH, RANK_BITS, mask_of
from ..rulesets import HAND
from ..scoring import play_points
from .choosing import best_of
from .policy import KEPT, POINT, VICTORY, expected_gains, gains_of, modes_of
from .ranks import CARDS, COLUMNS, NO_CARD, POSITION, RANKS, position_of, steps_of

CARD = 30  #: what a card in the pile is worth
LAST_CARD = 50  #: the same in the last deal of a deck
DOUBTED = 0.15  #: how likely, against any other card, a card is held that was not played where it would have captured
UNSEEN = 2  #: how many cards of a rank a seat that plays it may be thought not to have seen
_LAST = 40  #: above the table's mask of ranks, the rank (and one) that can be fallen on


class Weighed(NamedTuple):
    """A play by what it does: what it brings at once by its caida, its limpia and its cards, and what the next seat may
    be expected to make of the table it leaves."""

    play: tuple[int, int]
    caida: int
    limpia: int
    cards: int
    reply: float


class Replies:
    """For one rule set, one moment of a deck and the modes of the next seat's team and of the other, how the next seat
    may reply at each table: `at[table]` is a list of (worth, rank) of its captures, best first, and what a lay is
    worth."""

    def __init__(self, rules, own, other, deals_left):
        steps = steps_of(rules).reshape(-1, COLUMNS)[:, :NO_CARD]
        self._takes = (steps >> CARDS & 15) > 0
        after = expected_gains(rules, other, deals_left)[steps & POSITION, UNSEEN]
        self._worth = (gains_of(rules, own)[:, :NO_CARD] - after).round().astype(int)
        self.at = _Kept(self._look_up)

    def _look_up(self, table):
        position = _position(table)
        worth, takes = self._worth[position].tolist(), self._takes[position]
        captures = sorted([(worth[rank], rank) for rank in range(RANKS) if takes[rank]], reverse=True)
        lays = sorted([worth[rank] for rank in range(RANKS) if not takes[rank]], reverse=True)
        return captures, sum(lays[:4]) / max(1, len(lays[:4]))


class _Kept(dict):
    """A dict that works out what it does not hold yet."""

    def __init__(self, look_up):
        self._look_up = look_up

    def __missing__(self, key):
        found = self[key] = self._look_up(key)
        return found


replies_of = lru_cache(KEPT)(Replies)


@lru_cache(1024)
def _replies_to(rules, score, deals_left, team):
    """The mode of the team to play, and the Replies of the other at this moment."""
    modes = modes_of(rules, score, CARD if deals_left else LAST_CARD)
    return modes[team], replies_of(rules, modes[1 - team], modes[team], deals_left).at


@cache
def capturing_ranks(rules):
    """For each table, as a mask with the first suit of its ranks, the mask of the ranks that capture there."""
    takes = (steps_of(rules).reshape(-1, COLUMNS)[:1024, :NO_CARD] >> CARDS & 15) > 0
    masks = (takes << np.arange(RANKS)).sum(axis=1).tolist()
    return {sum(1 << 4 * rank for rank in range(RANKS) if ranks >> rank & 1): mask for ranks, mask in enumerate(masks)}


def _position(table):
    """The position, as in `ranks`, of a table as Replies take it."""
    last = (table >> _LAST) - 1
    return position_of(sum(1 << rank for rank in range(RANKS) if table >> 4 * rank & 1), last if last >= 0 else None)


_HALF = (1 << 20) - 1
#: for a counter of five ranks, four bits each, how many of the four cards of each are absent from it
_ABSENT = {
    sum(count << 4 * rank for rank, count in enumerate(counts)): [4 - count for count in counts]
    for counts in product(range(5), repeat=5)
}
_RANKS_IN = [[rank for rank in range(RANKS) if mask >> rank & 1] for mask in range(1024)]
_POWERS = [[(1 - share / 256) ** count for count in range(5)] for share in range(257)]
_new = tuple.__new__


def weigh(view, forget=None):
    """Each legal play of the view as Weighed; plays that differ only by suits are told once.

    `forget` may be a function that is given the list of how many cards of each rank were played, and takes away.
    """
    rules, seat, score = view.rules, view.seat, view.score
    own, replies = _replies_to(rules, score, view.deals_left, seat & 1)
    card_worth = own.card
    table = mask_of(view.table)
    missing = _misses(view, (seat + 1) % rules.seats, forget, table)
    ranks = (table | table >> 1 | table >> 2 | table >> 3) & ONE_OF_EACH
    last, found, weighed = view.last, set(), []
    for play in view.legal:
        card, takes = play
        rank = card >> 2
        caida = limpia = cards = 0
        if takes:
            left = table ^ takes
            after = (left | left >> 1 | left >> 2 | left >> 3) & ONE_OF_EACH
            count = takes.bit_count() + 1
            key = (rank, after, count)
            cards = count * card_worth
            if last >= 0 and takes >> last & 1 and last >> 2 == rank:
                caida = POINT * play_points(rules, score[seat & 1], True, False)
            if not left:
                limpia = POINT * play_points(rules, score[seat & 1], False, True)
        else:
            key = after = ranks | 1 << 4 * rank | rank + 1 << _LAST
        if key in found:
            continue
        found.add(key)
        expected = 0.0
        if own.missing and caida + limpia >= POINT * own.missing:
            expected = -VICTORY  # nobody replies
        elif missing:
            captures, lay = replies[after]
            share = 1.0
            for worth, other_rank in captures:
                none = missing[other_rank]
                expected += share * (1.0 - none) * worth
                share *= none
            expected += share * lay
        weighed.append(_new(Weighed, (play, caida, limpia, cards, expected)))
    return weighed


def choose(view, rng):
    """The play that is worth most; equal ones by chance."""
    if len(view.legal) == 1:
        return view.legal[0]
    return best_of([(caida + limpia + cards - reply, play) for play, caida, limpia, cards, reply in weigh(view)], rng)


def _misses(view, seat, forget, table):
    """For each rank the chance that a seat holds none of it; None if it will not play in this deck any more. `table` is
    the mask of the cards on the table."""
    rules, held, played, hand = view.rules, view.counts[seat], view.played, view.hand
    if not held and not view.stock:
        return None
    seats, doubted = rules.seats, 0
    if held:
        # back from the table that lies there now through the deal, to the tables at which the seat laid a card
        capturing, turn = capturing_ranks(rules), (seat - view.dealer - 1) % seats
        for i in range(len(played) - 1, view.deal_begins - 1, -1):
            card, takes = played[i]
            if takes:
                table ^= takes
            else:
                table ^= 1 << card
                if i % seats == turn:
                    doubted |= capturing[(table | table >> 1 | table >> 2 | table >> 3) & ONE_OF_EACH]
    seen = sum([RANK_BITS[card] for card, _ in played])
    if forget:
        unseen = _ABSENT[seen & _HALF] + _ABSENT[seen >> 20]
        forget(unseen)
        for card in hand:
            unseen[card >> 2] -= 1
    else:
        for card in hand:
            seen += RANK_BITS[card]
        unseen = _ABSENT[seen & _HALF] + _ABSENT[seen >> 20]
    total = sum(unseen)
    doubts = _RANKS_IN[doubted]
    for rank in doubts:
        total -= unseen[rank] * (1 - DOUBTED)
    share = min(256.0, 256 * (held or HAND) / (total or 1))
    usual = _POWERS[int(share)]
    missing = [usual[count] for count in unseen]
    if doubts:
        less = _POWERS[int(share * DOUBTED)]
        for rank in doubts:
            missing[rank] = less[unseen[rank]]
    for who, rank, count in view.rondas:
        if who == seat and held:
            own = played[view.deal_begins + (seat - view.dealer - 1) % seats :: seats]
            if sum([card >> 2 == rank for card, _ in own]) < count:
                missing[rank] = 0.0
    return missing
