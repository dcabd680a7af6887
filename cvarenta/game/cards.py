"""The forty cards: numbers for the engine, two characters for people, masks for sets of cards.

A card is an int 0..39, ``rank * 4 + suit``, so that ascending numbers are the order in which records list cards.
A set of cards is an int mask with bit ``card`` set. Ranks are 0 (ace) to 9 (king); a number card's value is rank + 1.
"""

from .errors import Unreadable

RANKS = "A234567JQK"
SUITS = "HDCS"
NUMBER_RANKS = 7  #: ranks 0..6 have a value and can be summed; J, Q and K have none
DECK = tuple(range(40))
NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
RANK_BITS = tuple(1 << (card & ~3) for card in range(40))  #: one in the four-bit counter of the card's rank
ONE_OF_EACH = 0x1111111111  #: one in every counter; as a mask of cards the first suit of every rank
_CARDS = {name: card for card, name in enumerate(NAMES)}


def rank_of(card):
    """The rank of a card, 0 (ace) to 9 (king)."""
    return card >> 2


def parse_card(text):
    """The card named by two characters; raises Unreadable.

    >>> parse_card("5D")
    17
    """
    try:
        return _CARDS[text]
    except (KeyError, TypeError):
        raise Unreadable(f"{quote(text)} is not a card") from None


def format_card(card):
    """The two characters of a card.

    >>> format_card(17)
    '5D'
    """
    return NAMES[card]


def parse_cards(text):
    """The list of cards named one after the other in a string; raises Unreadable.

    >>> parse_cards("AH2D")
    [0, 5]
    """
    return [parse_card(text[i : i + 2]) for i in range(0, len(text), 2)]


def format_cards(cards):
    """The names of some cards in one string, in the order given.

    >>> format_cards([0, 5])
    'AH2D'
    """
    return "".join([NAMES[card] for card in cards])


def parse_deck(text):
    """The list of forty cards of a deck, first dealt first; raises Unreadable unless each card is there once."""
    if not isinstance(text, str) or len(text) != 80:
        raise Unreadable("a deck is a string of 40 cards")
    deck = parse_cards(text)
    if len(set(deck)) != 40:
        raise Unreadable("a deck holds each of the 40 cards once")
    return deck


def mask_of(cards):
    """The mask of some cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(mask):
    """The cards of a mask as a list, sorted by rank, then by suit in the order H D C S.

    >>> cards_in(0b100001)
    [0, 5]
    """
    cards = []
    while mask:
        low = mask & -mask
        cards.append(low.bit_length() - 1)
        mask ^= low
    return cards


def quote(text, most=40):
    """What was read, quoted for a message, cut short; what cannot be printed (or would move a terminal) is escaped."""
    text = str(text)
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[:most])
    return f"«{shown}…»" if len(text) > most else f"«{shown}»"
