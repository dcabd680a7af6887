"""What characters like and dislike beyond the worth of a play: each `quirk(view, play)` adds hundredths of a point.

They come from the characters of the story.
"""

from ..cards import NUMBER_RANKS
from ..view import worth_of

FIGURES = range(NUMBER_RANKS, 10)
HUNTS_FROM = 30


def figures_first(view, play):
    """Don Ramón opens with a figure: on an empty table it is laid with pride."""
    return 40 if not view.table and not play[1] and play[0] >> 2 in FIGURES else 0


def builder(view, play):
    """Cantuña takes the longest escalera, and leaves no two cards that add up to a third."""
    card, takes = play
    liking = 30 * max(0, takes.bit_count() - 2)
    left = [other >> 2 for other in view.table if not takes >> other & 1] + ([] if takes else [card >> 2])
    values = sorted(rank + 1 for rank in left if rank < NUMBER_RANKS)
    return liking - 40 * (len(values) > 1 and values[0] + values[1] <= NUMBER_RANKS)


def carton_no_more(view, play):
    """Cantuña stops chasing the carton once thirty points have made it worthless to his side."""
    below = view.rules.carton_below
    if below is None or view.score[view.seat & 1] < below or not play[1]:
        return 0
    return -10 * worth_of(view, play).cards


def for_partner(view, play):
    """Manuela leaves what her partner can lift: ranks of which many cards are out and the next seat showed none."""
    card, takes = play
    if view.rules.seats == 2 or takes:
        return 0
    seen = sum(other >> 2 == card >> 2 for other, _ in view.played)
    next_seat = (view.seat + 1) % view.rules.seats
    tried = {other >> 2 for i, (other, took) in enumerate(view.played) if view.seat_of(i) == next_seat and not took}
    return 25 * (3 - seen) if card >> 2 in tried else 0


def fourth_card(view, play):
    """Manuela holds the fourth card against a ronda that the other side has called, to fall on it."""
    card, takes = play
    held = {rank for seat, rank, count in view.rondas if count == 3 and (seat - view.seat) % 2}
    return -80 if not takes and card >> 2 in held else 0


def hunter(view, play):
    """Manuela hunts caidas from thirty points on."""
    return 60 if view.score[view.seat & 1] >= HUNTS_FROM and play[1] and worth_of(view, play).caida else 0


def bait(view, play):
    """The devil lays a card whose twins are gone: nobody can fall on it."""
    card, takes = play
    if takes:
        return 0
    seen = sum(other >> 2 == card >> 2 for other, _ in view.played) + sum(
        other >> 2 == card >> 2 for other in view.hand
    )
    return 25 if seen == 4 else 0


def showy_limpia(view, play):
    """The devil's flaw, kept on purpose: a limpia that shines is dearer to him than a safe play."""
    return 150 if play[1] and worth_of(view, play).limpia else 0


def was_fallen_on(view):
    """Whether a card that the seat laid in one of its last two turns of the deck was fallen on."""
    own = [i for i in range(len(view.played)) if view.seat_of(i) == view.seat]
    return any(_fallen_on(view.played, i) for i in own[-2:])


def _fallen_on(played, i):
    """Whether the card laid in play i of a deck was fallen on."""
    card, takes = played[i]
    if takes or i + 1 >= len(played):
        return False
    other, took = played[i + 1]
    return took >> card & 1 == 1 and other >> 2 == card >> 2
