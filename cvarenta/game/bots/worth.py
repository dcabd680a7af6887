"""What a score is worth: the chance of winning from it, worked out once by imagined play and kept in `worth.json`.

A *standing* is a pair of scores seen by the team that plays first in the deck. Chances are in ten-thousandths. At the
beginning of each deal of a deck there is a table of chances a kind of match: `PLAIN` (one game, or a mesa at one chica
each), `EVEN` (a mesa without a chica), `AHEAD` and `BEHIND` (a mesa in which the first team has the only chica, or the
other has). `python -m cvarenta.game.bots.worth [RULESET …]` works them out again, in some minutes.
"""

import json
import sys
from functools import cache
from pathlib import Path

import numpy as np

from ..cards import DECK
from ..rulesets import GOAL, HAND, RULESETS
from ..scoring import carton_points
from .lanes import ONE_CARD, Lanes, book
from .policy import modes_of, policy_of
from .ranks import FULL, has_ronda

FILE = Path(__file__).with_name("worth.json")
SURE = 10_000
PLAIN, EVEN, AHEAD, BEHIND = KINDS = range(4)
TURNED = (PLAIN, EVEN, BEHIND, AHEAD)  #: the kind as the other team sees it
LEAD = 7500  #: the chance of a mesa with a chica in hand
PILE = len(DECK)  #: the most cards of a pile
QUARTERS = 4  #: scores are interpolated in quarters of a point


# In a match


def kind_of(rules, chicas, first_team):
    """The kind of a mesa with these chicas, for the team that plays first."""
    if not rules.is_mesa:
        return PLAIN
    own, other = chicas[first_team], chicas[1 - first_team]
    return AHEAD if own > other else BEHIND if other > own else PLAIN if own else EVEN


