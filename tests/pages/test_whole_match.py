"""A whole match in the browser: by keyboard alone, without script, with reduced motion; each to its record."""

import json

import pytest

from cvarenta.game.record import read_record, replay

from .tables import READY, SETTLED, begin, match_of

pytestmark = pytest.mark.django_db(transaction=True)
MOST_TURNS = 250


def check_record(page, match):
    """The record the finished page offers replays to the stored result."""
    with page.expect_download() as download:
        page.click("text=Descargar el registro")
    with open(download.value.path(), encoding="utf-8") as file:
        record = read_record(file.read())
    game = record.new_match()
    list(replay(record, game))
    match.refresh_from_db()
    assert game.winner == match.winner is not None
    assert game.ply == match.ply == len(match.plays.split())
    return match


def test_by_keyboard_alone(page, live_server):
    page.add_init_script("try { localStorage.setItem('ritmo', 'once') } catch {}")
    page.goto(live_server.url)
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.innerText").startswith("Jugar ahora"):
            break
    page.keyboard.press("Enter")
    page.wait_for_selector("#table")
    match = match_of(page)
    for turn in range(MOST_TURNS):
        page.wait_for_selector(f"{SETTLED} #table")
        if page.locator("#to-match").count():
            break
        page.keyboard.press("1")
        if turn % 2:
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_timeout(30)
    page.wait_for_selector("#to-match")
    page.locator("#to-match").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("h1")
    check_record(page, match)
    page.keyboard.press("n")
    page.wait_for_selector(READY)
    assert match_of(page).pk != match.pk


def test_without_script(browser, live_server):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    match = begin(page, live_server, pace=None)
    for turn in range(MOST_TURNS):
        if "/partida/" in page.url:
            break
        cards = page.locator(".held-card label")
        cards.nth(turn % cards.count()).click()
        button = page.locator(".choice:visible").first
        assert button.count() == 1
        button.click()
    match = check_record(page, match)
    assert page.locator("h1").inner_text().strip()
    context.close()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_with_and_without_motion_nothing_is_lost(browser, live_server, motion):
    context = browser.new_context(reduced_motion=motion, viewport={"width": 390, "height": 844})
    page = context.new_page()
    match = begin(page, live_server, rival="random", pace="fast")
    page.evaluate(
        """() => { window.heard = []; window.called = [];
            new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((node) =>
                window.heard.push(node.textContent)))).observe(document.getElementById('voice'), {childList: true});
            new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((node) => {
                if (node.classList?.contains('call')) window.called.push(node.textContent);
            }))).observe(document.getElementById('room'), {childList: true, subtree: true}); }"""
    )
    heard_before = json_events(page, match)
    for _ in range(4):
        if page.locator("#to-match").count():
            break
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        page.wait_for_timeout(60)
        page.wait_for_selector(f"{SETTLED} #table", timeout=90_000)
    told = [event for event in json_events(page, match)[len(heard_before) :]]
    heard = [line for line in page.evaluate("window.heard") if line != "Tu turno."]
    assert len(heard) == len(told)
    calls = [event for event in told if event.get("caida") or event.get("limpia") or event["event"] in CALLED]
    assert len(page.evaluate("window.called")) == len(calls)
    context.close()


CALLED = ("ronda", "carton", "chica", "end")


def json_events(page, match):
    answer = page.request.get(f"{page.url}", headers={"Accept": "application/json"})
    return json.loads(answer.body())["events"]
