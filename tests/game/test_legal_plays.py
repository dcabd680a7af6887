"""The legal plays against the rules written down once more, and the kept answers against those worked out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cvarenta.game.captures import captures
from cvarenta.game.cards import NAMES, format_card, mask_of
from cvarenta.game.rulesets import get_ruleset

from . import plainly
from .tables import OPTIONAL, QUITO, RULE_SETS, late, names, random_games


def engine_choices(match, card):
    """As frozensets of names; no play may be listed twice."""
    found = [frozenset(names(takes)) for played, takes in match.legal() if format_card(played) == card]
    assert len(found) == len(set(found))
    return set(found)


@pytest.mark.parametrize("ruleset", OPTIONAL)
@given(data=st.data())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_at_a_table_with_equal_cards_they_are_those_of_the_rules(ruleset, data):
    table = data.draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=9, unique=True))
    hand = data.draw(
        st.lists(st.sampled_from([n for n in NAMES if n not in table]), min_size=1, max_size=5, unique=True)
    )
    dealer = get_ruleset(ruleset).seats - 1
    match = late(ruleset, hands={dealer: "".join(hand)}, table="".join(table))
    for card in hand:
        assert engine_choices(match, card) == plainly.choices(ruleset, card, table)


@pytest.mark.parametrize("ruleset", RULE_SETS)
@given(data=st.data())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_at_a_table_without_equal_cards_they_are_those_of_the_rules(ruleset, data):
    table = data.draw(st.lists(st.sampled_from(NAMES), max_size=10, unique_by=lambda name: name[0]))
    hand = data.draw(
        st.lists(st.sampled_from([n for n in NAMES if n not in table]), min_size=1, max_size=5, unique=True)
    )
    dealer = get_ruleset(ruleset).seats - 1
    match = late(ruleset, hands={dealer: "".join(hand)}, table="".join(table))
    for card in hand:
        assert engine_choices(match, card) == plainly.choices(ruleset, card, table)


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_in_play_they_are_those_of_the_rules(ruleset):
    doubled = 0
    for match, _ in random_games(ruleset, 11, decks=2):
        table = sorted(names(match.table))
        if len(table) > 10 or match.is_over:
            continue
        doubled += len({name[0] for name in table}) < len(table)
        for card in map(format_card, match.hands[match.to_play]):
            assert engine_choices(match, card) == plainly.choices(ruleset, card, table)
    assert doubled or ruleset == QUITO


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_the_kept_answers_agree_with_those_worked_out_for_every_set_of_ranks(ruleset):
    rules = get_ruleset(ruleset)
    match = late(ruleset, hands={rules.seats - 1: "AS2S3S4S5S6S7SJSQSKS"})
    for _ in ("worked out", "kept"):
        for bits in range(1024):
            # the suits differ from table to table: rows are kept for ranks, takes name cards
            table = mask_of([4 * rank + (rank + bits) % 3 for rank in range(10) if bits >> rank & 1])
            match.set_table(table, -1)
            expected = [(card, takes) for card in match.hands[-1] for takes in captures(rules, card // 4, table)]
            assert sorted(match.legal()) == sorted(expected)
