"""What a run begun now would be is said before it is begun, and nobody is surprised if it changes between page and click."""

import re
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.utils.html import strip_tags

from campaign.models import Match, Run
from tests.support import client_of
from tests.tournament.books import CLOSE, MONDAY, make_season
from tournament.models import ScoredRun, Season

from .endings import LOST, finish
from .playing import JSON, PAGE, Page, Program

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
SECOND = timedelta(seconds=1)


def quito(day, hour, minute, second=0):
    """A moment between 30 November (day 30) and 7 December 2026 in Quito."""
    return datetime(2026, 11 if day == 30 else 12, day, hour, minute, second, tzinfo=UTC) + timedelta(hours=5)


def look(browser, status=200):
    response = browser.get("/campana/", headers=PAGE)
    assert response.status_code == status
    return response.text


def words(text):
    """What a reader of the map reads of what can be begun."""
    said = strip_tags(text.partition('<div class="standing-words">')[2].partition("</header>")[0])
    return " ".join(said.split())


def use(member, times=1):
    for _ in range(times):
        run = member.go_on("scored")["run"]
        member.post(f"/campana/{run}/abandonar/", {})


def offer(member):
    return member.browser.get("/campana/", headers=JSON).json()["offer"]


def form(text, kind):
    return next(form for form in Page(text).forms if ("kind", kind) in form.fields)


def submit(browser, form):
    return browser.post(form.action, urlencode(form.fields), content_type="application/x-www-form-urlencoded", headers=PAGE)


# What it says


@pytest.mark.parametrize("used, says", [
    (0, "Empezar vuelta puntuable usa tu cupo 1 de 3 de hoy Hoy te quedan 3 vueltas puntuables."),
    (1, "Empezar vuelta puntuable usa tu cupo 2 de 3 de hoy Hoy te quedan 2 vueltas puntuables."),
    (2, "Empezar vuelta puntuable usa tu cupo 3 de 3 de hoy Hoy te queda 1 vuelta puntuable."),
])  # fmt: skip
def test_it_says_how_many_are_left_and_which_slot_a_start_takes(season, member, used, says):
    use(member, used)
    text = words(look(member.browser))
    assert says in text
    assert "Cada capítulo ganado suma 100 puntos y los cinco, 200 más. Si pierdes uno, la vuelta termina ahí." in text
    assert "Empezar vuelta libre sin puntos, sin usar cupo" in text
    assert offer(member) == {
        "season": "fiestas-de-quito-2026",
        "slot": f"fiestas-de-quito-2026:2026-11-30:{used + 1}",
        "left": 3 - used,
        "runs_a_day": 3,
        "next_day_at": "2026-12-01T00:00:00-05:00",
        "closes_at": "2026-12-06T23:59:00-05:00",
    }


def test_with_none_left_it_says_so_and_offers_a_free_run(season, member):
    use(member, 3)
    text = look(member.browser)
    assert "Ya usaste tus 3 cupos de hoy. Una vuelta que empieces ahora es libre" in words(text)
    assert "El próximo día empieza a la medianoche de Quito: en 12 horas, y trae 3 cupos nuevos." in words(text)
    assert "puntuable usa tu cupo" not in words(text) and not any(("kind", "scored") in form.fields for form in Page(text).forms)
    assert (offer(member)["slot"], offer(member)["left"]) == (None, 0)
    response = submit(member.browser, form(text, "free"))
    assert response.status_code == 302 and not Run.objects.get(ended_at=None).is_scored
    assert "Vuelta libre" in look(member.browser)


def test_a_lost_run_has_used_its_slot_too(season, member):
    finish(member, member.go_on("scored")["id"], LOST)
    assert "Hoy te quedan 2 vueltas puntuables" in words(look(member.browser))


def test_a_free_run_uses_none(season, member):
    run = member.go_on("free")["run"]
    member.post(f"/campana/{run}/abandonar/", {})
    assert offer(member)["left"] == 3 and ScoredRun.objects.count() == 0


def test_one_run_a_day_is_said_in_the_singular(member):
    make_season(runs_a_day=1, chapter_points=1)
    text = words(look(member.browser))
    assert "tu cupo 1 de 1 de hoy Hoy te queda 1 vuelta puntuable. Cada capítulo ganado suma 1 punto y" in text
    assert "trae 1 cupo nuevo." in text
    use(member)
    assert "Ya usaste tu cupo de hoy." in words(look(member.browser))


def test_if_a_chapter_may_be_tried_again_it_says_so(member):
    make_season(attempts=2)
    assert "Cada uno se intenta hasta 2 veces; después, la vuelta termina ahí." in words(look(member.browser))


