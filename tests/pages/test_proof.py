"""A match is checked in the visitor's own browser: the good one is proved, of a changed one it is said what fails."""

import json
import re

import pytest
from playwright.sync_api import expect

from campaign.history import record_of
from cvarenta.game.cards import format_cards

from ..game.proven import proven
from .test_accessible import violations
from .test_replay_page import open_replay

pytestmark = pytest.mark.django_db(transaction=True)


def fits_and_is_accessible(page):
    assert violations(page) == []
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), width
    page.set_viewport_size({"width": 390, "height": 844})


def tampered(change):
    """Answers as the site does, but for a change of the record."""
    return lambda route: route.fulfill(json=route.fetch().json() | change)


def test_a_finished_match_is_proved_and_a_changed_record_is_caught(page, live_server):
    match = open_replay(page, live_server)
    prove, proved = page.get_by_role("button", name="Comprobarlo en tu navegador"), page.locator("#proved")
    prove.click()
    expect(proved.locator(".verdict")).to_have_text("Cuadra: la baraja es la que se selló.")
    assert proved.locator(".marks .ok").count() == 3 and proved.locator("details.fails").count() == 0
    deck = "".join(
        proved.locator(".dealt")
        .first.locator("use")
        .evaluate_all("(uses) => uses.map((use) => use.href.baseVal.split('#')[1])")
    )
    assert deck == format_cards(match.deck(0))
    fits_and_is_accessible(page)

    decks = record_of(match)["decks"]
    changes = {
        "El sello": {"commitment": "0" * 64},
        "Quién reparte primero": {"dealer": (match.first_dealer + 1) % 4},
        "Las barajas": {"decks": [decks[0][2:4] + decks[0][:2] + decks[0][4:], *decks[1:]]},
    }
    for what, change in changes.items():
        page.route(f"**/partida/{match.pk}/", tampered(change))
        prove.click()
        expect(proved.locator(".verdict")).to_have_text("No cuadra: esta baraja no es la que se selló.")
        expect(proved.locator(".marks .fails b")).to_have_text([what])
        page.unroute(f"**/partida/{match.pk}/")
    assert (
        proved.locator("details.fails summary").inner_text()
        == "Baraja 1 2 cartas no son las que salen: debajo, la que sale"
    )
    assert proved.locator(".differs").count() == 2
    fits_and_is_accessible(page)
    page.route(f"**/partida/{match.pk}/", lambda route: route.fulfill(body="[", status=200))
    prove.click()
    expect(proved).to_contain_text("No llegó el registro")
    page.unroute(f"**/partida/{match.pk}/")
    page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")  # as on plain http
    page.reload()
    prove.click()
    expect(proved).to_contain_text("solo hace la cuenta en páginas seguras")


def test_the_page_of_transparency_works_its_example_and_a_file_out(page, live_server):
    page.goto(f"{live_server.url}/transparencia/")
    fits_and_is_accessible(page)
    page.get_by_role("button", name="Rehacer la cuenta").click()
    worked = page.locator("#proved-worked")
    expect(worked.locator(".verdict.ok")).to_be_visible()
    assert worked.locator("summary").count() == 3 and worked.locator(".fails").count() == 0

    record, choose = proven(), page.get_by_label("El archivo")
    choose.set_input_files(_file(record))
    expect(page.locator("#proved .verdict")).to_have_text("Cuadra: la baraja es la que se selló.")
    choose.set_input_files(_file(record | {"seed": "00" + record["seed"][2:]}))
    expect(page.locator("#proved .verdict.fails")).to_be_visible()
    assert page.locator("#proved .marks .fails b").all_inner_texts()[0] == "El sello"
    fits_and_is_accessible(page)
    for rubbish in ([], {"format": "cvarenta-record/1"}, record | {"seed": "x"}, record | {"decks": [5]}, None):
        choose.set_input_files(_file(rubbish))
        expect(page.locator("#proved .verdict")).to_contain_text("no es el registro de una partida terminada")
    choose.set_input_files(_file(record, " " * 70_000))
    expect(page.locator("#proved .verdict")).to_contain_text("pasa de 64 kB")

    choose.set_input_files([])
    page.get_by_label("O el registro pegado").fill(json.dumps(record | {"plays": record["plays"][:-1]}))
    page.get_by_role("button", name="Comprobar todo").click()
    expect(page.locator(".proved[role=status] .verdict")).to_have_text(re.compile("^No cuadra: 1 cosa"))
    expect(page.locator(".proved[role=status] li.fails b")).to_have_text(["Las jugadas."])
    fits_and_is_accessible(page)


def _file(record, more=""):
    return {"name": "record.json", "mimeType": "application/json", "buffer": (json.dumps(record) + more).encode()}
