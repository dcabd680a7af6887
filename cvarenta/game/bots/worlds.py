"""The hands the others may hold: imagined so that they agree with all that a seat has seen.

What was played is gone, a called ronda shows its cards, who called none has none, and who played one card while another
would have been worth more probably does not hold that other.
"""

from functools import cache
from itertools import combinations

import numpy as np

from .lanes import ONE_CARD
from .ranks import CARDS, COLUMNS, FULL, RANKS, has_ronda, mask_of_ranks, position_of, steps_of

LOGARITHM = 16  #: doubts are in sixteenths of a natural logarithm
DOUBT = 100  #: so many hundredths of a point that a seat did not take make a doubt of one
MOST = 2 * LOGARITHM  #: the most that one play makes anybody doubt that a seat holds what would have captured
MOST_LAY = LOGARITHM // 2  #: the same of what would have been the safer card to lay: not everybody looks at that
POOL = 2  #: so many hands are drawn for each that is kept, by their doubts
_ONE = 1 << 20  #: the weight of hands that nothing speaks against
_WEIGHTS = np.array([round(_ONE * 2.718281828459045 ** (-doubt / LOGARITHM)) for doubt in range(12 * LOGARITHM)] + [0])
_NEVER = len(_WEIGHTS) - 1


class Reading:
    """What a seat knows of the others from its view.

    By rank: `seen`, the cards played in this deck, and `unseen`, those neither played nor in its own hand. By seat:
    `dealt`, the ranks it has played in this deal, `fixed`, those it must hold, and `doubts`, one for each rank it may
    hold.
    """

    def __init__(self, view, policies):
        """`policies` are the tables of `policy_of` of each team, by which the others' plays are judged."""
        self.view = view
        seats = view.rules.seats
        self.seats = [(view.seat + i) % seats for i in range(1, seats)]
        self.dealt, self.seen = [[] for _ in range(seats)], [0] * RANKS
        self.doubts = [[0] * RANKS for _ in range(seats)]
        self._follow(policies)
        own = [card >> 2 for card in view.hand]
        self.unseen = [4 - self.seen[rank] - own.count(rank) for rank in range(RANKS)]
        self.fixed = [[] for _ in range(seats)]
        for seat, rank, count in view.rondas:
            if seat != view.seat:
                self.fixed[seat] = [rank] * (count - self.dealt[seat].count(rank))
        #: the cards nobody has played, as a counter by rank
        self.public = FULL - sum(count << 4 * rank for rank, count in enumerate(self.seen))

    def _follow(self, policies):
        """Go through the plays of the deck."""
        view, table, last = self.view, 0, None
        for i, (card, takes) in enumerate(view.played):
            rank = card >> 2
            if i >= view.deal_begins:
                seat = view.seat_of(i)
                if seat != view.seat:
                    self._judge(seat, rank, table, last, policies[seat & 1])
                self.dealt[seat].append(rank)
            self.seen[rank] += 1
            table, last = (table ^ takes, None) if takes else (table | 1 << card, rank)

    def _judge(self, seat, rank, table, last, policy):
        """Doubt that the seat holds what it would rather have played; `table` is the mask of cards before its play."""
        base, steps = position_of(mask_of_ranks(table), last) * COLUMNS, steps_of(self.view.rules)
        doubts, seen = self.doubts[seat], self.seen
        worth = int(policy[(base + rank) * 4 + 3 - seen[rank]])
        for other in range(RANKS):
            if seen[other] < 4:
                more = int(policy[(base + other) * 4 + 3 - seen[other]]) - worth
                if more > 0:
                    most = MOST if steps[base + other] >> CARDS & 15 else MOST_LAY
                    doubts[other] += min(more * LOGARITHM // DOUBT, most)

    def imagine(self, size, words):
        """`size` drawn worlds: a list of arrays (cards, size) of ranks a seat, None for the own seat.

        `words(n)` gives n random 64-bit numbers.
        """
        counts = self._to_draw()
        drawn = _drawn(np.array(self._cards(), np.int64), sum(counts), size * POOL, words)
        hands, doubts = self._shared_out(drawn, counts)
        upto = _WEIGHTS.take(np.minimum(doubts, _NEVER)).cumsum()
        total = int(upto[-1])
        if total:  # as many of each as its weight is worth
            kept = upto.searchsorted((np.arange(size) * total + total // 2) // size, side="right")
        else:
            kept = np.arange(size)
        return [hand if hand is None else hand[:, kept] for hand in hands]

    def all_worlds(self):
        """Every world, as `imagine` gives them, and its weight: an array (size,)."""
        counts = self._to_draw()
        shares = _shares(tuple(counts))
        hands, doubts = self._shared_out(np.array(self._cards(), np.int64)[shares], counts)
        weights = _WEIGHTS.take(np.minimum(doubts, _NEVER))
        return hands, weights if weights.any() else np.ones_like(weights)

    def _to_draw(self):
        return [self.view.counts[seat] - len(self.fixed[seat]) for seat in self.seats]

    def _cards(self):
        """The ranks of the unseen cards of which nobody knows where they are."""
        left = list(self.unseen)
        for ranks in self.fixed:
            for rank in ranks:
                left[rank] -= 1
        return [rank for rank in range(RANKS) for _ in range(left[rank])]

    def _shared_out(self, drawn, counts):
        """The drawn cards as hands, and the doubts about them all, an array (size,)."""
        hands, at = [None] * self.view.rules.seats, 0
        doubts = np.zeros(drawn.shape[1], np.int64)
        for seat, count in zip(self.seats, counts, strict=True):
            hand = drawn[at : at + count]
            at += count
            if any(self.doubts[seat]):
                doubts += np.array(self.doubts[seat]).take(hand).sum(axis=0)
            if count + len(self.dealt[seat]) >= 3:
                doubts += self._is_uncalled_ronda(seat, hand) * _NEVER
            fixed = np.array(self.fixed[seat], np.int64)[:, None].repeat(drawn.shape[1], axis=1)
            hands[seat] = np.vstack([hand, fixed])
        return hands, doubts

    def _is_uncalled_ronda(self, seat, hand):
        """Whether a hand was dealt with a ronda that its seat did not call."""
        counter = ONE_CARD.take(hand).sum(axis=0) + sum(1 << 4 * rank for rank in self.dealt[seat])
        for who, rank, _ in self.view.rondas:
            if who == seat:
                counter &= ~(15 << 4 * rank)
        return has_ronda(counter)


def _drawn(cards, count, size, words):
    """`count` of the cards in random order, `size` times: an array (count, size)."""
    drawn = cards[:, None].repeat(size, axis=1)
    every = np.arange(size)
    chance = words(count * size).reshape(count, size) >> np.uint64(32)
    for i in range(min(count, len(cards) - 1)):
        at = (chance[i] * np.uint64(len(cards) - i) >> np.uint64(32)).astype(np.int64) + i
        card = drawn[at, every]
        drawn[at, every] = drawn[i]
        drawn[i] = card
    return drawn[:count]


@cache
def _shares(counts):
    """All ways to share out sum(counts) cards in hands of these sizes: an array (cards, ways) of places."""

    def ways(left, counts):
        if not counts:
            yield ()
            return
        for hand in combinations(left, counts[0]):
            for rest in ways([place for place in left if place not in hand], counts[1:]):
                yield hand + rest

    return np.array(list(ways(range(sum(counts)), counts)), np.int64).T
