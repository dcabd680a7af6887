"""Many imagined deals played on at once, in step: one array element a lane, every lane at the same seat's turn.

All lanes of a run have the same seats with the same numbers of cards, so that one loop over the turns serves them all.
"""

import numpy as np

from ..rulesets import GOAL
from .ranks import CAIDAS, CARDS, COLUMNS, steps_of

_POSITION = 8191
ONE_CARD = np.array([1 << 4 * rank for rank in range(10)] + [0], np.int64)  #: a card in a counter of cards by rank


class Lanes:
    """The state of `size` lanes.

    `hands` is a list of arrays (cards, size) of ranks a seat, `unseen` an array (seats, size) of four-bit counters a
    rank of the cards that seat has not seen, `position` (size,) as in `ranks`, `score` and `cards` (2, size) the teams'
    points and the cards of their piles, `won` (size,) 1 or -1 where team 0 or 1 has forty points, else 0.
    """

    def __init__(self, rules, hands, unseen, position, score, cards, won=None):
        self.rules, self.hands, self.unseen, self.position = rules, hands, unseen, position
        self.score, self.cards = score, cards
        self.size = len(position)
        self.won = np.zeros(self.size, np.int64) if won is None else won
        self._every = np.arange(self.size)
        self._steps = steps_of(rules)
        self._limpia_until = 1000 if rules.only_caida_from is None else rules.only_caida_from
        if rules.others_stop_at is not None:
            self._limpia_until = rules.others_stop_at

    def play_out(self, seat, policies):
        """Play from `seat` until the hands are empty; `policies` is the table of `policy_of` of each team."""
        seats = len(self.hands)
        for _ in range(sum(map(len, self.hands))):
            self.turn(seat, policies[seat & 1])
            seat = seat + 1 if seat + 1 < seats else 0

    def turn(self, seat, policy):
        """The seat plays the card its policy prefers, the first of equal ones."""
        hand = self.hands[seat]
        count = len(hand)
        base = self.position * COLUMNS
        if count == 1:
            rank = hand[0]
        else:
            at = base + hand
            at *= 4
            at += self.unseen[seat] >> 4 * hand & 3
            worth = policy.take(at)
            slot = worth.argmax(axis=0)
            rank = hand[slot, self._every]
            hand[slot, self._every] = hand[count - 1]
        self.hands[seat] = hand[: count - 1]
        seen = ONE_CARD.take(rank)
        kept = self.unseen[seat].copy()
        self.unseen -= seen
        self.unseen[seat] = kept
        self.make(seat & 1, self._steps.take(base + rank))

    def make(self, team, step):
        """Book a step of `steps_of` a lane for the team."""
        self.position = (step & _POSITION).astype(np.int64)
        step = step >> CARDS
        self.cards[team] += step & 15
        step >>= CAIDAS - CARDS
        score = self.score[team]
        points = (step & 1) << 1
        points += (step >> 1) * (2 * (score < self._limpia_until))
        points *= self.won == 0
        score += points
        self.won += ((score >= GOAL) & (self.won == 0)) * (1 - 2 * team)
