"""The strong bot: imagines the hidden cards many times, plays each on with every play it may make, and takes the best."""

import numpy as np

from ..rulesets import GOAL, HAND
from ..view import worth_of
from .lanes import ONE_CARD, Lanes
from .policy import CARD, POINT, policy_of
from .ranks import FULL, position_of
from .worth import QUARTERS, SURE, carton_hopes, chances, count_carton, kind_of, modes_of, prize
from .worlds import Reading

class Settings:
    lanes = 2048
    doubt = 60
    most = 32
    pool = 2
    held = None
    other_card = CARD
S = Settings()


def candidates(view):
    found = {}
    for play in view.legal:
        card, takes = play
        rank = card >> 2
        if takes:
            mask = 0
            for other in view.table:
                if not takes >> other & 1:
                    mask |= 1 << (other >> 2)
            key = (rank, position_of(mask), takes.bit_count())
        else:
            mask = 1 << rank
            for other in view.table:
                mask |= 1 << (other >> 2)
            key = (rank, position_of(mask, rank), 0)
        found.setdefault(key, play)
    return list(found.items())


def choose(view, rng, S=S):
    options = candidates(view)
    if len(options) == 1:
        return options[0][1]
    seats, own = view.rules.seats, view.seat
    modes = modes_of(view.rules, view.score)
    left = sum(view.counts) - len(view.hand)
    held, unseen = _stage(view, left)
    policies = [policy_of(view.rules, modes[team], modes[1 - team], held, unseen) for team in (0, 1)]
    reading = Reading(view, policies[1 - own % 2], S.doubt, S.most)
    size = S.lanes // len(options)
    generator = np.random.PCG64([rng.below(1 << 32), rng.below(1 << 32)])
    hands = reading.draw(size, generator, S.pool)
    public = FULL - sum(count << 4 * rank for rank, count in enumerate(reading.seen))
    values = evaluate(view, options, hands, public, size, policies)
    return options[int(values.argmax())][1]


def evaluate(view, options, hands, public, size, policies):
    seats, own, many = view.rules.seats, view.seat, len(options)
    mine = [card >> 2 for card in view.hand]
    total = size * many
    tiled, unseen = [None] * seats, np.empty((seats, total), np.int64)
    for seat in range(seats):
        if seat != own:
            tiled[seat] = np.tile(hands[seat], (1, many))
            unseen[seat] = np.tile(public - ONE_CARD.take(hands[seat]).sum(axis=0), many)
    unseen[own] = public - sum(1 << 4 * rank for rank in mine)
    left = np.empty((len(mine) - 1, many, size), np.int64)
    position = np.empty((many, size), np.int64)
    score = np.empty((2, many, size), np.int64)
    cards = np.empty((2, many, size), np.int64)
    for team in (0, 1):
        score[team], cards[team] = view.score[team], view.taken[team]
    won = np.zeros((many, size), np.int64)
    for i, ((rank, where, taken), play) in enumerate(options):
        rest = list(mine)
        rest.remove(rank)
        left[:, i] = np.array(rest)[:, None] if rest else 0
        position[i] = where
        worth = worth_of(view, play)
        score[own % 2, i] += worth.points
        cards[own % 2, i] += worth.cards
        if view.score[own % 2] + worth.points >= 40:
            won[i] = 1 - 2 * (own % 2)
        for seat in range(seats):
            if seat != own:
                unseen[seat, i * size : (i + 1) * size] -= 1 << 4 * rank
    tiled[own] = left.reshape(len(mine) - 1, total)
    lanes = Lanes(view.rules, tiled, unseen, position.reshape(total), score.reshape(2, total), cards.reshape(2, total), won.reshape(total))
    lanes.play_out((own + 1) % seats, policies)
    value = value_of(view, lanes)
    return value.reshape(many, size).sum(axis=1)


def value_of(view, lanes):
    """The chance of winning of the view's team after this deal in each lane, in ten-thousandths."""
    rules, dealer = view.rules, view.dealer
    first = (dealer + 1) % 2
    deals_left = view.stock // (HAND * rules.seats)
    score, cards = lanes.score, lanes.cards
    if deals_left:
        deal, team = view.deal_number + 1, first
        fine = score * QUARTERS
        hopes = carton_hopes(rules, deals_left)[:, cards[first], cards[1 - first]]
        for hope, side in zip(hopes, (first, 1 - first), strict=True):
            if rules.carton_below is None:
                fine[side] += hope
            else:
                fine[side] += hope * (score[side] < rules.carton_below)
    else:
        deal, team = 0, 1 - first
        count_carton(rules, cards, score, lanes.won, first)
        fine = score * QUARTERS
    np.clip(fine, 0, GOAL * QUARTERS - 1, out=fine)
    chance = chances(rules)[deal, kind_of(rules, view.chicas, team)][fine[team], fine[1 - team]]
    if team:
        chance = SURE - chance
    won = prize(rules, kind_of(rules, view.chicas, 0), score[1])
    lost = SURE - prize(rules, kind_of(rules, view.chicas, 1), score[0])
    chance = np.where(lanes.won == 0, chance, np.where(lanes.won > 0, won, lost))
    return SURE - chance if view.seat % 2 else chance


def _stage(view, left):
    unseen = left + view.stock
    held = left / (view.rules.seats - 1) / max(unseen, 1)
    held = min(held, 1.0) * (0.7 if view.stock else 1)
    return round(held * 16) / 16 or 1 / 16, max(0.5, round(unseen / 10 * 2) / 2 * 0.7)
