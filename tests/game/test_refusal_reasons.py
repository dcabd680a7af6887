"""A play that is refused breaks a rule that can be named, and a play that is allowed breaks none."""

import random

import pytest

from cvarenta.game.captures import captures, is_choice
from cvarenta.game.cards import DECK, RANKS, mask_of, parse_card, rank_of
from cvarenta.game.notation import parse_play
from cvarenta.game.refusal import Code, refusal_of
from cvarenta.game.rulesets import get_ruleset

from .tables import MANO, QUITO, RULE_SETS, cards


def reason(ruleset, table, play, hand=None):
    """The code and the rank, in letters, of a play at a table."""
    play = parse_play(play)
    held = [play[0]] if hand is None else cards(hand)
    found = refusal_of(get_ruleset(ruleset), held, mask_of(cards(table)), play)
    return found and (found.code.value, None if found.rank is None else RANKS[found.rank])


@pytest.mark.parametrize(
    ("table", "play", "code", "rank"),
    [
        ("5H 2D", "5Sx5D", "not-there", None),
        ("5H 2D", "5Sx5S", "not-there", None),
        ("5H 2D", "5S", "must-capture", None),
        ("2H 3D", "5S", "must-capture", None),
        ("5H 2D 3C", "5Sx5H2D3C", "match-and-sum", None),
        ("5H 2D 3C", "5Sx5H2D", "match-and-sum", None),
        ("AH 2D 3C", "6SxAH2D3C", "too-many", None),
        ("3H 2D", "6Sx3H2D", "wrong-sum", None),
        ("3H 2D", "6Sx3H", "wrong-sum", None),
        ("7H AD", "JSx7HAD", "figures", None),
        ("JH 7D", "JSxJH7D", "figures", None),
        ("JH 3D", "5Sx3DJH", "figures", None),
        ("6H 7D", "5Sx6H", "no-start", None),
        ("KH", "QSxKH", "no-start", None),
        ("5H 6D 7C JH KD", "5Sx5H6D7CJHKD", "gap", "Q"),
        ("5H 7D", "5Sx5H7D", "gap", "6"),
        ("5H 6D 7C", "5Sx5H", "incomplete", "6"),
        ("5H 6D 7C", "5Sx5H7C", "incomplete", "6"),
        ("2H 3D 6C 7C JH", "5Sx2H3D6C7C", "incomplete", "J"),
        ("5H 5D", "5Sx5H5D", "two-alike", "5"),
        ("5H 6D 6C", "5Sx5H6D6C", "two-alike", "6"),
    ],
)
def test_each_refusal_has_its_reason(table, play, code, rank):
    assert reason(QUITO, table, play) == (code, rank)


def test_a_card_that_is_not_held_is_the_first_thing_said():
    assert reason(QUITO, "5H", "5Sx5D", hand="KS QS") == ("not-held", None)


def test_where_captures_are_free_neither_laying_nor_stopping_is_refused():
    assert reason(MANO, "5H 6D", "5S") is None
    assert reason(MANO, "5H 6D 7C", "5Sx5H") is None
    assert reason(MANO, "AH 2D 3C", "6SxAH2D3C") is None
    assert reason(MANO, "5H 6D 7C", "5Sx5H7C") == ("incomplete", "6")


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_a_reason_is_given_exactly_where_the_engine_refuses(ruleset):
    """Every selection from random tables of up to six cards, equal cards among them."""
    rules, rng, seen = get_ruleset(ruleset), random.Random(ruleset), set()
    for _ in range(60):
        card, *table = rng.sample(DECK[: rng.choice((20, 32, 40))], rng.randint(2, 7))
        mask = mask_of(table)
        legal = captures(rules, rank_of(card), mask)
        for chosen in range(1 << len(table)):
            takes = mask_of(other for i, other in enumerate(table) if chosen >> i & 1)
            allowed = takes in legal if rules.capture_is_compulsory else is_choice(rules, rank_of(card), mask, takes)
            found = refusal_of(rules, [card], mask, (card, takes))
            assert (found is None) == allowed, (card, table, takes)
            seen.add(found and found.code)
    expected = set(Code) - {Code.NOT_HELD, Code.NOT_THERE}
    if not rules.capture_is_compulsory:
        expected -= {Code.MUST_CAPTURE, Code.TOO_MANY}  # seven addends: as many as there are number cards below 7
    assert seen == expected | {None}


def test_the_card_played_is_never_among_the_taken():
    assert refusal_of(get_ruleset(QUITO), [parse_card("5S")], 0, parse_play("5Sx5S")).code is Code.NOT_THERE
