"""Hints and the led match in the browser: they stand beside the cards, never over them, and are read out once."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from .tables import READY, SETTLED, arrange, begin, match_of, scrolls
from .test_fits_every_screen import COVERED, INSIDE, LOW, TEN_CARDS

pytestmark = pytest.mark.django_db(transaction=True)

#: what may stand in the ribbon and is longer than the ribbon shows
CLIPPED = (
    """() => { const ribbon = document.querySelector('.ribbon'); return ribbon.scrollHeight - ribbon.clientHeight }"""
)


def be_led(page, live_server):
    page.add_init_script("try { localStorage.setItem('ritmo', 'once') } catch {}")
    page.goto(live_server.url)
    page.click("text=¿Nunca has jugado?")
    page.wait_for_selector(READY)


@pytest.mark.parametrize("width, height", [(320, 568), (568, 320), (1280, 800)])
def test_the_ribbon_covers_neither_cards_nor_buttons(page, live_server, width, height):
    page.set_viewport_size({"width": width, "height": height})
    be_led(page, live_server)
    arrange(page, hand="ADKD7DJD3D", table=TEN_CARDS)
    assert page.locator("#aids").is_visible() and not scrolls(page)
    for selector in (".laid li", ".held-card label", ".plaque", ".aids", ".aids .button", ".prompt"):
        assert page.evaluate(INSIDE, selector) == [], selector
    assert page.evaluate(COVERED) == []
    assert page.evaluate(LOW, ".aids .button, .laid li, .held-card label") == []
    page.keyboard.press("2")
    assert page.locator(".danger:visible").count() == 1
    box = page.locator(".choice:visible").bounding_box()
    assert box["height"] >= 44 and box["x"] >= 0 and box["y"] + box["height"] <= height + 1
    assert page.evaluate(CLIPPED) <= 0


def test_the_led_match_is_played_and_each_word_read_out_once_until_it_is_left(page, live_server):
    be_led(page, live_server)
    words = [page.inner_text("#lesson")]
    for _ in range(3):
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        page.wait_for_timeout(50)
        page.wait_for_selector(f"{SETTLED} #table")
        words += page.locator("#lesson").all_inner_texts()
    heard = page.locator("#voice p").all_inner_texts()
    assert len(words) > 1 and all(heard.count(word) == 1 for word in words)
    assert Axe().run(page).response["violations"] == []
    page.click("text=Seguir sin guía")
    page.wait_for_selector("#table:not(.with-aids)")
    assert match_of(page).lesson == "left"


def test_the_log_opens_at_what_came_last(page, live_server):
    be_led(page, live_server)
    for _ in range(7):
        ply = page.get_attribute("#table", "data-ply")
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        page.wait_for_selector(f'{SETTLED} #table:not([data-ply="{ply}"])')
    page.locator(".log label").click()
    below = page.evaluate("(log) => [log.scrollHeight - log.clientHeight, log.scrollTop]", page.query_selector("#log"))
    assert below[0] > 0 and abs(below[0] - below[1]) < 2


def test_maestro_speaks_without_leaving_the_table(page, live_server):
    begin(page, live_server)
    arrange(page, hand="5DKD7DJD3D", table="2H3H5C")
    address, ply = page.url, match_of(page).ply
    page.keyboard.press("2")
    page.click("#menu summary")
    page.click("#menu [data-hint]")
    page.wait_for_selector("#aids .word")
    word = page.inner_text("#aids .word")
    assert word.startswith("El maestro ") and page.url == address
    assert page.locator("#voice p").all_inner_texts().count(word) == 1
    assert page.locator(".would-take, .would-not").count() == 0 and match_of(page).ply == ply
    page.keyboard.press("1")
    assert page.locator("#aids .word").is_hidden()
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{SETTLED} .held-card:nth-of-type(4)")
    assert page.locator("#aids").count() == 0


def test_a_word_that_comes_after_the_next_play_is_not_shown(page, live_server):
    begin(page, live_server)
    arrange(page, hand="5DKD7DJD3D", table="2H3H5C")
    held = []
    page.route("**/pista/", lambda route: held.append(route))
    page.click("#menu summary")
    page.click("#menu [data-hint]")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{SETTLED} .held-card:nth-of-type(4)")
    ply = page.get_attribute("#table", "data-ply")
    with page.expect_response("**/pista/"):
        held[0].continue_()
    page.keyboard.press("1")  # answered by the page once the late word has been looked at
    assert page.locator(".choice.chosen").count() == 1 and page.locator("#aids").count() == 0
    assert page.get_attribute("#table", "data-ply") == ply and "/pista/" not in page.url


def test_with_the_switch_on_the_danger_is_that_of_the_capture_that_stands_chosen(page, live_server):
    begin(page, live_server)
    arrange(page, hand="5DKD7DJD3D", table="2H3H5C")
    page.click("#menu summary")
    page.click("text=Pistas: no")
    page.wait_for_selector("#aids")
    page.keyboard.press("1")
    first = page.locator(".danger:visible").all_inner_texts()
    page.keyboard.press("ArrowDown")
    second = page.locator(".danger:visible").all_inner_texts()
    assert (
        len(first) == len(second) == 1 and first[0].startswith("Recoger 5.") and second[0].startswith("Recoger 2 y 3.")
    )
    page.keyboard.press("2")
    assert page.locator(".danger:visible").all_inner_texts() == ["Si dejas la K, te pueden caer: quedan 3 kas sin ver."]
    assert Axe().run(page).response["violations"] == []
