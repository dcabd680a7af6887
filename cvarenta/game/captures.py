"""What a card may take from a table: by matching or by sum, then up the escalera.

A table is a mask of cards. `captures` looks at the cards one by one and works for every table. Tables that hold no
two cards of one rank (all tables of a game in which capturing is compulsory) depend on ranks only: for them `Options`
keeps the answers.
"""

from functools import cache

from .cards import NUMBER_RANKS, cards_in, rank_of

ONE_OF_EACH = 0x1111111111  #: a mask with the first suit of every rank: how a set of ranks is written
NOTHING = (0,)  #: the only choice of a card that takes nothing: to be laid


def ranks_in(mask):
    """The set of ranks in a mask of cards, as a mask of cards of the first suit."""
    mask |= mask >> 1
    mask |= mask >> 2
    return mask & ONE_OF_EACH


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
    """The masks of the ways up from this rank, one card a step; where it may be cut, every part from its start."""
    ways, level = [], [0]
    while by_rank[rank]:
        if not rules.capture_is_compulsory:
            ways += level
        level = [way | bit for way in level for bit in by_rank[rank]]
        rank += 1
    return ways + level


class Options(dict):
    """For one rule set: set of ranks on the table -> the choices of each of the forty cards, filled as tables turn up.

    A choice is a mask with all four cards of the ranks it takes, 0 where the card is laid. At most 1,024 rows.
    """

    def __init__(self, rules):
        self.rules = rules

    def __missing__(self, ranks):
        row = []
        for rank in range(10):
            row += [tuple([takes * 0b1111 for takes in captures(self.rules, rank, ranks)])] * 4
        self[ranks] = row
        return row


options_for = cache(Options)  #: the Options of a rule set, shared by its matches
