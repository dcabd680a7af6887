"""Choosing among weighed plays."""


def best_of(weighed, rng):
    """The play of most worth in a list of (worth, play); equal ones by chance."""
    most = max([worth for worth, _ in weighed])
    choices = [play for worth, play in weighed if worth == most]
    return choices[rng.below(len(choices))] if len(choices) > 1 else choices[0]
