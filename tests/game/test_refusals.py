"""A play refused changes nothing."""

import pytest

from cvarenta.game.cards import NAMES, cards_in, parse_card
from cvarenta.game.errors import GameError, NotAllowed
from cvarenta.game.match import Match
from cvarenta.game.notation import parse_play
from cvarenta.game.rulesets import get_ruleset
from cvarenta.game.state import dump_state

from .tables import MANO, QUITO, RULE_SETS, arranged_deck, random_games, sit

REFUSED = {
    "not in the hand": (QUITO, "KH", "5S", "QS"),
    "the card on the table": (QUITO, "KH", "5S", "KH"),
    "laid though it captures": (QUITO, "5H", "5S", "5S"),
    "escalera not finished": (QUITO, "6H 5H", "5S", "5Sx5H"),
    "three addends": (QUITO, "3H 2D AC", "6S", "6SxAC2D3H"),
    "match and sum": (QUITO, "5H 3D 2C", "5S", "5Sx2C3D5H"),
    "match and sum where captures are free": (MANO, "5H 3D 2C", "5S", "5Sx2C3D5H"),
    "two of a rank": (MANO, "5H 5D", "5S", "5Sx5H5D"),
    "two of a step": (MANO, "6H 6D 5H", "5S", "5Sx5H6H6D"),
    "a gap": (MANO, "7H 5H", "5S", "5Sx5H7H"),
    "a sum of figures": (MANO, "JH AD", "QS", "QSxADJH"),
    "a wrong sum": (MANO, "3H 2D", "6S", "6Sx2D3H"),
    "a card that is not there": (MANO, "5H", "5S", "5Sx5D"),
    "a taken card that is not there": (MANO, "5H", "5S", "5Sx5H6H"),
    "itself": (MANO, "5H", "5S", "5Sx5S"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_play_the_rules_do_not_allow_changes_nothing(name):
    ruleset, plays, holding, refused = REFUSED[name]
    match = sit(ruleset, plays, holding=holding)
    before, legal = dump_state(match), list(match.legal())
    with pytest.raises(NotAllowed):
        match.play(parse_play(refused))
    assert dump_state(match) == before and match.legal() == legal


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_every_laid_card_that_is_not_legal_is_refused_in_many_positions(ruleset):
    refused = 0
    for match, _ in random_games(ruleset, 5, decks=2):
        before = dump_state(match)
        for card in range(40):
            if (card, 0) not in match.legal():
                with pytest.raises(NotAllowed):
                    match.play((card, 0))
                refused += 1
        assert dump_state(match) == before
    assert refused > 500


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_a_deck_nobody_awaits_is_refused(ruleset):
    match = sit(ruleset, "KH")
    before = dump_state(match)
    with pytest.raises(NotAllowed):
        match.begin_deck(arranged_deck(ruleset, 0, []))
    assert dump_state(match) == before


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_nothing_is_played_before_the_first_deck(ruleset):
    match = Match(get_ruleset(ruleset), 0)
    before = dump_state(match)
    assert match.legal() == []
    with pytest.raises(NotAllowed):
        match.play((0, 0))
    assert dump_state(match) == before


def test_every_refusal_is_a_value_error():
    assert issubclass(NotAllowed, GameError) and issubclass(GameError, ValueError)


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_the_message_quotes_the_play_and_no_hidden_card(ruleset):
    match = sit(ruleset, "KH", holding="5S")
    on_show = {"KH", "5S", "QS", *(NAMES[card] for card in cards_in(match.table))}
    for refused in ("QS", "5SxKH", "QSxKH"):
        if parse_card("QS") in match.hands[match.to_play] and refused == "QS":
            continue
        with pytest.raises(NotAllowed) as refusal:
            match.play(parse_play(refused))
        quoted = {name for name in NAMES if name in str(refusal.value)}
        assert quoted and quoted <= on_show
