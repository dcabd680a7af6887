"""A match to be looked back at, moment by moment: the position after so many plays and what happened just then.

It needs what a record has and who sat where, and nothing of whose match it is. The page shows one moment and holds all
of them for its script, which draws them without knowing any rule.
"""

import logging
from typing import NamedTuple

from django.utils.text import capfirst

from cvarenta.game.cards import NAMES, cards_in, format_cards
from cvarenta.game.errors import GameError
from cvarenta.game.events import Event, Played
from cvarenta.game.record import replay
from cvarenta.game.view import View, view_of

from .characters import YOU
from .history import by_deck
from .models import SEAT
from .table import CALLS, CARD_NAMES, PLACES, call_of, deals_left, drawing
from .wording import event_text, team_name

logger = logging.getLogger(__name__)

DEALS = ("primera", "segunda", "tercera", "cuarta")
CONTROLS = (  #: kind, what stands below its drawing, what is read out besides
    ("first", "Inicio", ""),
    ("call-before", "Canto", "anterior"),
    ("before", "Atrás", "una jugada"),
    ("after", "Sigue", "una jugada"),
    ("call-after", "Canto", "siguiente"),
    ("last", "Final", ""),
)
MINE = "mias"  #: the value of `manos` that shows the person's hand only
BACK = "back"


class Moment(NamedTuple):
    """The position after `ply` plays: what all may see of it, the hands of every seat, and the events that led here."""

    view: View
    hands: list[str]
    events: list[Event]

    @property
    def ply(self):
        return self.view.ply

    @property
    def played(self):
        """The play that led here, or None before the first."""
        return self.events[0] if isinstance(self.events[0], Played) else None


def moments_of(record):
    """The moments of a `cvarenta.game.record.Record`, moment N at index N.

    A record that breaks a rule, say one written before a rule was mended, is told as far as it can be; the log of the
    server says so.
    """
    game, moments, events = record.new_match(), [], []
    try:
        for event in replay(record, game):
            if isinstance(event, Played):
                events = []
            events.append(event)
            # Once more at each event of a play: the last one stands, when whatever the play brought has been dealt.
            del moments[game.ply :]
            moments.append(_moment(game, events))
    except GameError as error:
        logger.warning("a record cannot be told beyond ply %d: %s", game.ply, error)
    return moments


def _moment(game, events):
    waiting = (game.to_play + 1) % game.rules.seats  # a seat that has no plays to be listed
    return Moment(view_of(game, waiting), [format_cards(hand) for hand in game.hands], events)


def told_of(moments):
    """All events of the moments as (deck, event)."""
    return by_deck([event for moment in moments for event in moment.events], 0)


def plies_told(moments):
    """For each event of `told_of` the moment it belongs to."""
    return [moment.ply for moment in moments for _ in moment.events]


def moment_asked(text, last):
    """The number of the moment meant by a text of an address: the nearest there is, or the beginning."""
    try:
        return min(max(int(text), 0), last)
    except ValueError:
        return 0


