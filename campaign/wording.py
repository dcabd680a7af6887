"""Cards, plays and events in the Spanish of the table."""

from cvarenta.game.cards import cards_in
from cvarenta.game.events import Carton, Chica, Deal, End, Played, Ronda
from cvarenta.game.rulesets import GOAL
from cvarenta.wording import counted, listed

THANKS, AGAIN = "Cuarenta, señores, gracias.", "Baraja otra vez cuando quieras."
SUIT_NAMES = ("corazones", "diamantes", "tréboles", "picas")
_RANK_NAMES = ("as", *"234567JQK")
_PLURALS = ("ases", "doses", "treses", "cuatros", "cincos", "seises", "sietes", "jotas", "cus", "kas")


def card_name(card):
    """«5 de diamantes»."""
    return f"{_RANK_NAMES[card >> 2]} de {SUIT_NAMES[card & 3]}"


def the_card(card):
    """«el 5», «la J»."""
    return f"{'la' if card >> 2 > 6 else 'el'} {_RANK_NAMES[card >> 2]}"


def team_name(team, seated):
    """«Nosotros» and «Ellos»; at a table of two the persons themselves."""
    return ("Nosotros", "Ellos")[team] if len(seated) == 4 else seated[team].name


def ranks_of(takes):
    """The ranks of taken cards in words: «2, 3 y 6»."""
    return listed([_RANK_NAMES[card >> 2] for card in cards_in(takes)])


def play_label(play):
    """What the button says: «Recoger 2, 3 y 6», «Dejar el 5»."""
    card, takes = play
    if not takes:
        return f"Dejar {the_card(card)}"
    return f"Recoger {ranks_of(takes)}"


def score_label(team, points, seated):
    """How the counters are read out: «Nosotros: 28 puntos, 2 perros y 4 tantos»."""
    perros, tantos = divmod(points, 10)
    counters = [counted(perros, "perro", "perros")] * (perros > 0)
    counters += [counted(tantos // 2, "tanto", "tantos")] * (tantos > 1)
    return f"{team_name(team, seated)}: {counted(points, 'punto', 'puntos')}" + (
        f", {listed(counters)}" if counters else ""
    )


def event_text(event, seated):
    """One line of the log; `seated` are the characters by seat."""
    return _TEXTS[type(event)](event, seated)


def _verb(seat, yours, theirs, seated):
    return f"Tú {yours}" if seat == 0 else f"{seated[seat].name} {theirs}"


def _deal(event, seated):
    if event.deal:
        return "Cinco cartas más para cada uno."
    who = "tú repartes" if event.dealer == 0 else f"reparte {seated[event.dealer].name}"
    return f"{'Otra baraja' if event.deck else 'Primera baraja'}: {who}."


def _ronda(event, seated):
    worth = f"+{event.points}" if event.points else "ya no suma"
    kind = "doble ronda" if event.count == 4 else "ronda"
    return f"{_verb(event.seat, 'cantas', 'canta', seated)} {kind} de {_PLURALS[event.rank]}: {worth}."


def _played(event, seated):
    if not event.takes:
        return f"{_verb(event.seat, 'dejas', 'deja', seated)} {the_card(event.card)} de {SUIT_NAMES[event.card & 3]}."
    text = f"{_verb(event.seat, 'recoges', 'recoge', seated)} {ranks_of(event.takes)} con {the_card(event.card)}."
    call = {(True, True): "¡Caída y limpia!", (True, False): "¡Caída!", (False, True): "¡Limpia!"}.get(
        (event.caida, event.limpia)
    )
    if call:
        text += f" {call} " + (f"+{event.points}." if event.points else "Desde 38 no suma.")
    return text


def _carton(event, seated):
    sides = [
        f"{team_name(team, seated)}, {counted(event.cards[team], 'carta', 'cartas')}"
        + (f": +{event.points[team]}" if event.points[team] else "")
        for team in (0, 1)
    ]
    return f"Cartón. {sides[0]}. {sides[1]}." + ("" if any(event.points) else " Nadie suma.")


def _chica(event, seated):
    won, lost = event.score[event.winner], event.score[1 - event.winner]
    text = f"Chica para {'ti' if _is_you(event.winner, seated) else team_name(event.winner, seated)}, {won} a {lost}."
    return text + (" ¡Zapatería!" if event.zapateria else f" Van {event.chicas[0]} a {event.chicas[1]} en chicas.")


def _end(event, seated):
    won = {(0, 4): "Ganamos", (1, 4): "Ganan ellos", (0, 2): "Ganas"}.get((event.winner, len(seated)))
    won = won or f"Gana {seated[1].name}"
    score = event.score if event.chicas is None or sum(event.chicas) < 2 else event.chicas
    how = f" {score[event.winner]} a {score[1 - event.winner]}" if max(event.score) >= GOAL else " con la doble ronda"
    return f"{won}{how}. {THANKS if event.winner == 0 else AGAIN}"


def _is_you(team, seated):
    return team == 0 and len(seated) == 2


_TEXTS = {Deal: _deal, Ronda: _ronda, Played: _played, Carton: _carton, Chica: _chica, End: _end}
