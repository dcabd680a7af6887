"""The table as its two readers want it, from the person's view: a context for templates, an object for programs.

What the table's page repeats most (drawings, the log's data attributes) is put together here, escaped, since a play
answers with that page's fragment.
"""

from functools import cache
from html import escape

from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import mark_safe

from cvarenta.game.cards import NAMES, cards_in
from cvarenta.game.events import Carton, Chica, End, Played, Ronda, describe
from cvarenta.game.notation import format_play
from cvarenta.game.rulesets import GOAL
from cvarenta.game.view import view_of, worth_of
from cvarenta.wording import counted

from .chapters import get_chapter
from .characters import MIGUEL, TABLES, line_at, seated
from .models import SEAT
from .wording import card_name, event_text, play_label, score_label, team_name

CARD_NAMES = tuple(card_name(card) for card in range(40))
PLACES = {4: ("south", "east", "north", "west"), 2: ("south", "north")}
CALLS = {
    "caida": "Caída",
    "limpia": "Limpia",
    "caida limpia": "Caída y limpia",
    "ronda": "Ronda",
    "carton": "Cartón",
    "chica": "Chica",
    "end": "Cuarenta",
}
DECKS_IN_LOG = 2  #: the deck being played and the one before: the log stays short however long the match


@cache
def drawing(name, css_class=""):
    """The drawing of a card, `back`, `perro` or `tanto`, for decoration: its words stand beside it."""
    attributes = f' class="{css_class}"' if css_class else ""
    return mark_safe(f'<svg{attributes} aria-hidden="true"><use href="{static("img/cards.svg")}#{name}"/></svg>')


def _drawings(name, number):
    return mark_safe(drawing(name) * number)


def url_of(match):
    """Where a match is played, or looked back at when somebody has won it."""
    return reverse("match" if match.is_over else "table", args=[match.pk])


def url_after(match):
    """Where one goes from the table when a match has ended: its chapter's page, or its own."""
    if match.is_abandoned:
        return reverse("campaign")
    return reverse("chapter", args=[match.run_id, match.chapter]) if match.run_id else reverse("match", args=[match.pk])


def table_json(match, game, events):
    """What a program sees of a match: the person's view and these events."""
    view = view_of(game, SEAT)
    return {
        "id": match.pk,
        "ruleset": match.ruleset,
        "ply": view.ply,
        "seat": view.seat,
        "to_play": view.to_play,
        "dealer": view.dealer,
        "hand": [NAMES[card] for card in view.hand],
        "table": [NAMES[card] for card in view.table],
        "last": NAMES[view.last] if view.last >= 0 else None,
        "counts": view.counts,
        "taken": view.taken,
        "stock": view.stock,
        "score": view.score,
        "chicas": view.chicas,
        "legal": [] if match.is_abandoned else [format_play(play) for play in view.legal],
        "events": [describe(event) for event in events],
        "over": game.is_over or match.is_abandoned,
        "winner": game.winner,
    }


def table_context(match, game, told):
    """What the templates see: the person's view in words. `told` are (deck, event) pairs; the log shows the last decks
    of them."""
    view = view_of(game, SEAT)
    characters = seated(view.rules, match.rival)
    log = log_lines([pair for pair in told if pair[0] > game.deck_number - DECKS_IN_LOG], characters, view.rules)
    is_over = game.is_over or match.is_abandoned
    seats = [
        {
            "seat": str(seat),
            "is_person": seat == SEAT,
            "character": character,
            "place": PLACES[len(characters)][seat],
            "count": view.counts[seat],
            "cards": counted(view.counts[seat], "carta", "cartas"),
            "backs": _drawings("back", view.counts[seat]),
            "team": str(seat % 2),
            "is_dealer": seat == view.dealer,
            "is_turn": seat == view.to_play and not is_over,
        }
        for seat, character in enumerate(characters)
    ]
    return {
        "match": match,
        "table_name": TABLES[match.ruleset].name,
        "ply": str(view.ply),
        "chapter": get_chapter(match.chapter) if match.run_id else None,
        "is_over": is_over,
        "has_won": game.winner == SEAT % 2,
        "url_after": url_after(match) if is_over else "",
        "seats": seats,
        "teams": [_team(team, view, characters) for team in (0, 1)],
        "table": [
            {
                "name": NAMES[card],
                "label": CARD_NAMES[card],
                "drawing": drawing(NAMES[card], "card"),
                "is_last": card == view.last,
            }
            for card in view.table
        ],
        "hand": [_in_hand(view, key, card) for key, card in enumerate(view.hand, start=1)],
        "just": log[-1]["text"] if log and not is_over else "",
        "goal": "" if is_over else f"{'Chica a' if view.rules.is_mesa else 'A'} {GOAL}",
        "deals_left": "" if is_over else deals_left(view),
        "back": drawing("back"),
        "log": log,
        "only_caida": [] if is_over else _only_caida(view),
    }


def log_lines(told, characters, rules):
    """The lines of the log: dicts of what the page shows and of what its script needs to move the cards."""
    lines = []
    for deck, event in told:
        shown = describe(event)
        call = call_of(event)
        speaker, says = _said(event, characters, rules)
        data = {
            "kind": shown["event"],
            "deck": str(deck),
            "fresh-deck": shown.get("deal") == 0,
            "seat": None if "seat" not in shown else str(shown["seat"]),
            "card": shown.get("card"),
            "takes": " ".join(shown["takes"]) if "takes" in shown else None,
            "score": _pair(shown.get("score")),
            "points": _pair(_points(event)),
            "cards": _pair(shown.get("cards")),
            "call": call,
            "called": CALLS.get(call),
            "speaker": str(speaker) if says else None,
            "says": says or None,
            "winner": str(event.winner) if isinstance(event, Chica | End) else None,
        }
        line = {
            "css": f"{shown['event']} called" if call else shown["event"],
            "data": _data_attributes(data),
            "deck": deck,
            "text": event_text(event, characters, rules),
            "says": says if not says or speaker == shown.get("seat") else f"{characters[speaker].name}: {says}",
        }
        lines.append(line)
    return lines


