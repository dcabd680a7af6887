"""What a seat sees, and that it sees nothing else."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cvarenta.game.cards import cards_in, format_cards, mask_of
from cvarenta.game.events import Played
from cvarenta.game.view import view_of, worth_of

from .tables import QUITO, RULE_SETS, copy_of, hidden_permuted, random_games, sit

rule_sets = pytest.mark.parametrize("ruleset", RULE_SETS)


@rule_sets
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=8, deadline=None, derandomize=True)
def test_hidden_cards_dealt_otherwise_leave_the_view_as_it_was(ruleset, seed):
    rng = random.Random(seed)
    changed = 0
    for match, _ in random_games(ruleset, seed, decks=2):
        if match.is_over:
            continue
        for seat in range(match.rules.seats):
            other = hidden_permuted(match, seat, rng)
            changed += other.hands != match.hands
            assert view_of(other, seat) == view_of(match, seat)
    assert changed > 20


@rule_sets
def test_a_view_names_no_card_that_was_not_seen(ruleset):
    """Own hand, own plays and what was laid or taken before everybody's eyes: nothing else."""
    for match, _ in random_games(ruleset, 8, decks=2):
        for seat in range(match.rules.seats):
            view = view_of(match, seat)
            known = set(match.hands[seat]) | {card for play in match.played for card in (play[0], *cards_in(play[1]))}
            named = {*view.hand, *view.table, *([view.last] if view.last >= 0 else [])}
            for card, takes in (*view.played, *view.legal):
                named |= {card, *cards_in(takes)}
            assert named <= known


@rule_sets
def test_it_shows_the_table_as_it_is(ruleset):
    for match, _ in random_games(ruleset, 9, decks=2):
        view = view_of(match, 0)
        assert mask_of(view.table) == match.table and len(view.table) == match.table.bit_count()
        assert view.counts == tuple(map(len, match.hands)) and view.stock == len(match.stock)
        assert view.taken == tuple(match.taken) and view.score == match.score and view.rondas == tuple(match.rondas)


def test_the_table_is_in_the_order_in_which_it_was_laid():
    match = sit(QUITO, "KH 3D JC AS")
    assert format_cards(view_of(match, 0).table) == "KH3DJCAS"
    match = sit(QUITO, "KH 3D JC JSxJC AS")
    assert format_cards(view_of(match, 2).table) == "KH3DAS"


@rule_sets
def test_only_the_seat_to_play_has_legal_plays(ruleset):
    match = sit(ruleset, "KH")
    assert list(view_of(match, 1).legal) == match.legal()
    assert list(view_of(match, 0).legal) == []


@rule_sets
def test_every_play_was_made_by_the_seat_its_place_says(ruleset):
    seats = []
    for match, (what, events) in random_games(ruleset, 4, decks=1):
        seats = [] if isinstance(what, list) else seats + [e.seat for e in events if isinstance(e, Played)]
        if not match.awaits_deck:
            view = view_of(match, 0)
            assert len(view.played) == len(seats)
            assert seats == [(view.dealer + 1 + i) % match.rules.seats for i in range(len(seats))]


@rule_sets
def test_a_view_does_not_change_when_the_match_goes_on(ruleset):
    match = sit(ruleset, "KH", holding="5S")
    view = view_of(match, 0)
    before = repr(view)
    while not match.awaits_deck and not match.is_over:
        match.play(match.legal()[-1])
    assert repr(view) == before


@rule_sets
def test_the_worth_of_a_play_is_what_playing_it_does(ruleset):
    compared = 0
    for score in ((0, 0), (36, 36), (38, 38)):
        for match, _ in random_games(ruleset, 6, decks=1, score=score):
            view = view_of(match, match.to_play)
            for play in view.legal:
                worth = worth_of(view, play)
                played = copy_of(match).play(play)[0]
                takes = played.takes.bit_count()
                assert worth == (played.points, takes + 1 if takes else 0, played.caida, played.limpia)
                compared += worth.points > 0
    assert compared
