"""The guide's count of a deck: what the cartón pays for piles that the reader chooses."""

from cvarenta.game.cards import DECK
from cvarenta.game.events import Carton, End
from cvarenta.game.rulesets import GOAL
from cvarenta.game.scoring import carton_points

from .answer import Answer, BadTry, chosen, told

OWN_PILE, LEFT_OVER, NEXT_DEALER = "nuestras", "sueltas", "reparte"
LEFT_OVERS = (0, 1, 4)  #: cards left on the table that may be chosen
DEALERS = {"nosotros": 0, "ellos": 1}  #: the seat that deals next, by what the form says


def counted(example, score, fields):
    """The Answer to a try of the count, our team having this score before it; raises BadTry."""
    left, dealer = count_setting(example, fields)
    text = fields.get(OWN_PILE, str(example.count.cards[0]))
    piles = range(len(DECK) - left + 1)
    if text not in map(str, piles):
        raise BadTry(f"Con {left} en la mesa, tu montón va de 0 a {piles[-1]}. Elige un número de ahí.")
    return count(example, score, left, dealer, int(text))


def count_setting(example, fields):
    """The cards left over and the seat that deals next, as asked or as in the example's record; raises BadTry."""
    left_over = len(DECK) - sum(example.count.cards)
    lefts = (left_over, *(number for number in LEFT_OVERS if number != left_over))
    left = chosen(fields, LEFT_OVER, lefts, "En la mesa pueden sobrar 0, 1 o 4 cartas. Elige una de las tres.")
    who = fields.get(NEXT_DEALER, next(iter(DEALERS)))
    if who not in DEALERS:
        raise BadTry("La baraja que viene la reparten «nosotros» o «ellos». Elige uno de los dos.")
    return left, DEALERS[who]


def count(example, score, left, dealer, own):
    """The Answer to piles of `own` cards and the rest but those left over, at these points of ours."""
    rules, before = example.record.rules, (score, example.count.score[1] - example.count.points[1])
    piles = (own, len(DECK) - left - own)
    points = carton_points(rules, piles, before, dealer)
    after = (before[0] + points[0], before[1] + points[1])
    event = Carton(piles, points, after)
    events = [event, *(End(team, after, None) for team in (0, 1) if after[team] >= GOAL)]
    return Answer(True, told(rules, events), points=points[0], score=after, events=events)
