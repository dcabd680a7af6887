"""What a card may take from a table: by matching or by sum, then up the escalera.

A table is a mask of cards. `captures` looks at the cards one by one and works for every table. Tables that hold no
two cards of one rank (all tables of a game in which capturing is compulsory) depend on ranks only: for them `Options`
keeps the answers.
"""

from functools import cache

from .cards import NUMBER_RANKS, ONE_OF_EACH, cards_in, rank_of

MOST_WAYS = 64  #: ways up an escalera that differ only in the suits of equal cards, before they are no longer listed
MOST_TAKEN = 12  #: no capture takes more: four aces, a 2 and a ladder, or one card of each rank
NOTHING = (0,)  #: the only choice of a card that takes nothing: to be laid


def count_ranks(mask):
    """How many cards of each rank a mask holds: a number with a four-bit counter a rank."""
    mask -= mask >> 1 & 5 * ONE_OF_EACH
    return (mask & 3 * ONE_OF_EACH) + (mask >> 2 & 3 * ONE_OF_EACH)


def captures(rules, rank, table):
    """The choices of a card of this rank at a table: a tuple of masks of taken cards, 0 for laying the card."""
    by_rank = [[] for _ in range(11)]  # one rank more than there are, always empty, ends every escalera
    for card in cards_in(table):
        by_rank[rank_of(card)].append(1 << card)
    starts = by_rank[rank] + _sums(rules, rank, by_rank)
    if not starts:
        return NOTHING
    return (*(() if rules.capture_is_compulsory else NOTHING),
            *(start | steps for start in starts for steps in _escaleras(rules, rank + 1, by_rank)))  # fmt: skip


def _sums(rules, rank, by_rank):
    """The masks of two or more number cards that add up to the value of this rank."""
    if rank >= NUMBER_RANKS:
        return []
    found = []
    cards = [(value + 1, bit) for value in range(rank) for bit in by_rank[value]]

    def add(start, missing, left, mask):
        for i in range(start, len(cards)):
            value, bit = cards[i]
            if value == missing:
                if mask:
                    found.append(mask | bit)
            elif value < missing and left > 1:
                add(i + 1, missing - value, left - 1, mask | bit)

    add(0, rank + 1, rules.addends, 0)
    return found


def _escaleras(rules, rank, by_rank):
    """The masks of the ways up from this rank, one card a step; where it may be cut, every part from its start.

    Equal cards at a step make as many ways, which multiply. Beyond MOST_WAYS the further steps list the first of their
    equal cards only: the other ways, no better in any rule, are still allowed (see `is_choice`).
    """
    ways, level = [], [0]
    while steps := by_rank[rank]:
        if not rules.capture_is_compulsory:
            ways += level
        if len(level) * len(steps) > MOST_WAYS:
            steps = steps[:1]
        level = [way | bit for way in level for bit in steps]
        rank += 1
    return ways + level


def is_choice(rules, rank, table, takes):
    """Whether `takes`, 0 for laying, is a choice of a card of this rank at a table where capturing is optional.

    There, whether cards may be taken together does not depend on what else lies on the table.
    """
    if not takes:
        return True
    return takes & table == takes and takes.bit_count() <= MOST_TAKEN and takes in captures(rules, rank, takes)


class Options:
    """For one rule set, what each card may take: as `captures`, but None for a card that can only be laid.

    `rows` is for the tables that hold no two cards of one rank: counted ranks of the table -> the choices of each of
    the forty cards, as masks with all four cards of the ranks taken. At most 1,024 rows, filled as tables turn up.
    """

    def __init__(self, rules):
        self.rules, self.rows = rules, {}

    def row(self, counts, table, hand):
        """The choices of the cards of a hand, for a table whose row is not there yet."""
        if counts & ONE_OF_EACH != counts:  # two cards of one rank: suits matter, the answer is for this table only
            return {card: captures(self.rules, card >> 2, table) for card in hand}
        self.rows[counts] = row = []
        for rank in range(10):
            choices = captures(self.rules, rank, counts)  # the counts are a mask, the first suit of every rank
            row += [None if choices is NOTHING else tuple([takes * 0b1111 for takes in choices])] * 4
        return row


options_for = cache(Options)  #: the Options of a rule set, shared by its matches
