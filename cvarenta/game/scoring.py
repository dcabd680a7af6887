"""What things are worth: rondas, a play's caida and limpia, the carton."""

from .cards import ONE_OF_EACH, RANK_BITS
from .rulesets import CAIDA, GOAL, LIMPIA


def has_ronda(a, b, c, d, e):
    """Whether three or four of five cards are of one rank: a number with a bit set for each such rank."""
    bits = RANK_BITS
    # adding five more of each rank carries into the fourth bit of a counter where there are three or four
    return bits[a] + bits[b] + bits[c] + bits[d] + bits[e] + 5 * ONE_OF_EACH & 8 * ONE_OF_EACH


def ronda_in(hand):
    """The ronda of five dealt cards as (rank, 3 or 4), or None."""
    found = has_ronda(*hand)
    if not found:
        return None
    rank = found.bit_length() // 4 - 1
    return rank, sum(card >> 2 == rank for card in hand)


def ronda_points(rules, score):
    """The points a ronda adds to a team that has `score`."""
    if rules.ronda_up_to is not None and score > rules.ronda_up_to:
        return 0
    return _stopped(rules, score, rules.ronda)


def play_points(rules, score, caida, limpia):
    """The points that a play adds to a team that begins it with `score`; a limpia counts before the caida."""
    points = 0
    if limpia and not (rules.only_caida_from is not None and score >= rules.only_caida_from):
        points = _stopped(rules, score, LIMPIA)
    return points + CAIDA if caida else points


def carton_value(cards):
    """The points of a pile: 6 for 20 cards, one more for each card over, odd results rounded up to even.

    >>> [carton_value(n) for n in (19, 20, 21, 22, 23, 40)]
    [0, 6, 8, 8, 10, 26]
    """
    return 0 if cards < 20 else (cards - 14 + 1) // 2 * 2


def carton_points(rules, taken, score, next_dealer):
    """The points the count of the deck really adds to each team, as (team 0, team 1).

    `taken` are the cards and `score` the points of each team before the count, `next_dealer` the seat that deals
    next. The team of the seat after the dealer counts first, which is the next dealer's; once it wins, counting stops.
    """
    points = [0, 0]
    first = next_dealer % 2
    for team in (first, 1 - first):
        worth = _carton_claim(rules, taken[team], taken[1 - team], team == first)
        if rules.carton_below is not None and score[team] >= rules.carton_below:
            worth = 0
        points[team] = _stopped(rules, score[team], worth)
        if score[team] + points[team] >= GOAL:
            break
    return tuple(points)


def _carton_claim(rules, own, other, deals_next):
    """What a pile would add if nothing limited it."""
    if own == other and rules.tie_to_next_dealer:
        return rules.tie_to_next_dealer if deals_next else 0
    if own < other and not rules.carton_for_each:
        return 0
    if own < 20 and other < 20 and own > other:
        return rules.larger_pile
    return carton_value(own)


def _stopped(rules, score, points):
    """Points that are no caida, cut where the rule set stops them."""
    if rules.others_stop_at is None:
        return points
    return max(0, min(points, rules.others_stop_at - score))
