"""The ranking and what the story says of the tournament, as a person meets them: on every screen, by keyboard, without
script, with a clock of their own, over the close."""

from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from campaign.models import Run
from tests.campaign.endings import WON, finish
from tests.tournament.books import crowd, make_season, minutes, score
from tournament.models import Season, Standing
from tournament.services import rebuild_rank_index

from .stories import log_in
from .tables import READY, scrolls
from .test_accessible import violations

pytestmark = pytest.mark.django_db(transaction=True)
SCREENS = [(320, 568), (390, 844), (1280, 800)]
PLAYERS = 70
A_WEEK = 7 * 24 * 3600 * 1000  #: milliseconds

LIVE = "[role=status], [role=alert], [role=log], [role=timer], [role=marquee], [aria-live]:not([aria-live=off])"
# Everything that can be focused, in order, that is not in sight when it is.
HIDDEN_WHEN_FOCUSED = """() => [...document.querySelectorAll('main a[href], main button, main input')].filter((element) => {
    if (element.closest('.own')) return false;
    element.focus();
    const bar = document.querySelector('.own').getBoundingClientRect();
    const box = (element.getClientRects()[0] ?? element.getBoundingClientRect());
    return box.top < 0 || box.bottom > innerHeight || (box.bottom > bar.top + 1 && box.top < bar.bottom - 1);
}).map((element) => element.outerHTML.slice(0, 80))"""


@pytest.fixture
def season(transactional_db):
    """Open for some days more; rivals have scored."""
    season = make_season(closes_at=timezone.now() + timedelta(days=6, hours=4, minutes=2))
    rivals = crowd(PLAYERS, prefix="Jugador.De.Quito-")
    for number, rival in enumerate(rivals[:6]):
        score(rival, 5 - number % 3, timezone.now() - minutes(number + 90))
    day, at = season.day(timezone.now()), timezone.now() - minutes(60)
    standings = [
        Standing(
            season=season,
            player=rival,
            points=100,
            reached_at=at + timedelta(seconds=n),
            moved_at=at,
            runs=1,
            day=day,
            taken=1,
        )
        for n, rival in enumerate(rivals[6:])
    ]
    Standing.objects.bulk_create(standings)
    rebuild_rank_index(season_id=season.pk)
    return season


@pytest.fixture
def program(page, live_server, player):
    page.emulate_media(reduced_motion="reduce")
    return log_in(page, live_server, player)


def stands_checks(page, name, *, axe_at=(390,)):
    """Axe finds nothing, nothing scrolls sideways, nothing ticks where it is read out, one's own place is in sight."""
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), (name, width)
        if width in axe_at:
            assert violations(page) == [], (name, width)
        if page.locator(".own").count():
            box = page.locator(".own").bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["height"] < height / 4, (name, width)
            assert box["y"] >= 0 and box["y"] + box["height"] <= height + 1, (name, width)
    assert page.locator(LIVE).locator("time").count() == 0, name
    levels = page.locator("h1, h2, h3").evaluate_all("(heads) => heads.map((head) => Number(head.localName[1]))")
    assert levels[0] == 1 and all(level <= before + 1 for before, level in zip(levels, levels[1:], strict=False)), name


def test_the_ranking_stands_every_check(page, live_server, season, player, program):
    score(player, 1, timezone.now() - minutes(1))
    for path in ("", "?desde=30", "?q=quito-1", "?q=nadie"):
        page.goto(f"{live_server.url}/ranking/{path}")
        stands_checks(page, path, axe_at=(390,) if path else (390, 1280))


def test_the_table_that_nobody_is_in_yet_and_the_final_one_stand_every_check(page, live_server, player, program):
    season = make_season(closes_at=timezone.now() + timedelta(days=2))
    page.goto(f"{live_server.url}/ranking/")
    stands_checks(page, "empty")
    score(player, 5, timezone.now() - minutes(5))
    Season.objects.filter(pk=season.pk).update(closes_at=timezone.now())
    page.goto(f"{live_server.url}/ranking/?desde=x")
    assert page.get_by_role("alert").count() == 1 and page.get_by_text("La tabla final").count() == 1
    stands_checks(page, "closed")


