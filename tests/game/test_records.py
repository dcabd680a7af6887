"""Records: what is read, what is refused, and where."""

import json

import pytest

from cvarenta.game.cards import DECK, format_cards
from cvarenta.game.errors import Unreadable
from cvarenta.game.record import read_record, record_from, replay_lines, write_record

from .tables import FOUR, MANO, QUITO, RULE_SETS, TWO, a_record, random_games

GOOD = a_record(QUITO, "5H 5Dx5H", holding="KC KS")
(DECK_TEXT,) = GOOD["decks"]
UNORDERED = format_cards(DECK)


def without(key):
    return {k: v for k, v in GOOD.items() if k != key}


def lines_of(record):
    return list(replay_lines(record if isinstance(record, str) else json.dumps(record)))


def the_error(record):
    """The one error line, which is the last; its ply and the number of lines before it."""
    lines = lines_of(record)
    assert [line["event"] for line in lines].count("error") == 1
    error = lines[-1]
    assert error.keys() == {"event", "ply", "reason"} and error["event"] == "error"
    assert isinstance(error["reason"], str) and error["reason"] and "\n" not in error["reason"]
    assert len(error["reason"]) < 200
    json.dumps(error)
    return error["ply"], len(lines) - 1


NO_RECORD = {
    "an empty file": "",
    "white space": " \n\t ",
    "no JSON": "quito",
    "half of the JSON": json.dumps(GOOD)[:-20],
    "two JSON objects": json.dumps(GOOD) * 2,
    "deep nesting of lists": "[" * 200_000,
    "deep nesting of objects": '{"a":' * 200_000,
    "deep nesting that is closed": "[" * 100_000 + "]" * 100_000,
    "deep nesting in an unknown key": json.dumps(GOOD)[:-1] + ',"x":' + "[" * 100_000 + "]" * 100_000 + "}",
    "an enormous number": '{"dealer":' + "9" * 10_000 + "}",
    "a lone surrogate": '{"format":"\\ud800"}',
    "null": "null",
    "true": "true",
    "a number": "40",
    "a string": '"cvarenta-record/1"',
    "a list": [GOOD],
    "an empty object": {},
    "no format": without("format"),
    "format of another version": GOOD | {"format": "cvarenta-record/2"},
    "format in capitals": GOOD | {"format": "CVARENTA-RECORD/1"},
    "format a list": GOOD | {"format": ["cvarenta-record/1"]},
    "no rule set": without("ruleset"),
    "an unknown rule set": GOOD | {"ruleset": "guayaquil"},
    "rule set in capitals": GOOD | {"ruleset": "Quito"},
    "rule set a list": GOOD | {"ruleset": ["quito"]},
    "rule set an object": GOOD | {"ruleset": {}},
    "rule set null": GOOD | {"ruleset": None},
    "no dealer": without("dealer"),
    **{
        f"dealer {json.dumps(dealer)}": GOOD | {"dealer": dealer}
        for dealer in (-1, 4, 10**30, 3.0, 0.5, True, False, None, "3", [3], {}, float("nan"), float("inf"))
    },
    "dealer 2 of two seats": a_record(MANO, "5H") | {"dealer": 2},
    **{
        f"score {json.dumps(score)}": GOOD | {"score": score}
        for score in (
            None, 0, "0-0", [], [0], [0, 0, 0], [0, -2], [-1, 0], [0, 40], [40, 0], [99, 0], [10**30, 0],
            [0.0, 0],
            [0, 2.5], [True, 0], [0, False], [None, 0], ["0", "0"], [[0], [0]], {"0": 0, "1": 0}, True,
        )
    },
    "no decks": without("decks"),
    "no plays": without("plays"),
    **{
        f"{key} {json.dumps(value)}": GOOD | {key: value}
        for key in ("decks", "plays")
        for value in (None, 0, True, "5H", DECK_TEXT, {}, {"0": "5H"}, [None], [0], [["5H"]], ["5H", 1.5])
    },
}  # fmt: skip


@pytest.mark.parametrize("name", NO_RECORD)
def test_what_is_no_record_is_one_error_and_nothing_else(name):
    assert the_error(NO_RECORD[name]) == (0, 0)


def test_a_line_of_fifty_megabytes_is_one_error():
    assert the_error("a" * 50_000_000) == (0, 0)
    assert the_error(json.dumps(GOOD | {"note": "a" * 50_000_000})) == (0, 0)


BAD_DECKS = {
    "39 cards": DECK_TEXT[:-2],
    "41 cards": DECK_TEXT + "AH",
    "a card twice": DECK_TEXT[:-2] + DECK_TEXT[:2],
    "a strange card": DECK_TEXT[:-2] + "8H",
    "a strange suit": DECK_TEXT[:-2] + "AX",
    "lower case": DECK_TEXT.lower(),
    "empty": "",
    "with spaces": " ".join([DECK_TEXT[i : i + 2] for i in range(0, 80, 2)]),
    "something else": "\ud800" * 80,
}


@pytest.mark.parametrize("name", BAD_DECKS)
def test_a_first_deck_that_is_not_the_forty_cards_is_an_error_at_once(name):
    assert the_error(GOOD | {"decks": [BAD_DECKS[name]]}) == (0, 0)


