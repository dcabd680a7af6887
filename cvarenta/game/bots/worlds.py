"""The hands the others may hold: drawn so that they agree with all that a seat has seen.

What was played is gone, a called ronda shows its cards, who called none has none, and who laid a card while another
would have paid more probably does not hold that other.
"""

import numpy as np

from ..cards import mask_of
from .policy import policy_of
from .ranks import COLUMNS, FULL, position_of

_ONE = 1 << 20  #: the weight of a world that nothing speaks against
_STEP = 16  #: penalties are in sixteenths of a natural logarithm
_WEIGHTS = np.array([round(_ONE * 2.718281828459045 ** (-i / _STEP)) for i in range(12 * _STEP)] + [0], np.int64)
_NEVER = len(_WEIGHTS) - 1



class Reading:
    """What a seat knows of the others: `unseen`, how many cards of each rank it has not seen; `public`, a counter of
    those nobody has seen played; `fixed`, for each seat the ranks it must hold; `doubts`, for each seat the penalties of
    holding each rank; `dealt`, the ranks each seat has played in this deal."""

    def __init__(self, view, policy, doubt, most):
        rules, seats = view.rules, view.rules.seats
        self.view = view
        self.dealt = [[] for _ in range(seats)]
        self.doubts = [[0] * 10 for _ in range(seats)]
        played = view.played
        first = view.deal_number * 5 * seats
        seen = [0] * 10
        table, last = [], None
        for i, (card, takes) in enumerate(played):
            rank = card >> 2
            if i >= first:
                seat = (view.dealer + 1 + i) % seats
                if seat != view.seat:
                    self._judge(seat, rank, table, last, seen, policy, doubt, most)
                self.dealt[seat].append(rank)
            seen[rank] += 1
            if takes:
                table = [other for other in table if not takes >> other & 1]
                last = None
            else:
                table.append(card)
                last = rank
        self.seen = seen
        own = [card >> 2 for card in view.hand]
        self.unseen = [4 - seen[rank] - own.count(rank) for rank in range(10)]
        self.fixed = [[] for _ in range(seats)]
        for seat, rank, count in view.rondas:
            if seat != view.seat:
                self.fixed[seat] = [rank] * (count - self.dealt[seat].count(rank))

    def _judge(self, seat, rank, table, last, seen, policy, doubt, most):
        mask = 0
        for card in table:
            mask |= 1 << (card >> 2)
        base = position_of(mask, last) * COLUMNS
        own = int(policy[(base + rank) * 4 + 3 - seen[rank]]) if seen[rank] < 4 else 0
        doubts = self.doubts[seat]
        for other in range(10):
            if seen[other] < 4 and other != rank:
                worth = int(policy[(base + other) * 4 + 3 - seen[other]])
                if worth > own:
                    doubts[other] += min((worth - own) * _STEP // doubt, most)

    def draw(self, size, rng, pool=1):
        """`size` worlds: a list of arrays (cards, size) of ranks a seat, None for the own seat."""
        view = self.view
        others = [seat for seat in range(view.rules.seats) if seat != view.seat]
        left = list(self.unseen)
        for seat in others:
            for rank in self.fixed[seat]:
                left[rank] -= 1
        cards = [rank for rank in range(10) for _ in range(left[rank])]
        wanted = [view.counts[seat] - len(self.fixed[seat]) for seat in others]
        drawn = _draw(np.array(cards, np.int64), sum(wanted), size * pool, rng)
        hands, at, doubts = [None] * view.rules.seats, 0, None
        for seat, count in zip(others, wanted, strict=True):
            hand = drawn[at : at + count]
            at += count
            if count:
                if any(self.doubts[seat]):
                    doubts = (0 if doubts is None else doubts) + np.array(self.doubts[seat]).take(hand).sum(axis=0)
                bad = self._too_many(seat, hand)
                if bad is not None:
                    doubts = (0 if doubts is None else doubts) + bad * _NEVER
            fixed = self.fixed[seat]
            if fixed:
                hand = np.vstack([hand, np.repeat(np.array(fixed, np.int64)[:, None], size * pool, axis=1)])
            hands[seat] = hand
        if doubts is None:
            return [hand if hand is None else hand[:, :size] for hand in hands]
        weights = _WEIGHTS.take(np.minimum(doubts, _NEVER))
        upto = weights.cumsum()
        total = int(upto[-1])
        if not total:
            return [hand if hand is None else hand[:, :size] for hand in hands]
        chosen = upto.searchsorted((np.arange(size) * total + total // 2) // size, side="right")
        return [hand if hand is None else hand[:, chosen] for hand in hands]

    def _too_many(self, seat, hand):
        """Where a hand would have been a ronda that was not called."""
        called = [rank for who, rank, _ in self.view.rondas if who == seat]
        dealt = self.dealt[seat]
        if len(hand) + len(dealt) < 3:
            return None
        counter = sum(1 << 4 * rank for rank in dealt)
        full = (np.int64(1) << 4 * hand).sum(axis=0) + counter
        for rank in called:
            full &= ~(15 << 4 * rank)
        return (full + 0x5555555555 & 0x8888888888) != 0


def _draw(cards, count, size, rng):
    """`count` of the cards in a random order, `size` times: an array (count, size)."""
    total = len(cards)
    drawn = np.repeat(cards[:, None], size, axis=1)
    every = np.arange(size)
    words = rng.random_raw(count * size).reshape(count, size) >> np.uint64(40)
    for i in range(min(count, total - 1)):
        at = (words[i] * np.uint64(total - i) >> np.uint64(24)).astype(np.int64) + i
        taken = drawn[at, every]
        drawn[at, every] = drawn[i]
        drawn[i] = taken
    return drawn[:count]