def test_the_close_is_told_with_its_moment_and_what_is_left(season, member):
    assert "El torneo cierra en 6 días y 11 horas: el 6 de diciembre de 2026, 23:59 (hora de Quito)." in words(look(member.browser))


@pytest.mark.parametrize("make, says", [
    (lambda: make_season(closes_at=MONDAY), "El torneo cerró. Fue el 30 de noviembre de 2026, 12:00 (hora de Quito); aquí está la tabla final."),
    (lambda: make_season(opens_at=MONDAY + SECOND), "El torneo abre el 30 de noviembre de 2026, 12:00 (hora de Quito). Mientras tanto las vueltas son libres"),
    (lambda: Season.objects.all().delete(), "Ahora no hay torneo: las vueltas son libres."),
], ids=["closed", "to come", "none"])  # fmt: skip
def test_without_an_open_season_a_run_is_free_and_it_says_why(member, make, says):
    make()
    text = words(look(member.browser))
    assert says in text and "Empezar la vuelta libre, sin puntos" in text and "cupo" not in text
    assert offer(member) is None
    answer = member.go_on("scored")
    assert answer["kind"] == "free" and not Run.objects.get().is_scored and ScoredRun.objects.count() == 0
    assert "Es una vuelta libre" in member.browser.get(f"/campana/{answer['run']}/", headers=PAGE).text


def test_someone_without_account_is_told_what_there_is_and_asked_in(season):
    answer = Client().get("/campana/", headers=JSON).json()["offer"]
    assert (answer["slot"], answer["left"]) == ("fiestas-de-quito-2026:2026-11-30:1", 3)
    assert "Crear mi cuenta" in look(Client()) and "Empezar vuelta" not in look(Client())


def test_each_has_their_own_slots(season, member, stranger):
    use(member, 3)
    assert offer(Program(client_of(stranger)))["left"] == 3


# Begun as offered


def test_a_start_takes_the_slot_that_was_offered(season, member):
    response = submit(member.browser, form(look(member.browser), "scored"))
    run, books = Run.objects.get(), ScoredRun.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"/campana/{run.pk}/1/")
    assert run.is_scored and (books.run_id, books.slot, str(books.day)) == (run.pk, 1, "2026-11-30")
    assert "Vuelta puntuable." in look(member.browser)


def test_a_double_click_goes_on_with_the_run(season, member):
    asked = form(look(member.browser), "scored")
    first, second = submit(member.browser, asked), submit(member.browser, asked)
    assert first["Location"] == second["Location"]
    assert Run.objects.count() == ScoredRun.objects.count() == Match.objects.count() == 1


def test_a_program_that_asks_without_naming_a_slot_gets_a_free_run_when_none_is_left_and_is_told(season, member):
    use(member, 3)
    response = member.post("/campana/", {"kind": "scored"})
    assert (response.status_code, response.json()["kind"]) == (201, "free")
    assert ScoredRun.objects.count() == 3


# Changed between page and click


def refused(member, form):
    """Nothing begins; the page asks again. Returns what it says now."""
    runs, matches = Run.objects.count(), Match.objects.count()
    response = submit(member.browser, form)
    assert response.status_code == 409
    assert "Lo que te ofrecía esa página ya cambió y no empezó nada" in response.text and 'role="alert"' in response.text
    assert (Run.objects.count(), Match.objects.count()) == (runs, matches)
    return response.text


def test_if_the_slot_was_taken_it_offers_the_next(season, member):
    asked = form(look(member.browser), "scored")
    use(member)  # in another tab
    text = refused(member, asked)
    assert "usa tu cupo 2 de 3 de hoy" in words(text)
    assert submit(member.browser, form(text, "scored")).status_code == 302
    assert ScoredRun.objects.filter(slot=2, ended_at=None).count() == 1


def test_if_the_last_slot_was_taken_it_says_that_a_run_would_be_free(season, member):
    use(member, 2)
    asked = form(look(member.browser), "scored")
    use(member)
    assert "Ya usaste tus 3 cupos de hoy." in words(refused(member, asked))
    assert ScoredRun.objects.count() == 3


def test_if_midnight_has_passed_it_offers_a_slot_of_the_new_day(season, member, clock):
    clock.move_to(quito(30, 23, 59, 59), tick=False)
    use(member)
    asked = form(look(member.browser), "scored")
    clock.move_to(quito(1, 0, 0, 0), tick=False)
    text = refused(member, asked)
    assert "usa tu cupo 1 de 3 de hoy Hoy te quedan 3 vueltas puntuables" in words(text)
    assert ("slot", "fiestas-de-quito-2026:2026-12-01:1") in form(text, "scored").fields


