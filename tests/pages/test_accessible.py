"""Every page stands an accessibility check by axe, and says what it is in Spanish."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from campaign.characters import RIVAL_GROUPS, RIVALS

from .tables import READY, arrange, begin, play_out

pytestmark = pytest.mark.django_db(transaction=True)


def violations(page):
    return [
        (found["id"], [node["html"][:100] for node in found["nodes"]])
        for found in Axe().run(page).response["violations"]
    ]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("path", ["/", "/practica/", "/no-hay/"])
def test_pages_have_no_violation(page, live_server, path, width):
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(live_server.url + path)
    assert violations(page) == []
    assert page.locator("html").get_attribute("lang") == "es"


@pytest.mark.parametrize("width", [390])
def test_the_table_has_no_violation_in_any_state(page, live_server, width):
    page.set_viewport_size({"width": width, "height": 844})
    begin(page, live_server)
    arrange(page, hand="5DKD7DJD3D", table="2H3H5C")
    assert violations(page) == []
    page.keyboard.press("1")
    assert violations(page) == []
    page.keyboard.press("?")
    page.wait_for_selector("#help[open]")
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.wait_for_selector("#sure[open]")
    assert violations(page) == []


@pytest.mark.parametrize("width", [1280])
def test_the_finished_match_has_no_violation(page, live_server, width):
    page.set_viewport_size({"width": width, "height": 844})
    begin(page, live_server)
    play_out(page)
    page.reload()
    page.wait_for_selector(".figures-table")
    assert "/partida/" in page.url
    assert violations(page) == []


def test_cards_are_named_and_say_whether_they_take(page, live_server):
    begin(page, live_server)
    arrange(page, hand="5DKD", table="5H2C")
    assert page.get_by_role("radio", name="5 de diamantes, puede recoger").count() == 1
    assert page.get_by_role("radio", name="K de diamantes, no recoge").count() == 1
    assert page.get_by_role("group", name="El Goloso: 2 cartas").count() == 1
    assert page.locator(READY).count() == 1


def test_the_rivals_are_in_named_groups_and_say_how_hard_they_are(page, live_server):
    page.goto(f"{live_server.url}/practica/")
    for title, group in RIVAL_GROUPS:
        radios = page.get_by_role("group", name=title).get_by_role("radio")
        assert radios.evaluate_all("(radios) => radios.map((radio) => radio.value)") == list(group)
    for name, rival in RIVALS.items():
        says = f"{rival.name} Dificultad {rival.difficulty} de 5. {rival.temper}" if rival.difficulty else rival.temper
        assert page.get_by_role("radio", name=says).get_attribute("value") == name
    levels = page.locator("h1, h2, h3").evaluate_all("(heads) => heads.map((head) => Number(head.localName[1]))")
    assert all(level <= before + 1 for before, level in zip([0, *levels], levels, strict=False))
