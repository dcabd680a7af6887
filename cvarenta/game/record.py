"""Records of matches, cvarenta-record/1: read them, write them, replay them."""

import json
from typing import NamedTuple

from .cards import format_cards, parse_deck
from .errors import GameError, Unreadable
from .events import describe
from .match import Match
from .notation import format_play, parse_play
from .rulesets import GOAL, RuleSet, get_ruleset

FORMAT = "cvarenta-record/1"
MOST_CHARACTERS = 4_000_000  #: a record of ten thousand decks is shorter


class Record(NamedTuple):
    """A match by what it was dealt and what was played; decks and plays still as text, to be checked as they come."""

    rules: RuleSet
    dealer: int
    score: tuple[int, int]
    decks: list[str]
    plays: list[str]

    def new_match(self):
        """The match before its first deck."""
        return Match(self.rules, self.dealer, self.score)


def read_record(text):
    """The record of a JSON text; raises Unreadable when a key is missing or of the wrong type."""
    return record_from(read_json(text))


def read_json(text):
    """The JSON value of a text that may be a record's; raises Unreadable."""
    if len(text) > MOST_CHARACTERS:
        raise Unreadable("the file is too long for a record")
    try:
        return json.loads(text)
    except RecursionError:
        raise Unreadable("the file is nested too deeply for a record") from None
    except ValueError:
        raise Unreadable("the file is not JSON") from None


def record_from(data):
    """The record of a JSON object; raises Unreadable when a key is missing or of the wrong type."""
    if not isinstance(data, dict):
        raise Unreadable("a record is a JSON object")
    if data.get("format") != FORMAT:
        raise Unreadable(f"the format is not {FORMAT}")
    rules = get_ruleset(data.get("ruleset"))
    dealer = data.get("dealer")
    if not _is_int(dealer, rules.seats):
        raise Unreadable(f"the dealer is not a seat, 0 to {rules.seats - 1}")
    score = data.get("score", [0, 0])
    if not isinstance(score, list) or len(score) != 2 or not all(_is_int(points, GOAL) for points in score):
        raise Unreadable(f"the score is not two numbers below {GOAL}")
    for key in ("decks", "plays"):
        if not isinstance(data.get(key), list) or not all(isinstance(part, str) for part in data[key]):
            raise Unreadable(f"{key} is not a list of strings")
    return Record(rules, dealer, tuple(score), data["decks"], data["plays"])


def _is_int(value, limit):
    return type(value) is int and 0 <= value < limit


def write_record(rules, dealer, score, decks, plays, **more):
    """The JSON object of a record: decks as lists of cards, plays as pairs; `more` are keys outside the rules."""
    return {
        "format": FORMAT,
        "ruleset": rules.name,
        "dealer": dealer,
        "score": list(score),
        "decks": [format_cards(deck) for deck in decks],
        "plays": [format_play(play) for play in plays],
        **more,
    }


def tell(match, deck_of, plays):
    """Go through a fresh match: yields the events of each deck begun and of each play, a list, while the match stands
    where they leave it. `deck_of(n)` gives deck n, `plays` are pairs (card, takes). Raises GameError where one breaks a
    rule; the match then stands as it was before."""
    plays = iter(plays)
    while not match.is_over:
        if match.awaits_deck:
            yield match.begin_deck(deck_of(match.deck_number + 1))
        elif (play := next(plays, None)) is not None:
            yield match.play(play)
        else:
            return


def replay(record, match):
    """Play a record on the fresh match of `Record.new_match` and yield its events one by one.

    Raises GameError where the record breaks a rule; the match then stands as it was before.
    """
    decks = iter(record.decks)
    yield from _deal(match, decks)
    for text in record.plays:
        yield from match.play(parse_play(text))
        yield from _deal(match, decks)
    for deck in decks:
        parse_deck(deck)


def _deal(match, decks):
    """The events of the next decks, while one is awaited and there is one."""
    while match.awaits_deck and not match.is_over:
        deck = next(decks, None)
        if deck is None:
            return
        yield from match.begin_deck(parse_deck(deck))


def replay_lines(text):
    """Yield what `manage.py replay` prints of a file's text, as dicts; the last is an end, an open or an error."""
    match = None
    try:
        record = read_record(text)
        match = record.new_match()
        yield from map(describe, replay(record, match))
    except GameError as error:
        yield {"event": "error", "ply": match.ply if match else 0, "reason": str(error)}
    else:
        if not match.is_over:
            yield {"event": "open", "to_play": match.to_play, "score": list(match.score)}