def test_if_the_season_has_closed_it_says_so(season, member, clock):
    clock.move_to(CLOSE - SECOND, tick=False)
    asked = form(look(member.browser), "scored")
    clock.move_to(CLOSE, tick=False)
    assert "El torneo cerró. Fue el 6 de diciembre de 2026, 23:59 (hora de Quito)" in words(refused(member, asked))
    assert ScoredRun.objects.count() == 0


@pytest.mark.parametrize("slot", ["", "x", "fiestas-de-quito-2026:2026-11-30:2", "fiestas-de-quito-2026:2026-11-30:0", "otra:2026-11-30:1", "\0", "x" * 5000])
@pytest.mark.parametrize("kind", ["scored", "free"])
def test_a_program_is_told_the_new_offer_and_nothing_began(season, member, kind, slot):
    response = member.post("/campana/", {"kind": kind, "slot": slot})
    answer = response.json()
    assert response.status_code == 409 and answer["error"] and answer["run"] is None
    assert answer["offer"] == offer(member) and answer["offer"]["left"] == 3
    assert Run.objects.count() == Match.objects.count() == ScoredRun.objects.count() == 0


def test_a_page_of_before_a_run_that_has_ended_begins_no_other(season, member):
    """Back, and the same button again."""
    asked = form(look(member.browser), "scored")
    submit(member.browser, asked)
    run = Run.objects.get().pk
    member.post(f"/campana/{run}/abandonar/", {})
    refused(member, asked)
    assert ScoredRun.objects.count() == 1


# Days of Quito


@pytest.mark.parametrize("at, says", [
    (quito(30, 18, 59), "en 5 horas y 1 minuto, y trae 3 cupos nuevos."),
    (quito(30, 19, 1), "en 4 horas y 59 minutos, y trae 3 cupos nuevos."),
    (quito(30, 23, 59, 30), "en menos de un minuto, y trae 3 cupos nuevos."),
    (quito(1, 0, 0, 30), "en 23 horas y 59 minutos, y trae 3 cupos nuevos."),
    (quito(5, 23, 59, 30), "en menos de un minuto, y trae 3 cupos nuevos."),
    (quito(6, 0, 0, 0), "Hoy es el último día."),
    (quito(6, 23, 58, 59), "Hoy es el último día."),
])  # fmt: skip
@pytest.mark.parametrize("zone", ["America/Guayaquil", "UTC", "Asia/Tokyo"])
def test_the_next_day_begins_at_midnight_in_quito_wherever_the_server_stands(season, player, clock, settings, at, says, zone):
    clock.move_to(at, tick=False)
    member = Program(client_of(player))
    settings.TIME_ZONE = zone
    text = words(look(member.browser))
    assert says in text and "6 de diciembre de 2026, 23:59 (hora de Quito)" in text
    assert ("El próximo día" in text) == ("cupos nuevos" in says)
    local = at - timedelta(hours=5)
    assert offer(member)["slot"] == f"fiestas-de-quito-2026:{local.date()}:1"
    assert offer(member)["next_day_at"] == f"{local.date() + timedelta(days=1)}T00:00:00-05:00"
    assert offer(member)["closes_at"] == "2026-12-06T23:59:00-05:00"


def test_the_slots_of_a_day_end_at_midnight_in_quito_and_not_in_utc(season, player, clock):
    clock.move_to(quito(30, 18, 59), tick=False)
    member = Program(client_of(player))
    use(member, 2)
    clock.move_to(quito(30, 19, 1), tick=False)
    assert offer(member)["left"] == 1
    use(member)
    clock.move_to(quito(30, 23, 59, 30), tick=False)
    assert offer(member)["left"] == 0
    clock.move_to(quito(1, 0, 0, 30), tick=False)
    assert offer(member)["left"] == 3


def test_a_close_at_midnight_has_no_next_day(member):
    make_season(closes_at=quito(1, 0, 0))
    assert "Hoy es el último día." in words(look(member.browser))


def test_the_seconds_that_are_left_are_the_servers(season, player, clock):
    clock.move_to(quito(30, 23, 59, 30), tick=False)
    left = (CLOSE - quito(30, 23, 59, 30)).total_seconds()
    assert re.findall('data-seconds="([0-9.]+)"', look(client_of(player))) == ["30.0", f"{left:.1f}"]
