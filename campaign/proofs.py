"""A finished match of a run against its record: is it what was dealt, played and won; what is not, as findings."""

import logging
from typing import NamedTuple

from cvarenta.game.record import record_from
from cvarenta.game.verify import positions, verify
from tournament.review import Finding

from . import signs
from .history import record_of
from .models import SEAT, Match

logger = logging.getLogger(__name__)

REASONS = {
    "result": "El registro no lleva al resultado guardado",
    "shuffle": "La baraja no es la que sale de su semilla",
    "plays": "Una jugada no sigue las reglas",
    "bots": "Un bot no jugó lo que habría elegido",
    "untold": "No se pudo comprobar",
}
SHUFFLE = {
    "seed": "La semilla guardada no tiene la forma de una semilla.",
    "commitment": "El sello no es el de la semilla.",
    "nonce": "Lo que puso el navegador para barajar no tiene la forma debida.",
    "dealer": "El primero en repartir no sale de la semilla.",
    "decks": "La baraja {number} no sale de la semilla.",
}
UNTOLD = "No se puede leer su registro."


class Checked(NamedTuple):
    """What a match came to: the person's think times in ms, how many choices tell who is strong and how many agree with
    `maestro`; `gone` are the bots that are not here any more to be asked."""

    findings: list[Finding]
    times: list[int]
    choices: int = 0
    agreed: int = 0
    gone: frozenset = frozenset()


def check_match(match: Match) -> Checked:
    """A finished match, proved and measured. What cannot be told is a finding too, so that no run stays unverified for
    ever; it is also logged, for the mistake may be ours."""
    findings, times = [], []
    try:
        times = [int(ms) for ms in match.think_times.split()]
        findings += filter(None, [signs.pace(times, match_id=match.pk), signs.beat(times, match_id=match.pk)])
        data = record_of(match)
        verified = verify(data)
        findings += _wrong_of(match, data, verified)
        if {"record", "seed", "plays"} & {check.name for check in verified.fails}:
            return Checked(findings, times)
        record = record_from(data)
        own = sum(game.to_play == SEAT for game, _ in positions(record))
        if own != len(times):
            said = f"Jugadas de la persona: {own}. Tiempos guardados: {len(times)}."
            findings.append(_finding("result", match, said))
        return Checked(findings, times, *signs.agreement(record, bytes(match.seed)), verified.gone)
    except Exception:
        logger.exception("Match %s cannot be verified", match.pk)
        return Checked([*findings, _finding("untold", match, UNTOLD)], times)


def _wrong_of(match, data, verified):
    """What the record proves wrong: yields one Finding of each kind at most."""
    fails = {check.name: check for check in verified.fails}
    said = [words.format(number=(fails[name].where or 0) + 1) for name, words in SHUFFLE.items() if name in fails]
    if said:
        yield _finding("shuffle", match, " ".join(said))
    plays, where = data["plays"], fails["plays"].where if "plays" in fails else None
    if where is not None and where < len(plays):
        said = f"La jugada {where + 1}, {plays[where]}, no se podía hacer con estas barajas."
        yield _finding("plays", match, said, where)
    elif said := [UNTOLD] if "record" in fails else _other_result(match, verified, len(plays)):
        yield _finding("result", match, " ".join(said), len(plays))
    if "bots" in fails:
        yield _finding("bots", match, _other_choice(fails["bots"]), fails["bots"].where or 0)


def _other_result(match, verified, plays):
    """How what is kept of the match parts from what its plays lead to, in sentences."""
    said = []
    if match.ply != plays:
        said.append(f"Jugadas del registro: {plays}. Según la partida: {match.ply}.")
    if verified.winner is None:
        return [*said, f"Con las {plays} jugadas del registro nadie gana, y la partida está guardada como terminada."]
    kept = {"La partida guarda": match.load_game().score}
    if summary := getattr(match, "summary", None):
        kept["Sus cifras guardan"] = (summary.own_score, summary.rival_score)
    for what, score in kept.items():
        if tuple(score) != verified.score:
            said.append(f"El registro lleva a {_score(verified.score)}. {what} {_score(score)}.")
    if match.winner != verified.winner:
        who = "la persona y la Virgen" if verified.winner == SEAT % 2 else "sus rivales"
        said.append(f"Según el registro ganan {who}; según la partida, no.")
    return said


def _other_choice(check):
    """What a bot would have played, and what it did."""
    if not check.about:
        return "No se entiende qué bots se sentaron a la mesa."
    label, chosen, made = check.about
    return f"En la jugada {check.where + 1}, {label} habría elegido {chosen}; está {made}."


def _finding(kind, match, evidence, ply=0):
    return Finding(kind, REASONS[kind], evidence, match.pk, f"?partida={match.pk}&jugada={ply}#repaso")


def _score(score):
    return f"{score[0]} a {score[1]}"
