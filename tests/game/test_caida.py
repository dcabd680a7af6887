"""Caida: matching exactly the card that the previous seat laid in the turn immediately before."""

import pytest

from cvarenta.game.cards import format_cards
from cvarenta.game.events import Deal, Played

from .tables import OPTIONAL, RULE_SETS, arranged_deck, cards, do, kinds, late, only, sit


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_matching_the_card_just_laid_is_a_caida_of_two_points(ruleset):
    played = only(Played, do(sit(ruleset, "KH 5H", holding="5S"), "5Sx5H"))
    assert (played.caida, played.limpia, played.points) == (True, False, 2)


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_a_caida_goes_to_the_team_of_the_seat_that_falls(ruleset):
    match = sit(ruleset, "KH 5H", holding="5S")
    assert only(Played, do(match, "5Sx5H")).score == (2, 0)
    match = sit(ruleset, "KH", holding="KS", dealer=0)  # seat 1 laid, the next falls
    assert match.to_play == 2 % match.rules.seats
    match = sit(ruleset, "AH QH 5H", holding="5S")
    assert only(Played, do(match, "5Sx5H")).score == (0, 2)


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_a_caida_may_go_up_its_escalera(ruleset):
    played = only(Played, do(sit(ruleset, "KH 6H 5H", holding="5S"), "5Sx5H6H"))
    assert (played.caida, played.points) == (True, 2)


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_matching_an_older_card_is_no_caida(ruleset):
    played = only(Played, do(sit(ruleset, "5H KD", holding="5S"), "5Sx5H"))
    assert (played.caida, played.points) == (False, 0)


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_a_sum_that_takes_the_card_just_laid_is_no_caida(ruleset):
    played = only(Played, do(sit(ruleset, "KH 3H 2H", holding="5S"), "5Sx2H3H"))
    assert (played.caida, played.points) == (False, 0)


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_an_escalera_that_takes_the_card_just_laid_is_no_caida(ruleset):
    played = only(Played, do(sit(ruleset, "KH 5H 6H", holding="5S"), "5Sx5H6H"))
    assert (played.caida, played.points) == (False, 0)


@pytest.mark.parametrize("ruleset", OPTIONAL)
def test_of_two_equal_cards_only_the_one_just_laid_is_fallen_on(ruleset):
    older = only(Played, do(sit(ruleset, "5H 5D", holding="5S"), "5Sx5H"))
    newer = only(Played, do(sit(ruleset, "5H 5D", holding="5S"), "5Sx5D"))
    assert (older.caida, older.points) == (False, 0)
    assert (newer.caida, newer.points) == (True, 2)


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_a_capture_in_between_leaves_nothing_to_fall_on(ruleset):
    match = sit(ruleset, "KH 5H KDxKH", holding="5S")
    assert match.last == -1
    assert not only(Played, do(match, "5Sx5H")).caida


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_a_new_deal_of_the_same_deck_does_not_break_it(ruleset):
    seats = 4 if ruleset in ("quito", "tradicional-4") else 2
    dealer = seats - 1
    deck = arranged_deck(ruleset, dealer, [{dealer: "5H"}, {0: "5S"}])
    dealt = [card for card in deck if card != cards("5H")[0]]
    match = late(ruleset, hands={dealer: "5H"}, table="KD", stock=format_cards(dealt[5 * seats - 1 :]))
    assert kinds(do(match, "5H")) == [Played, Deal]
    played = only(Played, do(match, "5Sx5H"))
    assert (played.seat, played.caida, played.points) == (0, True, 2)


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_a_new_deck_breaks_it(ruleset):
    match = late(ruleset, hands={3 if ruleset in ("quito", "tradicional-4") else 1: "5H"}, table="KD")
    do(match, "5H")
    assert match.awaits_deck and match.last == -1 and match.table == 0
    match.begin_deck(arranged_deck(ruleset, match.dealer, [{match.to_play: "5S"}]))
    assert match.last == -1 and match.table == 0
    assert not only(Played, do(match, "5S")).caida
