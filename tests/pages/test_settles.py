"""Whatever the motion does, once settled the page equals a fresh load."""

import pytest

from .tables import SETTLED, begin, play_by_keys, stop_the_clock

pytestmark = pytest.mark.django_db(transaction=True)
PICTURE = """() => ({
    table: [...document.querySelectorAll('.laid li')].map((card) => card.dataset.card),
    hand: [...document.querySelectorAll('.held-card label')].map((card) => card.dataset.card),
    counts: [...document.querySelectorAll('.held')].map((held) => held.childElementCount),
    points: [...document.querySelectorAll('.points')].map((points) => points.textContent),
    counters: [...document.querySelectorAll('.counters')].map((counters) => counters.childElementCount),
    piles: [...document.querySelectorAll('.pile')].map((pile) => pile.textContent.trim()),
    log: [...document.querySelectorAll('#log li')].map((line) => line.textContent.trim()),
    flying: document.querySelectorAll('.flying, .call, .says').length,
})"""


def goes_on(page, turns):
    """Play so many cards; whether the match still goes on, for a doble ronda may end it."""
    for turn in range(turns):
        if page.locator("#to-match").count():
            return False
        play_by_keys(page, str(1 + turn % 2) if page.locator(".held-card").count() > 1 else "1")
    return not page.locator("#to-match").count()


@pytest.mark.parametrize("ruleset, pace", [("quito", "fast"), ("tradicional-4", "once")])
def test_the_settled_table_equals_a_fresh_one(page, live_server, ruleset, pace):
    begin(page, live_server, ruleset=ruleset, rival="random", pace=pace)
    while not goes_on(page, turns=6 if pace == "once" else 2):  # what is over is shown elsewhere when it is loaded
        begin(page, live_server, ruleset=ruleset, rival="random", pace=pace)
    settled = page.evaluate(PICTURE)
    page.reload()
    assert settled == page.evaluate(PICTURE)


def test_taps_skip_what_the_others_do(page, live_server):
    begin(page, live_server, pace="slow")
    page.wait_for_selector("html.js")  # else the keys are nobody's yet
    stop_the_clock(page)
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.wait_for_selector("#room.busy #log li[data-news]")
    page.locator(".cloth").click(position={"x": 20, "y": 20})
    page.wait_for_selector(SETTLED)
