"""Why a play is not allowed: the rule that it breaks, as a stable code, with the rank that is missing or in the way."""

from enum import StrEnum
from typing import NamedTuple

from .captures import NOTHING, captures
from .cards import NUMBER_RANKS, cards_in, rank_of


class Code(StrEnum):
    """What is wrong with a play."""

    NOT_HELD = "not-held"  #: the card is not in the hand
    NOT_THERE = "not-there"  #: a taken card is not on the table
    MUST_CAPTURE = "must-capture"  #: laid, though it can capture and the table makes it
    TWO_ALIKE = "two-alike"  #: two cards of one rank, where one goes
    FIGURES = "figures"  #: a figure sums, or is summed
    MATCH_AND_SUM = "match-and-sum"  #: the equal card and lower ones in one play
    WRONG_SUM = "wrong-sum"  #: the lower cards do not add up to the card
    TOO_MANY = "too-many"  #: the sum is right and has more cards than the table allows
    NO_START = "no-start"  #: higher cards only: an escalera that begins with no capture
    GAP = "gap"  #: a step of the escalera is not on the table
    INCOMPLETE = "incomplete"  #: a step of the escalera was left on the table


class Refusal(NamedTuple):
    """The rule a play breaks; `rank` is the missing step's (GAP, INCOMPLETE) or the doubled one's (TWO_ALIKE), else
    None."""

    code: Code
    rank: int | None = None


def refusal_of(rules, hand, table, play):
    """Why the rules refuse this play (card, mask of taken cards) of a hand at a table (a mask), or None if they do not.

    Of several faults the one is told that a player meets first: what is held and there, the start, the steps.
    """
    card, takes = play
    if card not in hand:
        return Refusal(Code.NOT_HELD)
    if takes & ~table:
        return Refusal(Code.NOT_THERE)
    if not takes:
        can_capture = captures(rules, rank_of(card), table) != NOTHING
        return Refusal(Code.MUST_CAPTURE) if rules.capture_is_compulsory and can_capture else None
    taken = [rank_of(other) for other in cards_in(takes)]
    return _start_refused(rules, rank_of(card), taken) or _steps_refused(rules, rank_of(card), taken, table)


def _start_refused(rules, rank, taken):
    """What is wrong with how the capture begins: one equal card, or number cards that add up."""
    equal, lower = taken.count(rank), [other for other in taken if other < rank]
    if lower and rank >= NUMBER_RANKS:
        return Refusal(Code.FIGURES)
    if lower and equal:
        return Refusal(Code.MATCH_AND_SUM)
    if equal:
        return Refusal(Code.TWO_ALIKE, rank) if equal > 1 else None
    if not lower:
        return Refusal(Code.NO_START)
    if sum(lower) + len(lower) != rank + 1:  # a rank is one less than its value
        return Refusal(Code.FIGURES if taken[-1] >= NUMBER_RANKS else Code.WRONG_SUM)
    return Refusal(Code.TOO_MANY) if len(lower) > rules.addends else None


def _steps_refused(rules, rank, taken, table):
    """What is wrong with the escalera above a rank: each step once, none left out, all of it where it must be."""
    steps = [other for other in taken if other > rank]
    for step, above in enumerate(steps, start=rank + 1):
        if above < step:
            return Refusal(Code.TWO_ALIKE, above)
        if above > step:
            return Refusal(Code.INCOMPLETE if _holds(table, step) else Code.GAP, step)
    following = rank + len(steps) + 1
    if rules.capture_is_compulsory and _holds(table, following):
        return Refusal(Code.INCOMPLETE, following)
    return None


def _holds(table, rank):
    """Whether a card of this rank lies on a table, a mask."""
    return bool(table >> 4 * rank & 0b1111)
