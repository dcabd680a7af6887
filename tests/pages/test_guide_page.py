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
OUTSIDE = """() => [...document.querySelectorAll('.cloth .card, .held .card, .own .card, .seats svg')].filter((card) => card.checkVisibility()).filter((card) => {
    const box = card.getBoundingClientRect(), cloth = card.closest('.cloth, .held, .example').getBoundingClientRect();
    return box.left < cloth.left || box.right > cloth.right || box.top < cloth.top || box.bottom > cloth.bottom;
}).map((card) => card.outerHTML)"""
SMALL = """() => [...document.querySelectorAll('.cloth .card, .held .card, .own .card')].filter((card) => card.checkVisibility() && card.clientWidth < 34).length"""
CUT = """() => [...document.querySelectorAll('.guide :is(p, legend:not(.sr), .chips label, button, li, dt, dd, figcaption, th, td, a, h1, h2, h3)')]
    .filter((element) => element.textContent.trim() && element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline')
    .map((element) => element.textContent)"""


def read(page, live_server, width=390, height=844, path=""):
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{live_server.url}/guia/{path}")


def choose(page, slug, *cards):
    """Touch these cards of an example and try."""
    for card in cards:
        page.locator(f'label[for="{slug}-{card}"]').click()
    page.locator(f"#{slug} button").click()


@pytest.mark.parametrize("width", [390])
def test_the_guide_has_no_violation(page, live_server, width):
    """As it is read, and with an answer, a refusal and a deal in it."""
    read(page, live_server, width)
    choose(page, "igual-o-suma", "5S", "5H")
    choose(page, "tres-sumandos", "6S", "AH", "2D", "3C")
    choose(page, "ronda")
    page.locator("#ronda .taken").first.wait_for()
    page.wait_for_selector("#tres-sumandos .goes-not")
    assert violations(page) == []
    assert page.locator("html").get_attribute("lang") == "es"


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_scrolls_sideways_or_is_cut_and_cards_lie_on_their_cloth(page, live_server, width):
    """At 320 pixels also as somebody sees it who has zoomed 1280 by four."""
    read(page, live_server, width, path="?ejemplo=escalera-con-hueco&carta=5S&toma=5H&toma=6D&toma=7C&toma=JH&toma=KD")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert page.evaluate(CUT) == []
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
    read(page, live_server, width, path="?ejemplo=ronda")
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


@pytest.fixture
def plain_page(browser):
    """A telephone without script."""
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    yield context.new_page()
    context.close()


def test_without_script_an_example_is_answered_in_its_place(plain_page, live_server):
    read(plain_page, live_server)
    choose(plain_page, "caida-y-limpia", "38", "3C", "3D")
    assert plain_page.url.endswith("#caida-y-limpia")
    example = plain_page.locator("#caida-y-limpia")
    assert 0 <= example.bounding_box()["y"] < 400
    assert "¡Caída y limpia! +2." in example.locator(".answer").inner_text()
    assert example.get_by_role("radio", name="3 de tréboles").is_checked()
    assert example.get_by_role("checkbox", name="3 de diamantes, recién dejada").is_checked()
    assert example.get_by_role("radio", name="38").is_checked()
    example.get_by_role("link", name="Otra vez").click()
    assert not example.get_by_role("radio", name="3 de tréboles").is_checked()
    assert example.locator(".answer").inner_text() == "" and plain_page.url.endswith("/guia/#caida-y-limpia")


def test_without_script_the_slider_is_a_form_and_practice_a_link(plain_page, live_server):
    read(plain_page, live_server)
    slider = plain_page.get_by_role("slider", name="Sus cartas: tuyas y de la Virgen")
    slider.focus()
    plain_page.keyboard.press("Home")
    plain_page.get_by_role("button", name="Contar").click()
    assert "Nosotros, 0 cartas. Ellos, 36 cartas: +22." in plain_page.locator("#contar-el-carton .answer").inner_text()
    plain_page.get_by_role("link", name="Elegir mesa y practicar").click()
    assert plain_page.url == f"{live_server.url}/practica/"


