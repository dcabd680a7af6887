"""The bot that takes what pays most now: points, then cards, then the lay least likely to be fallen on."""

from ..view import worth_of
from .choosing import best_of


def choose(view, rng):
    """The best play by those three measures; equal ones by chance."""
    weighed = []
    for play in view.legal:
        worth = worth_of(view, play)
        weighed.append(((worth.points, worth.cards, 0 if play[1] else -_unseen(view, play[0])), play))
    return best_of(weighed, rng)


def _unseen(view, card):
    """How many cards of the rank of `card` may still be in other hands: those that can fall on it."""
    rank = card >> 2
    seen = sum(other >> 2 == rank for other in view.hand) + sum(play[0] >> 2 == rank for play in view.played)
    return 4 - seen