def prize(rules, kind, loser_score):
    """What winning now is worth to the first team of this kind; `loser_score` an array."""
    if not rules.is_mesa or kind in (PLAIN, AHEAD):
        return np.full_like(loser_score, SURE)
    if kind == BEHIND:
        return np.full_like(loser_score, SURE // 2)
    return np.where(loser_score < rules.zapatero_below, SURE, LEAD)


@cache
def chances(rules):
    """The tables of one rule set: an array (deals, kinds, 161, 161) by both scores in quarters of a point."""
    kept = np.array(json.loads(FILE.read_text())[rules.name], np.float64)
    deals, kinds = kept.shape[:2]
    fine = np.zeros((deals, len(KINDS), GOAL * QUARTERS + 1, GOAL * QUARTERS + 1), np.int32)
    for deal in range(deals):
        for kind in range(kinds):
            fine[deal, kind] = np.rint(_finer(rules, kind, kept[deal, kind]))
    return fine


def _finer(rules, kind, table):
    """A table (20, 20) by even scores with its edges, by quarters of a point."""
    full = np.empty((21, 21))
    full[:20, :20] = table
    losing = np.arange(0, GOAL, 2)
    full[20, :20] = prize(rules, kind, losing)
    full[:20, 20] = SURE - prize(rules, TURNED[kind], losing)
    full[20, 20] = SURE / 2
    coarse, fine = np.arange(0, GOAL + 1, 2), np.arange(GOAL * QUARTERS + 1) / QUARTERS
    rows = np.array([np.interp(fine, coarse, row) for row in full])
    return np.array([np.interp(fine, coarse, column) for column in rows.T]).T


@cache
def carton_hopes(rules, deals_left):
    """The points of the carton to be expected, in quarters of a point: an array (2, 41, 41) by the cards of the first
    team and of the other, less what is expected on the average, when so many deals are still to be played."""
    claims = carton_claims(rules)
    if not deals_left:
        return claims.astype(np.int64) * QUARTERS
    decks = imagined_decks(rules, 4096)
    deal = decks.deals - deals_left
    before, gained = decks.cards[deal], decks.cards[-1] - decks.cards[deal]
    pairs, counts = np.unique(gained, axis=1, return_counts=True)
    hopes = np.zeros((2, PILE + 1, PILE + 1))
    own, other = np.arange(PILE + 1)[:, None], np.arange(PILE + 1)[None, :]
    for (a, b), count in zip(pairs.T, counts, strict=True):
        hopes += count * claims[:, np.minimum(own + a, PILE), np.minimum(other + b, PILE)]
    hopes /= counts.sum()
    average = hopes[:, before[0], before[1]].mean(axis=1)
    return np.rint((hopes - average[:, None, None]) * QUARTERS).astype(np.int64)


@cache
def carton_claims(rules):
    """What the carton is worth to the first team and the other by their cards, scores aside: an array (2, 41, 41)."""
    claims = np.zeros((2, PILE + 1, PILE + 1), np.int64)
    for own in range(PILE + 1):
        for other in range(PILE + 1):
            claims[:, own, other] = carton_points(rules, (own, other), (0, 0), 0)
    return claims


def count_carton(rules, cards, score, won, first):
    """Book the carton of finished decks in `score` and `won` (see Lanes); `first` is the team that played first, which
    deals next."""
    claims = carton_claims(rules)[:, cards[first], cards[1 - first]]
    for claim, team in zip(claims, (first, 1 - first), strict=True):
        points = claim
        if rules.carton_below is not None:
            points = points * (score[team] < rules.carton_below)
        book(_stopped(rules, score[team], points), team, score, won)


def _stopped(rules, score, points):
    """Points that are no caida, an array, cut where the rule set stops them; as in scoring."""
    if rules.others_stop_at is None:
        return points
    return np.clip(points, 0, np.maximum(rules.others_stop_at - score, 0))


# Working the tables out


class Decks:
    """Many decks dealt and played at once from one score: `cards[i]` are the piles at the beginning of deal i, and at
    the end `score`, `won` as in Lanes, `mesa` 1 or -1 where four equal cards won all."""

    def __init__(self, rules, size, seed, score=(0, 0), from_deal=0):
        self.rules, self.size, self.deals = rules, size, PILE // HAND // rules.seats
        words = np.random.PCG64(seed).random_raw(PILE * size).reshape(PILE, size)
        self.deck = words.argsort(axis=0, kind="stable") >> 2
        self.seen = np.zeros(size, np.int64)
        self.cards, self.mesa = [], np.zeros(size, np.int64)
        pairs = np.zeros((2, size), np.int64)
        self.lanes = Lanes(rules, [], None, np.zeros(size, np.int64), pairs, pairs.copy(), np.zeros(size, np.int64))
        for deal in range(self.deals):
            if deal == from_deal:  # take this score, whatever was played
                self.lanes.score[:] = np.array(score)[:, None]
                self.lanes.won[:] = self.mesa[:] = 0
            self._play(deal)
        lanes = self.lanes
        count_carton(rules, lanes.cards, lanes.score, lanes.won, 0)
        self.cards.append(lanes.cards.copy())
        self.score, self.won = lanes.score, lanes.won

    def _play(self, deal):
        rules, seats, lanes = self.rules, self.rules.seats, self.lanes
        self.cards.append(lanes.cards.copy())
        dealt = self.deck[deal * seats * HAND : (deal + 1) * seats * HAND]
        hands = [dealt[seat * HAND : (seat + 1) * HAND].copy() for seat in range(seats)]
        counters = [ONE_CARD.take(hand).sum(axis=0) for hand in hands]
        for seat, counter in enumerate(counters):
            self._call(seat & 1, counter)
        lanes.hands, lanes.unseen = hands, np.array([FULL - self.seen - counter for counter in counters])
        for counter in counters:
            self.seen += counter
        modes = modes_of(rules, np.median(lanes.score, axis=1))
        deals_left = self.deals - deal - 1
        policies = [policy_of(rules, modes[team], modes[1 - team], deals_left) for team in (0, 1)]
        lanes.play_out(0, policies)

    def _call(self, team, counter):
        """Book the rondas of one seat's hands."""
        rules, lanes = self.rules, self.lanes
        called = has_ronda(counter) & (lanes.won == 0)
        score = lanes.score[team]
        if rules.doble_ronda_wins:
            doble = called & ((counter & FULL) != 0)  # somewhere all four
            self.mesa += doble * (1 - 2 * team)
            lanes.won += doble * (1 - 2 * team)
            called &= ~doble
        if rules.ronda_up_to is not None:
            called &= score <= rules.ronda_up_to
        book(_stopped(rules, score, called * rules.ronda), team, lanes.score, lanes.won)


@cache
def imagined_decks(rules, size):
    """Decks from 0–0, always the same."""
    return Decks(rules, size, seed=1534)


def work_out(rules, size=16_384, progress=print):
    """The tables of a rule set, a list (deals, kinds, 20, 20); from the highest scores down, since scores only grow."""
    deals = PILE // HAND // rules.seats
    kinds = KINDS if rules.is_mesa else (PLAIN,)
    table = np.full((deals, len(kinds), 20, 20), SURE / 2)
    for total in range(38, -1, -1):
        for own in range(max(0, total - 19), min(19, total) + 1):
            other = total - own
            if own > other:
                continue
            ends = {}
            for a, b in {(own, other), (other, own)}:
                for deal in range(deals):
                    ends[a, b, deal] = Decks(rules, size, (own * 20 + other, a > b, deal), (2 * a, 2 * b), deal)
            for kind in kinds:
                _settle(rules, table, ends, kind, own, other)
        progress(f"{rules.name}: {total}")
    return table


def _settle(rules, table, ends, kind, own, other):
    """The chances of a standing and of its mirror, which depend on each other by the decks that change nothing."""
    turned, deals = TURNED[kind], range(len(table))
    sides = ((own, other), kind), ((other, own), turned)
    parts = [[_sum(rules, table, ends[*pair, deal], k, *pair) for deal in deals] for pair, k in sides]
    (sure_x, same_x), (sure_y, same_y) = parts[0][0], parts[1][0]
    # x = sure_x + same_x (1 - y), y = sure_y + same_y (1 - x)
    x = (sure_x + same_x * (SURE - sure_y - same_y * SURE)) / (1 - same_x * same_y)
    y = sure_y + same_y * (SURE - x)
    for ((a, b), k), part, mirror in zip(sides, parts, (y, x), strict=True):
        for deal, (sure, same) in zip(deals, part, strict=True):
            table[deal, k, a, b] = sure + same * (SURE - mirror)


def _sum(rules, table, decks, kind, own, other):
    """What the decks are worth to the first team: the sum over those that change something, and the share that does
    not."""
    won, mesa = decks.won, decks.mesa
    value = np.where(won > 0, prize(rules, kind, decks.score[1]), SURE - prize(rules, TURNED[kind], decks.score[0]))
    value = np.where(mesa > 0, SURE, np.where(mesa < 0, 0, value))
    a, b = np.minimum(decks.score // 2, 19)
    same = (won == 0) & (a == own) & (b == other)
    value = np.where(won == 0, SURE - table[0, TURNED[kind], b, a], value)
    return (value * ~same).mean(), same.mean()


def main(names):
    kept = json.loads(FILE.read_text()) if FILE.exists() else {}
    for name in names or RULESETS:
        table = work_out(RULESETS[name], progress=lambda text: print(text, file=sys.stderr))
        kept[name] = np.rint(table).astype(int).tolist()
        FILE.write_text(json.dumps(kept, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
