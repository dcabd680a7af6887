"""Many imagined deals played on at once, in step: one array element a lane, every lane at the same seat's turn.

All lanes of a run have the same seats with the same numbers of cards, so that one loop over the turns serves them all.
"""

import numpy as np

from ..rulesets import GOAL
from .ranks import CAIDAS, CARDS, COLUMNS, POSITION, steps_of

ONE_CARD = np.array([1 << 4 * rank for rank in range(10)] + [0], np.int64)  #: a card in a counter of cards by rank
NO_LIMIT = 1000


class Lanes:
    """The state of `size` lanes.

    `hands` is a list of arrays (cards, size) of ranks a seat, `unseen` an array (seats, size) of four-bit counters by
    rank of the cards that seat has not seen, `position` (size,) as in `ranks`, `score` and `cards` (2, size) the teams'
    points and the cards of their piles, `won` (size,) 1 or -1 where team 0 or 1 has forty points, else 0. The arrays
    are written to.
    """

    def __init__(self, rules, hands, unseen, position, score, cards, won):
        self.hands, self.unseen, self.position = hands, unseen, position
        self.score, self.cards, self.won = score, cards, won
        self._every = np.arange(len(position))
        self._steps = steps_of(rules)
        stop = rules.caida_alone_from
        self._limpia_below = NO_LIMIT if stop is None else stop

    def play_out(self, seat, policies):
        """Play from `seat` until the hands are empty; `policies` is the table of `policy_of` of each team."""
        for _ in range(sum(map(len, self.hands))):
            self.play(seat, self._preferred(seat, policies[seat & 1]))
            seat = seat + 1 if seat + 1 < len(self.hands) else 0

    def _preferred(self, seat, policy):
        """The place in the hand of the card the policy prefers, the first of equal ones."""
        hand = self.hands[seat]
        if len(hand) == 1:
            return 0
        at = self.position * COLUMNS + hand
        at <<= 2
        at += self.unseen[seat] >> (hand << 2) & 3
        return policy.take(at).argmax(axis=0)

    def play(self, seat, place):
        """The seat plays the card at this place of its hand, an int or an array (size,)."""
        hand = self.hands[seat]
        rest = len(hand) - 1
        if rest:
            rank = hand[place, self._every]
            hand[place, self._every] = hand[rest]
        else:
            rank = hand[0]
        self.hands[seat] = hand[:rest]
        kept = self.unseen[seat].copy()
        self.unseen -= ONE_CARD.take(rank)
        self.unseen[seat] = kept
        step = self._steps.take(self.position * COLUMNS + rank)
        self.position = (step & POSITION).astype(np.int64)
        team = seat & 1
        step >>= CARDS
        self.cards[team] += step & 15
        step >>= CAIDAS - CARDS  # its low bits are now caida and limpia
        points = (step & 1) << 1
        points += (step >> 1 << 1) * (self.score[team] < self._limpia_below)
        book(points, team, self.score, self.won)


def book(points, team, score, won):
    """Add points, an array (size,), to the team's in `score` where nobody has won, and note in `won` who has now."""
    score[team] += points * (won == 0)
    won += ((score[team] >= GOAL) & (won == 0)) * (1 - 2 * team)
