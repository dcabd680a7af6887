"""Sound: none before it is asked for, soft when it is, its volume and its silence one's own."""

import time

import pytest

from .tables import READY, SETTLED, arrange, begin, stop_the_clock

pytestmark = pytest.mark.django_db(transaction=True)

COUNT = """
    window.heard = { contexts: [], starts: 0, outlet: null };
    window.AudioContext = class extends AudioContext {
        constructor(...options) { super(...options); window.heard.contexts.push(this); }
    };
    for (const kind of [AudioScheduledSourceNode, AudioBufferSourceNode]) {
        const start = kind.prototype.start;
        kind.prototype.start = function (...when) { window.heard.starts += 1; return start.apply(this, when); };
    }
    const connect = AudioNode.prototype.connect;
    AudioNode.prototype.connect = function (to, ...rest) {
        if (to instanceof AudioDestinationNode) window.heard.outlet = this;
        return connect.call(this, to, ...rest);
    };
"""
LAY, TURN = 2, 1  #: sources that make a laid card, and «your turn»

#: Every sound and the seconds it may last.
LENGTHS = {
    "lay": 0.3, "capture": 0.5, "deal": 0.7, "turn": 1.5, "caida": 1.5, "limpia": 1.5, "ronda": 1.5,
    "carton": 1.8, "won": 4.2, "lost": 3.2, "layer": 4,
}  # fmt: skip
RENDER = """async ([names, volume, seconds]) => {
    const { stage, perform, gainOf } = await import("/static/js/sound.js");
    const rate = 44100, context = new OfflineAudioContext(1, seconds * rate, rate), all = stage(context);
    all.volume.gain.value = gainOf(volume);
    for (const name of names) perform(all, name, 0);
    const samples = (await context.startRendering()).getChannelData(0);
    let peak = 0, end = 0, loudest = 0, first = 0, isWhole = true;
    for (let i = 0; i < samples.length; i++) {
        const size = Math.abs(samples[i]);
        isWhole &&= Number.isFinite(size);
        peak = Math.max(peak, size);
        if (i < rate / 1000) first = Math.max(first, size);
        if (size > 0.003) end = i / rate;
    }
    for (let at = 0, span = rate / 10; at + span <= samples.length; at += 441) {
        let sum = 0;
        for (let i = at; i < at + span; i++) sum += samples[i] ** 2;
        loudest = Math.max(loudest, 10 * Math.log10(sum / span + 1e-12));
    }
    return { peak, end, loudest, first, isWhole };
}"""


@pytest.fixture
def listening(page):
    """The page, counting what it does to be heard."""
    page.add_init_script(COUNT)
    return page


@pytest.fixture
def table(listening, live_server):
    """A table where for a whole round every card can only be laid."""
    return quiet_table(listening, live_server, "once")


def quiet_table(page, live_server, pace):
    begin(page, live_server, pace=pace)
    arrange(page, hand="7DKD2D3D5D", table="QH", others=("4C4D4H4SKC", "6C6D6H6SJC", "ACADAHAS5C"))
    return page


def open_menu(page):
    page.click("#menu summary")
    page.wait_for_selector("#sound:visible")


def ask_for(page, switch="#sound"):
    open_menu(page)
    page.click(switch)
    page.keyboard.press("Escape")


def lay_a_card(page):
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.wait_for_selector(SETTLED + " .held-card:nth-of-type(4):last-of-type", timeout=60_000)


def contexts(page):
    return page.evaluate("window.heard.contexts.map((context) => context.state)")


def starts(page):
    return page.evaluate("window.heard.starts")


def gain(page):
    return page.evaluate("window.heard.outlet.gain.value")


def soon(get, is_so, seconds=30):
    """Ask until it is so: the page allows no script made of text to wait for."""
    until = time.monotonic() + seconds
    while not is_so(found := get()) and time.monotonic() < until:
        time.sleep(0.05)
    assert is_so(found), found
    return found


def test_nothing_is_made_before_sound_is_asked_for(table):
    lay_a_card(table)
    assert contexts(table) == [] and starts(table) == 0


def test_asking_makes_one_context_and_a_played_card_is_heard(table):
    ask_for(table)
    assert len(contexts(table)) == 1
    before = starts(table)
    lay_a_card(table)
    assert starts(table) > before and len(contexts(table)) == 1


@pytest.mark.parametrize("pace, sources", [("once", LAY), ("fast", 4 * LAY + TURN)])
def test_each_card_of_a_round_is_heard_but_only_one_when_it_is_told_at_once(listening, live_server, pace, sources):
    page = quiet_table(listening, live_server, pace)
    ask_for(page)
    before = starts(page)
    lay_a_card(page)
    assert starts(page) == before + sources


def test_what_is_skipped_is_not_heard(listening, live_server):
    page = quiet_table(listening, live_server, "slow")
    ask_for(page)
    before = starts(page)
    stop_the_clock(page)
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.wait_for_selector("#room.busy #log li[data-news]")
    page.keyboard.press("Escape")
    page.wait_for_selector(SETTLED)
    assert starts(page) <= before + LAY


def test_off_again_nothing_starts_and_the_device_is_given_back(table):
    ask_for(table)
    ask_for(table)
    before = starts(table)
    lay_a_card(table)
    assert starts(table) == before
    soon(lambda: contexts(table), lambda states: states == ["closed"])