def test_with_script_an_answer_comes_without_leaving_the_place(page, live_server):
    read(page, live_server)
    choose(page, "igual-o-suma", "5S", "5H", "2D", "3C")
    answer = page.locator("#igual-o-suma").get_by_role("status")
    answer.get_by_text("O lo igual o la suma: las dos cosas de golpe, nunca.").wait_for()
    assert page.url.endswith("/guia/")
    assert page.evaluate("document.activeElement.textContent") == "Probar"
    page.locator('label[for="igual-o-suma-5H"]').click()
    assert answer.inner_text() == ""  # what it said is no longer what is chosen
    page.keyboard.press("Enter")
    answer.get_by_text("Tú recoges 2 + 3 con el 5.").wait_for()
    assert answer.get_by_role("img", name="5 de corazones").is_visible()
    page.locator("#igual-o-suma").get_by_role("link", name="Otra vez").click()
    assert page.locator("#igual-o-suma input:checked").count() == 0 and answer.inner_text() == ""
    assert page.evaluate("document.activeElement.id") == "igual-o-suma-5S"


def test_with_keys_alone_and_another_score_asks_again(page, live_server):
    read(page, live_server)
    page.get_by_role("checkbox", name="3 de diamantes, recién dejada").focus()
    page.keyboard.press(" ")
    page.keyboard.press("Tab")
    page.keyboard.press(" ")
    page.keyboard.press("Enter")
    example = page.locator("#caida-y-limpia")
    example.get_by_text("De 34 pasan a 38.").wait_for()
    example.locator('label[for="caida-y-limpia-36"]').click()
    example.get_by_text("Ganamos 40 a 24.").wait_for()


def test_the_text_follows_the_slider(page, live_server):
    read(page, live_server)
    example = page.locator("#contar-el-carton")
    slider, said = example.get_by_role("slider"), example.locator(".said")
    slider.focus()
    for _ in range(6):
        page.keyboard.press("ArrowLeft")
    assert "Nosotros, 19 cartas. Ellos, 17 cartas. Nadie suma" in said.inner_text()
    assert slider.get_attribute("aria-valuetext") in said.inner_text().replace("\n", " ")
    page.keyboard.press("End")
    assert "Nosotros, 36 cartas: +22." in said.inner_text()
    example.locator('label[for="contar-el-carton-s0"]').click()
    example.get_by_text("Ellos, 4 cartas.").wait_for()
    slider.press("End")
    example.locator('label[for="contar-el-carton-s4"]').click()  # forty are no longer there
    example.get_by_text("Nosotros, 36 cartas: +22.").wait_for()
    assert slider.input_value() == "36"


def test_without_the_network_the_form_is_sent_as_it_is(page, live_server):
    read(page, live_server)
    page.route("**/guia/caida-a-tiempo/**", lambda route: route.abort())
    choose(page, "caida-a-tiempo", "5S", "5D")
    page.wait_for_url("**/guia/?ejemplo=caida-a-tiempo**")
    assert "¡Caída! +2." in page.locator("#caida-a-tiempo .answer").inner_text()


def test_on_paper_it_is_ink_on_white(page, live_server):
    read(page, live_server, 700, 990)
    assert page.locator(".site-header").is_visible()
    page.emulate_media(media="print")
    for gone in (".site-header", ".site-footer", ".contents", ".next"):
        assert not page.locator(gone).is_visible(), gone
    assert page.locator(".example :is(button, a, .chips, .answer, [type=range]):visible").count() == 0
    for drawn in (".example .asks", ".example .finds", ".example .cloth .card", ".example .own .card"):
        assert all(found.is_visible() for found in page.locator(drawn).all()), drawn
    for ground in ("html", "body", ".leaf", ".example", ".example .cloth"):
        style = page.locator(ground).first.evaluate(
            "(e) => (({ backgroundColor, backgroundImage, colorScheme }) => [backgroundColor, backgroundImage, colorScheme])(getComputedStyle(e))"
        )
        assert style == ["rgba(0, 0, 0, 0)", "none", "light"], ground
    ink = page.locator("#mesa > p").first.evaluate("(e) => getComputedStyle(e).color")
    for written in ("h1", "#palabras > p", ".seats .north"):
        assert page.locator(written).first.evaluate("(e) => getComputedStyle(e).color") == ink == "rgb(43, 33, 24)"
    assert page.evaluate(OUTSIDE) == []
