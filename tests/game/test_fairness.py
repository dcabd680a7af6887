"""Two thousand decks: every card everywhere equally often, rondas as they should be."""

from collections import Counter
from functools import cache
from math import comb, sqrt

import pytest

from cvarenta.game.scoring import ronda_in
from cvarenta.game.shuffle import first_dealer, shuffled_deck

DECKS = 2000
RONDA = (10 * comb(4, 3) * comb(36, 2) + 10 * 36) / comb(40, 5)


@cache
def decks():
    return [shuffled_deck(n.to_bytes(32, "big"), "feria", n % 7) for n in range(DECKS)]


def test_every_card_comes_to_every_place_equally_often():
    counts = Counter((place, card) for deck in decks() for place, card in enumerate(deck))
    expected = DECKS / 40
    chi_square = sum((counts[place, card] - expected) ** 2 / expected for place in range(40) for card in range(40))
    freedom = 39 * 39
    assert abs(chi_square - freedom) < 5 * sqrt(2 * freedom)


@pytest.mark.parametrize("place", [0, 1, 19, 38, 39])
def test_every_card_comes_to_one_place_equally_often(place):
    counts = Counter(deck[place] for deck in decks())
    expected = DECKS / 40
    chi_square = sum((counts[card] - expected) ** 2 / expected for card in range(40))
    assert chi_square < 39 + 5 * sqrt(2 * 39)


def test_cards_that_lay_side_by_side_do_not_stay_so():
    pairs = sum((b - a) in (4, -4) and a % 4 == b % 4 for deck in decks() for a, b in zip(deck, deck[1:], strict=False))
    expected = DECKS * 39 * (2 * 36) / (40 * 39)
    assert abs(pairs - expected) < 5 * sqrt(expected)


def test_a_hand_holds_a_ronda_in_3_884_percent():
    assert round(100 * RONDA, 3) == 3.884
    hands = [deck[i : i + 5] for deck in decks() for i in range(0, 40, 5)]
    found = sum(ronda_in(hand) is not None for hand in hands)
    assert abs(found - len(hands) * RONDA) < 5 * sqrt(len(hands) * RONDA * (1 - RONDA))


@pytest.mark.parametrize("seat", range(4))
def test_no_seat_has_more_rondas_than_another(seat):
    hands = [deck[i : i + 5] for deck in decks() for i in (5 * seat, 20 + 5 * seat)]
    found = sum(ronda_in(hand) is not None for hand in hands)
    assert abs(found - len(hands) * RONDA) < 5 * sqrt(len(hands) * RONDA * (1 - RONDA))


@pytest.mark.parametrize("seats", [2, 4])
def test_every_seat_deals_first_equally_often(seats):
    counts = Counter(first_dealer(n.to_bytes(32, "big"), "feria", seats) for n in range(DECKS))
    assert set(counts) == set(range(seats))
    expected = DECKS / seats
    assert all(abs(counts[seat] - expected) < 5 * sqrt(expected) for seat in range(seats))
