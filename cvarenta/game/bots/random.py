"""The bot that plays whatever comes: each legal play equally likely."""


def choose(view, rng):
    """Any legal play of the view."""
    return view.legal[rng.below(len(view.legal))]
