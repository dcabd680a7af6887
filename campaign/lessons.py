"""What the led first match says at the person's turns: one short thing at a time, by what happens at the table.

Nothing of it is kept: each time the match is told from its beginning, turn by turn, and every topic is spoken once.
"""

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.text import capfirst

from cvarenta.game.errors import GameError
from cvarenta.game.events import Carton, Deal, Event, Played, Ronda
from cvarenta.game.match import Match as Game
from cvarenta.game.record import tell
from cvarenta.game.rulesets import GOAL
from cvarenta.game.view import View, view_of, worth_of

from .models import SEAT, Match
from .wording import ranks_of, the_card

RULESET, RIVAL = "quito", "aprendiz"  #: the table at which one is led, and a gentle rival
HOW = "Toca la carta dos veces para jugarla."


class Turn(NamedTuple):
    """A turn of the person: the view, what happened since the turn before (`news`), and since the cards were dealt
    (`recent`), the count of the deck before included."""

    view: View
    news: list[Event]
    recent: list[Event]

    def option(self, wanted):
        """The first legal play of which `wanted(play, worth)` is true, with its worth, or None."""
        plays = ((play, worth_of(self.view, play)) for play in self.view.legal)
        return next(((play, worth) for play, worth in plays if wanted(play, worth)), None)


def lesson_of(match: Match) -> str:
    """What is to be said at the person's present turn, in two sentences at the most, or ''."""
    said, word = set(), ""
    for turn in _turns(match):
        word = _next_word(turn, said)
    return word


def _turns(match: Match) -> Iterator[Turn]:
    """The person's turns of a match from its beginning, the present one last."""
    game, news, recent = Game(match.rules, match.first_dealer), [], []
    try:
        for events in tell(game, match.deck, match.parsed_plays()):
            news += events
            recent = _recent(recent, events)
            if game.to_play == SEAT and not game.awaits_deck and not game.is_over:
                yield Turn(view_of(game, SEAT), news, recent)
                news = []
    except GameError:  # told by other rules than it was played by: nobody is led any further
        return


def _recent(recent, events):
    """What is recent after further events: a deal leaves only the count just before it."""
    for event in events:
        if isinstance(event, Deal):
            recent = [last for last in recent[-1:] if isinstance(last, Carton)]
        recent = [*recent, event]
    return recent


def _next_word(turn, said):
    """The first topic that the turn gives rise to and that is not in `said`, which it is added to."""
    is_first = not said
    for name, speak in _TOPICS.items():
        if name in said or is_first and name not in _FIRST:
            continue
        if found := speak(turn):
            said.add(name)
            first, second = found
            return f"{first} {HOW if is_first else second}".strip()
    return ""


def _win(turn):
    found = turn.option(lambda play, worth: worth.points and turn.view.score[0] + worth.points >= GOAL)
    return (f"Con {the_card(found[0][0])} llegas a {GOAL}.", "¡Esa es!") if found else None


def _caida(turn):
    found = turn.option(lambda play, worth: worth.caida)
    if found is None:
        return None
    (card, _), worth = found
    call = "caída y limpia" if worth.limpia else "caída"
    return (
        f"Tu {_bare(card)} es igual a la que acaban de dejar: {call}, {worth.points} puntos.",
        "Solo vale ahora mismo.",
    )


def _limpia(turn):
    found = turn.option(lambda play, worth: worth.limpia and worth.points)
    if found is None:
        return None
    (card, _), worth = found
    if worth.caida:
        return (
            f"Con {the_card(card)} caes y te llevas toda la mesa: caída y limpia.",
            f"Entre las dos, {worth.points} puntos.",
        )
    return f"Con {the_card(card)} te llevas toda la mesa: es limpia.", f"Vale {worth.points} puntos."


def _fell(turn):
    fall = next((e for e in turn.news if isinstance(e, Played) and e.caida and e.seat == SEAT + 1), None)
    if fall is None:
        return None
    what = f"Te cayeron: dejaste {the_card(fall.card)} y el que sigue tenía {_other(fall.card)}."
    return what, "Son 2 puntos para ellos; 4, si de paso limpian."


def _ronda(turn):
    ronda = next((event for event in turn.recent if isinstance(event, Ronda)), None)
    if ronda is None:
        return None
    count = "cuatro" if ronda.count == 4 else "tres"
    worth = f"vale {ronda.points}" if ronda.points else "pasados los 30 ya no vale"
    if ronda.seat == SEAT:
        return f"Te tocaron {count} iguales: es ronda y {worth}.", "Se canta sola, apenas se reparte."
    who = "A la Virgen" if ronda.seat == SEAT + 2 else "A uno de ellos"
    return f"{who} le tocaron {count} iguales: es ronda y {worth}.", "Ya sabes qué cartas tiene."


def _carton(turn):
    carton = next((event for event in turn.recent if isinstance(event, Carton)), None)
    if carton is None:
        return None
    ours, theirs = carton.cards
    gained = max(carton.points)
    who = "Nadie sumó" if not gained else f"+{gained} para {'nosotros' if carton.points[0] else 'ellos'}"
    return (
        f"Se acabó la baraja y se cuenta el cartón, {ours} a {theirs}: {who[0].lower()}{who[1:]}.",
        "20 cartas valen 6 y cada una más, uno; el impar sube a par.",
    )


