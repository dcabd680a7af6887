"""The seal of a deck in the browser: its commitment before the first card, and the visitor's part after it."""

import re

import pytest

from campaign.models import Match

from .tables import begin, match_of
from .test_accessible import violations

pytestmark = pytest.mark.django_db(transaction=True)
FULL = ".seal p > code"
BY_CHANCE = re.compile(r"[A-Za-z0-9_-]{22}")  #: 16 bytes


def start(page, button="Jugar ahora"):
    page.get_by_role("button", name=button).click()
    page.wait_for_selector("#table")
    return match_of(page)


def test_whoever_only_plays_adds_chance_of_their_own_browser_to_the_deck_shown(page, live_server):
    other = page.context.new_page()
    nonces = set()
    for tab in (page, other):  # both are open before either starts
        tab.goto(live_server.url)
    for tab, button in ((page, "Jugar ahora"), (other, "¿Nunca has jugado?")):
        shown = tab.locator(f"form:has-text('{button}') {FULL}").text_content()
        match = start(tab, button)
        assert match.commitment == shown and BY_CHANCE.fullmatch(match.nonce)
        nonces.add(match.nonce)
    shown = page.locator(FULL).text_content()
    page.keyboard.press("n")
    page.get_by_role("button", name="Otra partida").last.click()
    page.wait_for_url(lambda url: match.pk not in url and "/mesa/" in url)
    page.wait_for_function(
        "shown => document.querySelector('.seal code')?.textContent.slice(0, 8) !== shown", arg=shown[:8]
    )
    match = match_of(page)
    assert match.commitment == shown and BY_CHANCE.fullmatch(match.nonce)
    assert len(nonces | {match.nonce}) == 3


def test_back_from_the_table_the_page_has_another_deck(page, live_server):
    page.goto(live_server.url)
    shown = page.locator(FULL).first.text_content()
    start(page)
    page.go_back()
    page.wait_for_function("shown => document.querySelector('.seal p > code').textContent !== shown", arg=shown)
    start(page)
    assert Match.objects.count() == 2


def test_a_part_of_ones_own_is_added_as_written_or_said_to_be_amiss(page, live_server):
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(live_server.url)
    line = page.locator(".seal > summary").first
    line.click()
    assert violations(page) == []
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    field = page.get_by_label("Pon tu parte").first
    field.fill("mi ñ")
    line.click()
    page.get_by_role("button", name="Jugar ahora").click()
    assert field.is_visible() and field.evaluate("field => !field.validity.valid")
    field.fill("quito-1534")
    assert start(page).nonce == "quito-1534"


def test_it_is_all_there_without_script(browser, live_server):
    """Also before the match that leads whoever never played."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    for path, form, button in (("/", "form:has(.led)", "¿Nunca has jugado?"), ("/practica/", ".new-match", "Repartir")):
        page.goto(f"{live_server.url}{path}")
        seal = page.locator(f"{form} .seal")
        shown = seal.locator("p > code")
        assert not shown.is_visible() and seal.locator("summary").is_visible()
        seal.locator("summary").click()
        assert shown.is_visible()
        commitment = shown.text_content()
        seal.get_by_label("Pon tu parte").fill("sin-guion")
        match = start(page, button)
        assert (match.commitment, match.nonce) == (commitment, "sin-guion")
    assert Match.objects.exclude(lesson="").count() == 1
    context.close()


def test_the_tables_menu_shows_the_seal_of_its_deck(page, live_server):
    match = begin(page, live_server)
    page.click("#menu > summary")
    said = page.locator(".seal-now")
    assert said.is_visible() and match.commitment in said.inner_text() and match.nonce in said.inner_text()
    assert page.locator(".seal > summary").is_visible() and page.locator(FULL).text_content() != match.commitment
    assert violations(page) == []
