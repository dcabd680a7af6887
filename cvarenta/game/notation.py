"""Plays as text: the card, and when it captures an ``x`` and the cards taken.

A play is a pair ``(card, takes)``: a card and the mask of the cards it takes, 0 when it is laid.
"""

from .cards import NAMES, cards_in, format_cards, mask_of, parse_card, parse_cards, quote
from .errors import Unreadable


def parse_play(text):
    """The play written in record notation, taken cards in any order; raises Unreadable.

    >>> parse_play("5Sx3D2H") == (parse_card("5S"), mask_of(parse_cards("2H3D")))
    True
    """
    if not isinstance(text, str) or len(text) > 100:
        raise Unreadable("a play is a short string such as 5H or 5Sx5D")
    card, x, taken = text[:2], text[2:3], text[3:]
    try:
        cards = parse_cards(taken)
        if x not in ("", "x") or bool(x) != bool(cards) or len(set(cards)) != len(cards):
            raise Unreadable("")
        return parse_card(card), mask_of(cards)
    except Unreadable:
        raise Unreadable(f"{quote(text)} is not a play such as 5H or 5Sx5D") from None


def format_play(play):
    """The play in record notation, taken cards sorted.

    >>> format_play(parse_play("5Sx3D2H"))
    '5Sx2H3D'
    """
    card, takes = play
    return f"{NAMES[card]}x{format_cards(cards_in(takes))}" if takes else NAMES[card]
