"""Plays as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvarenta.game.cards import cards_in, mask_of, parse_cards
from cvarenta.game.errors import Unreadable
from cvarenta.game.notation import format_play, parse_play


@given(st.integers(0, 39), st.sets(st.integers(0, 39)))
def test_every_play_is_read_back_from_its_text(card, taken):
    play = (card, mask_of(taken))
    if len(format_play(play)) <= 100:
        assert parse_play(format_play(play)) == play


@given(st.permutations(parse_cards("2H3D6C7DJH")))
def test_taken_cards_are_read_in_any_order_and_written_sorted(taken):
    text = "5Sx" + "".join("A234567JQK"[card >> 2] + "HDCS"[card & 3] for card in taken)
    assert format_play(parse_play(text)) == "5Sx2H3D6C7DJH"


def test_cards_of_one_rank_are_written_in_the_order_of_suits():
    assert format_play(parse_play("6Sx3S3C")) == "6Sx3C3S"
    assert format_play(parse_play("4HxASADACAH")) == "4HxAHADACAS"


def test_a_laid_card_has_no_x():
    assert format_play(parse_play("5H")) == "5H"
    assert cards_in(parse_play("5H")[1]) == []


@pytest.mark.parametrize(
    "text",
    ["", "5", "5Hx", "x5H", "5H5D", "5HX5D", "5hx5d", "5Hx5", "5Hx5D5D", "5H x5D", "5Hx5D ", "5Hx8D", "9H",
     "5Hxx5D",
     "5H\n", "5Hx" + "AH" * 60, None, 5, True, 5.0, ["5H"], {}],
)  # fmt: skip
def test_what_is_no_play_is_unreadable(text):
    with pytest.raises(Unreadable):
        parse_play(text)
