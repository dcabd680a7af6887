"""The strong bot: imagines the hidden cards, plays each of its plays on in all of them, and weighs where that ends.

While many cards are out it draws worlds and lets every seat play by the policy to the end of the deal; the score then
is worth its chance of winning the match. With two cards or fewer in hand in the last deal of a deck it goes through
every world and every way to play it. Only integers are added up, so that the same view and chance give the same play
anywhere.
"""

from typing import NamedTuple

import numpy as np

from ..cards import mask_of
from ..rulesets import GOAL
from ..view import worth_of
from .lanes import ONE_CARD, Lanes
from .policy import modes_of, policy_of
from .ranks import mask_of_ranks, position_of
from .worlds import Reading
from .worth import QUARTERS, SURE, carton_hopes, chances, count_carton, kind_of, prize

LANES = 2048  #: worlds times plays looked at for one decision
EXACT_FROM = 2  #: cards in the own hand, in the last deal of a deck
_SHARE = 1 << 20


class Outlook(NamedTuple):
    """Where a play leads, on the average of what was imagined: the chance of winning the match (0 to 1), and the points
    its own team and the other will have at the end of the deal, with what then is to be hoped for of the carton."""

    play: tuple[int, int]
    chance: float
    own: float
    other: float

    @property
    def lead(self):
        """The own team's points less the other's."""
        return self.own - self.other


def choose(view, rng):
    """The play with the best chance of winning the match."""
    options = options_of(view)
    return options[0][1] if len(options) == 1 else max(weigh(view, rng, options), key=lambda option: option[0])[1]


def options_of(view):
    """The legal plays that differ by more than suits, as ((rank, position left, cards taken), play)."""
    table, found = mask_of(view.table), {}
    for play in view.legal:
        card, takes = play
        rank = card >> 2
        if takes:
            key = rank, position_of(mask_of_ranks(table ^ takes)), takes.bit_count()
        else:
            key = rank, position_of(mask_of_ranks(table | 1 << card), rank), 0
        found.setdefault(key, play)
    return list(found.items())


def weigh(view, rng, options=None, lanes=LANES):
    """The chance of winning with each play of `options_of`, in ten-thousandths: a list of (chance, play)."""
    options = options or options_of(view)
    (totals,) = _averages(view, rng, options, lanes, lambda board: [_chance(view, board, _count_up(view, board))])
    return [(int(total) / _SHARE, play) for total, (_, play) in zip(totals, options, strict=True)]


def outlooks(view, rng, lanes=LANES):
    """An Outlook of each play of `options_of`, the best first; the first is what `choose` plays with this chance, if
    `lanes` are as many as it looks at."""
    options = options_of(view)
    own = view.seat & 1

    def figures(board):
        fine = _count_up(view, board)
        return [_chance(view, board, fine), fine[own], fine[1 - own]]

    chances, ours, theirs = _averages(view, rng, options, lanes, figures)
    found = [
        Outlook(play, int(chance) / _SHARE / SURE, int(a) / _SHARE / QUARTERS, int(b) / _SHARE / QUARTERS)
        for chance, a, b, (_, play) in zip(chances, ours, theirs, options, strict=True)
    ]
    return sorted(found, key=lambda outlook: -outlook.chance)