def test_the_offer_and_what_a_run_was_paid_stand_every_check(page, live_server, season, player, program):
    page.goto(f"{live_server.url}/campana/")
    stands_checks(page, "offer")
    finish(program, program.go_on("scored")["id"], WON)
    run = Run.objects.get().pk
    for name, path in {"run": "", "chapter won": "1/", "chapter": "2/"}.items():
        page.goto(f"{live_server.url}/campana/{run}/{path}")
        stands_checks(page, name)
    page.goto(f"{live_server.url}/jugadores/dolores/")
    assert page.get_by_role("link", name=f"Puesto {PLAYERS + 1} · 100 puntos").count() == 1
    stands_checks(page, "player")


def test_the_bar_with_ones_place_never_lies_over_what_is_focused(page, live_server, season, player, program):
    score(player, 1, timezone.now() - minutes(1))
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{live_server.url}/ranking/?desde=20")
        assert page.locator("main a[href]").count() > 50
        assert page.evaluate(HIDDEN_WHEN_FOCUSED) == [], width


def test_two_hundred_per_cent_letters_scroll_in_one_direction(page, live_server, season, player, program):
    score(player, 1, timezone.now() - minutes(1))
    for path in ("/ranking/", "/ranking/?desde=9", "/campana/"):
        page.goto(live_server.url + path)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), path


def tab_to(page, target):
    for _ in range(90):
        page.keyboard.press("Tab")
        if target.evaluate("(element) => element === document.activeElement"):
            return
    raise AssertionError("it is not reached by Tab")


def test_by_keyboard_one_searches_and_goes_on_to_the_next_page(page, live_server, season):
    page.goto(f"{live_server.url}/ranking/")
    tab_to(page, page.get_by_role("searchbox", name="Buscar un nombre"))
    page.keyboard.type("QUITO-33")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=QUITO-33")
    assert page.get_by_role("searchbox").input_value() == "QUITO-33"
    assert page.get_by_role("link", name="Jugador.De.Quito-33").count() == 1
    tab_to(page, page.get_by_role("link", name="Toda la tabla"))
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/ranking/{season.slug}/")
    page.get_by_role("rowheader").last.get_by_role("link").focus()
    tab_to(page, page.get_by_role("link", name="Siguientes"))
    page.keyboard.press("Enter")
    page.wait_for_url("**pagina=*")
    assert page.get_by_role("row").filter(has_text="Jugador").count() == 1 + PLAYERS - 50
    tab_to(page, page.get_by_role("link", name="Desde el primero"))


def test_without_script_everything_works(browser, live_server, season, player):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844}, locale="es-EC")
    page = context.new_page()
    page.goto(f"{live_server.url}/ranking/")
    assert page.get_by_text("El torneo cierra en 6 días y 4 horas").count() == 1
    page.get_by_role("link", name="Siguientes").click()
    assert page.get_by_role("rowheader").count() == PLAYERS - 50
    page.get_by_role("link", name="Desde el primero").click()
    page.get_by_role("searchbox").fill("quito-1")
    page.get_by_role("button", name="Buscar").click()
    assert page.get_by_role("rowheader").count() == 11
    page.get_by_role("link", name="Entrar", exact=True).last.click()
    assert page.url.endswith(f"/cuenta/login/?next=/ranking/{season.slug}/")
    log_in(page, live_server, player)
    page.goto(f"{live_server.url}/campana/")
    page.get_by_role("button", name="Empezar vuelta puntuable").click()
    assert Run.objects.get().is_scored and page.get_by_text("Ganar este capítulo suma 100 puntos").count() == 1
    page.get_by_role("link", name="El camino").click()
    assert page.get_by_text("Vuelta puntuable.").count() == 1
    context.close()


# The clock


