"""The table fits every screen: nothing scrolls, everything can be seen and tapped."""

import pytest
from django.utils import timezone

from campaign import services
from campaign.characters import RIVALS
from tests.campaign.ended_matches import save_ended

from .tables import arrange, begin, scrolls

pytestmark = pytest.mark.django_db(transaction=True)
SCREENS = [(320, 568), (390, 844), (844, 390), (568, 320), (1280, 800)]
TEN_CARDS = "AH2H3H4H5H6H7HJHQHKH"

INSIDE = """(selector) => [...document.querySelectorAll(selector)].filter((element) => {
    const box = element.getBoundingClientRect();
    return box.width < 1 || box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
}).map((element) => element.outerHTML.slice(0, 120))"""
LOW = """(selector) => [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect())
    .filter((box) => box.height && box.height < 44).map((box) => box.height)"""
COVERED = """() => [...document.querySelectorAll('.held-card label, .laid li')].filter((card) => {
    const box = card.getBoundingClientRect();
    const found = document.elementFromPoint(box.left + Math.min(12, box.width / 4), box.top + box.height / 2);
    return !found || !card.contains(found);
}).map((card) => card.dataset.card)"""

UNCOVERED = """() => {
    const focused = document.activeElement.closest('.pick > input') ? document.activeElement.parentElement : document.activeElement;
    const box = focused.getBoundingClientRect();
    const found = document.elementFromPoint(box.left + 20, Math.min(box.bottom, innerHeight) - 4);
    return box.top >= 0 && box.bottom <= innerHeight && focused.contains(found);
}"""


@pytest.mark.parametrize("width, height", SCREENS)
def test_ten_cards_and_a_hand_of_five_are_in_sight_and_in_reach(page, live_server, width, height):
    page.set_viewport_size({"width": width, "height": height})
    begin(page, live_server)
    arrange(page, hand="ADKD7DJD3D", table=TEN_CARDS)
    assert not scrolls(page)
    assert page.locator(".laid li").count() == 10 and page.locator(".held-card").count() == 5
    for selector in (".laid li", ".held-card label", ".plaque", ".seat .medallion", ".menu > summary", ".prompt"):
        assert page.evaluate(INSIDE, selector) == [], selector
    assert page.evaluate(LOW, ".laid li, .held-card label, .menu > summary") == []
    assert page.evaluate(COVERED) == []
    page.keyboard.press("1")
    assert not scrolls(page)
    assert page.evaluate(INSIDE, ".choice:not([hidden])") == [] or page.locator(".choices:visible").count() == 1
    assert page.evaluate(LOW, ".choice") == []


@pytest.mark.parametrize("width, height", [SCREENS[0], SCREENS[3], SCREENS[4]])  # the smallest each way, and a wide one
@pytest.mark.parametrize("ruleset", ["mano-a-mano", "tradicional-2", "tradicional-4"])
def test_the_other_tables_fit_too(page, live_server, ruleset, width, height):
    page.set_viewport_size({"width": width, "height": height})
    begin(page, live_server, ruleset=ruleset)
    assert not scrolls(page)
    for selector in (".held-card label", ".plaque", ".seat .medallion"):
        assert page.evaluate(INSIDE, selector) == [], selector


def test_more_than_ten_cards_stay_on_the_cloth(page, live_server):
    page.set_viewport_size({"width": 320, "height": 568})
    begin(page, live_server, ruleset="mano-a-mano")
    arrange(page, hand="ADKD7DJD3D", table=TEN_CARDS + "AC2C3C4C5C6C7CJCQCKC")
    assert not scrolls(page)
    assert page.evaluate(INSIDE, ".laid li") == []


@pytest.mark.parametrize("width, height", SCREENS)
def test_what_is_to_choose_is_in_reach_and_never_under_the_button_that_deals(page, live_server, width, height):
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{live_server.url}/practica/")
    assert page.evaluate(LOW, ".pick label, .pick summary, .start .button") == []
    page.focus(".site-header nav a")
    for _ in range(7):  # both choices, the four that open, the button
        page.keyboard.press("Tab")
        assert page.evaluate(UNCOVERED)
    page.focus("[name=rival]:checked")
    for _ in range(2 * len(RIVALS)):
        page.keyboard.press("ArrowDown")
        assert page.evaluate(UNCOVERED)
    page.click("text=Repartir")
    page.wait_for_selector("#table")


@pytest.mark.parametrize("path", ["/", "/practica/", "/no-hay/"])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_page_scrolls_sideways(page, live_server, path, width):
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(live_server.url + path)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width


def test_the_choices_are_reached_at_twice_the_text_size(page, live_server):
    page.set_viewport_size({"width": 1280, "height": 720})
    begin(page, live_server)
    arrange(page, hand="ADKD7DJD3D", table=TEN_CARDS)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.keyboard.press("3")
    button = page.locator(".choice:visible").first
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= 1280 and box["y"] + box["height"] <= 720


@pytest.mark.parametrize("width", [390])
def test_pages_with_letters_of_double_size_scroll_in_one_direction(page, live_server, player, width):
    page.set_viewport_size({"width": width, "height": 844})
    match = save_ended(player, 80)
    services.share(match=match, is_shared=True, at=timezone.now())
    paths = ["/", "/campana/", "/practica/", "/guia/", "/cuenta/signup/", "/no-hay/", "/jugadores/dolores/"]
    for path in [*paths, f"/partida/{match.pk}/", "/jugadores/dolores/insignias/sin-un-solo-perro/"]:
        page.goto(live_server.url + path)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), path
