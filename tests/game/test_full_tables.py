"""Tables full of equal cards, where nobody takes anything: the plays stay few enough to list and all of them are allowed."""

import pytest

from cvarenta.game.captures import MOST_WAYS, captures
from cvarenta.game.cards import mask_of, parse_card, parse_cards
from cvarenta.game.errors import NotAllowed
from cvarenta.game.match import Match
from cvarenta.game.rulesets import RULESETS
from cvarenta.game.state import dump_state, load_state

# Three cards of every rank from 2 to the king, and the aces with which a capture could begin.
TABLE = "".join(rank + suit for rank in "234567JQK" for suit in "HDC") + "AH"


@pytest.fixture
def full():
    match = Match(RULESETS["mano-a-mano"], 1)
    match.begin_deck(list(range(40)))
    match.hands = [parse_cards("ADAC"), parse_cards("ASKS")]
    match.set_table(mask_of(parse_cards(TABLE)), parse_card("KC"))
    return match


def test_the_list_of_plays_stays_short(full):
    assert len(full.legal()) < 2 * (1 + 10 * 3 * MOST_WAYS)
    assert len(set(full.legal())) == len(full.legal())


def test_a_way_up_that_is_not_listed_is_still_allowed(full):
    way = parse_card("AD"), mask_of(parse_cards("AH2C3C4C5C6C7CJCQCKC"))
    assert way not in full.legal()
    event = full.play(way)[0]
    assert event.takes == way[1] and full.taken == [11, 0]


@pytest.mark.parametrize("takes", ["AH3C", "2C", "AH2C2D", "AH2C3C4C5C6C7CJCKC", "AC", "AH2S", TABLE])
def test_what_the_rules_forbid_stays_forbidden(full, takes):
    before = dump_state(full)
    with pytest.raises(NotAllowed):
        full.play((parse_card("AD"), mask_of(parse_cards(takes))))
    assert dump_state(full) == before


def test_a_card_of_another_hand_takes_nothing(full):
    with pytest.raises(NotAllowed):
        full.play((parse_card("AS"), mask_of(parse_cards("AH2C3C4C5C6C7CJCQCKC"))))


def test_every_listed_play_is_one_by_the_rules_alone(full):
    rules, loaded = RULESETS["mano-a-mano"], load_state(dump_state(full))
    for card, takes in full.legal()[:: len(full.legal()) // 50]:
        assert not takes or takes in captures(rules, card >> 2, takes)
        assert (card, takes) in loaded.legal()
