"""A match as a short JSON text and back, so that a play costs the same early and late in a match.

The text holds every hidden card: it stays on the server.
"""

import json

from .cards import cards_in, format_cards, mask_of, parse_card, parse_cards
from .errors import Unreadable
from .match import Match
from .notation import format_play, parse_play
from .rulesets import get_ruleset

VERSION = 1


def dump_state(match):
    """The match as JSON text of some hundred bytes; it grows with the plays of the deck, never with the match."""
    return json.dumps(
        {
            "v": VERSION,
            "ruleset": match.rules.name,
            "dealer": match.dealer,
            "to_play": match.to_play,
            "ply": match.ply,
            "deck": match.deck_number,
            "deal": match.deal_number,
            "hands": [format_cards(hand) for hand in match.hands],
            "stock": format_cards(match.stock),
            "table": format_cards(cards_in(match.table)),
            "last": format_cards([match.last]) if match.last >= 0 else "",
            "taken": match.taken,
            "score": match.score,
            "chicas": match.chicas,
            "rondas": match.rondas,
            "played": " ".join([format_play(play) for play in match.played]),
            "awaits": match.awaits_deck,
            "winner": match.winner,
        },
        separators=(",", ":"),
    )


def load_state(text):
    """The match of a text that `dump_state` wrote; raises Unreadable for a text of another version."""
    state = json.loads(text)
    if state.get("v") != VERSION:
        raise Unreadable("the state was written by another version of the game")
    match = Match(get_ruleset(state["ruleset"]), state["dealer"], state["score"])
    match.to_play, match.ply = state["to_play"], state["ply"]
    match.deck_number, match.deal_number = state["deck"], state["deal"]
    match.hands = [parse_cards(hand) for hand in state["hands"]]
    match.stock = parse_cards(state["stock"])
    match.taken, match.chicas = state["taken"], tuple(state["chicas"])
    match.rondas = [tuple(ronda) for ronda in state["rondas"]]
    match.played = [parse_play(play) for play in state["played"].split()]
    match.awaits_deck, match.winner = state["awaits"], state["winner"]
    match.set_table(mask_of(parse_cards(state["table"])), parse_card(state["last"]) if state["last"] else -1)
    return match
