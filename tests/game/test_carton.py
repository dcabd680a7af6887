"""The carton: what the piles are worth when a deck is out."""

import pytest

from cvarenta.game.events import Carton, Chica, End, Played
from cvarenta.game.scoring import carton_value

from .tables import FOUR, MANO, MESAS, QUITO, RULE_SETS, TWO, close_deck, kinds, only

TABLE = {19: 0, 20: 6, 21: 8, 22: 8, 23: 10, 24: 10, 25: 12, 26: 12, 27: 14, 28: 14, 39: 26, 40: 26}


def count(ruleset, piles, **situation):
    """The points of the carton of each team."""
    _, events = close_deck(ruleset, piles, **situation)
    carton = only(Carton, events)
    assert carton.cards == tuple(piles)
    return carton.points


@pytest.mark.parametrize(("cards", "points"), TABLE.items())
def test_twenty_cards_are_six_and_each_card_more_is_one_rounded_up_to_even(cards, points):
    assert carton_value(cards) == points


@pytest.mark.parametrize(("cards", "points"), [row for row in TABLE.items() if row[0] not in (20, 40)])
def test_in_quito_only_the_larger_pile_counts(cards, points):
    if cards == 19:
        assert count(QUITO, (19, 18)) == count(QUITO, (18, 19)) == (0, 0)
    else:
        assert count(QUITO, (cards, 40 - cards), score=(0, 2)) == (points, 0)
        assert count(QUITO, (40 - cards, cards), score=(0, 2)) == (0, points)


def test_in_quito_twenty_against_fewer_counts_six():
    assert count(QUITO, (20, 19)) == (6, 0)
    assert count(QUITO, (15, 20)) == (0, 6)


@pytest.mark.parametrize("piles", [(15, 15), (19, 19), (20, 20)])
@pytest.mark.parametrize("dealer", range(4))
def test_in_quito_a_tie_is_two_for_the_team_of_the_seat_that_deals_next(piles, dealer):
    points = count(QUITO, piles, dealer=dealer, score=(10, 10))
    assert points == ((2, 0) if (dealer + 1) % 2 == 0 else (0, 2))


@pytest.mark.parametrize("piles", [(19, 19), (20, 20)])
def test_in_quito_a_tie_adds_nothing_at_30_and_is_not_handed_to_the_others(piles):
    assert count(QUITO, piles, dealer=3, score=(30, 10)) == (0, 0)
    assert count(QUITO, piles, dealer=3, score=(28, 38)) == (2, 0)


@pytest.mark.parametrize(("points", "added"), [(28, 12), (29, 12), (30, 0), (32, 0), (38, 0)])
def test_in_quito_a_carton_needs_fewer_than_30_before_the_count(points, added):
    assert count(QUITO, (25, 14), score=(points, 38)) == (added, 0)


def test_in_quito_a_carton_of_12_at_28_wins():
    match, events = close_deck(QUITO, (25, 14), score=(28, 38))
    assert kinds(events) == [Played, Carton, End]
    assert events[-1] == End(0, (40, 38), None)
    assert match.winner == 0 and not match.awaits_deck


@pytest.mark.parametrize(
    ("piles", "points"),
    [((20, 20), (6, 6)), ((21, 19), (8, 0)), ((18, 22), (0, 8)), ((20, 19), (6, 0)), ((14, 26), (0, 12))],
)
@pytest.mark.parametrize("ruleset", [MANO, TWO, FOUR])
def test_elsewhere_each_side_with_twenty_counts(ruleset, piles, points):
    assert count(ruleset, piles, score=(4, 4)) == points


@pytest.mark.parametrize(
    ("piles", "points"), [((19, 18), (2, 0)), ((10, 12), (0, 2)), ((1, 0), (2, 0)), ((19, 19), (0, 0))]
)
def test_in_mano_a_mano_the_larger_pile_has_two_if_neither_has_twenty(piles, points):
    if sum(piles) < 30:
        piles = (piles[0] + (30 - sum(piles)) // 2, piles[1] + (30 - sum(piles)) // 2)
    assert count(MANO, piles) == points


def test_in_mano_a_mano_the_smaller_pile_has_nothing_beside_one_with_twenty():
    assert count(MANO, (20, 12)) == (6, 0)


@pytest.mark.parametrize("ruleset", MESAS)
@pytest.mark.parametrize("piles", [(19, 18), (18, 19), (19, 19)])
def test_in_a_mesa_fewer_than_twenty_have_nothing(ruleset, piles):
    assert count(ruleset, piles) == (0, 0)


@pytest.mark.parametrize(("points", "added"), [(24, 12), (26, 12), (30, 8), (36, 2), (37, 1), (38, 0), (39, 0)])
def test_in_mano_a_mano_a_carton_stops_at_38(points, added):
    match, events = close_deck(MANO, (25, 14), score=(points, 0))
    assert only(Carton, events).points == (added, 0)
    assert match.awaits_deck and not match.is_over


def test_in_mano_a_mano_the_two_for_the_larger_pile_stop_at_38_too():
    assert count(MANO, (19, 18), score=(38, 0)) == (0, 0)
    assert count(MANO, (18, 19), score=(0, 37)) == (0, 1)


@pytest.mark.parametrize("ruleset", MESAS)
@pytest.mark.parametrize("dealer", [0, 1])
def test_the_side_of_the_seat_after_the_dealer_counts_first_and_counting_stops_when_it_wins(ruleset, dealer):
    first = (dealer + 1) % 2
    _, events = close_deck(ruleset, (20, 20), score=(34, 34), dealer=dealer)
    won = (40, 34) if first == 0 else (34, 40)
    assert only(Carton, events).points == ((6, 0) if first == 0 else (0, 6))
    assert only(Carton, events).score == won
    assert only(Chica, events) == Chica(first, won, (1, 0) if first == 0 else (0, 1), False)


@pytest.mark.parametrize("ruleset", MESAS)
@pytest.mark.parametrize("dealer", [0, 1])
def test_both_sides_count_when_only_the_second_wins(ruleset, dealer):
    first = (dealer + 1) % 2
    score = (32, 34) if first == 0 else (34, 32)
    _, events = close_deck(ruleset, (20, 20), score=score, dealer=dealer)
    assert only(Carton, events).points == (6, 6)
    assert only(Chica, events).winner == 1 - first


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_left_over_cards_go_to_nobody(ruleset):
    match, events = close_deck(ruleset, (16, 15))  # eight lie on the table, and the last card played
    assert only(Carton, events).cards == (16, 15)
    assert match.table == 0