def _data_attributes(data):
    """Values as data attributes of HTML; True is the bare name, None and False are left out."""
    return mark_safe(
        "".join(
            [
                f" data-{name}" if value is True else f' data-{name}="{escape(value)}"'
                for name, value in data.items()
                if value is not None and value is not False
            ]
        )
    )


def _pair(numbers):
    """Two numbers as the script reads them: «4 2»."""
    return None if numbers is None else f"{numbers[0]} {numbers[1]}"


def _points(event):
    """What an event added to each team, or None."""
    if isinstance(event, Carton):
        return event.points
    if isinstance(event, Played | Ronda):
        return (event.points, 0) if event.seat % 2 == 0 else (0, event.points)
    return None


def call_of(event):
    """What is called out over the cloth: caida, limpia, both, ronda, carton, chica, end, or None."""
    if isinstance(event, Played):
        return " ".join(word for word in ("caida", "limpia") if getattr(event, word)) or None
    return {Ronda: "ronda", Carton: "carton", Chica: "chica", End: "end"}.get(type(event))


def _said(event, characters, rules):
    """Who says something at an event, as (seat, words), or (None, '')."""
    if isinstance(event, End):
        return _line(1, "won" if event.winner else "beaten", 0, characters)
    at_limit = _brought_to_limit(event, rules)
    if 1 in at_limit:
        return _line(1, "thirty_eight", 0, characters)
    if at_limit and len(characters) == 4:
        return characters.index(MIGUEL), "Treinta y ocho: solo vale caída."
    if isinstance(event, Carton) and len(characters) == 4:
        return characters.index(MIGUEL), "Cuéntese el cartón."
    if isinstance(event, Ronda):
        return _line(event.seat, "ronda", event.count, characters)
    if not isinstance(event, Played):
        return None, ""
    if event.caida and event.seat % 2 == 0:
        return _line((event.seat - 1) % len(characters), "fallen", event.ply, characters)
    for moment in ("caida", "limpia"):
        if getattr(event, moment):
            return _line(event.seat, moment, event.ply, characters)
    if not event.takes and event.card >> 2 in (0, 3):
        return _line(event.seat, "ace" if event.card >> 2 == 0 else "four", event.ply, characters)
    return None, ""


def _brought_to_limit(event, rules):
    """The teams that this event brought to where only a caída counts."""
    points, limit = _points(event), rules.caida_alone_from
    return [team for team in (0, 1) if points and points[team] and event.score[team] == limit]


def _line(seat, moment, ply, characters):
    words = line_at(characters[seat], moment, ply)
    return (seat, words) if words else (None, "")


def _team(team, view, characters):
    points = view.score[team]
    return {
        "team": str(team),
        "name": team_name(team, characters),
        "score": str(points),
        "label": score_label(team, points, characters),
        "counters": _drawings("perro", points // 10) + _drawings("tanto", points % 10 // 2),
        "taken": str(view.taken[team]),
        "taken_label": counted(view.taken[team], "carta recogida", "cartas recogidas"),
        "chicas": "★" * view.chicas[team] if view.rules.is_mesa else None,
        "chicas_label": counted(view.chicas[team], "chica", "chicas"),
    }


def _in_hand(view, key, card):
    """A card of the hand with what it can do; captures alike in all but the suits of equal ranks are shown once."""
    options, alike = [], set()
    for play in view.legal:
        if play[0] != card:
            continue
        worth = worth_of(view, play)
        taken = cards_in(play[1])
        kind = (tuple(other >> 2 for other in taken), worth)
        if kind in alike:
            continue
        alike.add(kind)
        calls = [word for word, is_so in (("caída", worth.caida), ("limpia", worth.limpia)) if is_so]
        options.append(
            {
                "play": format_play(play),
                "takes": " ".join(NAMES[other] for other in taken),
                "label": play_label(play),
                "worth": worth,
                "points": f"+{worth.points}" if worth.points else "",
                "calls": " y ".join(calls),
            }
        )
    options.sort(key=lambda option: (-option["worth"].points, -option["worth"].cards))
    if len(options) > 2 and not options[-1]["takes"]:
        options.insert(1, options.pop())  # laying the card stays in sight, however many captures there are
    best = options[0] if options else None
    return {
        "name": NAMES[card],
        "label": f"{CARD_NAMES[card]}, {'puede recoger' if best and best['takes'] else 'no recoge'}",
        "drawing": drawing(NAMES[card], "card"),
        "key": str(key),
        "best": best,
        "options": options,
    }


def deals_left(view):
    """How many deals this deck still holds, in words."""
    deals = view.stock // (5 * view.rules.seats)
    if not deals:
        return "Última repartida de la baraja"
    return f"{'Falta' if deals == 1 else 'Faltan'} {counted(deals, 'repartida', 'repartidas')} de esta baraja"


def _only_caida(view):
    """The teams, of those at 38, whose limpias no longer count."""
    limit = view.rules.caida_alone_from
    return [str(team) for team in (0, 1) if limit is not None and view.score[team] >= limit]
