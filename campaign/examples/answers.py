"""What the game answers to somebody who tries one of the guide's examples."""

from django.http import QueryDict

from campaign.models import SEAT
from cvarenta.game.cards import cards_in
from cvarenta.game.errors import NotAllowed, Unreadable
from cvarenta.game.events import Played, Ronda
from cvarenta.game.notation import format_play, parse_play
from cvarenta.game.refusal import refusal_of
from cvarenta.wording import counted

from . import Example, counts
from .answer import Answer, BadTry, chosen, told
from .words import refusal_text


def answer_to(example: Example, fields: QueryDict) -> Answer:
    """The Answer to the fields of a try: `puntaje` and, by the example's kind, `carta` and `toma`, or
    `nuestras`, `sueltas` and `reparte`."""
    try:
        otherwise = f"Con ese puntaje no se prueba. Puede ser {_either(example.scores)}."
        score = chosen(fields, "puntaje", example.scores, otherwise)
        return _ANSWERS[example.kind](example, score, fields)
    except BadTry as bad:
        return Answer(None, [str(bad)])


def _either(numbers):
    """«34, 36 o 38»."""
    *first, last = map(str, sorted(numbers))
    return f"{', '.join(first)} o {last}" if first else last


def _played(example, score, fields):
    if not fields.get("carta"):
        raise BadTry("Escoge primero una carta de tu mano.")
    takes = fields.getlist("toma")
    try:
        play = parse_play(f"{fields['carta']}{'x' if takes else ''}{''.join(takes)}")
    except Unreadable:
        raise BadTry("Esa jugada no se entiende. Escoge una carta de tu mano y lo que te llevas de la mesa.") from None
    match = example.at(score)
    before, table = match.score, match.table
    try:
        events = match.play(play)
    except NotAllowed:
        refusal = refusal_of(match.rules, match.hands[SEAT], table, play)
        text = refusal_text(match.rules, refusal, play)
        return Answer(False, [text], score=before, play=format_play(play), code=str(refusal.code))
    move = next(event for event in events if isinstance(event, Played))
    return Answer(
        True,
        [*told(match.rules, events), *_why(match, before, move)],
        points=move.points,
        score=match.score,
        play=format_play(play),
        table=cards_in(match.table),
        events=events,
    )


def _why(match, before, move):
    """What the log leaves to those who know the game: why a play brought what it brought."""
    if move.points and not match.is_over:
        return [f"De {before[0]} pasan a {match.score[0]}."]
    if move.takes and not move.points:
        return [f"Son {counted(move.takes.bit_count() + 1, 'carta', 'cartas')} para tu cartón."]
    return []


def _dealt(example, score, fields):
    match, events = example.moment(score)
    rondas, after = [event for event in events if isinstance(event, Ronda)], match.score
    return Answer(
        True,
        [*told(match.rules, rondas), f"{f'De {score} pasan a' if after[0] > score else 'Siguen en'} {after[0]}."],
        points=after[0] - score,
        score=after,
        hands=[(ronda.seat, match.hands[ronda.seat], ronda.rank) for ronda in rondas],
        events=events,
    )


_ANSWERS = {"play": _played, "deal": _dealt, "count": counts.counted}
