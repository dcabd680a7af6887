"""Tables to look at in the browser: begun as a visitor begins them, then arranged where a test needs a rare one."""

import re

from campaign.models import Match
from cvarenta.game.cards import mask_of, parse_cards
from cvarenta.game.state import dump_state

READY = "#room:not(.busy) #play"
SETTLED = "#room:not(.busy)"


def begin(page, live_server, ruleset="quito", rival="greedy", pace="once"):
    """Start a practice match through the page, playing at this pace; returns its Match."""
    if pace:
        page.add_init_script(f"try {{ localStorage.setItem('ritmo', '{pace}') }} catch {{}}")
    while True:
        page.goto(f"{live_server.url}/practica/")
        page.check(f"#mesa-{ruleset}", force=True)
        page.check(f"#rival-{rival}", force=True)
        page.click("text=Repartir")
        page.wait_for_url(re.compile("/(mesa|partida)/"))
        if "/mesa/" in page.url:  # a doble ronda may win a tradicional before anybody has played
            break
    page.wait_for_selector("#table")
    page.wait_for_load_state()  # the style sheets too: on a busy machine the table is there before them
    return match_of(page)


def match_of(page):
    """The Match of the page's address."""
    return Match.objects.get(pk=page.url.rstrip("/").rpartition("/")[2])


def arrange(page, *, hand, table, score=(0, 0), others=("2C3C4C5C6C", "2S3S4S5S6S", "AS7SJSQSKS")):
    """Put these cards (one string each) on the page's table and in the hands, and show it."""
    match = match_of(page)
    game = match.load_game()
    game.hands = [parse_cards(hand), *(parse_cards(other)[: len(hand) // 2] for other in others)][: game.rules.seats]
    game.played = [(card, 0) for card in parse_cards(table)]
    game.score = score
    game.to_play = 0
    game.set_table(mask_of(parse_cards(table)), parse_cards(table)[-1] if table else -1)
    Match.objects.filter(pk=match.pk).update(state=dump_state(game))
    page.reload()
    page.wait_for_selector(READY)
    return match_of(page)


def play_by_keys(page, card="1"):
    """Choose a card by its key, play what stands chosen, and wait until it is the person's turn again or over."""
    page.wait_for_selector(f"{SETTLED} #table")
    page.keyboard.press(card)
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{SETTLED} #table", timeout=60_000)


def stop_the_clock(page):
    """From now on no wait of the page ends by itself: what is told there goes on only if it is skipped."""
    page.clock.install(time=1)
    page.clock.pause_at(3600)


def play_out(page):
    """Play the page's match to its end as a program, in the page's session; returns the Match."""
    address = page.url
    program = {"Accept": "application/json"}
    table = page.request.get(address, headers=program).json()
    while not table["over"]:
        token = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "csrftoken")
        table = page.request.post(
            address, headers=program | {"X-CSRFToken": token}, form={"play": table["legal"][-1], "ply": table["ply"]}
        ).json()
    return match_of(page)


def scrolls(page):
    """Whether the page is wider or higher than its window."""
    return page.evaluate(
        """() => { const root = document.scrollingElement;
                   return root.scrollWidth > innerWidth || root.scrollHeight > innerHeight }"""
    )