def _averages(view, rng, options, lanes, figures):
    """The averages of `figures(board)`, a list of arrays of which the first is the chance of winning, over all that may
    come after each option: arrays (options,) in shares of 1 / _SHARE."""
    reading, policies = read(view)
    if not view.stock and len(view.hand) <= EXACT_FROM:
        return _played_exactly(view, options, reading, *reading.all_worlds(), figures)
    words = np.random.PCG64([rng.below(1 << 32), rng.below(1 << 32)]).random_raw
    size = max(1, lanes // len(options))
    board = _laid_out(view, options, reading, reading.imagine(size, words), 1)
    board.play_out((view.seat + 1) % view.rules.seats, policies)
    return [figure.reshape(len(options), size).sum(axis=1) * _SHARE // size for figure in figures(board)]


def read(view):
    """The Reading of a view, and the policies of both teams at this stage of the deck."""
    rules = view.rules
    modes = modes_of(rules, view.score)
    policies = [policy_of(rules, modes[team], modes[1 - team], view.deals_left) for team in (0, 1)]
    return Reading(view, policies), policies


def _laid_out(view, options, reading, hands, ways):
    """The lanes after each play in each world, each of them `ways` times: option-major, then worlds, then ways."""
    rules, own, many = view.rules, view.seat, len(options)
    worlds = next(hand.shape[1] for hand in hands if hand is not None)
    mine = [card >> 2 for card in view.hand]
    shape = many, worlds * ways
    tiled = [None if hand is None else np.tile(hand.repeat(ways, axis=1), (1, many)) for hand in hands]
    unseen = np.empty((rules.seats, *shape), np.int64)
    for seat, hand in enumerate(hands):
        unseen[seat] = reading.public - ONE_CARD.take(mine if hand is None else hand.repeat(ways, axis=1)).sum(axis=0)
    left = np.empty((len(mine) - 1, *shape), np.int64)
    position, won = np.empty(shape, np.int64), np.zeros(shape, np.int64)
    score, cards = np.empty((2, *shape), np.int64), np.empty((2, *shape), np.int64)
    for team in (0, 1):
        score[team], cards[team] = view.score[team], view.taken[team]
    kept = unseen[own].copy()
    for i, ((rank, after, _), play) in enumerate(options):
        rest = list(mine)
        rest.remove(rank)
        left[:, i] = np.array(rest, np.int64)[:, None]
        position[i] = after
        worth = worth_of(view, play)
        score[own & 1, i] += worth.points
        cards[own & 1, i] += worth.cards
        won[i] = (view.score[own & 1] + worth.points >= GOAL) * (1 - 2 * (own & 1))
        unseen[:, i] -= 1 << 4 * rank
    unseen[own] = kept
    tiled[own] = left.reshape(len(mine) - 1, many * worlds * ways)
    flat = [array.reshape(*array.shape[:-2], -1) for array in (unseen, position, score, cards, won)]
    return Lanes(rules, tiled, *flat)


def _played_exactly(view, options, reading, hands, weights, figures):
    """As `_averages` over all worlds, each seat choosing what is best for its team."""
    rules, own = view.rules, view.seat
    order = [(own + i) % rules.seats for i in range(1, rules.seats)]
    choosers = [seat for seat in order if len(hands[seat]) == 2]
    board = _laid_out(view, options, reading, hands, 1 << len(choosers))
    way = np.arange(len(board.position))
    for seat in order:
        place = way >> len(choosers) - 1 - choosers.index(seat) & 1 if seat in choosers else 0
        if len(board.hands[seat]):
            board.play(seat, place)
    for seat in [own, *order]:
        if len(board.hands[seat]):
            board.play(seat, 0)
    found = [figure.reshape(len(options), -1, *[2] * len(choosers)) for figure in figures(board)]
    for seat in reversed(choosers):
        best = np.argmax if (seat - own) % 2 == 0 else np.argmin
        chosen = best(found[0], axis=-1)[..., None]
        found = [np.take_along_axis(figure, chosen, axis=-1)[..., 0] for figure in found]
    return [(figure * weights).sum(axis=1) * _SHARE // int(weights.sum()) for figure in found]


def _count_up(view, board):
    """The points of both teams in each lane whose deal has been played, with what is to be hoped for of the carton, in
    quarters: an array (2, size). After the last deal of a deck it books the carton on the board, so once for each."""
    rules, first = view.rules, (view.dealer + 1) % 2
    score, cards = board.score, board.cards
    if not view.deals_left:
        count_carton(rules, cards, score, board.won, first)
        return score * QUARTERS
    fine = score * QUARTERS
    hopes = carton_hopes(rules, view.deals_left)[:, cards[first], cards[1 - first]]
    for hope, side in zip(hopes, (first, 1 - first), strict=True):
        counts = True if rules.carton_below is None else score[side] < rules.carton_below
        fine[side] += hope * (counts & (board.won == 0))
    return fine


def _chance(view, board, fine):
    """The chance of winning of the view's team in each lane, in ten-thousandths, from the points of `_count_up`."""
    rules, first = view.rules, (view.dealer + 1) % 2
    fine = np.clip(fine, 0, GOAL * QUARTERS - 1)
    deal, team = (view.deal_number + 1, first) if view.deals_left else (0, 1 - first)
    score, won = board.score, board.won
    chance = chances(rules)[deal, kind_of(rules, view.chicas, team)][fine[team], fine[1 - team]]
    if team:
        chance = SURE - chance
    chance = np.where(won > 0, prize(rules, kind_of(rules, view.chicas, 0), score[1]), chance)
    chance = np.where(won < 0, SURE - prize(rules, kind_of(rules, view.chicas, 1), score[0]), chance)
    chance = chance.astype(np.int64)
    return SURE - chance if view.seat & 1 else chance
