"""Hints in words: why a play is dangerous, and what maestro would play; from the player's own view only.

Nothing here knows the match's secrets: danger is counted from the view, and the chance by which maestro imagines the
hidden cards comes from the match's public id.
"""

import hashlib

from cvarenta.game.bots.advice import Advice, advise
from cvarenta.game.bots.search import LANES
from cvarenta.game.cards import RANKS, mask_of
from cvarenta.game.danger import is_winning, next_plays, threats_after, unseen_of
from cvarenta.game.notation import format_play
from cvarenta.game.shuffle import Stream
from cvarenta.game.view import View, worth_of
from cvarenta.wording import listed

from .models import Match
from .wording import of_rank, plural_of, points_in_words, ranks_of, the_card

_REASONS = {
    "only": "no hay otra",
    "caida": "cae y suma {points}",
    "limpia": "limpia y suma {points}",
    "thirty_eight": "con 38 en la mesa, manda la caída",
    "cards": "recoge más cartas",
    "lead": "a la larga trae más puntos",
    "even": "casi da igual",
}


def may_hint(match: Match) -> bool:
    """Whether hints may be given in a match: never in a scored run, also once its season has closed."""
    return not (match.run_id and match.run.is_scored)


def advice_for(match: Match, view: View, lanes: int = LANES) -> Advice:
    """What maestro would play from the person's view; asked again it says the same."""
    rng = Stream(hashlib.sha256(match.pk.encode()).digest(), f"cvarenta-hint/1|{view.ply}")
    return advise(view, rng, lanes)


def danger_words(view: View, play: tuple[int, int]) -> str:
    """Why a legal play is dangerous, or why not, in two sentences at the most."""
    card, takes = play
    if is_winning(view, play):
        return "Con esta llegas a 40: no hay más que temer."
    if not next_plays(view):
        return "Nadie juega después en esta baraja: no hay peligro."
    if takes and takes == mask_of(view.table):
        return "La mesa queda limpia: no hay a qué caer."
    threats = threats_after(view, play)
    limpias = [threat for threat in threats if not threat.caida]
    return " ".join([*_falls(view, card, takes, threats), *_limpias(card, takes, limpias)])


def _falls(view, card, takes, threats):
    """Whether the laid card can be fallen on."""
    if takes:
        return []
    fall = next((threat for threat in threats if threat.caida), None)
    if fall is None:
        is_feminine = the_card(card).startswith("la ")
        whom = f"{'A la' if is_feminine else 'Al'} {the_card(card).partition(' ')[2]}"
        if unseen_of(view)[card >> 2]:
            return [f"{whom} no le cae el que sigue: {'las' if is_feminine else 'los'} que faltan ya se cantaron."]
        return [f"{whom} nadie le cae: ya viste {'todas' if is_feminine else 'todos'}."]
    gain = "caer y limpiar, +4" if fall.points > 2 else "caer"
    if fall.is_held:
        return [f"El que sigue cantó ronda de {plural_of(fall.rank)}: te puede {gain}."]
    left = f"queda{'n' if fall.unseen > 1 else ''} {of_rank(fall.unseen, fall.rank)} sin ver"
    return [f"Si dejas {the_card(card)}, te pueden {gain}: {left}."]


def _limpias(card, takes, threats):
    """Which ranks would clear the table."""
    if not threats:
        return ["Lo que queda no le da puntos al que sigue."] if takes else []
    first = threats[0]
    if len(threats) == 1 and len(first.addends) == 2 and card in first.addends and not first.is_ladder and not takes:
        (other,) = (addend for addend in first.addends if addend != card)
        left = f"queda{'n' if first.unseen > 1 else ''} {of_rank(first.unseen, first.rank)}"
        return [f"Con {the_card(other)} de la mesa suma {first.rank + 1}: {left} que limpia{'n' * (first.unseen > 1)}."]
    ranks = listed([of_rank(threat.unseen, threat.rank) for threat in threats[:3]])
    return [f"{'Lo que queda' if takes else 'Y la mesa'} se limpia con {ranks} sin ver."]


def advice_words(advice: Advice) -> str:
    """Maestro's word in one line: the play, why, and what was weighed."""
    best, other = advice.best, advice.other
    chance = _of_hundred(best.outlook.chance)
    against = more = ""
    if other:
        theirs = _of_hundred(other.outlook.chance)
        against = f" ({'lo mismo' if theirs == chance else theirs} {_gerund(other.play)})"
        gain = round(best.outlook.lead - other.outlook.lead, 1)
        if gain > 0:
            more = f", y la repartida rinde {points_in_words(gain)} más"
    return f"El maestro {_would(best.play)}: {_reason(advice)}. Así ganas {chance} de cada 100{against}{more}."


def _reason(advice):
    best = advice.best
    if advice.reason == "safer":
        return "deja menos al que sigue" if best.play[1] else "es más difícil que te caigan"
    return _REASONS[advice.reason].format(points=best.worth.points)


def _would(play):
    return f"recogería {_capture(play)}" if play[1] else f"dejaría {the_card(play[0])}"


def _gerund(play):
    return f"recogiendo {_capture(play)}" if play[1] else f"dejando {the_card(play[0])}"


def _capture(play):
    """«2 y 3 con el 5»; «con el 5» where it takes but the one like it."""
    card, takes = play
    return (f"{ranks_of(takes)} " if takes.bit_count() > 1 else "") + f"con {the_card(card)}"


def _of_hundred(chance):
    return round(100 * chance)


def hints_json(match: Match, view: View) -> dict:
    """All hints of the person's turn for a program."""
    advice = advice_for(match, view)
    return {
        "id": match.pk,
        "ply": view.ply,
        "plays": [
            {
                "play": format_play(play),
                "threats": [_shown(threat) for threat in threats_after(view, play)],
                "says": danger_words(view, play),
            }
            | worth_of(view, play)._asdict()
            for play in view.legal
        ],
        "maestro": {
            "play": format_play(advice.best.play),
            "reason": advice.reason,
            "weighed": [_weighed(option.outlook) for option in (advice.best, advice.other) if option],
            "says": advice_words(advice),
        },
    }


def _shown(threat):
    return threat._asdict() | {"rank": RANKS[threat.rank], "addends": [RANKS[card >> 2] for card in threat.addends]}


def _weighed(outlook):
    return {
        "play": format_play(outlook.play),
        "chance": round(outlook.chance, 4),
        "lead": round(outlook.lead, 2),
    }
