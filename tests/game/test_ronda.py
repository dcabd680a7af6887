"""Ronda: three or four equal cards among the five dealt."""

import pytest

from cvarenta.game.cards import RANKS
from cvarenta.game.events import Chica, Deal, End, Ronda
from cvarenta.game.match import Match
from cvarenta.game.rulesets import get_ruleset
from cvarenta.game.scoring import ronda_in

from .tables import FOUR, MANO, MESAS, QUITO, RULE_SETS, TWO, arranged_deck, cards, do, kinds, late, only

VALUE = {QUITO: 2, MANO: 4, TWO: 2, FOUR: 2}


def deal(ruleset, hands, score=(0, 0), dealer=None):
    """A match just dealt, and the rondas called."""
    rules = get_ruleset(ruleset)
    dealer = rules.seats - 1 if dealer is None else dealer
    match = Match(rules, dealer, score)
    events = match.begin_deck(arranged_deck(ruleset, dealer, [hands]))
    assert kinds(events)[0] is Deal
    return match, [event for event in events if isinstance(event, Ronda)]


@pytest.mark.parametrize("rank", RANKS)
def test_every_rank_can_be_a_ronda_of_three_or_four(rank):
    other = "AH2H" if rank not in "A2" else "KHQH"
    place = RANKS.index(rank)
    assert ronda_in(cards(f"{rank}H {other} {rank}D {rank}S")) == (place, 3)
    assert ronda_in(cards(f"{rank}H {other[:2]} {rank}D {rank}S {rank}C")) == (place, 4)


@pytest.mark.parametrize("hand", ["AH AD 2H 2D 3H", "AH 2H 3H 4H 5H", "KH KD QH QD JH"])
def test_two_pairs_are_none(hand):
    assert ronda_in(cards(hand)) is None


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_three_equal_cards_pay(ruleset):
    match, [ronda] = deal(ruleset, {0: "7H 7D 7C"})
    assert ronda == Ronda(0, RANKS.index("7"), 3, VALUE[ruleset], (VALUE[ruleset], 0))
    assert match.score == ronda.score and match.rondas == [(0, 6, 3)]


@pytest.mark.parametrize("ruleset", [QUITO, MANO])
def test_four_equal_cards_are_one_ronda(ruleset):
    match, [ronda] = deal(ruleset, {1: "7H 7D 7C 7S"})
    assert (ronda.count, ronda.points, ronda.score) == (4, VALUE[ruleset], (0, VALUE[ruleset]))
    assert not match.is_over


@pytest.mark.parametrize("ruleset", MESAS)
@pytest.mark.parametrize("score", [(0, 0), (38, 2)])
def test_a_doble_ronda_wins_the_whole_mesa_at_once(ruleset, score):
    match, [ronda] = deal(ruleset, {1: "7H 7D 7C 7S"}, score)
    assert (ronda.count, ronda.points, ronda.score) == (4, 0, score)
    assert match.is_over and match.winner == 1 and match.legal() == []


@pytest.mark.parametrize("ruleset", MESAS)
def test_after_a_doble_ronda_no_other_is_called(ruleset):
    rules = get_ruleset(ruleset)
    deck = arranged_deck(ruleset, rules.seats - 1, [{0: "7H 7D 7C 7S", 1: "KH KD KC"}])
    events = Match(rules, rules.seats - 1).begin_deck(deck)
    assert kinds(events) == [Deal, Ronda, End]


def test_in_quito_both_partners_are_paid_at_28():
    _, rondas = deal(QUITO, {0: "7H 7D 7C", 2: "KH KD KC"}, (28, 0))
    assert [(r.seat, r.points, r.score) for r in rondas] == [(0, 2, (30, 0)), (2, 2, (32, 0))]


def test_in_quito_only_the_first_partner_is_paid_at_30():
    _, rondas = deal(QUITO, {0: "7H 7D 7C", 2: "KH KD KC"}, (30, 0))
    assert [(r.seat, r.points, r.score) for r in rondas] == [(0, 2, (32, 0)), (2, 0, (32, 0))]


@pytest.mark.parametrize("points", [31, 32, 34, 36, 38])
def test_in_quito_a_ronda_over_30_is_sung_and_adds_nothing(points):
    match, rondas = deal(QUITO, {0: "7H 7D 7C", 2: "KH KD KC"}, (points, 0))
    assert [(r.seat, r.points, r.score) for r in rondas] == [(0, 0, (points, 0)), (2, 0, (points, 0))]
    assert match.rondas == [(0, 6, 3), (2, 9, 3)]


def test_in_quito_the_limit_looks_at_the_own_team_only():
    _, rondas = deal(QUITO, {0: "7H 7D 7C", 1: "KH KD KC"}, (32, 30))
    assert [r.points for r in rondas] == [0, 2]


@pytest.mark.parametrize("ruleset", [QUITO, FOUR])
@pytest.mark.parametrize("dealer", range(4))
def test_rondas_are_looked_at_in_turn_order_from_the_seat_after_the_dealer(ruleset, dealer):
    _, rondas = deal(ruleset, {0: "7H 7D 7C", 1: "KH KD KC", 3: "AH AD AC"}, dealer=dealer)
    turn_order = [(dealer + i) % 4 for i in range(1, 5)]
    assert [r.seat for r in rondas] == [seat for seat in turn_order if seat != 2]


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_the_second_deal_of_a_deck_has_rondas_too(ruleset):
    seats = get_ruleset(ruleset).seats
    deck = arranged_deck(ruleset, seats - 1, [{seats - 1: "5H"}, {0: "7H 7D 7C"}])
    stock = "".join("A234567JQK"[c >> 2] + "HDCS"[c & 3] for c in deck[5 * seats :])
    match = late(ruleset, hands={seats - 1: "5H"}, stock=stock)
    ronda = only(Ronda, do(match, "5H"))
    assert (ronda.seat, ronda.points) == (0, VALUE[ruleset])


@pytest.mark.parametrize(("points", "added"), [(30, 4), (34, 4), (36, 2), (37, 1), (38, 0), (39, 0)])
def test_in_mano_a_mano_a_ronda_stops_at_38(points, added):
    match, [ronda] = deal(MANO, {0: "7H 7D 7C"}, (points, 0))
    assert (ronda.points, ronda.score) == (added, (points + added, 0))
    assert not match.is_over


@pytest.mark.parametrize("ruleset", MESAS)
@pytest.mark.parametrize("points", [28, 30, 32, 36])
def test_in_a_mesa_a_ronda_pays_at_every_score(ruleset, points):
    _, [ronda] = deal(ruleset, {0: "7H 7D 7C"}, (points, 0))
    assert ronda.points == 2


@pytest.mark.parametrize("ruleset", MESAS)
def test_in_a_mesa_a_chica_is_won_on_a_ronda_and_nothing_after_it_counts(ruleset):
    rules = get_ruleset(ruleset)
    deck = arranged_deck(ruleset, rules.seats - 1, [{0: "7H 7D 7C", 1: "KH KD KC"}])
    match = Match(rules, rules.seats - 1, (38, 20))
    events = match.begin_deck(deck)
    assert kinds(events) == [Deal, Ronda, Chica]
    assert events[-1] == Chica(0, (40, 20), (1, 0), False)
    assert match.awaits_deck and match.legal() == [] and match.score == (0, 0)
