"""Cards, plays and events in the Spanish of the table."""

from cvarenta.game.cards import cards_in
from cvarenta.game.events import Carton, Chica, Deal, End, Played, Ronda
from cvarenta.game.rulesets import CAIDA, GOAL, LIMPIA
from cvarenta.game.scoring import carton_value
from cvarenta.wording import counted, listed, tenths

from .characters import YOU

CARTON_FROM = 20  #: cards of a pile that counts
ONLY_CAIDA = "Desde 38 solo suma la caída"
THANKS, AGAIN = "Cuarenta, señores, gracias.", "Baraja otra vez cuando quieras."
USED_PLEDGE = "Esa baraja ya se usó o caducó, y no empezó nada: aquí tienes otra, sellada de nuevo."
BAD_NONCE = "Tu parte de la baraja va sin tildes, ñ ni espacios: hasta 64 letras, números, - o _. Ponla otra vez."
SUIT_NAMES = ("corazones", "diamantes", "tréboles", "picas")
_RANK_NAMES = ("as", *"234567JQK")
_SINGULARS = ("as", "dos", "tres", "cuatro", "cinco", "seis", "siete", "jota", "cu", "ka")
_PLURALS = ("ases", "doses", "treses", "cuatros", "cincos", "seises", "sietes", "jotas", "cus", "kas")


def card_name(card):
    """«5 de diamantes»."""
    return f"{_RANK_NAMES[card >> 2]} de {SUIT_NAMES[card & 3]}"


def the_card(card):
    """«el 5», «la J»."""
    return f"{'la' if card >> 2 > 6 else 'el'} {_RANK_NAMES[card >> 2]}"


def of_rank(number, rank):
    """«2 cincos», «1 jota»."""
    return counted(number, _SINGULARS[rank], _PLURALS[rank])


def plural_of(rank):
    """«cincos»."""
    return _PLURALS[rank]


def team_name(team, seated):
    """«Nosotros» and «Ellos»; at a table of two, and for whoever only looks on, the persons themselves."""
    return ("Nosotros", "Ellos")[team] if len(seated) == 4 and _is_you(0, seated) else seated[team].name


def ranks_of(takes):
    """The ranks of taken cards in words: «2, 3 y 6»."""
    return listed([_RANK_NAMES[card >> 2] for card in cards_in(takes)])


def points_in_words(points):
    """«1 punto», «2,8 puntos», in tenths."""
    return f"{tenths(points)} {'punto' if points == 1 else 'puntos'}"


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


def event_text(event, seated, rules):
    """One line of the log, which says why something scored or did not; `seated` are the characters by seat."""
    return _TEXTS[type(event)](event, seated, rules)


def _verb(seat, yours, theirs, seated):
    return f"Tú {yours}" if _is_you(seat, seated) else f"{seated[seat].name} {theirs}"


def _deal(event, seated, rules):
    if event.deal:
        return "Cinco cartas más para cada uno."
    who = "tú repartes" if _is_you(event.dealer, seated) else f"reparte {seated[event.dealer].name}"
    return f"{'Otra baraja' if event.deck else 'Primera baraja'}: {who}."


def _ronda(event, seated, rules):
    kind = "doble ronda" if event.count == 4 else "ronda"
    if event.points:
        worth = f"+{event.points}" + (f", hasta {rules.others_stop_at}" if event.points < rules.ronda else "")
    elif event.count == 4 and rules.doble_ronda_wins:
        worth = "gana la mesa de una"
    elif rules.ronda_up_to is not None:
        is_ours = event.seat % 2 == 0 and _is_you(0, seated)
        worth = f"ya no suma, {'pasamos' if is_ours else 'pasan'} de {rules.ronda_up_to}"
    else:
        worth = f"no suma. {ONLY_CAIDA}"
    return f"{_verb(event.seat, 'cantas', 'canta', seated)} {kind} de {_PLURALS[event.rank]}: {worth}."


