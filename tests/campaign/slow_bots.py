"""The site, but each bot thinks for half a second: so that a kill falls into its turn for certain."""

import time

from cvarenta.game import bots
from cvarenta.wsgi import application  # noqa: F401

THINK_SECONDS = 0.5


def slow(choose):
    def choose_slowly(view, rng):
        time.sleep(THINK_SECONDS)
        return choose(view, rng)

    return choose_slowly


for name, bot in list(bots.BOTS.items()):
    bots.BOTS[name] = bot._replace(choose=slow(bot.choose))
