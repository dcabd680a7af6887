"""How a capture begins: by matching one card, or by a sum, and never by both."""

import pytest

from .tables import FOUR, MANO, OPTIONAL, QUITO, RULE_SETS, TWO, choices, sit


@pytest.mark.parametrize("ruleset", RULE_SETS)
@pytest.mark.parametrize("rank", "A234567JQK")
def test_every_rank_takes_its_own_whatever_the_suit(ruleset, rank):
    assert f"{rank}Sx{rank}H" in choices(sit(ruleset, f"{rank}H", holding=f"{rank}S"), f"{rank}S")


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_with_five_on_two_three_five_the_player_chooses_the_five_or_the_pair(ruleset):
    match = sit(ruleset, "5H 3D 2C", holding="5S")
    assert choices(match, "5S") - {"5S"} == {"5Sx5H", "5Sx2C3D"}


@pytest.mark.parametrize("ruleset", OPTIONAL)
def test_only_one_card_of_the_rank_is_matched(ruleset):
    match = sit(ruleset, "JH JD", holding="JS")
    assert choices(match, "JS") == {"JS", "JSxJH", "JSxJD"}


def test_in_quito_three_addends_do_not_count_and_the_six_is_laid():
    assert choices(sit(QUITO, "3H 2D AC", holding="6S"), "6S") == {"6S"}


@pytest.mark.parametrize("ruleset", [MANO, TWO, FOUR])
def test_elsewhere_three_addends_count(ruleset):
    assert choices(sit(ruleset, "3H 2D AC", holding="6S"), "6S") == {"6S", "6SxAC2D3H"}


@pytest.mark.parametrize("ruleset", [MANO, TWO, FOUR])
def test_elsewhere_four_and_five_addends_count(ruleset):
    match = sit(ruleset, "AH AD 2H 3C", holding="7S")
    assert "7SxAHAD2H3C" in choices(match, "7S")
    match = sit(ruleset, "AH AD AC AS 3C", holding="7S")
    assert "7SxAHADACAS3C" in choices(match, "7S")


@pytest.mark.parametrize("ruleset", OPTIONAL)
def test_two_twos_make_a_four(ruleset):
    assert "4Sx2H2D" in choices(sit(ruleset, "2H 2D", holding="4S"), "4S")


def test_in_quito_two_pairs_are_a_choice_and_never_taken_together():
    match = sit(QUITO, "5H 4D 3C 2S", holding="7H")
    assert choices(match, "7H") == {"7Hx2S5H", "7Hx3C4D"}


@pytest.mark.parametrize("ruleset", RULE_SETS)
@pytest.mark.parametrize("figure", "JQK")
def test_figures_do_not_sum(ruleset, figure):
    match = sit(ruleset, "7H 4D 3C AS", holding=f"{figure}S")
    assert choices(match, f"{figure}S") == {f"{figure}S"}


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_figures_are_not_summed(ruleset):
    assert choices(sit(ruleset, "QH JD", holding="7S"), "7S") == {"7S"}


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_a_single_card_of_another_rank_is_no_sum(ruleset):
    assert choices(sit(ruleset, "4H", holding="6S"), "6S") == {"6S"}


def test_in_quito_a_card_that_can_capture_must():
    assert choices(sit(QUITO, "5H", holding="5S"), "5S") == {"5Sx5H"}
    assert choices(sit(QUITO, "4H AD", holding="5S"), "5S") == {"5SxAD4H"}


def test_in_quito_another_card_of_the_hand_may_be_laid_instead():
    match = sit(QUITO, "5H", holding="5S KS")
    assert choices(match, "KS") == {"KS"}


@pytest.mark.parametrize("ruleset", OPTIONAL)
def test_elsewhere_a_card_that_can_capture_may_be_laid(ruleset):
    assert choices(sit(ruleset, "5H", holding="5S"), "5S") == {"5S", "5Sx5H"}
