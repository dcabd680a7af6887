"""The bot that takes what pays most now, points before cards, and knows no better: a yardstick to measure others by."""

from ..view import worth_of
from .choosing import best_of


def choose(view, rng):
    """The play of most points, then of most cards; equal ones, and so every lay, by chance."""
    return best_of([(worth_of(view, play)[:2], play) for play in view.legal], rng)
