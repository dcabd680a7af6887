"""A finished match looked back at: what each play of a seat cost, and how kind the cards were, apart from the play.

A play is asked about from the view its seat had, as `maestro` would be (`search.outlooks`), only with more worlds.
Luck is told by duplicate: bots at all seats play the match's deck, and other decks, from the same score and dealer.
Chance is the match's own, so that the same match always gives the same analysis.
"""

import math
from statistics import fmean, variance
from typing import NamedTuple

from ..errors import GameError
from ..notation import format_play
from ..record import tell as tell_match
from ..shuffle import Stream, random_deck
from ..state import dump_state, load_state
from ..view import View, view_of
from . import reply
from .search import options_of, outlooks

VERSION = 1  #: of what is worked out; whoever changes the outcome gives it a new one
WORLDS = 4096  #: imagined for each option of a play
DEALS = 96  #: times that bots play the match's deck, and as many other decks, to tell its luck
DECK_STEPS = 24  #: how many plays a deck takes as long as, for the progress
MOMENTS = 3
LOST = 0.01  #: the chance of winning from which on a play is a moment for what it gave away


class _Turn(NamedTuple):
    """A play of the seat, with the view it was made from."""

    view: View
    play: tuple[int, int]


def analyse(match, decks, plays, seed, seat=0, tell=lambda done, total: None):
    """The analysis of a match that awaits its first deck, given its decks (lists of cards) and plays, as a JSON-ready
    dict; `seed` are its bytes of chance, `tell(done, total)` hears of the steps. It ends where a play breaks a rule,
    after `plies` plays.

    `plays` holds each play of the seat that had a choice, as `weigh_play` tells it; `cost` is the sum of theirs, and
    `moments` are the indices of those that mattered most. `luck` is how many `points` kinder than others the cards
    were, with the `error` of a 95 % interval, together and by `decks`.
    """
    turns, starts, plies = _told(match, decks, plays, seat)
    total = len(turns) + DECK_STEPS * len(starts)
    tell(0, total)
    weighed, lucks = [], []
    for done, turn in enumerate(turns, start=1):
        weighed += weigh_play(*turn, seed)
        tell(done, total)
    for start, deck in starts:
        lucks.append(luck_of(start, deck, seed, seat))
        tell(len(turns) + DECK_STEPS * len(lucks), total)
    return {
        "plies": plies,
        "plays": weighed,
        "cost": round(sum(play["cost"] for play in weighed), 1),
        "moments": moments_of(weighed),
        "luck": _together(lucks) | {"decks": lucks},
    }


def _told(match, decks, plays, seat):
    """The seat's turns, the (state, deck) at the beginning of each deck, and how many plays could be told."""
    turns, starts, plays, view = [], [], list(plays), None

    def deck_of(n):
        starts.append((dump_state(match), decks[n]))
        return decks[n]

    try:
        for _ in tell_match(match, deck_of, plays):
            if view:
                turns.append(_Turn(view, plays[view.ply]))
            is_turn = match.to_play == seat and not match.awaits_deck and not match.is_over
            view = view_of(match, seat) if is_turn else None
    except (GameError, IndexError):  # a play that breaks a rule, or a deck that is missing
        pass
    return turns, starts, match.ply


def weigh_play(view, play, seed):
    """A play of a view as a list of one dict, empty if the seat had no choice but of suits.

    `ply`, `deck`; `played` and `best` in record notation, the same if they differ in suits only; as pairs played, best,
    the `chance` of winning (0 to 1) and the `lead` to be expected at the deal's end (points, own less other, with the
    carton's hope); `second`, the chance of the best play but one; `cost`, the points that the best would have had more.
    The best is what has the best chance of winning. Where that promises fewer points, as near the end of a match, the
    cost is 0 and the chances alone tell the plays apart.
    """
    # A table full of equal cards lists one of many plays alike, and the one that was made may be another.
    view = view._replace(legal=(*view.legal, play))
    options = dict(options_of(view))
    if len(options) == 1:
        return []
    ((alike, _),) = options_of(view._replace(legal=(play,)))
    found = outlooks(view, Stream(seed, f"cvarenta-analysis/1|{view.ply}"), lanes=WORLDS * len(options))
    best, made = found[0], next(outlook for outlook in found if outlook.play == options[alike])
    weighed = {
        "ply": view.ply,
        "deck": view.deck_number,
        "played": format_play(play),
        "best": format_play(play if made is best else best.play),
        "chance": [round(made.chance, 4), round(best.chance, 4)],
        "second": round(found[1].chance, 4),
        "lead": [round(made.lead, 2), round(best.lead, 2)],
        "cost": round(max(0.0, best.lead - made.lead), 1),
    }
    return [weighed]


def moments_of(plays):
    """The indices of the plays that mattered most, three at most, the weightiest first: those that gave away a
    hundredth of a chance of winning or more; then those that found the best where the next best would have cost most.
    """

    def weight(i):
        made, best = plays[i]["chance"]
        is_lost = best - made >= LOST
        return is_lost, best - made if is_lost else made - plays[i]["second"]

    return [i for i in sorted(range(len(plays)), key=weight, reverse=True) if weight(i)[1] > 0][:MOMENTS]


def luck_of(start, deck, seed, seat=0):
    """How many points more than another deck this one brings the seat's team, its lead over the other team, when quick
    bots at all seats go on from the state `start` that awaits it: a dict of `points` and of their `error`."""
    sign = 1 - 2 * (seat & 1)
    rng = Stream(seed, f"cvarenta-analysis/1|luck|{load_state(start).deck_number + 1}")
    own = [sign * _lead_after(start, deck, rng) for _ in range(DEALS)]
    others = [sign * _lead_after(start, random_deck(lambda: rng.below(1 << 32) / 2**32), rng) for _ in range(DEALS)]
    error = 1.96 * math.sqrt((variance(own) + variance(others)) / DEALS)
    return {"points": round(fmean(own) - fmean(others), 1), "error": round(error, 1)}


def _lead_after(start, deck, rng):
    """The lead of team 0 when quick bots have played the deck to its end, or to a team's forty points."""
    match = load_state(start)
    events = match.begin_deck(deck)
    while not match.awaits_deck and not match.is_over:
        events = match.play(reply.choose(view_of(match, match.to_play), rng))
    a, b = events[-1].score  # of the last event, for a chica begins the next at 0
    return a - b


def _together(decks):
    return {
        "points": round(sum(deck["points"] for deck in decks), 1),
        "error": round(math.sqrt(sum(deck["error"] ** 2 for deck in decks)), 1),
    }