def replay_context(moments, characters, *, asked="", hides_hands=False, base_url="", of_match="", is_public=False):
    """What `campaign/_replay.html` shows: one moment, the ways to the others, and all moments for the script.

    `characters` are those at seats 0, 1, …; `asked` is the number of a moment as an address has it, `base_url` the
    page's address without query, `of_match` the match's id where that page shows several, `is_public` whether anybody
    may go there.
    """
    last = len(moments) - 1
    ply, tail = moment_asked(asked, last), f"&manos={MINE}"
    frames = [_frame(moment, characters, last) for moment in moments]
    calls = [number for number, frame in enumerate(frames) if frame["call"]]
    to = {
        "first": 0,
        "call-before": max((call for call in calls if call < ply), default=ply),
        "before": max(ply - 1, 0),
        "after": min(ply + 1, last),
        "call-after": min((call for call in calls if call > ply), default=ply),
        "last": last,
    }
    now = _shown(frames[ply], hides_hands)
    return {
        "now": now,
        "ply": ply,
        "last": last,
        "base_url": base_url,
        "of_match": of_match,
        "query": f"?partida={of_match}&" if of_match else "?",
        "is_public": is_public,
        "hides_hands": hides_hands,
        "mine": MINE,
        "only_mine": "Solo mi mano" if characters[SEAT] is YOU else f"Solo la mano de {characters[SEAT].name}",
        "tail": f"{tail if hides_hands else ''}#repaso",
        "other_tail": f"{'' if hides_hands else tail}#repaso",
        "controls": [(kind, label, more, to[kind]) for kind, label, more in CONTROLS],
        "seats": [
            {
                "seat": seat,
                "place": PLACES[len(characters)][seat],
                "character": character,
                "label": "Tu mano" if character is YOU else f"Mano de {character.name}",
                "hand": now["hands"][seat],
            }
            for seat, character in enumerate(characters)
        ],
        "teams": [
            {"name": team_name(team, characters), **{key: now[key][team] for key in ("score", "taken", "chicas")}}
            for team in (0, 1)
        ],
        "is_mesa": moments[0].view.rules.is_mesa,
        "deals": _deals(moments, ply),
        "cards": [face_of(name) for name in (*NAMES, BACK)],
        "frames": frames,
    }


def _frame(moment, characters, last):
    """A moment as the script reads it: cards as names in a row, words as they are shown."""
    view, played = moment.view, moment.played
    called = [call for call in map(call_of, moment.events) if call]
    is_over = view.winner is not None
    return {
        "hands": moment.hands,
        "table": format_cards(view.table),
        "last": format_cards([view.last]) if view.last >= 0 else "",
        "took": format_cards([played.card, *cards_in(played.takes)]) if played and played.takes else "",
        "by": played.seat if played else -1,
        "turn": -1 if is_over else view.to_play,
        "next": "Se acabó" if is_over else f"Sigue: {characters[view.to_play].name}",
        "dealer": view.dealer,
        "score": view.score,
        "taken": view.taken,
        "chicas": view.chicas,
        "call": CALLS[called[0]] if called else "",
        "where": f"Jugada {view.ply} de {last} · {_deal_name(view)}",
        "stock": deals_left(view),
        "lines": [event_text(event, characters, view.rules) for event in moment.events],
        "called": [call_of(event) is not None for event in moment.events],
    }


def _shown(frame, hides_hands):
    """A frame as the template shows it: its cards with drawing and name, its lines with whether they were called."""
    return frame | {
        "hands": [
            [face_of(BACK if hides_hands and seat != SEAT else name) for name in _names(hand)]
            for seat, hand in enumerate(frame["hands"])
        ],
        "table": [face_of(name) | {"is_last": name == frame["last"]} for name in _names(frame["table"])],
        "took": [face_of(name) for name in _names(frame["took"])],
        "lines": list(zip(frame["lines"], frame["called"], strict=True)),
    }


def _names(cards):
    return [cards[i : i + 2] for i in range(0, len(cards), 2)]


def face_of(name):
    """A card by its two characters, or `BACK`, as the templates draw it: `name`, `label`, `drawing`."""
    label = "carta tapada" if name == BACK else CARD_NAMES[NAMES.index(name)]
    return {"name": name, "label": label, "drawing": drawing(name, "card")}


def _deals(moments, ply):
    """Where each deal begins, as (moment, name, whether `ply` lies in it)."""
    deals, before = [], None
    for moment in moments:
        name = _deal_name(moment.view)
        if name != before:
            deals.append([moment.ply, capfirst(name), False])
            before = name
    [deal for deal in deals if deal[0] <= ply][-1][2] = True
    return deals


def _deal_name(view):
    return f"baraja {view.deck_number + 1}, {DEALS[view.deal_number]} repartida"
