"""What things are worth: rondas, a play's caida and limpia, the carton."""

from .rulesets import CAIDA, GOAL, LIMPIA


_COUNTS = tuple(1 << 3 * (card >> 2) for card in range(40))  # a three-bit counter a rank
_ONE_EACH = sum({*_COUNTS})


def ronda_in(hand):
    """The ronda of five dealt cards as (rank, 3 or 4), or None."""
    a, b, c, d, e = hand
    counts = _COUNTS
    # adding one more of each rank carries into the third bit of a counter where there are three or four
    found = counts[a] + counts[b] + counts[c] + counts[d] + counts[e] + _ONE_EACH & _ONE_EACH << 2
    if not found:
        return None
    rank = (found.bit_length() - 1) // 3
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
