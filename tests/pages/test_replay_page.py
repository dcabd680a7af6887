"""The replay in a browser: it steps, plays and jumps without a new page, and draws what the server draws."""

import re

import pytest
from django.core.signing import get_cookie_signer
from django.utils import timezone
from playwright.sync_api import expect

from campaign import services
from campaign.models import Match
from campaign.owners import COOKIE, SALT, Owner
from cvarenta.game.notation import format_play

from .test_accessible import violations

pytestmark = pytest.mark.django_db(transaction=True)
GUEST = "a-guest-of-the-replay"

#: what stands on the board and in words, of this page or of the one the server makes for its address
SHOWN = """(root) => [
    ...['.hand', '.laid', '.took:not([hidden]) ul'].map((list) => [...root.querySelectorAll(list)].map((cards) =>
        [...cards.children].map((card) => card.dataset.card + (card.classList.contains('last') ? '!' : '') + card.querySelector('use').getAttribute('href')))),
    [...root.querySelectorAll('.turn, .dealer')].map((seat) => seat.dataset.seat + [...seat.classList].filter((name) => ['turn', 'dealer'].includes(name)).sort()),
    ...['.score', '.taken', '.call', '.stock', '.where', '.next', '.lines p', 'option:checked', '#hands'].map((words) =>
        [...root.querySelectorAll(words)].map((element) => element.textContent + element.className)),
    [...root.querySelectorAll('[data-step], #hands')].map((link) => link.getAttribute('href') + link.getAttribute('aria-disabled')),
    root.querySelector('[type=range]').value, root.querySelector('[type=range]').getAttribute('aria-valuetext'),
]"""
SAME = f"""async () => {{
    const shown = {SHOWN}, different = [], last = Number(document.querySelector('#repaso [type=range]').max);
    const go = (ply, hands = '') => {{
        const link = Object.assign(document.createElement('a'), {{ href: `?jugada=${{ply}}${{hands}}` }});
        document.body.append(link); link.click(); link.remove();
    }};
    for (const ply of [3, 0, last, 41, 40, 39, 60, 19, 20, 21, last - 1]) {{
        go(ply);
        const page = new DOMParser().parseFromString(await (await fetch(`?jugada=${{ply}}`)).text(), 'text/html');
        const pair = [document, page].map((one) => JSON.stringify(shown(one.getElementById('repaso'))));
        if (pair[0] !== pair[1]) different.push([ply, ...pair]);
    }}
    return different;
}}"""
#: a step through the whole match: nodes changed at most, milliseconds of work and layout
WORK = """async () => {
    const root = document.getElementById('repaso'), watch = new MutationObserver(() => {}), times = [], changed = [];
    watch.observe(root, { childList: true, subtree: true, attributes: true, characterData: true });
    const next = root.querySelector('[data-step=after]');
    while (!next.hasAttribute('aria-disabled')) {
        const begun = performance.now();
        next.click(); root.getBoundingClientRect();
        times.push(performance.now() - begun);
        changed.push(watch.takeRecords().length);
    }
    return { steps: times.length, middle: times.sort((a, b) => a - b)[times.length >> 1], longest: times.at(-1), changed: Math.max(...changed) };
}"""


def finished_match():
    """A guest's match, played to its end without a browser."""
    match = services.start_practice(owner=Owner(None, GUEST), ruleset="quito", rival="random", at=timezone.now())
    while not match.is_over:
        services.play(match=match, text=format_play(match.load_game().legal()[0]), ply=match.ply, at=timezone.now())
    return Match.objects.get(pk=match.pk)


def open_replay(page, live_server):
    """Open the page of a finished match at its replay; returns the match."""
    match = finished_match()
    signed = get_cookie_signer(salt=COOKIE + SALT).sign(GUEST)
    page.context.add_cookies([{"name": COOKIE, "value": signed, "url": live_server.url}])
    page.goto(f"{live_server.url}/partida/{match.pk}/#repaso")
    return match


@pytest.fixture
def replay(page, live_server):
    """The page of a finished match, at the beginning of its replay; a mark tells whether it is loaded anew."""
    page.last = open_replay(page, live_server).ply
    page.wait_for_selector("html.js #play-on")
    page.evaluate("window.mark = true")
    return page


def is_at(page, ply):
    expect(page).to_have_url(re.compile(rf"\?jugada={ply}(&manos=mias)?#repaso$"))
    assert page.locator(".where").inner_text().startswith(f"Jugada {ply} de {page.last} · ")
    assert page.evaluate("window.mark") is True
    return True


