"""Limpia: a capture that leaves the table empty."""

import pytest

from cvarenta.game.events import Played

from .tables import OPTIONAL, RULE_SETS, do, only, sit


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_a_capture_that_leaves_the_table_empty_pays_two(ruleset):
    match = sit(ruleset, "3H 2H", holding="5S")
    played = only(Played, do(match, "5Sx2H3H"))
    assert (played.limpia, played.caida, played.points, match.table) == (True, False, 2, 0)


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_a_capture_that_leaves_a_card_is_none(ruleset):
    played = only(Played, do(sit(ruleset, "KH 3H 2H", holding="5S"), "5Sx2H3H"))
    assert (played.limpia, played.points) == (False, 0)


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_one_play_can_be_caida_and_limpia_for_four(ruleset):
    played = only(Played, do(sit(ruleset, "5H", holding="5S"), "5Sx5H"))
    assert (played.limpia, played.caida, played.points) == (True, True, 4)


@pytest.mark.parametrize("ruleset", OPTIONAL)
def test_an_escalera_cut_short_leaves_the_table_unclean(ruleset):
    match = sit(ruleset, "6H 5H", holding="5S")
    assert not only(Played, do(match, "5Sx5H")).limpia


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_laying_on_an_empty_table_is_no_limpia(ruleset):
    played = only(Played, do(sit(ruleset, holding="5S"), "5S"))
    assert (played.limpia, played.caida, played.points) == (False, False, 0)