def test_the_volume_is_set_by_keys_and_stays(table):
    ask_for(table)
    open_menu(table)
    loud = soon(lambda: gain(table), lambda value: value > 0.1)
    table.focus("#volume")
    for _ in range(6):
        table.keyboard.press("ArrowLeft")
    assert table.input_value("#volume") == "30"
    soft = soon(lambda: gain(table), lambda value: value < loud / 2)
    table.keyboard.press("Home")
    soon(lambda: gain(table), lambda value: value < min(soft, 0.001))
    for _ in range(8):
        table.keyboard.press("ArrowRight")
    table.reload()
    table.wait_for_selector(READY)
    assert table.input_value("#volume") == "40"
    assert table.locator(".held-card").count() == 5  # no key of the slider played a card


def test_after_a_reload_it_is_on_but_waits_for_a_gesture(table):
    ask_for(table)
    table.reload()
    table.wait_for_selector(READY)
    assert table.locator("#sound").get_attribute("aria-pressed") == "true" and contexts(table) == []
    before = starts(table)
    lay_a_card(table)
    assert len(contexts(table)) == 1 and starts(table) == before + LAY


def test_a_browser_that_keeps_nothing_sounds_all_the_same(listening, live_server):
    listening.add_init_script(
        """Object.defineProperty(window, "localStorage",
                                 { get() { throw new DOMException("no", "SecurityError") } })"""
    )
    errors = []
    listening.on("pageerror", lambda error: errors.append(error))
    page = quiet_table(listening, live_server, None)
    ask_for(page)
    open_menu(page)
    page.focus("#volume")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Escape")
    before = starts(page)
    lay_a_card(page)
    assert starts(page) > before and errors == []
    page.reload()
    page.wait_for_selector(READY)
    assert page.locator("#sound").get_attribute("aria-pressed") == "false"


def test_the_switches_say_what_they_are_and_how_they_stand(table):
    open_menu(table)
    assert table.get_by_role("button", name="Sonido", exact=True, pressed=False).count() == 1
    assert table.get_by_role("slider", name="Volumen").get_attribute("max") == "100"
    assert table.get_by_role("button", name="Música").count() == 0  # the story has not given it back yet
    table.focus("#sound")
    table.keyboard.press("Space")
    assert table.get_by_role("button", name="Sonido", exact=True, pressed=True).count() == 1
    table.evaluate("document.documentElement.classList.add('layer-music')")
    assert table.get_by_role("button", name="Música", pressed=False).count() == 1


def test_music_plays_when_asked_for_and_stops(table):
    table.evaluate("document.documentElement.classList.add('layer-music')")
    ask_for(table, "#music")
    assert table.locator("[aria-pressed=true]").count() == 2  # music sounds only where sound does
    first = soon(lambda: starts(table), lambda number: number > 8)
    soon(lambda: starts(table), lambda number: number > first)
    ask_for(table, "#music")
    assert table.locator("[aria-pressed=true]").count() == 1
    stopped = starts(table)
    table.wait_for_timeout(1500)
    assert starts(table) == stopped


def test_a_hidden_page_is_silent_and_goes_on_when_it_is_seen(table):
    table.evaluate("document.documentElement.classList.add('layer-music')")
    ask_for(table, "#music")
    soon(lambda: starts(table), lambda number: number > 8)
    hide = """(isHidden) => { Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
                              document.dispatchEvent(new Event("visibilitychange")); }"""
    table.evaluate(hide, True)
    soon(lambda: contexts(table), lambda states: states == ["suspended"])
    hidden = starts(table)
    table.wait_for_timeout(1500)
    assert starts(table) == hidden
    table.evaluate(hide, False)
    soon(lambda: contexts(table), lambda states: states == ["running"])
    soon(lambda: starts(table), lambda number: number > hidden)


@pytest.mark.parametrize("is_on", [True, False])
def test_a_page_with_a_sound_of_its_own_is_heard_once_if_sound_is_on(listening, live_server, is_on):
    address = f"{live_server.url}/pagina/"
    body = '<!doctype html><main data-own><p data-sound="layer">Volvió la música.</p></main>'
    body += '<script type="module" src="/static/js/sound.js"></script>'
    listening.route(address, lambda route: route.fulfill(body=body, content_type="text/html"))
    listening.add_init_script(f"localStorage.setItem('sonido', '{'si' if is_on else 'no'}')")
    listening.goto(address)
    listening.click("p")
    if is_on:
        heard = soon(lambda: starts(listening), lambda number: number > 5)
    else:
        heard = 0
    listening.click("p")
    listening.wait_for_timeout(300)
    assert starts(listening) == heard and len(contexts(listening)) == int(is_on)


def test_every_sound_is_soft_short_and_about_as_loud(page, live_server):
    page.goto(f"{live_server.url}/practica/")
    names = page.evaluate("import('/static/js/sound.js').then(({ SOUNDS }) => Object.keys(SOUNDS))")
    assert set(names) == set(LENGTHS)
    sounds = {name: page.evaluate(RENDER, [[name], 100, 6]) for name in names}
    for name, heard in sounds.items():
        assert heard["isWhole"] and 0.1 < heard["peak"] < 0.5, (name, heard)
        assert heard["first"] < 0.15, (name, heard)  # nothing begins with a crack
        assert heard["end"] < LENGTHS[name], (name, heard)
    levels = [heard["loudest"] for heard in sounds.values()]
    assert max(levels) - min(levels) < 6, sounds
    assert page.evaluate(RENDER, [names * 2, 100, 6])["peak"] < 0.5  # however many at once
    assert page.evaluate(RENDER, [["caida"], 0, 2])["peak"] == 0
