"""The guide in a browser: readable by anyone, on every screen, without script, on paper."""

import pytest

from .test_accessible import violations

pytestmark = pytest.mark.django_db(transaction=True)

WIDTHS = [320, 390, 768, 1280]
SIZES = """() => {
    const sizes = new Set(), walker = document.createTreeWalker(document.querySelector('.guide'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        if (walker.currentNode.data.trim() && !parent.closest('.sr')) sizes.add(getComputedStyle(parent).fontSize);
    }
    return [...sizes];
}"""
OUTSIDE = """() => [...document.querySelectorAll('.cloth .card, .held .card, .seats svg')].filter((card) => {
    const box = card.getBoundingClientRect(), cloth = card.closest('.cloth, .held').getBoundingClientRect();
    return box.left < cloth.left || box.right > cloth.right || box.top < cloth.top || box.bottom > cloth.bottom;
}).map((card) => card.outerHTML)"""
SMALL = """() => [...document.querySelectorAll('.cloth .card, .held .card')].filter((card) => card.clientWidth < 34).length"""
CUT = """() => [...document.querySelectorAll('.guide :is(p, li, dt, dd, figcaption, th, td, a, h1, h2, h3)')]
    .filter((element) => element.textContent.trim() && element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline')
    .map((element) => element.textContent)"""


def read(page, live_server, width=390, height=844):
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{live_server.url}/guia/")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_guide_has_no_violation(page, live_server, width):
    read(page, live_server, width)
    assert violations(page) == []
    assert page.locator("html").get_attribute("lang") == "es"


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_scrolls_sideways_and_nothing_is_cut(page, live_server, width):
    read(page, live_server, width)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert page.evaluate(CUT) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_the_cards_lie_within_their_cloth_and_can_be_read(page, live_server, width):
    read(page, live_server, width)
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(SMALL) == 0


def test_headings_are_in_order(page, live_server):
    read(page, live_server)
    levels = page.locator("h1, h2, h3, h4, h5, h6").evaluate_all(
        "(heads) => heads.map((head) => Number(head.localName[1]))"
    )
    assert levels[0] == 1 and levels.count(1) == 1 and levels.count(2) == 9
    assert all(level <= before + 1 for before, level in zip(levels, levels[1:], strict=False))


@pytest.mark.parametrize("width", [390, 1280])
def test_three_sizes_of_type_are_enough(page, live_server, width):
    read(page, live_server, width)
    sizes = sorted(float(size.removesuffix("px")) for size in page.evaluate(SIZES))
    assert len(sizes) == 3
    assert 17 <= sizes[0] <= 19


@pytest.mark.parametrize("width", [390, 1280])
def test_the_contents_lead_to_the_part(page, live_server, width):
    read(page, live_server, width)
    page.get_by_role("navigation", name="En esta guía").get_by_role("link", name="Tantos y perros").click()
    page.wait_for_function("Math.abs(document.getElementById('tantos').getBoundingClientRect().top) < 40")
    assert page.url.endswith("/guia/#tantos")


def test_on_wide_screens_the_contents_stay_beside_what_is_read(page, live_server):
    read(page, live_server, 1280, 800)
    page.locator("#carton").scroll_into_view_if_needed()
    box = page.get_by_role("navigation", name="En esta guía").bounding_box()
    assert 0 <= box["y"] and box["y"] + box["height"] <= 800
    assert box["x"] + box["width"] <= page.locator("#carton").bounding_box()["x"]


def test_it_leads_to_practice_without_script(browser, live_server):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{live_server.url}/guia/")
    assert page.get_by_role("img", name="En la mesa").count() == 16
    page.get_by_role("link", name="Elegir mesa y practicar").click()
    assert page.url == f"{live_server.url}/practica/"
    context.close()


def test_on_paper_it_is_ink_on_white(page, live_server):
    read(page, live_server, 700, 990)
    assert page.locator(".site-header").is_visible()
    page.emulate_media(media="print")
    for gone in (".site-header", ".site-footer", ".contents", ".next"):
        assert not page.locator(gone).is_visible(), gone
    for ground in ("html", "body", ".leaf", ".example .cloth"):
        style = page.locator(ground).first.evaluate(
            "(e) => (({ backgroundColor, backgroundImage, colorScheme }) => [backgroundColor, backgroundImage, colorScheme])(getComputedStyle(e))"
        )
        assert style == ["rgba(0, 0, 0, 0)", "none", "light"], ground
    ink = page.locator("#mesa > p").first.evaluate("(e) => getComputedStyle(e).color")
    for written in ("h1", "#palabras > p", ".seats .north"):
        assert page.locator(written).first.evaluate("(e) => getComputedStyle(e).color") == ink == "rgb(43, 33, 24)"
    assert page.evaluate(OUTSIDE) == []
