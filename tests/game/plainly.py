"""The rules of capturing once more, for the tests alone and as plainly as they are told, cards as text."""

from itertools import combinations

ORDER = "A234567JQK"
NUMBERS = "A234567"
ADDENDS = {
    "quito": (2,),
    "mano-a-mano": range(2, 40),
    "tradicional-2": range(2, 40),
    "tradicional-4": range(2, 40),
}
COMPULSORY = {"quito": True, "mano-a-mano": False, "tradicional-2": False, "tradicional-4": False}
SEATS = {"quito": 4, "mano-a-mano": 2, "tradicional-2": 2, "tradicional-4": 4}


def value(card):
    return NUMBERS.index(card[0]) + 1


def begins(ruleset, card, low):
    """Whether these cards are a match or a sum for the card played."""
    if len(low) == 1:
        return low[0][0] == card[0]
    return (
        len(low) in ADDENDS[ruleset]
        and all(other[0] in NUMBERS for other in (card, *low))
        and sum(map(value, low)) == value(card)
    )


def is_capture(ruleset, card, taken, table):
    """Whether a card may take exactly these cards of the table."""
    place = ORDER.index(card[0])
    low = [other for other in taken if ORDER.index(other[0]) <= place]
    high = sorted(ORDER.index(other[0]) for other in taken if ORDER.index(other[0]) > place)
    unbroken = high == list(range(place + 1, place + 1 + len(high)))
    goes_on = any(ORDER.index(other[0]) == place + 1 + len(high) for other in table)
    return begins(ruleset, card, low) and unbroken and not (COMPULSORY[ruleset] and goes_on)


def choices(ruleset, card, table):
    """All that a card may take, by trying every part of the table: frozensets, the empty one to lay it."""
    found = {
        frozenset(taken)
        for n in range(1, len(table) + 1)
        for taken in combinations(table, n)
        if is_capture(ruleset, card, taken, table)
    }
    return found if found and COMPULSORY[ruleset] else found | {frozenset()}


def count_sequences(ruleset, hands, seat, table, depth):
    """How many sequences of so many plays there are, within one deal."""
    if depth == 0:
        return 1
    total = 0
    for card in hands[seat]:
        rest = [*hands]
        rest[seat] = [other for other in hands[seat] if other != card]
        for taken in choices(ruleset, card, table):
            after = [other for other in table if other not in taken] if taken else [*table, card]
            total += count_sequences(ruleset, rest, (seat + 1) % SEATS[ruleset], after, depth - 1)
    return total
