"""The story in the browser: a player logged in, runs brought to where a test needs them."""

from tests.campaign.endings import WON, bring_to_its_end, finish
from tests.campaign.playing import Program
from tests.support import client_of

from .tables import SETTLED


def log_in(page, live_server, player):
    """The browser of a player who has logged in; returns a program in a session of its own for the same player."""
    key = client_of(player).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": key, "url": live_server.url}])
    page.add_init_script("try { localStorage.setItem('ritmo', 'once') } catch {}")
    return Program(client_of(player))


def reach(program, chapter, *, dealt=True):
    """Win every chapter before this one; with `dealt` its match is dealt too. Returns the run's id."""
    run = None
    for number in range(1, chapter + dealt):
        answer = program.go_on()
        run = answer["run"]
        if number < chapter:
            finish(program, answer["id"], WON)
    return run


def win(page):
    """Win the match of the page's table with one more card, by keys."""
    bring_to_its_end(page.url.rstrip("/").rpartition("/")[2], WON)
    page.reload()
    page.wait_for_selector(f"{SETTLED} #play")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.wait_for_selector("#to-match")
