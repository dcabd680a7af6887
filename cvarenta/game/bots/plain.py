"""The bot that takes what pays most now, points before cards, and knows no better: a yardstick to measure others by."""

from ..view import worth_of


def choose(view, rng):
    """The play of most points, then of most cards; equal ones, and so every lay, by chance."""
    best, choices = None, []
    for play in view.legal:
        worth = worth_of(view, play)
        rank = worth.points, worth.cards
        if best is None or rank > best:
            best, choices = rank, [play]
        elif rank == best:
            choices.append(play)
    return choices[rng.below(len(choices))] if len(choices) > 1 else choices[0]
