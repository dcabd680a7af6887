"""The story as a person goes through it: by keyboard, by touch, without script, with reduced motion."""

import pytest

from campaign.chapters import CHAPTERS
from campaign.models import Match, Run
from tests.campaign.endings import LOST, WON, bring_to_its_end, finish

from .stories import log_in, reach, win
from .tables import READY, SETTLED, play_by_keys, scrolls
from .test_accessible import violations

pytestmark = pytest.mark.django_db(transaction=True)
SCREENS = [(320, 568), (390, 844), (568, 320), (1280, 800)]


@pytest.fixture
def program(page, live_server, player):
    return log_in(page, live_server, player)


def press(page, name, role="link"):
    """Reach a link or button by Tab alone and press Enter on it."""
    target = page.get_by_role(role, name=name).first
    for _ in range(60):
        page.keyboard.press("Tab")
        if target.evaluate("(element) => element === document.activeElement"):
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"{name} is not reached by Tab")


def layers(page):
    classes = page.locator("html").get_attribute("class").split()
    return [chapter.layer for chapter in CHAPTERS if f"layer-{chapter.layer}" in classes]


def test_the_whole_story_by_keyboard(page, live_server, program):
    page.goto(f"{live_server.url}/campana/")
    press(page, "Empezar la vuelta", role="button")
    for chapter in CHAPTERS:
        page.wait_for_url(f"**/{chapter.number}/")
        assert page.get_by_role("heading", level=1).inner_text().strip() != ""
        assert page.get_by_text(chapter.before[:40]).count() == 1
        press(page, "A la mesa", role="link" if chapter.number == 1 else "button")
        page.wait_for_selector(READY)
        play_by_keys(page)
        win(page)
        assert page.evaluate("document.activeElement.id") == "to-match"
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/{chapter.number}/")
        assert page.get_by_text(chapter.after[:40]).count() == 1
        assert layers(page) == [found.layer for found in CHAPTERS[: chapter.number]]
        if chapter.number < 5:
            press(page, f"Al capítulo {CHAPTERS[chapter.number].numeral}")
    assert Run.objects.get().outcome == "completed"
    press(page, "El camino")
    page.wait_for_url("**/campana/")
    assert page.get_by_text("Los cinco capítulos").count() == 1


def test_a_whole_chapter_by_keyboard_in_a_real_match(page, live_server, program):
    reach(program, 1)
    match_id = Match.objects.get().pk
    page.goto(f"{live_server.url}/mesa/{match_id}/")
    for _ in range(8):
        if page.locator("#to-match").count() == 0:
            play_by_keys(page)
    if page.locator("#to-match").count() == 0:
        win(page)
    page.keyboard.press("Enter")
    page.wait_for_url("**/campana/**/1/")
    won = Match.objects.get().winner == 0
    assert page.get_by_text("Volvió la música" if won else "La ciudad espera").count() == 1


def test_a_chapter_without_script(browser, live_server, player):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    log_in(page, live_server, player)
    page.goto(f"{live_server.url}/campana/")
    page.get_by_role("button", name="Empezar la vuelta").click()
    page.get_by_role("link", name="A la mesa").click()
    for _ in range(3):
        page.locator(".held-card label").first.click()
        page.locator(".choices:visible button").first.click()
    assert Match.objects.get().ply >= 9
    bring_to_its_end(Match.objects.get().pk, WON)
    page.goto(page.url)
    page.locator(".held-card label").first.click()
    page.locator(".choices:visible button").first.click()
    assert page.get_by_text(CHAPTERS[0].after[:40]).count() == 1
    page.get_by_role("link", name="Al capítulo II").click()
    page.get_by_role("button", name="A la mesa").click()
    assert page.locator("#table").count() == 1
    context.close()