def _played(event, seated, rules):
    if not event.takes:
        return f"{_verb(event.seat, 'dejas', 'deja', seated)} {the_card(event.card)} de {SUIT_NAMES[event.card & 3]}."
    text = f"{_verb(event.seat, 'recoges', 'recoge', seated)} {_capture(event, seated)}."
    call = {(True, True): "¡Caída y limpia!", (True, False): "¡Caída!", (False, True): "¡Limpia!"}.get(
        (event.caida, event.limpia)
    )
    if not call:
        return text
    if event.points == CAIDA + LIMPIA:
        return f"{text} {call} +{event.points} ({CAIDA} y {LIMPIA})."
    gained = f" +{event.points}." if event.points else ""
    uncounted = event.limpia and event.points < LIMPIA + CAIDA * event.caida
    return f"{text} {call}{gained}" + (f" {ONLY_CAIDA}." if uncounted else "")


def _capture(event, seated):
    """What was taken and why: «5 con el 5», «2 + 3 con el 5 y sube por 6 y 7»."""
    ladder = event.takes >> 4 * (event.card >> 2) + 4 << 4 * (event.card >> 2) + 4
    start = " + ".join(_RANK_NAMES[card >> 2] for card in cards_in(event.takes ^ ladder))
    text = f"{start} con {the_card(event.card)}"
    return f"{text} y {'subes' if _is_you(event.seat, seated) else 'sube'} por {ranks_of(ladder)}" if ladder else text


def _carton(event, seated, rules):
    sides = [
        f"{team_name(team, seated)}, {counted(event.cards[team], 'carta', 'cartas')}"
        + (f": +{event.points[team]}" if event.points[team] else "")
        for team in (0, 1)
    ]
    return f"Cartón. {sides[0]}. {sides[1]}." + _why_carton(event, seated, rules)


def _why_carton(event, seated, rules):
    """What the numbers of a count do not say by themselves: a tie, the larger pile below 20, or why it is not more."""
    most, is_tie = max(event.cards), event.cards[0] == event.cards[1]
    if any(event.points):
        if is_tie and rules.tie_to_next_dealer:
            return f" Empate: {rules.tie_to_next_dealer} para quien reparte ahora."
        if most < CARTON_FROM:
            return f" Nadie llegó a {CARTON_FROM}: {rules.larger_pile} al montón más grande."
        stops = [score == rules.others_stop_at for score in event.score]
        cut = any(stops[team] and event.points[team] < carton_value(event.cards[team]) for team in (0, 1))
        return f" {ONLY_CAIDA}." * cut
    if is_tie and rules.tie_to_next_dealer:  # only the pair that deals next could have scored
        return f" Empate, pero quien reparte ahora ya tenía {rules.carton_below} o más: nadie suma."
    if most < CARTON_FROM and not (rules.larger_pile and not is_tie):
        return f" Nadie suma: nadie llegó a {CARTON_FROM}" + (" y van iguales." if rules.larger_pile else ".")
    if rules.carton_below is None:
        return f" Nadie suma. {ONLY_CAIDA}."
    ours = event.cards[0] > event.cards[1] and _is_you(0, seated)
    return f" Nadie suma: ya {'teníamos' if ours else 'tenían'} {rules.carton_below} o más."


def _chica(event, seated, rules):
    won, lost = event.score[event.winner], event.score[1 - event.winner]
    is_you = len(seated) == 2 and _is_you(event.winner, seated)
    text = f"Chica para {'ti' if is_you else team_name(event.winner, seated)}, {won} a {lost}."
    return text + (" ¡Zapatería!" if event.zapateria else f" Van {event.chicas[0]} a {event.chicas[1]} en chicas.")


def _end(event, seated, rules):
    won = {(0, 4): "Ganamos", (1, 4): "Ganan ellos", (0, 2): "Ganas"}.get((event.winner, len(seated)))
    won = won if won and _is_you(0, seated) else f"Gana {seated[event.winner].name}"
    score = event.score if event.chicas is None or sum(event.chicas) < 2 else event.chicas
    how = f" {score[event.winner]} a {score[1 - event.winner]}" if max(event.score) >= GOAL else " con la doble ronda"
    said = THANKS if event.winner == 0 else AGAIN if _is_you(0, seated) else ""
    return f"{won}{how}. {said}".rstrip()


def _is_you(seat, seated):
    """Whether who sits there is who reads; others' shared matches name everybody."""
    return seat == 0 and seated[0] is YOU


_TEXTS = {Deal: _deal, Ronda: _ronda, Played: _played, Carton: _carton, Chica: _chica, End: _end}
