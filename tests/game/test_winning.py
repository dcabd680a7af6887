"""A match of one game is won the moment its points are reached."""

import pytest

from cvarenta.game.errors import NotAllowed
from cvarenta.game.events import End, Played

from .tables import MANO, QUITO, RULE_SETS, arranged_deck, copy_of, do, kinds, sit


def won(ruleset):
    match = sit(ruleset, "KH 5H", holding="5S", score=(38, 20))
    return match, do(match, "5Sx5H")


@pytest.mark.parametrize("ruleset", [QUITO, MANO])
def test_the_match_ends_in_the_middle_of_a_deal(ruleset):
    match, events = won(ruleset)
    assert kinds(events) == [Played, End]
    assert events[-1] == End(0, (40, 20), None)
    assert match.is_over and match.winner == 0 and any(match.hands)


def test_in_quito_more_than_forty_wins_too():
    match = sit(QUITO, "5H", holding="5S", score=(0, 37))
    assert do(match, "5Sx5H")[-1] == End(1, (0, 41), None)


@pytest.mark.parametrize("ruleset", [QUITO, MANO])
def test_after_the_end_nothing_is_played_or_dealt(ruleset):
    match, _ = won(ruleset)
    assert match.legal() == []
    for seat in range(match.rules.seats):
        for card in match.hands[seat]:
            with pytest.raises(NotAllowed):
                match.play((card, 0))
    with pytest.raises(NotAllowed):
        match.begin_deck(arranged_deck(ruleset, match.dealer, []))


@pytest.mark.parametrize("ruleset", [QUITO, MANO])
def test_a_finished_match_that_was_stored_stays_finished(ruleset):
    match = copy_of(won(ruleset)[0])
    assert match.is_over and match.winner == 0
    assert match.legal() == []
    for card in match.hands[match.to_play]:
        with pytest.raises(NotAllowed):
            match.play((card, 0))


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_nobody_has_won_below_forty(ruleset):
    match = sit(ruleset, "KH 5H", holding="5S", score=(36, 38))
    do(match, "5Sx5H")
    assert match.score == (38, 38) and not match.is_over and match.winner is None