@contextmanager
def tokyo(browser, hours):
    """The browser of somebody whose clock is wrong by so many hours, and stands in another zone."""
    context = browser.new_context(timezone_id="Asia/Tokyo", locale="ja-JP", viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.clock.install(time=timezone.now() + timedelta(hours=hours))
    yield page
    context.close()


def test_the_countdown_is_the_servers_whatever_the_visitors_clock_says(browser, live_server, season, player):
    for hours in (3, -30):
        with tokyo(browser, hours) as page:
            log_in(page, live_server, player)
            for path in ("/ranking/", "/campana/"):
                page.goto(live_server.url + path)
                told = page.locator("[data-until]").filter(has_text="El torneo cierra").locator("time")
                assert told.inner_text() == "6 días y 4 horas", path
                assert page.get_by_text("(hora de Quito)").count() >= 1


def test_it_counts_down_in_the_words_of_the_server(browser, live_server, db):
    make_season(closes_at=timezone.now() + timedelta(days=2, hours=1, minutes=1, seconds=30))
    with tokyo(browser, 3) as page:
        page.goto(f"{live_server.url}/ranking/")
        told, heard = page.locator("time[data-seconds]"), []
        for ahead in ("00:01", "01:00:00", "24:00:00", "23:00:00", "58:30", "01:00", "01:10"):
            page.clock.fast_forward(ahead)
            heard.append(told.inner_text())
        assert heard == [
            "2 días y 1 hora", "2 días", "1 día", "1 hora y 1 minuto", "2 minutos", "1 minuto", "menos de un minuto",
        ]  # fmt: skip


def test_when_the_time_is_over_every_open_page_says_that_it_closed(browser, live_server, season, player, rival_player):
    """Ranking, map, chapter and table, without a reload; and an offer says so too."""
    with tokyo(browser, 3) as page:
        program = log_in(page, live_server, player)
        match = program.go_on("scored")
        run = f"/campana/{match['run']}"
        pages = {"/ranking/": "El torneo cerró el", "/": "El torneo cerró el", "/campana/": "El torneo cerró el", f"{run}/1/": "El torneo cerró el",
                 f"/mesa/{match['id']}/": "El torneo cerró: esta partida sigue, ya sin puntos."}  # fmt: skip
        for path, says in pages.items():
            page.goto(live_server.url + path)
            said = page.get_by_text(says).filter(visible=True)
            assert said.count() == 0 and page.locator(LIVE).locator("time").count() == 0, path
            page.clock.fast_forward(A_WEEK)
            expect(said).to_have_count(1)
            assert page.get_by_text("cierra en").filter(visible=True).count() == 0, path
        assert not scrolls(page)
        page.keyboard.press("1")
        note, button = (
            page.locator(selector).bounding_box() for selector in (".close-note .notice", ".choice:visible")
        )
        assert button["y"] + button["height"] <= note["y"] and note["y"] + note["height"] <= 844
        program.post(f"{run}/abandonar/", {})
        page.goto(f"{live_server.url}/campana/")
        page.clock.fast_forward(A_WEEK)
        expect(page.get_by_text("El torneo cerró el").filter(visible=True)).to_have_count(1)
        expect(page.get_by_text("Ya es otro día en Quito").filter(visible=True)).to_have_count(1)


def test_in_real_time_too(page, live_server, db):
    make_season(closes_at=timezone.now() + timedelta(seconds=2))
    page.goto(f"{live_server.url}/ranking/")
    expect(page.get_by_text("El torneo cerró el").filter(visible=True)).to_have_count(1, timeout=8000)
    page.reload()
    assert page.get_by_text("La tabla final").count() == 1


def test_the_table_makes_room_for_the_note_that_it_closed(page, live_server, player, program):
    season = make_season(closes_at=timezone.now() + timedelta(days=1))
    match = program.go_on("scored")["id"]
    Season.objects.filter(pk=season.pk).update(closes_at=timezone.now())
    page.goto(f"{live_server.url}/mesa/{match}/")
    page.wait_for_selector(READY)
    page.keyboard.press("1")
    for width, height in (*SCREENS, (568, 320)):
        page.set_viewport_size({"width": width, "height": height})
        assert not scrolls(page), width
        note = page.locator(".close-note .notice")
        top = note.bounding_box()["y"]
        for found in (*page.locator(".held-card label").all(), *page.locator(".choice:visible").all()):
            box = found.bounding_box()
            assert box["y"] + box["height"] <= top + 1, width
        assert note.evaluate("(note) => note.scrollWidth <= note.clientWidth"), width
    assert violations(page) == []
