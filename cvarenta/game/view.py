"""What one seat may see of a match: all that templates, JSON and bots are given."""

from typing import NamedTuple

from .cards import mask_of
from .rulesets import HAND, RuleSet
from .scoring import play_points

_new = tuple.__new__  # a named tuple without the cost of its constructor, three times a request


class View(NamedTuple):
    """A seat's view: nothing in it is hidden from the seat. Cards are ints, plays pairs (card, takes)."""

    rules: RuleSet
    seat: int
    ply: int
    to_play: int
    dealer: int
    deck_number: int
    deal_number: int
    hand: tuple[int, ...]  #: own cards, as dealt
    table: tuple[int, ...]  #: in the order in which the cards were laid
    last: int  #: the card just laid, which can be fallen on, or -1
    counts: tuple[int, ...]  #: cards in each seat's hand
    taken: tuple[int, int]  #: cards each team has taken in this deck
    stock: int  #: cards of the deck still to be dealt
    score: tuple[int, int]
    chicas: tuple[int, int]
    rondas: tuple[tuple[int, int, int], ...]  #: (seat, rank, count) called in this deal
    played: tuple[
        tuple[int, int], ...
    ]  #: the plays of the deck; play i was made by seat (dealer + 1 + i) % seats of its dealer
    legal: tuple[tuple[int, int], ...]  #: own plays; empty unless it is the seat's turn
    winner: int | None

    @property
    def deals_left(self):
        """The deals of the deck still to come."""
        return self.stock // (HAND * self.rules.seats)

    @property
    def deal_begins(self):
        """The index in `played` of the first play of this deal."""
        return self.deal_number * HAND * self.rules.seats

    def seat_of(self, i):
        """The seat that made play `i` of `played`."""
        return (self.dealer + 1 + i) % self.rules.seats


class Worth(NamedTuple):
    """What a play would do: the points it adds, the cards it brings, and whether it is a caida or a limpia."""

    points: int
    cards: int
    caida: bool
    limpia: bool


def view_of(match, seat):
    """The view that this seat has of the match."""
    on_table = match.table
    return _new(
        View,
        (
            match.rules, seat, match.ply, match.to_play, match.dealer, match.deck_number, match.deal_number,
            tuple(match.hands[seat]),
            tuple([card for card, _ in match.played if on_table >> card & 1]) if on_table else (),
            match.last, tuple(map(len, match.hands)), tuple(match.taken), len(match.stock), match.score, match.chicas,
            tuple(match.rondas), tuple(match.played),
            tuple(match.legal()) if match.to_play == seat else (), match.winner,
        ),
    )  # fmt: skip


def worth_of(view, play):
    """What a legal play of the view's seat would be worth."""
    card, takes = play
    if not takes:
        return Worth(0, 0, False, False)
    last = view.last
    caida = last >= 0 and takes >> last & 1 == 1 and last >> 2 == card >> 2
    limpia = takes == mask_of(view.table)
    points = play_points(view.rules, view.score[view.seat % 2], caida, limpia)
    return Worth(points, takes.bit_count() + 1, caida, limpia)