@pytest.mark.parametrize("name", BAD_DECKS)
def test_a_surplus_deck_that_is_not_the_forty_cards_is_an_error_in_the_end(name):
    ply, lines = the_error(GOOD | {"decks": [DECK_TEXT, BAD_DECKS[name]]})
    assert (ply, lines) == (2, 3)


def test_a_deck_missing_while_plays_remain_is_an_error():
    assert the_error(GOOD | {"decks": []}) == (0, 0)


def test_a_deck_missing_after_a_whole_deck_is_an_error():
    row = whole_deck()
    plays = len(row["plays"])
    assert plays == 40 and lines_of(row)[-1]["event"] == "open"
    ply, _ = the_error(row | {"plays": [*row["plays"], "5H"]})
    assert ply == 40


def whole_deck():
    """A record of one whole deck."""
    decks, plays, dealer = [], [], None
    for match, (what, _) in random_games(QUITO, 2, decks=1):
        dealer = match.dealer if not match.awaits_deck else dealer
        (decks if isinstance(what, list) else plays).append(what)
    return write_record(match.rules, dealer, (0, 0), decks, plays)


BAD_PLAYS = {
    "not in the hand": "5H",
    "of another seat": "QS",
    "a take that is not allowed": "KCx5H",
    "not a card": "8H",
    "lower case": "kc",
    "empty": "",
    "without the cards taken": "KCx",
    "half a card": "KCx5",
    "a card twice": "KCx5H5H",
    "with a space": " KC",
    "an enormous one": "KCx" + "5H" * 100_000,
    "a lone surrogate": "\ud800\ud800",
    "a card of another script": "КС",
}


@pytest.mark.parametrize("name", BAD_PLAYS)
def test_the_events_up_to_a_bad_play_are_shown_and_then_the_error(name):
    assert the_error(GOOD | {"plays": [*GOOD["plays"], BAD_PLAYS[name], "KC"]}) == (2, 3)


@pytest.mark.parametrize(("ruleset", "score"), [(QUITO, [0, 38]), (MANO, [0, 36]), (TWO, [0, 38]), (FOUR, [4, 38])])
def test_a_play_after_the_end_is_an_error_after_the_end(ruleset, score):
    record = a_record(ruleset, "5H 5Sx5H", score=score)
    assert [line["event"] for line in lines_of(record)][-1] == "end"
    plies, lines = the_error(record | {"plays": [*record["plays"], "KC"]})
    assert plies == 2 and lines == len(lines_of(record))


def test_a_good_surplus_deck_after_the_end_is_no_error():
    record = a_record(QUITO, "5H 5Sx5H", score=[0, 38])
    assert lines_of(record | {"decks": [*record["decks"], UNORDERED]}) == lines_of(record)


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_a_record_that_stops_early_ends_with_open(ruleset):
    lines = lines_of(a_record(ruleset, "5H KD", score=[8, 6]))
    assert [line["event"] for line in lines] == ["deal", "play", "play", "open"]
    assert lines[-1] == {"event": "open", "to_play": 2 if ruleset in (QUITO, FOUR) else 0, "score": [8, 6]}


def test_a_record_without_decks_and_plays_is_open_before_the_first_deal():
    assert lines_of(GOOD | {"decks": [], "plays": []}) == [{"event": "open", "to_play": 0, "score": [0, 0]}]


def test_the_lines_have_the_fields_that_are_written_down():
    nothing = {"takes": [], "caida": False, "limpia": False, "points": 0, "score": [4, 0]}
    clean = {"takes": ["2D", "3H"], "caida": False, "limpia": True, "points": 2, "score": [6, 0]}
    assert lines_of(a_record(QUITO, "3H 2D 5Sx3H2D", score=[4, 0])) == [
        {"event": "deal", "deck": 0, "deal": 0, "dealer": 3},
        {"event": "play", "ply": 0, "seat": 0, "card": "3H", **nothing},
        {"event": "play", "ply": 1, "seat": 1, "card": "2D", **nothing},
        {"event": "play", "ply": 2, "seat": 2, "card": "5S", **clean},
        {"event": "open", "to_play": 3, "score": [6, 0]},
    ]


def test_the_score_is_nil_to_nil_where_it_is_left_out():
    assert lines_of(without("score")) == lines_of(GOOD | {"score": [0, 0]})


@pytest.mark.parametrize("score", [[0, 0], [38, 36], [39, 39]])
def test_a_study_may_begin_at_any_score_below_forty(score):
    assert lines_of(GOOD | {"score": score, "plays": ["5H"]})[-1] == {
        "event": "open",
        "to_play": 1,
        "score": score,
    }


def test_unknown_keys_are_ignored():
    more = {
        "seed": 5,
        "commitment": None,
        "started_at": "2026-11-30",
        "think": [1.5, True],
        "Dealer": 9,
        "": {"x": []},
    }
    assert lines_of(more | GOOD) == lines_of(GOOD)
    assert record_from(more | GOOD) == record_from(GOOD)


def test_a_record_is_read_from_text_and_from_its_object_alike():
    assert read_record(json.dumps(GOOD)) == record_from(GOOD)
    with pytest.raises(Unreadable):
        read_record("")
    with pytest.raises(Unreadable):
        record_from(None)
