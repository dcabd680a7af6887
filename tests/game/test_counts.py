"""Counts of legal sequences from fixed deals, first agreed with the plain rules, then kept."""

import random

import pytest

from cvarenta.game.cards import DECK, format_card
from cvarenta.game.match import Match
from cvarenta.game.rulesets import get_ruleset

from . import plainly
from .tables import RULE_SETS, copy_of

DEPTH = 5
COUNTS = {
    ("quito", 1): [5, 25, 125, 631, 2524],
    ("quito", 2): [5, 25, 125, 628, 2526],
    ("quito", 3): [5, 25, 125, 626, 2507],
    ("mano-a-mano", 1): [5, 25, 110, 672, 2576],
    ("mano-a-mano", 2): [5, 26, 115, 752, 2931],
    ("mano-a-mano", 3): [5, 27, 118, 576, 2084],
    ("tradicional-2", 1): [5, 25, 110, 672, 2576],
    ("tradicional-2", 2): [5, 26, 115, 752, 2931],
    ("tradicional-2", 3): [5, 27, 118, 576, 2084],
    ("tradicional-4", 1): [5, 25, 135, 968, 4967],
    ("tradicional-4", 2): [5, 26, 159, 1147, 5811],
    ("tradicional-4", 3): [5, 27, 170, 1049, 5393],
}


def fixed_deal(ruleset, seed):
    rules = get_ruleset(ruleset)
    deck = random.Random(seed).sample(DECK, 40)
    match = Match(rules, rules.seats - 1)
    match.begin_deck(deck)
    return match


def count(match, depth):
    if depth == 1:
        return len(match.legal())
    total = 0
    for play in match.legal():
        after = copy_of(match)
        after.play(play)
        total += count(after, depth - 1)
    return total


deals = pytest.mark.parametrize(("ruleset", "seed"), [(ruleset, seed) for ruleset in RULE_SETS for seed in (1, 2, 3)])


@deals
def test_the_engine_counts_what_was_counted_before(ruleset, seed):
    assert [count(fixed_deal(ruleset, seed), depth) for depth in range(1, DEPTH + 1)] == COUNTS[ruleset, seed]


@deals
def test_the_plain_rules_count_the_same(ruleset, seed):
    match = fixed_deal(ruleset, seed)
    hands = [[format_card(card) for card in hand] for hand in match.hands]
    counted = [plainly.count_sequences(ruleset, hands, 0, [], depth) for depth in range(1, DEPTH + 1)]
    assert counted == COUNTS[ruleset, seed]
