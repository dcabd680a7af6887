"""The quick weighing of a play: what it brings, less the best reply to be expected of the next seat.

The expectation goes over the cards that the seat has not seen and the next seat may hold; a reply counts for what it
brings, less what may be expected after it. Worths are in hundredths of a point.
"""

from functools import cache, lru_cache
from typing import NamedTuple

from ..cards import ONE_OF_EACH
from ..rulesets import HAND
from ..scoring import play_points
from .policy import KEPT, NEVER, POINT, VICTORY, expected_gains, gains_of, modes_of, policy_of
from .ranks import CARDS, COLUMNS, NO_CARD, POSITION, RANKS, position_of, steps_of

CARD = 30  #: what a card in the pile is worth
LAST_CARD = 50  #: the same in the last deal of a deck
DOUBT, MOST = 60, 120  #: so many hundredths that a seat did not take make a doubt of one, up to so many
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
    may reply at each table: `at[table]` is a list of (worth, rank) of its captures, best first, and what a lay is worth.
    """

    def __init__(self, rules, own, other, deals_left):
        steps = steps_of(rules).reshape(-1, COLUMNS)[:, :NO_CARD]
        self._takes = (steps >> CARDS & 15) > 0
        after = expected_gains(rules, other, own, deals_left, 1)[steps & POSITION, 2]
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


@cache
def _modes(rules, score, last_deal):
    """The modes of both teams as `replies_of` takes them."""
    return modes_of(rules, score, LAST_CARD if last_deal else CARD)


class Habits(_Kept):
    """For one rule set, one moment of a deck and the modes of a team and the other, what a seat would think its cards worth: for
    each table, as in Replies, a list a rank of worths by how many cards of the rank nobody has played."""

    def __init__(self, rules, own, other, deals_left):
        self._policy = policy_of(rules, own, other, deals_left).reshape(-1, COLUMNS, 4)

    def __missing__(self, table):
        rows = self._policy[_position(table)].tolist()
        # a seat that plays the card holds one of those that nobody has played
        found = self[table] = [[NEVER, *row] for row in rows[:RANKS]]
        return found


habits_of = lru_cache(KEPT)(Habits)


def _position(table):
    """The position, as in `ranks`, of a table as Replies take it."""
    last = (table >> _LAST) - 1
    return position_of(sum(1 << rank for rank in range(RANKS) if table >> 4 * rank & 1), last if last >= 0 else None)


_DOUBTS = [2.718281828459045 ** (-more / DOUBT) for more in range(MOST + 1)]
_POWERS = [[(1 - share / 256) ** count for count in range(5)] for share in range(257)]
_new = tuple.__new__


def weigh(view, forget=None):
    """Each legal play of the view as Weighed; plays that differ only by suits are told once.

    `forget` may be a function that is given the list of how many cards of each rank were played, and takes away.
    """
    rules, seat = view.rules, view.seat
    score, deals_left = view.score, view.stock // (HAND * rules.seats)
    modes = _modes(rules, score, deals_left == 0)
    own, other = modes[seat & 1], modes[1 - (seat & 1)]
    habits = habits_of(rules, other, own, deals_left)
    missing = _misses(view, (seat + 1) % rules.seats, forget, habits)
    replies, card_worth = replies_of(rules, other, own, deals_left).at, own.card
    table = 0
    for card in view.table:
        table |= 1 << card
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
    best, choices = None, []
    for play, caida, limpia, cards, reply in weigh(view):
        worth = caida + limpia + cards - reply
        if best is None or worth > best:
            best, choices = worth, [play]
        elif worth == best:
            choices.append(play)
    return choices[rng.below(len(choices))] if len(choices) > 1 else choices[0]


def _misses(view, seat, forget, habits):
    """For each rank the chance that a seat holds none of it; None if it will not play in this deck any more."""
    rules, held = view.rules, view.counts[seat]
    if not held and not view.stock:
        return None
    unseen, weights = [4] * RANKS, [1.0] * RANKS
    played = view.played
    deal_begins = view.deal_number * HAND * rules.seats if held else len(played)
    for card, _ in played[:deal_begins]:
        unseen[card >> 2] -= 1
    if deal_begins < len(played):
        table = 0
        if deal_begins:
            for card, takes in played[:deal_begins]:
                table = table ^ takes if takes else table | 1 << card
        seats, turn, last = rules.seats, (seat - view.dealer - 1) % rules.seats, -1
        for i in range(deal_begins, len(played)):
            card, takes = played[i]
            rank = card >> 2
            if i % seats == turn:
                ranks = (table | table >> 1 | table >> 2 | table >> 3) & ONE_OF_EACH
                row = habits[ranks | last + 1 << _LAST]
                worth = row[rank][unseen[rank]]
                for other, count in enumerate(unseen):
                    more = row[other][count] - worth
                    if more > 0:
                        weights[other] *= _DOUBTS[more if more < MOST else MOST]
            if takes:
                table, last = table ^ takes, -1
            else:
                table, last = table | 1 << card, rank
            unseen[rank] -= 1
    if forget:
        forget(unseen)
    for card in view.hand:
        unseen[card >> 2] -= 1
    total = 0.0
    for count, weight in zip(unseen, weights, strict=True):
        total += count * weight
    share = 256 * (held or HAND) / (total or 1)
    missing = [
        _POWERS[int(share * weight) if share * weight < 256 else 256][count]
        for count, weight in zip(unseen, weights, strict=True)
    ]
    for who, rank, _ in view.rondas:
        if who == seat and unseen[rank]:
            missing[rank] = 0.0
    return missing
