"""An example of the guide as its template wants it: the position, what was chosen in it, the answer."""

from campaign.characters import VIRGEN
from campaign.models import SEAT
from campaign.table import CARD_NAMES, drawing
from cvarenta.game.cards import DECK, NAMES
from cvarenta.game.view import view_of
from cvarenta.wording import listed

from .answer import BadTry
from .answers import answer_to
from .counts import DEALERS, LEFT_OVERS, OWN_PILE, count, count_setting


def shown(example, fields, answer):
    """What the template of an example sees: its position with what was chosen in it, and the answer if it was tried."""
    asked = {name: fields.get(name, "") for name in ("carta", "puntaje")}
    context = {
        "example": example,
        "answer": answer and _answer(answer),
        "is_about": not example.about or bool(answer and answer.play in example.about),
        "scores": _options(example.scores, asked["puntaje"]) if len(example.scores) > 1 else [],
    }
    if example.kind == "play":
        view = view_of(example.at(example.scores[0]), SEAT)
        takes = fields.getlist("toma") if fields else []
        context["table"] = [_card(card, NAMES[card] in takes) | {"is_last": card == view.last} for card in view.table]
        context["hand"] = [_card(card, NAMES[card] == asked["carta"]) for card in view.hand]
    elif example.kind == "deal":  # nothing is seen before the deal; on paper there is no dealing
        context["on_paper"] = _answer(answer_to(example, {}))["hands"]
    elif example.kind == "count":
        context |= _count(example, fields, answer)
    return context


def _options(values, chosen):
    """Numbers that may be chosen, in order; the first given where nothing, or nothing that is among them, was."""
    chosen = chosen if chosen in map(str, values) else str(values[0])
    return [{"value": text, "is_chosen": text == chosen} for text in map(str, sorted(values))]


def _card(card, is_chosen=False):
    return {
        "name": NAMES[card],
        "label": CARD_NAMES[card],
        "drawing": drawing(NAMES[card], "card"),
        "is_chosen": is_chosen,
    }


def _answer(answer):
    """An answer with its cards drawn."""
    table = answer.table and [_card(card) for card in answer.table]
    whose = {SEAT: "Tus cinco", 2: f"Las cinco de la {VIRGEN.name}"}
    hands = [
        {
            "label": f"{whose[seat]}: {listed([CARD_NAMES[card] for card in cards])}.",
            "whose": whose[seat],
            "cards": [_card(card, card >> 2 == rank) for card in cards],
        }
        for seat, cards, rank in answer.hands
    ]
    return {"said": answer, "was_played": answer.table is not None, "table": table, "hands": hands,
            "left": table and listed([card["label"] for card in table])}  # fmt: skip


def _count(example, fields, answer):
    """The slider's own part: what may be chosen, and what each of its steps pays, for the script to follow it."""
    score = next((score for score in example.scores if str(score) == fields.get("puntaje", "")), example.scores[0])
    try:
        left, dealer = count_setting(example, fields)
    except BadTry:
        left, dealer = count_setting(example, {})
    own = fields.get(OWN_PILE, "")
    most = len(DECK) - left
    results = [count(example, score, left, dealer, pile) for pile in range(most + 1)]
    own = int(own) if own in map(str, range(most + 1)) else example.count.cards[0]
    return {
        "own": str(own),
        "results": [{"badge": result.badge, "text": result.text} for result in results],
        "answer": _answer(answer or results[own]),
        "lefts": [
            {"value": str(number), "is_chosen": number == left} for number in LEFT_OVERS
        ],
        "dealers": [
            {"value": who, "is_chosen": seat == dealer} for who, seat in DEALERS.items()
        ],
    }  # fmt: skip
