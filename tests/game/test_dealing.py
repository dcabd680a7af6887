"""Who deals what to whom, and when."""

import pytest

from cvarenta.game.cards import DECK, mask_of
from cvarenta.game.events import Carton, Deal, Played
from cvarenta.game.match import Match
from cvarenta.game.rulesets import RULESETS, get_ruleset

from .tables import (
    FOUR,
    MANO,
    QUITO,
    RULE_SETS,
    TWO,
    arranged_deck,
    cards,
    close_deck,
    do,
    kinds,
    random_games,
    sit,
)


@pytest.mark.parametrize(("ruleset", "seats"), [(QUITO, 4), (MANO, 2), (TWO, 2), (FOUR, 4)])
def test_each_table_has_its_seats(ruleset, seats):
    assert RULESETS[ruleset].seats == seats and len(RULESETS) == 4


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_the_first_five_cards_go_to_the_seat_after_the_dealer_and_so_on(ruleset):
    rules = get_ruleset(ruleset)
    for dealer in range(rules.seats):
        deck = arranged_deck(ruleset, dealer, [])
        match = Match(rules, dealer)
        assert match.begin_deck(deck)[0] == Deal(0, 0, dealer)
        for i in range(rules.seats):
            assert match.hands[(dealer + 1 + i) % rules.seats] == deck[5 * i : 5 * i + 5]
        assert match.stock == deck[5 * rules.seats :]
        assert match.to_play == (dealer + 1) % rules.seats
        assert match.table == 0


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_turns_go_counter_clockwise(ruleset):
    match = sit(ruleset)
    turns = []
    for _ in range(2 * match.rules.seats):
        turns.append(match.to_play)
        match.play(match.legal()[0])
    assert turns == [*range(match.rules.seats)] * 2


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_the_next_five_come_from_the_same_deck_when_all_hands_are_empty_and_the_table_stays(ruleset):
    deals = 0
    for seed in range(5):
        deck = table = None
        for match, (what, events) in random_games(ruleset, seed, decks=2):
            if isinstance(events[0], Deal):
                deck = what
            for event in events:
                if isinstance(event, Deal) and event.deal and not match.awaits_deck and not match.is_over:
                    seats, deals = match.rules.seats, deals + 1
                    start = 5 * seats * event.deal
                    assert match.hands[match.to_play] == deck[start : start + 5]
                    assert match.to_play == (match.dealer + 1) % seats
                    card, takes = what
                    assert match.table == (table ^ takes if takes else table | 1 << card)
            table = match.table
    assert deals >= 5


@pytest.mark.parametrize(("ruleset", "deals"), [(QUITO, 2), (FOUR, 2), (MANO, 4), (TWO, 4)])
def test_a_deck_has_its_deals_and_then_the_carton(ruleset, deals):
    for seed in range(20):
        seen = []
        match = None
        for match, (_, events) in random_games(ruleset, seed, decks=1):  # noqa: B007
            seen += [event.deal if isinstance(event, Deal) else type(event) for event in events]
        if not match.is_over and match.chicas == (0, 0):
            assert [one for one in seen if one is not Played and (isinstance(one, int) or one is Carton)] == [
                *range(deals),
                Carton,
            ]
            assert seen.count(Played) == 40
            return
    pytest.fail("every match ended within a deck")


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_after_the_deck_the_next_seat_deals_a_fresh_one_at_the_same_score(ruleset):
    seats = get_ruleset(ruleset).seats
    for dealer in range(seats):
        match, events = close_deck(ruleset, (16, 15), score=(10, 6), dealer=dealer)
        score = match.score
        assert kinds(events)[-1] is Carton and events[-1].score == score
        assert match.awaits_deck and match.legal() == []
        assert match.dealer == (dealer + 1) % seats
        deck = arranged_deck(ruleset, match.dealer, [])
        assert match.begin_deck(deck) == [Deal(1, 0, (dealer + 1) % seats)]
        assert (match.score, match.taken, match.table, match.played) == (score, [0, 0], 0, [])
        assert match.to_play == (dealer + 2) % seats
        dealt = [card for hand in match.hands for card in hand] + match.stock
        assert mask_of(dealt) == mask_of(DECK) and len(dealt) == 40


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_the_card_played_and_all_taken_go_to_the_teams_pile(ruleset):
    match = sit(ruleset, "KH 6H 5H", holding="5S")
    do(match, "5Sx5H6H")
    assert match.taken == [0, 3]
    assert match.table == mask_of(cards("KH"))
    match = sit(ruleset, "KH 3H 2D AC", holding="3S")
    do(match, "3Sx3H")
    assert match.taken == [2, 0]
