"""From the card played up, one card a rank and no gap: the escalera."""

import pytest

from .tables import OPTIONAL, QUITO, RULE_SETS, choices, sit


def test_in_quito_five_takes_five_six_seven_jack_and_the_king_stays():
    assert choices(sit(QUITO, "KH JD 7C 6S 5H", holding="5S"), "5S") == {"5Sx5H6S7CJD"}


def test_in_quito_the_escalera_follows_a_sum_too():
    assert choices(sit(QUITO, "JH 7D 6C 3S 2H", holding="5S"), "5S") == {"5Sx2H3S6C7DJH"}


def test_in_quito_the_whole_escalera_is_a_duty():
    assert choices(sit(QUITO, "7H 6D 5C", holding="5S"), "5S") == {"5Sx5C6D7H"}


@pytest.mark.parametrize("ruleset", OPTIONAL)
def test_elsewhere_any_unbroken_part_from_its_start_may_be_taken(ruleset):
    match = sit(ruleset, "7H 6D 5C QH", holding="5S")
    assert choices(match, "5S") == {"5S", "5Sx5C", "5Sx5C6D", "5Sx5C6D7H"}


@pytest.mark.parametrize("ruleset", OPTIONAL)
def test_elsewhere_either_of_two_equal_cards_is_a_step(ruleset):
    match = sit(ruleset, "6H 6D 5C", holding="5S")
    assert choices(match, "5S") == {"5S", "5Sx5C", "5Sx5C6H", "5Sx5C6D"}


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_the_jack_comes_after_the_seven_and_the_king_is_the_last(ruleset):
    match = sit(ruleset, "KH QD JC 7S", holding="7H")
    assert "7Hx7SJCQDKH" in choices(match, "7H")
    assert choices(sit(ruleset, "KH AD", holding="KS"), "KS") - {"KS"} == {"KSxKH"}


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_there_is_no_escalera_without_a_match_or_a_sum(ruleset):
    assert choices(sit(ruleset, "7H 6D", holding="5S"), "5S") == {"5S"}


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_the_escalera_stops_at_the_gap(ruleset):
    taken = choices(sit(ruleset, "JH 6D 5C", holding="5S"), "5S")
    assert "5Sx5C6D" in taken and not any("JH" in play for play in taken)


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_the_escalera_begins_after_the_card_played_and_not_after_the_sum(ruleset):
    taken = choices(sit(ruleset, "4H 3D 2C", holding="5S"), "5S")
    assert taken - {"5S"} == {"5Sx2C3D"}
