"""A mesa: two chicas, or the first with the loser under ten."""

import pytest

from cvarenta.game.events import Carton, Chica, Deal, End, Played

from .tables import MESAS, arranged_deck, close_deck, do, kinds, late, only, sit


def win_a_chica(ruleset, score, chicas=(0, 0), dealer=None):
    """The dealer's team falls in the middle of a deck."""
    seats = 2 if ruleset == "tradicional-2" else 4
    dealer = seats - 1 if dealer is None else dealer
    hands = {seat: "QH" for seat in range(seats)} | {dealer: "5S", (dealer + 1) % seats: "JH"}
    match = late(ruleset, hands=hands, table="KH5H", last="5H", score=score, chicas=chicas, dealer=dealer)
    return match, do(match, "5Sx5H")


@pytest.mark.parametrize("ruleset", MESAS)
def test_forty_points_win_a_chica_and_the_next_seat_deals_at_nil(ruleset):
    match, events = win_a_chica(ruleset, (20, 38))
    assert kinds(events) == [Played, Chica]
    assert events[-1] == Chica(1, (20, 40), (0, 1), False)
    assert (match.score, match.chicas, match.awaits_deck, match.is_over) == ((0, 0), (0, 1), True, False)
    assert match.dealer == 0 and not any(match.hands) and match.table == 0 and match.stock == []
    assert match.begin_deck(arranged_deck(ruleset, 0, [])) == [Deal(1, 0, 0)]


@pytest.mark.parametrize("ruleset", MESAS)
def test_more_than_forty_win_a_chica_too(ruleset):
    match = sit(ruleset, "5H", holding="5S", score=(20, 38))
    assert only(Chica, do(match, "5Sx5H")).score == (20, 42)


@pytest.mark.parametrize("ruleset", MESAS)
def test_a_chica_ends_in_the_middle_of_a_deck_without_a_carton(ruleset):
    match, events = win_a_chica(ruleset, (20, 38))
    assert Carton not in kinds(events)
    assert match.awaits_deck


@pytest.mark.parametrize("ruleset", MESAS)
def test_two_chicas_win_the_mesa(ruleset):
    match, events = win_a_chica(ruleset, (20, 38), chicas=(0, 1))
    assert events[1:] == [Chica(1, (20, 40), (0, 2), False), End(1, (20, 40), (0, 2))]
    assert match.winner == 1 and not match.awaits_deck


@pytest.mark.parametrize("ruleset", MESAS)
def test_one_chica_each_is_followed_by_a_third(ruleset):
    match, events = win_a_chica(ruleset, (20, 38), chicas=(1, 0))
    assert events[1:] == [Chica(1, (20, 40), (1, 1), False)]
    assert not match.is_over and match.awaits_deck and match.score == (0, 0)


@pytest.mark.parametrize("ruleset", MESAS)
def test_the_third_chica_decides(ruleset):
    match, events = win_a_chica(ruleset, (20, 38), chicas=(1, 1))
    assert events[1:] == [Chica(1, (20, 40), (1, 2), False), End(1, (20, 40), (1, 2))]
    match, _ = win_a_chica(ruleset, (38, 20), chicas=(1, 1), dealer=0)
    assert match.winner == 0


@pytest.mark.parametrize("ruleset", MESAS)
@pytest.mark.parametrize("loser", [0, 8, 9])
def test_the_first_chica_with_the_loser_under_ten_wins_the_mesa(ruleset, loser):
    match, events = win_a_chica(ruleset, (loser, 38))
    assert events[1:] == [Chica(1, (loser, 40), (0, 1), True), End(1, (loser, 40), (0, 1))]
    assert match.winner == 1


@pytest.mark.parametrize("ruleset", MESAS)
def test_ten_points_are_no_zapateria(ruleset):
    match, events = win_a_chica(ruleset, (10, 38))
    assert not only(Chica, events).zapateria and not match.is_over


@pytest.mark.parametrize("ruleset", MESAS)
@pytest.mark.parametrize("chicas", [(1, 0), (0, 1), (1, 1)])
def test_only_the_first_chica_can_be_a_zapateria(ruleset, chicas):
    match, events = win_a_chica(ruleset, (0, 38), chicas=chicas)
    assert not only(Chica, events).zapateria
    assert match.is_over == (chicas[1] == 1)


@pytest.mark.parametrize("ruleset", MESAS)
def test_a_carton_that_is_not_counted_any_more_saves_nobody_from_the_zapateria(ruleset):
    match, events = close_deck(ruleset, (20, 20), score=(34, 8))
    assert kinds(events) == [Played, Carton, Chica, End]
    assert only(Chica, events) == Chica(0, (40, 8), (1, 0), True)
    assert match.winner == 0


@pytest.mark.parametrize("ruleset", MESAS)
def test_a_carton_counted_before_the_winners_saves_from_the_zapateria(ruleset):
    _, events = close_deck(ruleset, (20, 20), score=(8, 34))
    assert only(Carton, events).points == (6, 6)
    assert only(Chica, events) == Chica(1, (14, 40), (0, 1), False)
