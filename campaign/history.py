"""What has happened in a match, told again from its record: events, record, figures."""

import logging

from cvarenta.game.errors import GameError
from cvarenta.game.events import Carton, Deal, Played, Ronda
from cvarenta.game.match import Match as Game
from cvarenta.game.record import tell, write_record

logger = logging.getLogger(__name__)


def events_of(match):
    """All events of a match so far, in order, as (deck, event).

    A match goes on from its state even if its first plays could not be told again, say after a rule was mended in the
    middle of it: then what can be told is, and the log of the server says so.
    """
    game, events = Game(match.rules, match.first_dealer), []
    try:
        for news in tell(game, match.deck, match.parsed_plays()):
            events += news
    except GameError as error:
        logger.warning("match %s cannot be told beyond ply %d: %s", match.pk, game.ply, error)
    return by_deck(events, 0)


def by_deck(events, deck):
    """The events as (deck, event), the first of them in deck `deck`."""
    told = []
    for event in events:
        if isinstance(event, Deal):
            deck = event.deck
        told.append((deck, event))
    return told


def since(told, ply):
    """Of (deck, event) pairs those from the play `ply` on; all for 0."""
    if ply <= 0:
        return told
    for i, (_, event) in enumerate(told):
        if isinstance(event, Played) and event.ply >= ply:
            return told[i:]
    return []


def record_of(match):
    """The record of a finished match, with what proves its shuffle and what a reviewer asks."""
    decks = 1 + match.load_game().deck_number
    return write_record(
        match.rules,
        match.first_dealer,
        (0, 0),
        [match.deck(n) for n in range(decks)],
        match.parsed_plays(),
        seed=bytes(match.seed).hex(),
        commitment=match.commitment,
        nonce=match.nonce,
        bots=match.bots,
        think_times=[int(ms) for ms in match.think_times.split()],
        started_at=match.started_at.isoformat(),
        finished_at=match.finished_at.isoformat(),
    )


def figures_of(told):
    """Counts of a match for each team: a dict of pairs, and `cartones`, a list of Carton by deck."""
    figures = {name: [0, 0] for name in ("caidas", "limpias", "rondas")}
    figures["cartones"] = []
    for deck, event in told:
        if isinstance(event, Played):
            figures["caidas"][event.seat % 2] += event.caida
            figures["limpias"][event.seat % 2] += event.limpia
        elif isinstance(event, Ronda):
            figures["rondas"][event.seat % 2] += 1
        elif isinstance(event, Carton):
            figures["cartones"].append((deck, event))
    return figures
