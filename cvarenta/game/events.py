"""What happens in a match, one immutable tuple an event; `describe` gives the JSON shape of the record's replay.

In every event `score` is the pair of the teams' points after it, `points` what was really added.
"""

from typing import NamedTuple

from .cards import NAMES, RANKS, cards_in


class Deal(NamedTuple):
    """Five cards were dealt to each seat."""

    deck: int
    deal: int
    dealer: int


class Ronda(NamedTuple):
    """A seat was dealt `count` (3 or 4) cards of one rank."""

    seat: int
    rank: int
    count: int
    points: int
    score: tuple[int, int]


class Played(NamedTuple):
    """A seat played a card and took a mask of cards; caida and limpia say what happened, whether or not it scored."""

    ply: int
    seat: int
    card: int
    takes: int
    caida: bool
    limpia: bool
    points: int
    score: tuple[int, int]


class Carton(NamedTuple):
    """The piles of a deck were counted: cards and points of each team."""

    cards: tuple[int, int]
    points: tuple[int, int]
    score: tuple[int, int]


class Chica(NamedTuple):
    """A team won a chica of a mesa; `chicas` are those won so far by each team."""

    winner: int
    score: tuple[int, int]
    chicas: tuple[int, int]
    zapateria: bool


class End(NamedTuple):
    """A team won the match; `chicas` is None where the match is a single game."""

    winner: int
    score: tuple[int, int]
    chicas: tuple[int, int] | None


Event = Deal | Ronda | Played | Carton | Chica | End
_WORDS = {Deal: "deal", Ronda: "ronda", Played: "play", Carton: "carton", Chica: "chica", End: "end"}


def describe(event):
    """The event as a JSON-ready dict, as the record's replay prints it."""
    shown = {"event": _WORDS[type(event)], **event._asdict()}
    for key, value in shown.items():
        if isinstance(value, tuple):
            shown[key] = list(value)
    if type(event) is Played:
        shown["card"] = NAMES[event.card]
        shown["takes"] = [NAMES[card] for card in cards_in(event.takes)]
    elif type(event) is Ronda:
        shown["rank"] = RANKS[event.rank]
    elif type(event) is End and event.chicas is None:
        del shown["chicas"]
    return shown