def test_what_was_won_is_seen_to_come_on(page, live_server, program):
    """The recovered layer fades in over the drawing, and is there in the end."""
    run = reach(program, 2, dealt=False)
    page.goto(f"{live_server.url}/campana/{run}/1/", wait_until="commit")
    picture = page.locator(".chapter > .scene .recovered")
    name, seconds = picture.evaluate(
        "(img) => [getComputedStyle(img).animationName, parseFloat(getComputedStyle(img).animationDuration)]"
    )
    assert (name, seconds) == ("recover", 2)
    page.wait_for_timeout(2500)
    assert picture.evaluate("(img) => [getComputedStyle(img).opacity, img.complete && img.naturalWidth > 0]") == [
        "1",
        True,
    ]


def test_with_reduced_motion_it_is_there_at_once(page, live_server, program):
    page.emulate_media(reduced_motion="reduce")
    run = reach(program, 2, dealt=False)
    page.goto(f"{live_server.url}/campana/{run}/1/")
    style = page.locator(".chapter > .scene .recovered").evaluate(
        "(img) => [getComputedStyle(img).opacity, getComputedStyle(img).animationName]"
    )
    assert style == ["1", "none"]


def test_each_layer_changes_what_the_table_and_the_map_look_like(page, live_server, player):
    """Each victory changes the picture of the table's cloth and of the page around the map."""
    program = log_in(page, live_server, player)
    looks = {
        "table": "(_) => { const cloth = document.querySelector('.cloth'); return [getComputedStyle(cloth).backgroundImage, getComputedStyle(cloth).boxShadow, getComputedStyle(cloth, '::after').backgroundImage].join() }",
        "map": "(_) => { const [header, body, footer] = ['.site-header', 'body', '.site-footer'].map((name) => document.querySelector(name)); return [getComputedStyle(header, '::before').backgroundImage, getComputedStyle(header, '::after').backgroundImage, getComputedStyle(body).backgroundImage, getComputedStyle(footer).backgroundImage, getComputedStyle(document.querySelector('.brand span')).backgroundImage].join() }",
    }
    seen = {name: [] for name in looks}
    for number in range(6):
        if number < 5:
            match_id = program.go_on()["id"]
            page.goto(f"{live_server.url}/mesa/{match_id}/")
        else:
            page.goto(f"{live_server.url}/mesa/{program.start()}/")
        # the palette of the chapter is not what is compared
        page.evaluate(
            "document.documentElement.className = document.documentElement.className.replace(/palette-./, '')"
        )
        seen["table"].append(page.evaluate(looks["table"]))
        page.goto(f"{live_server.url}/campana/")
        page.evaluate(
            "document.documentElement.className = document.documentElement.className.replace(/palette-./, 'palette-1')"
        )
        seen["map"].append(page.evaluate(looks["map"]))
        if number < 5:
            finish(program, match_id, WON)
    for name, states in seen.items():
        assert len(set(states)) == 6, name


PAGES = ["new", "under way", "before", "after", "lost", "abandon", "run", "player", "end"]


def open_page(page, live_server, program, player, name):
    """One page of the story in one of its states, with nothing still moving."""
    page.emulate_media(reduced_motion="reduce")
    if name == "new":
        path = "/campana/"
    elif name == "lost":
        run = reach(program, 1)
        finish(program, Match.objects.get().pk, LOST)
        path = f"/campana/{run}/1/"
    elif name == "end":
        path = f"/campana/{reach(program, 6, dealt=False)}/5/"
    else:
        run = reach(program, 3)
        path = {"under way": "/campana/", "before": f"/campana/{run}/3/", "after": f"/campana/{run}/2/", "run": f"/campana/{run}/",
                "abandon": f"/campana/{run}/abandonar/", "player": f"/jugadores/{player.username}/"}[name]  # fmt: skip
    page.goto(live_server.url + path)


@pytest.mark.parametrize("name", PAGES)
def test_every_page_stands_an_accessibility_check_and_fits(page, live_server, program, player, name):
    open_page(page, live_server, program, player, name)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert violations(page) == [], width
    levels = page.locator("h1, h2, h3").evaluate_all("(heads) => heads.map((head) => Number(head.localName[1]))")
    assert levels[0] == 1 and all(level <= before + 1 for before, level in zip(levels, levels[1:], strict=False))
    for width in (1280, 390, 320):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), width


