"""The players that are not people: each chooses from a seat's view and a stream of chance, and from nothing else.

A bot is known by name and version; a record keeps both, so that its plays can be checked later. Whoever changes what a
bot would play gives it a new version.
"""

from collections.abc import Callable
from typing import NamedTuple

from ..errors import Unreadable
from ..match import Match
from ..rulesets import RULESETS
from ..shuffle import SEED_BYTES, Stream, shuffled_deck
from ..view import view_of
from . import greedy, plain, random, reply, search
from .tempers import TEMPERS
from .worth import chances


class Bot(NamedTuple):
    """A player. `choose(view, rng) -> play` takes a view whose turn it is and an object with `below(m)`."""

    name: str
    version: int
    choose: Callable

    @property
    def label(self):
        """Name and version as records write them: `greedy/1`."""
        return f"{self.name}/{self.version}"


BOTS = {
    bot.name: bot
    for bot in (
        Bot("random", 1, random.choose),
        Bot("plain", 1, plain.choose),
        Bot("greedy", 1, greedy.choose),
        Bot("aficionado", 1, reply.choose),
        Bot("maestro", 1, search.choose),
        *(Bot(name, 1, temper.choose) for name, temper in TEMPERS.items()),
    )
}


def prepare():
    """Work out, in about a second, the tables that the bots look things up in; else they do so at their first plays."""
    for rules in RULESETS.values():
        chances(rules)
        match = Match(rules, rules.seats - 1)
        match.begin_deck(shuffled_deck(bytes(SEED_BYTES), "", 0))
        view = view_of(match, match.to_play)
        for stock in range(0, view.stock + 1, 5 * rules.seats):
            for name in ("aficionado", "maestro"):
                BOTS[name].choose(view._replace(stock=stock), Stream(bytes(SEED_BYTES), "prepare"))


def get_bot(label):
    """The bot of a name, or of a name and version; raises Unreadable for one that is not here (any more)."""
    name, slash, version = label.partition("/") if isinstance(label, str) else ("", "", "")
    bot = BOTS.get(name)
    if bot is None or (slash and version != str(bot.version)):
        raise Unreadable("there is no such bot")
    return bot
