"""What the next seat might do to the table that a play leaves, by what the player's own seat can see."""

from typing import NamedTuple

from .captures import captures
from .cards import cards_in, mask_of
from .rulesets import GOAL, HAND
from .scoring import play_points
from .view import View, worth_of

RANKS = 10


class Threat(NamedTuple):
    """A rank with which the next seat would score: `unseen` of its cards may be in its hand, `points` are what it would
    add now. `addends` are the cards whose sum begins the capture, empty when it begins by matching; `is_ladder` says
    that it goes on up the escalera; `is_held` that the next seat called a ronda of it and still has one at least."""

    rank: int
    unseen: int
    caida: bool
    limpia: bool
    points: int
    addends: tuple[int, ...]
    is_ladder: bool
    is_held: bool


def unseen_of(view: View) -> list[int]:
    """How many cards of each rank the seat has not seen in this deck: neither played nor in its own hand."""
    unseen = [4] * RANKS
    for card, _ in view.played:
        unseen[card >> 2] -= 1
    for card in view.hand:
        unseen[card >> 2] -= 1
    return unseen


def next_plays(view: View) -> bool:
    """Whether somebody plays on in this deck after the view's seat."""
    return bool(view.counts[(view.seat + 1) % view.rules.seats] or view.stock)


def is_winning(view: View, play: tuple[int, int]) -> bool:
    """Whether a legal play reaches forty, the match's end or the chica's."""
    return view.score[view.seat % 2] + worth_of(view, play).points >= GOAL


def threats_after(view: View, play: tuple[int, int]) -> list[Threat]:
    """The ranks that may score against a legal play (card, takes) of the view's seat, the gravest first; empty when
    none can, or nobody plays on in this deck."""
    if not next_plays(view) or is_winning(view, play):
        return []
    card, takes = play
    table = mask_of(view.table)
    table = table ^ takes if takes else table | 1 << card
    rival = (view.seat + 1) % view.rules.seats
    unseen, threats = unseen_of(view), []
    for who, rank, count in view.rondas:
        if who not in (view.seat, rival):
            unseen[rank] -= _held(view, who, rank, count)
    for rank in range(RANKS):
        if not unseen[rank]:
            continue
        caida = not takes and rank == card >> 2
        limpia = bool(table) and table in captures(view.rules, rank, table)
        points = play_points(view.rules, view.score[rival % 2], caida, limpia)
        if points:
            addends = () if table >> 4 * rank & 15 else tuple(cards_in(table & (1 << 4 * rank) - 1))
            is_ladder = limpia and table >> 4 * (rank + 1) > 0
            held = any(_held(view, *ronda) for ronda in view.rondas if ronda[:2] == (rival, rank))
            threats.append(Threat(rank, unseen[rank], caida, limpia, points, addends, is_ladder, held))
    return sorted(threats, key=lambda threat: (-threat.is_held, -threat.points * threat.unseen, threat.rank))


def chance_of(view: View, threats: list[Threat]) -> float:
    """How likely it is, 0 to 1, that the next seat has a card of one of these ranks, if all unseen cards are alike."""
    if any(threat.is_held for threat in threats):
        return 1.0
    hidden, bad = sum(unseen_of(view)), sum(threat.unseen for threat in threats)
    held = view.counts[(view.seat + 1) % view.rules.seats] or HAND  # five new ones, if the next deal comes first
    none = 1.0
    for i in range(held):
        none *= max(0, hidden - bad - i) / max(1, hidden - i)
    return 1 - none


def _held(view, seat, rank, count):
    """How many cards of the ronda that a seat called in this deal are still in its hand."""
    if not view.counts[seat]:
        return 0
    turn = (seat - view.dealer - 1) % view.rules.seats
    own = view.played[view.deal_begins + turn :: view.rules.seats]
    return count - sum(card >> 2 == rank for card, _ in own)