def _thirty_eight(turn):
    ours, theirs = (points >= 38 for points in turn.view.score)
    if ours:
        return "Tenemos 38: ya solo suma la caída.", "Una, y ganamos."
    return ("Ellos tienen 38: una caída y ganan.", "Deja solo cartas que ya salieron.") if theirs else None


def _thirty(turn):
    if max(turn.view.score) < 30:
        return None
    return "Con 30 el cartón ya no suma, y pasados los 30, la ronda tampoco.", "Quedan las caídas y las limpias."


def _escalera(turn):
    found = turn.option(lambda play, worth: _climbs(play))
    if found is None:
        return None
    (card, takes), _ = found
    return (
        f"Tu {_bare(card)} recoge en escalera: {ranks_of(takes)}, de una.",
        "Sube sin saltos; después del 7 viene la J.",
    )


def _sum(turn):
    found = turn.option(lambda play, worth: play[1] and not _matches(play))
    if found is None:
        return None
    card = found[0][0]
    return (
        f"Tu {_bare(card)} se lleva {_pair(found[0])}, porque suman {(card >> 2) + 1}.",
        "Siempre dos cartas, sin figuras.",
    )


def _match(turn):
    found = turn.option(lambda play, worth: _matches(play))
    if found is None:
        return None
    return f"Tu {_bare(found[0][0])} recoge su igual de la mesa.", "No es caída: solo lo es si lo acaban de dejar."


def _their_capture(turn, wanted):
    """The last capture by another of which `wanted((card, takes))` is true, as (card, takes), or None."""
    plays = [(e.card, e.takes) for e in turn.news if isinstance(e, Played) and e.takes and e.seat != SEAT]
    return next((play for play in reversed(plays) if wanted(play)), None)


def _their_escalera(turn):
    play = _their_capture(turn, _climbs)
    if play is None:
        return None
    ladder = ranks_of(play[1] >> (play[0] & ~3) + 4 << (play[0] & ~3) + 4)
    return (
        f"Con {the_card(play[0])} también se fue{'' if len(ladder) == 1 else 'ron'} {ladder}: es la escalera.",
        "Sube sin saltos; después del 7 viene la J.",
    )


def _their_sum(turn):
    play = _their_capture(turn, lambda play: not _matches(play))
    if play is None:
        return None
    return (
        f"{capfirst(_pair(play))} suman {(play[0] >> 2) + 1}: por eso se fueron con {the_card(play[0])}.",
        "También así recoges tú.",
    )


def _pair(play):
    """The ranks of a capture's sum: «2 y 3»."""
    card, takes = play
    return ranks_of(takes & (1 << (card & ~3)) - 1)


def _empty(turn):
    return ("La mesa está vacía: deja una carta.", "Mejor una que ya haya salido.") if not turn.view.table else None


def _lay(turn):
    nothing = turn.view.table and not turn.option(lambda play, worth: play[1])
    return ("Ninguna de tus cartas recoge: deja una.", "Mejor una que ya haya salido.") if nothing else None


def _deal(turn):
    again = any(isinstance(event, Deal) and event.deal for event in turn.news)
    return ("Cinco cartas más de la misma baraja.", "La mesa se queda como estaba.") if again else None


def _mate(turn):
    return "La Virgen, enfrente, juega contigo.", "Sus puntos y sus cartas son de los dos."


def _pile(turn):
    cards = turn.view.taken[0]
    return (f"Ya juntamos {cards} cartas.", "Al final cobra la pareja que junte más, desde 20.") if cards > 5 else None


def _goal(turn):
    return (
        "Gana la pareja que llega a 40; arriba va la cuenta.",
        "Suman las caídas, las limpias, las rondas y el cartón.",
    )


#: in the order in which they speak when several could
_TOPICS = {
    "win": _win, "caida": _caida, "limpia": _limpia, "fell": _fell, "carton": _carton, "thirty_eight": _thirty_eight,
    "goal": _goal, "their_escalera": _their_escalera, "their_sum": _their_sum, "ronda": _ronda, "mate": _mate,
    "thirty": _thirty, "escalera": _escalera, "sum": _sum, "match": _match, "deal": _deal, "empty": _empty, "lay": _lay,
    "pile": _pile,
}  # fmt: skip
_FIRST = {"caida", "limpia", "escalera", "sum", "match", "empty", "lay"}  #: with these the first turn can begin


def _bare(card):
    """«5», «J»: the rank without its article."""
    return the_card(card).partition(" ")[2]


def _other(card):
    return "otra" if the_card(card).startswith("la ") else "otro"


def _matches(play):
    """Whether a capture takes a card of the rank it is played with."""
    card, takes = play
    return bool(takes >> (card & ~3) & 15)


def _climbs(play):
    """Whether a capture goes on up the escalera."""
    card, takes = play
    return takes >> (card & ~3) + 4 > 0
