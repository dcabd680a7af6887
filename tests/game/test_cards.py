"""Cards and decks as text."""

import pytest

from cvarenta.game.cards import (
    DECK,
    cards_in,
    format_card,
    format_cards,
    mask_of,
    parse_card,
    parse_cards,
    parse_deck,
)
from cvarenta.game.errors import Unreadable


def test_every_card_is_read_back_from_its_name():
    assert [parse_card(format_card(card)) for card in DECK] == list(range(40))


def test_the_names_are_rank_and_suit():
    assert format_cards(DECK) == "".join(rank + suit for rank in "A234567JQK" for suit in "HDCS")


@pytest.mark.parametrize(
    "text", ["", "5", "H", "5h", "aH", "H5", "8H", "0H", "10H", "5X", " 5H", "5H ", "5Н", None, 5, ["5H"]]
)
def test_what_is_no_card_is_unreadable(text):
    with pytest.raises(Unreadable):
        parse_card(text)


def test_a_mask_lists_its_cards_by_rank_then_suit():
    shuffled = parse_cards("KS5DAH5HQC5S")
    assert format_cards(cards_in(mask_of(shuffled))) == "AH5H5D5SQCKS"


def test_a_deck_is_read_in_the_order_of_its_text():
    assert parse_deck(format_cards(DECK[::-1])) == list(DECK[::-1])


FULL = format_cards(DECK)


@pytest.mark.parametrize(
    "text",
    [
        FULL[:-2],
        FULL + "AH",
        FULL[:-2] + "AH",
        FULL.lower(),
        FULL[:-2] + "8S",
        FULL[:-1],
        "",
        None,
        list(DECK),
        40,
    ],
    ids=[
        "39 cards",
        "41 cards",
        "a card twice",
        "lower case",
        "strange card",
        "half a card",
        "empty",
        "none",
        "a list",
        "int",
    ],
)
def test_what_is_not_forty_different_cards_is_no_deck(text):
    with pytest.raises(Unreadable):
        parse_deck(text)
