"""What may be done to the table that a play leaves: by which ranks, how many of them are unseen, and never by more than the seat sees."""

import random
from math import comb

import pytest

from cvarenta.game.cards import parse_card
from cvarenta.game.danger import chance_of, next_plays, threats_after, unseen_of
from cvarenta.game.notation import parse_play
from cvarenta.game.view import view_of

from .tables import QUITO, RULE_SETS, TWO, copy_of, hidden_permuted, late, random_games, sit

RANKS = "A234567JQK"


def threats(match, play):
    """The threats as a dict rank -> Threat."""
    found = threats_after(view_of(match, match.to_play), parse_play(play))
    return {RANKS[threat.rank]: threat for threat in found}


def test_a_laid_card_can_be_fallen_on_by_its_rank_and_the_unseen_are_counted():
    match = sit(QUITO, "KH KDxKH 3S", holding="5S 5D QH JC AC")
    fall = threats(match, "5S")["5"]
    assert (fall.unseen, fall.caida, fall.limpia, fall.points) == (2, True, False, 2)


def test_the_only_card_on_the_table_can_be_fallen_on_and_cleared():
    match = sit(QUITO, "KH KDxKH", holding="5S QH JC AC 2C")
    fall = threats(match, "5S")["5"]
    assert (fall.unseen, fall.limpia, fall.points) == (3, True, 4)


def test_a_lay_that_makes_a_sum_tells_what_clears_it_and_with_which_cards():
    match = sit(QUITO, "KH KDxKH 2H", holding="5S QH JC AC 7C")
    clears = threats(match, "5S")["7"]
    assert (clears.unseen, clears.caida, clears.limpia) == (3, False, True)
    assert [RANKS[card >> 2] for card in clears.addends] == ["2", "5"]


def test_three_cards_are_no_sum_in_quito_but_are_at_the_mesa():
    cards = dict(hands={0: "KS", 1: "4S"}, table="AC2C", stock="4H4D4C" + "7S7H7D7C" + "KHKDKC", dealer=0)
    assert "7" not in threats(late(QUITO, **cards, last="2C"), "KS")
    mesa = late(TWO, hands={0: "4S", 1: "QS"}, table="AC2C", stock="7S7H7D7C4H4D4C", last="2C", dealer=0)
    assert threats(mesa, "4S")["7"].limpia


def test_the_escalera_that_clears_is_told():
    match = sit(QUITO, "KH KDxKH 6H", holding="5S QH JC AC 2C")
    found = threats(match, "5S")
    assert found["5"].is_ladder and found["5"].points == 4
    assert "6" not in found  # it would take the six and leave the five


def test_a_rank_of_which_all_are_seen_is_no_threat():
    match = sit(QUITO, "5H 5Dx5H", holding="5S 5C JC AC 2C")
    assert unseen_of(view_of(match, match.to_play))[4] == 0
    assert threats(match, "5S") == {}


def test_at_38_the_others_gain_by_a_caida_only():
    cards = "KH KDxKH 2H", "5S QH JC AC 7C"
    clears = threats(sit(QUITO, cards[0], holding=cards[1]), "5S")
    falls = threats(sit(QUITO, cards[0], holding=cards[1], score=(38, 0)), "5S")
    assert clears.keys() == {"5", "7"} and falls.keys() == {"5"}


def test_a_capture_leaves_nothing_to_fall_on():
    match = sit(QUITO, "KH KDxKH 2H 7D", holding="7S QH JC AC")
    found = threats(match, "7Sx7D")
    assert found.keys() == {"2"} and found["2"].limpia and not found["2"].caida


def test_after_the_last_card_of_a_deck_nothing_threatens():
    match = late(QUITO, hands={3: "KS"}, table="5H")
    view = view_of(match, 3)
    assert not next_plays(view) and threats_after(view, (parse_card("KS"), 0)) == []


def test_after_a_play_that_wins_nothing_threatens():
    assert threats(sit(QUITO, "KH 5D", holding="5S QH JC AC 2C", score=(38, 0)), "5Sx5D") == {}
    assert threats(sit(QUITO, "KH 5D", holding="5S QH JC AC 2C", score=(34, 0)), "5Sx5D")


def test_who_called_a_ronda_of_the_rank_surely_holds_it():
    match = sit(QUITO, "2H", deals=[{1: "5D QH JC KC", 2: "5H 5C 5S 7D KD"}], holding="AS")
    fall = threats(match, "5D")["5"]
    assert fall.is_held and fall.unseen == 3
    view = view_of(match, match.to_play)
    assert chance_of(view, [fall]) == 1.0


def test_what_another_than_the_next_seat_called_is_no_threat():
    match = sit(QUITO, "2H", deals=[{1: "5D QH JC KC", 3: "5H 5C 5S 7D KD"}], holding="AS")
    assert [rank for rank, *_ in view_of(match, match.to_play).rondas] and "5" not in threats(match, "5D")


def test_how_likely_the_next_seat_can_do_it_is_counted_over_the_unseen_cards():
    match = sit(QUITO, "KH KDxKH 3S", holding="5S 5D QH JC AC")
    view = view_of(match, match.to_play)
    (fall,) = threats_after(view, parse_play("5S"))
    hidden, held = sum(unseen_of(view)), view.counts[(view.seat + 1) % 4]
    assert (hidden, held, fall.unseen) == (32, 4, 2)  # of 40, three were played and five are in the own hand
    assert chance_of(view, [fall]) == pytest.approx(1 - comb(hidden - 2, held) / comb(hidden, held))


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_what_is_told_is_what_the_next_seat_could_do_and_no_hidden_card_changes_it(ruleset):
    """The engine itself is asked: for every unseen card put into the next hand, what it would score."""
    rng, positions = random.Random(1534), 0
    for seed in range(3):
        for match, _ in random_games(ruleset, seed, decks=2, score=(0, 38 * (seed == 2))):
            if not match.legal() or rng.random() < 0.85:
                continue
            view = view_of(match, match.to_play)
            positions += 1
            other = view_of(hidden_permuted(match, match.to_play, rng), match.to_play)
            for play in match.legal():
                found = threats_after(view, play)
                assert threats_after(other, play) == found
                assert {t.rank: t.points for t in found} == gains_of(match, play, view)
    assert positions > 10


def gains_of(match, play, view):
    """The points each unseen rank would bring the next seat, by playing it; {} when nobody plays on in this deck."""
    after = copy_of(match)
    after.play(play)
    if after.is_over or after.deck_number != match.deck_number or after.awaits_deck:
        return {}
    gains, seen = {}, {card for card, _ in view.played} | set(view.hand)
    for who, rank, _ in view.rondas:  # what others called is not the next seat's to play
        if who not in (view.seat, after.to_play):
            seen |= {card for card in match.hands[who] if card >> 2 == rank}
    for rank in range(10):
        for card in range(4 * rank, 4 * rank + 4):
            if card in seen:
                continue
            copy = copy_of(after)
            copy.hands[copy.to_play] = [card]
            copy.set_table(copy.table, copy.last)
            points = max(_scores(copy))
            if points:
                gains[rank] = points
            break
    return gains


def _scores(match):
    for play in list(match.legal()):
        yield copy_of(match).play(play)[0].points
