"""What holds in every match, whatever is played."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cvarenta.game.cards import cards_in
from cvarenta.game.events import Carton, Chica, Deal, End, Played, Ronda, describe
from cvarenta.game.record import replay_lines, write_record
from cvarenta.game.rulesets import get_ruleset
from cvarenta.game.state import dump_state

from .tables import QUITO, RULE_SETS, copy_of, random_games

some = settings(max_examples=12, deadline=None, derandomize=True)
seeds = st.integers(0, 2**32 - 1)
rule_sets = pytest.mark.parametrize("ruleset", RULE_SETS)


def finished_deck(events):
    return any(isinstance(event, Carton | Chica | End) for event in events)


@rule_sets
@given(seed=seeds)
@some
def test_forty_cards_are_always_accounted_for(ruleset, seed):
    piles = [[], []]
    for match, (what, events) in random_games(ruleset, seed):
        if isinstance(what, list):
            piles, deck = [[], []], what
        for event in events:
            if isinstance(event, Played) and event.takes:
                piles[event.seat % 2] += [event.card, *cards_in(event.takes)]
        assert match.taken == [len(pile) for pile in piles]
        if match.awaits_deck:
            assert not any(match.hands) and not match.stock and not match.table
            continue
        held = [card for hand in match.hands for card in hand]
        everywhere = held + match.stock + cards_in(match.table) + piles[0] + piles[1]
        assert sorted(everywhere) == sorted(deck) == list(range(40))


@rule_sets
@given(seed=seeds)
@some
def test_scores_are_even_never_negative_and_the_sum_of_the_points_of_the_events(ruleset, seed):
    score = [0, 0]
    for match, (_, events) in random_games(ruleset, seed, decks=8):
        for event in events:
            if isinstance(event, Deal):
                continue
            if isinstance(event, Ronda | Played):
                score[event.seat % 2] += event.points
            elif isinstance(event, Carton):
                score = [score[0] + event.points[0], score[1] + event.points[1]]
            assert list(event.score) == score
            assert all(points >= 0 and points % 2 == 0 for points in score)
            if isinstance(event, Chica):
                score = [0, 0] if not isinstance(events[-1], End) else score
        assert list(match.score) == score


@rule_sets
@given(seed=seeds)
@some
def test_a_match_is_won_exactly_when_somebody_has_forty(ruleset, seed):
    mesa = get_ruleset(ruleset).is_mesa
    for match, (_, events) in random_games(ruleset, seed, decks=12):
        assert match.is_over == isinstance(events[-1], End)
        if not match.is_over:
            assert max(match.score) < 40 and max(match.chicas) < 2
        elif not mesa:
            assert match.score[match.winner] >= 40 > match.score[1 - match.winner]


@rule_sets
@given(seed=seeds)
@some
def test_a_stored_match_goes_on_as_the_one_in_memory(ruleset, seed):
    before = None
    for match, (what, events) in random_games(ruleset, seed, decks=3):
        if before is not None:
            again = before.begin_deck(what) if isinstance(what, list) else before.play(what)
            assert again == events
            assert dump_state(before) == dump_state(match)
        before = copy_of(match)
        assert dump_state(before) == dump_state(match)
        assert before.legal() == match.legal()


@rule_sets
@given(seed=seeds)
@some
def test_a_written_record_replays_to_the_same_events(ruleset, seed):
    decks, plays, lines = [], [], []
    match = None
    for match, (what, events) in random_games(ruleset, seed):  # noqa: B007
        (decks if isinstance(what, list) else plays).append(what)
        lines += map(describe, events)
    if not match.is_over:
        lines.append({"event": "open", "to_play": match.to_play, "score": list(match.score)})
    record = write_record(get_ruleset(ruleset), lines[0]["dealer"], (0, 0), decks, plays, seed="00")
    assert record["seed"] == "00"
    assert list(replay_lines(json.dumps(record))) == lines


@given(seed=seeds)
@some
def test_in_quito_no_table_holds_two_cards_of_a_rank(seed):
    for match, _ in random_games(QUITO, seed):
        ranks = [card // 4 for card in cards_in(match.table)]
        assert len(set(ranks)) == len(ranks)


@rule_sets
@given(seed=seeds)
@some
def test_there_is_always_a_legal_play_until_the_match_is_over(ruleset, seed):
    for match, _ in random_games(ruleset, seed):
        assert bool(match.legal()) == (not match.is_over and not match.awaits_deck)
        if not match.is_over and not match.awaits_deck:
            assert {card for card, _ in match.legal()} == set(match.hands[match.to_play])