@pytest.mark.parametrize("chapter", [1, 2, 3, 4, 5])
def test_the_table_of_each_chapter_has_no_violation(page, live_server, program, chapter):
    """Each has its own colours; what a table may be doing is looked at in practice."""
    reach(program, chapter)
    page.goto(f"{live_server.url}/mesa/{Match.objects.under_way().get().pk}/")
    page.wait_for_selector(READY)
    page.keyboard.press("1")
    page.click("#menu summary")
    page.wait_for_selector("#menu[open]")
    assert violations(page) == []


@pytest.mark.parametrize("screen", SCREENS, ids=str)
def test_the_table_of_the_last_chapter_fits_every_screen(page, live_server, program, screen):
    reach(program, 5)
    page.set_viewport_size(dict(zip(("width", "height"), screen, strict=True)))
    page.goto(f"{live_server.url}/mesa/{Match.objects.under_way().get().pk}/")
    page.wait_for_selector(READY)
    assert not scrolls(page)
    boxes = page.locator(".held-card label").evaluate_all(
        "(cards) => cards.map((card) => card.getBoundingClientRect().width)"
    )
    assert min(boxes) >= 44


def test_n_begins_nothing_at_a_table_of_the_story(page, live_server, program):
    reach(program, 1)
    page.goto(f"{live_server.url}/mesa/{Match.objects.get().pk}/")
    page.wait_for_selector(READY)
    address = page.url
    page.keyboard.press("n")
    page.wait_for_timeout(200)
    assert page.url == address and Match.objects.count() == 1 and page.locator("dialog[open]").count() == 0


def test_three_clicks_on_the_same_spot_do_not_abandon(page, live_server, program):
    for width, height in ((390, 844), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        if Run.objects.count() == 0:
            reach(program, 2)
        page.goto(f"{live_server.url}/campana/")
        link = page.get_by_role("link", name="Abandonar la vuelta")
        link.scroll_into_view_if_needed()
        box = link.bounding_box()
        for _ in range(3):
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.wait_for_timeout(300)
        assert Run.objects.get().is_under_way


def test_holding_enter_on_the_link_does_not_abandon(page, live_server, program):
    reach(program, 1)
    page.goto(f"{live_server.url}/campana/")
    page.get_by_role("link", name="Abandonar la vuelta").focus()
    for _ in range(10):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    page.wait_for_timeout(500)
    assert Run.objects.get().is_under_way


def test_abandoning_takes_the_second_button_of_the_question(page, live_server, program):
    run = reach(program, 1)
    page.goto(f"{live_server.url}/campana/{run}/abandonar/")
    page.get_by_role("button", name="Abandonar la vuelta").dblclick()
    page.wait_for_url(f"**/campana/{run}/")
    assert Run.objects.get().outcome == "abandoned"


def test_a_table_left_in_another_tab_says_so_and_leads_back(page, live_server, program):
    """The run is abandoned elsewhere while this table is open: the next card is refused with the way on."""
    run = reach(program, 1)
    page.goto(f"{live_server.url}/mesa/{Match.objects.get().pk}/")
    page.wait_for_selector(READY)
    program.post(f"/campana/{run}/abandonar/", {})
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{SETTLED} #to-match")
    page.click("#to-match")
    page.wait_for_url("**/campana/")


def test_the_winning_card_says_what_comes_and_is_read_out_once(page, live_server, program):
    reach(program, 1)
    page.goto(f"{live_server.url}/mesa/{Match.objects.get().pk}/")
    win(page)
    lines = page.locator("#voice p").all_inner_texts()
    assert len([line for line in lines if "Ganamos" in line]) == 1
    assert page.get_by_role("link", name="Seguir la historia").count() == 1


def test_going_back_to_a_finished_table_leads_to_its_scene(page, live_server, program):
    reach(program, 1)
    table = f"{live_server.url}/mesa/{Match.objects.get().pk}/"
    page.goto(table)
    win(page)
    page.click("#to-match")
    page.wait_for_url("**/1/")
    page.go_back()
    page.wait_for_timeout(500)
    assert page.url.rstrip("/").endswith("/1") or page.locator("#to-match").count() == 1
