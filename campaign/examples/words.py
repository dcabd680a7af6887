"""Why a play is refused, in the Spanish of the table."""

from django.utils.text import capfirst

from campaign.wording import SUIT_NAMES, the_card
from cvarenta.game.cards import NUMBER_RANKS, cards_in, rank_of
from cvarenta.game.refusal import Code
from cvarenta.wording import listed

_WORDS = ("cero", "una", "dos", "tres", "cuatro", "cinco", "seis", "siete")


def refusal_text(rules, refusal, play):
    """Why this play (card, mask of taken cards) is refused, and what would do, in a sentence or two."""
    card, takes = play
    return _TEXTS[refusal.code](rules, refusal, rank_of(card), [rank_of(other) for other in cards_in(takes)], card)


def _ranked(rank):
    """«el 5», «la J»."""
    return the_card(4 * rank)


def _of(rank):
    """«5», «J»: a rank beside an article of its own."""
    return _ranked(rank).split()[1]


def _starts(rank):
    """What a capture with a rank begins with: «otra J», «otro 5, o dos que sumen 5»."""
    if rank >= NUMBER_RANKS:
        return f"otra {_of(rank)}"
    # two different cards add up to 3 at least
    return f"otro {_of(rank)}" + (f", o dos que sumen {rank + 1}" if rank > 1 else "")


def _no_start(rules, refusal, rank, taken, card):
    return f"Primero va {_starts(rank)}; de ahí sube la escalera."


def _figures(rules, refusal, rank, taken, card):
    return "Las figuras no suman ni entran en sumas: la J, la Q y la K recogen a su igual, y de ahí suben."


def _wrong_sum(rules, refusal, rank, taken, card):
    lower = [other for other in taken if other < rank]
    if len(lower) == 1:
        return f"{capfirst(_ranked(lower[0]))} no hace {_of(rank)}. Busca {_starts(rank)}."
    added = sum(lower) + len(lower)
    return f"{capfirst(listed([_of(other) for other in lower]))} dan {added}, y tu carta es {_of(rank)}."


def _too_many(rules, refusal, rank, taken, card):
    lower = [other for other in taken if other < rank]
    return f"Suman {rank + 1}, sí, pero son {_WORDS[len(lower)]} cartas. Aquí se suman {_WORDS[rules.addends]} exactas."


_TEXTS = {
    Code.NOT_HELD: lambda rules, refusal, rank, taken, card: (
        f"{capfirst(the_card(card))} de {SUIT_NAMES[card & 3]} no está en tu mano. Juega una de las tuyas."
    ),
    Code.NOT_THERE: lambda *_: "Eso no está en la mesa. Llévate solo lo que ves tendido.",
    Code.MUST_CAPTURE: lambda rules, refusal, rank, taken, card: (
        f"Tu {_of(rank)} puede recoger, así que recoge. Si no te conviene, deja otra carta."
    ),
    Code.TWO_ALIKE: lambda *_: "De cada valor va una sola carta.",
    Code.FIGURES: _figures,
    Code.MATCH_AND_SUM: lambda *_: "O lo igual o la suma: las dos cosas de golpe, nunca.",
    Code.WRONG_SUM: _wrong_sum,
    Code.TOO_MANY: _too_many,
    Code.NO_START: _no_start,
    Code.GAP: lambda rules, refusal, *_: (
        f"Falta el escalón: no hay {_of(refusal.rank)}, y en el hueco se acaba la escalera."
    ),
    Code.INCOMPLETE: lambda rules, refusal, *_: f"La escalera va completa: también te toca {_ranked(refusal.rank)}.",
}