def test_keys_step_and_the_address_goes_along(replay):
    for key, ply in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", replay.last),
        ("ArrowRight", replay.last),
        ("Home", 0),
        ("ArrowLeft", 0),
    ):
        replay.keyboard.press(key)
        assert is_at(replay, ply)
    replay.keyboard.press("Shift+ArrowRight")
    called = replay.locator(".lines .called")
    assert called.count() >= 1
    call = replay.evaluate("Number(document.querySelector('[type=range]').value)")
    replay.keyboard.press("Shift+ArrowRight")
    replay.keyboard.press("Shift+ArrowLeft")
    assert is_at(replay, call)
    replay.keyboard.press("Control+ArrowRight")
    replay.keyboard.press("m")
    expect(replay).to_have_url(re.compile("manos=mias"))
    assert is_at(replay, call)
    assert replay.locator('.north [data-card="back"]').count() == replay.locator(".north li").count()
    replay.reload()
    replay.evaluate("window.mark = true")
    assert is_at(replay, call) and replay.locator("#hands").inner_text() == "Todas las manos"


def test_the_script_draws_what_the_server_draws_and_only_what_changes(replay):
    """The milliseconds of a step depend on what else the machine does; they are printed, to be read with `-s`."""
    assert replay.evaluate(SAME) == []
    replay.keyboard.press("Home")
    work = replay.evaluate(WORK)
    print(work)
    assert work["steps"] == replay.last
    assert work["changed"] < 80
    assert replay.evaluate("window.mark") is True


def test_fingers_have_a_slider_a_list_of_deals_the_log_and_a_button_that_plays(replay):
    replay.locator("[type=range]").fill("33")
    assert is_at(replay, 33)
    replay.keyboard.press("Home")  # the slider's own key
    assert is_at(replay, 0)
    replay.locator("#deal").select_option(index=1)
    assert is_at(replay, 20)
    replay.keyboard.press("m")  # a letter typed in a list is the list's
    replay.locator("#jugada-a-jugada ~ details[open] a").first.click()
    expect(replay.locator("#repaso")).to_be_focused()
    assert "manos" not in replay.url
    replay.clock.install()
    at = int(replay.locator("[type=range]").input_value())
    replay.locator("#play-on").click()
    replay.clock.run_for(9000)
    replay.keyboard.press("ArrowLeft")
    reached = int(replay.locator("[type=range]").input_value())
    assert reached > at
    replay.clock.run_for(9000)
    assert int(replay.locator("[type=range]").input_value()) == reached
    replay.locator(".controls a").first.click()
    assert is_at(replay, 0)
    replay.keyboard.press("Space")  # plays, though a control has the focus
    replay.clock.run_for(9000)
    assert int(replay.locator("[type=range]").input_value()) > 0


def test_it_fits_the_screen_and_has_no_violation(replay):
    replay.keyboard.press("Shift+ArrowRight")
    for width, height in ((390, 844), (1280, 800)):
        replay.set_viewport_size({"width": width, "height": height})
        replay.evaluate("document.getElementById('repaso').scrollIntoView()")
        top, bottom = replay.evaluate(
            """() => ['.board', '#hands'].map((part) => document.querySelector(`#repaso ${part}`).getBoundingClientRect())
                     .map((box, at) => at ? box.bottom : box.top)"""
        )
        assert 0 <= top and bottom <= height
        assert violations(replay) == []
    for width in (320, 640, 768, 1024):
        replay.set_viewport_size({"width": width, "height": 640})
        assert replay.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), width


def test_a_moment_of_a_shared_match_is_a_link_to_copy(replay):
    assert replay.locator("#copy-moment").count() == 0
    replay.get_by_role("button", name="Compartir").click()
    replay.wait_for_selector("text=Dejar de compartir")
    replay.context.grant_permissions(["clipboard-read", "clipboard-write"])
    replay.locator("[data-step=last]").click()
    replay.locator("#copy-moment").click()
    replay.wait_for_selector("text=Copiado")
    assert replay.evaluate("navigator.clipboard.readText()").endswith(f"/?jugada={replay.last}#repaso")


def test_without_script_everything_is_a_link_or_a_form(browser, live_server):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    open_replay(page, live_server)
    page.locator("[data-step=after]").click()
    page.locator("[data-step=after]").click()
    assert page.url.endswith("/?jugada=2#repaso") and page.locator(".where").inner_text().startswith("Jugada 2 de ")
    page.locator("#hands").click()
    page.locator("#deal").select_option(index=1)
    page.locator("#deal ~ button").click()
    assert "jugada=20" in page.url and "manos=mias" in page.url
    assert page.locator(".where").inner_text().startswith("Jugada 20 de ")
    assert not page.locator("#play-on").is_visible()
    context.close()
