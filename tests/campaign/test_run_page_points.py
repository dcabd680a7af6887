"""What a run earned, and why not more, on its own page, on its chapters' and where one abandons it."""

import re
from datetime import timedelta

import pytest
from django.utils.html import strip_tags

from campaign.chapters import CHAPTERS
from campaign.models import Run
from tests.support import client_of
from tests.tournament.books import CLOSE, MONDAY, make_season
from tournament.models import Season

from .endings import LOST, WON, finish
from .playing import JSON, PAGE, Program

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
SECOND = timedelta(seconds=1)
MOMENT = "6 de diciembre de 2026, 23:59 (hora de Quito)"


def words(member, path):
    response = member.browser.get(path, headers=PAGE)
    assert response.status_code == 200
    return " ".join(strip_tags(response.text.partition("<main")[2].partition("</main>")[0]).split())


def run_page(member):
    return words(member, f"/campana/{Run.objects.get().pk}/")


def chapter_page(member, number):
    return words(member, f"/campana/{Run.objects.get().pk}/{number}/")


def win(member, chapters, kind="scored"):
    """Win so many chapters of the run."""
    for _ in range(chapters):
        finish(member, member.go_on(kind)["id"], WON)


def earned(member):
    """The awards of the run's page as (what, points), and their sum."""
    text = member.browser.get(f"/campana/{Run.objects.get().pk}/", headers=PAGE).text
    table = text.partition('<table class="figures-table">')[2].partition("</table>")[0]
    rows = re.findall('<th scope="row">(.*?)</th><td>(.*?)</td>', table)
    rows = [(strip_tags(what).partition("30 de")[0].strip(), int(strip_tags(points))) for what, points in rows]
    return rows[:-1], rows[-1][1] if rows else 0


def chapters(number):
    return [(f"{chapter.numeral} · {chapter.title}", 100) for chapter in CHAPTERS[:number]]


# The run


def test_a_free_run_says_that_it_never_scores(season, member):
    win(member, 2, "free")
    text = run_page(member)
    assert "Es una vuelta libre: se juega por el gusto, no usa cupo y no suma puntos en el torneo." in text
    assert "Esta vuelta no ha sumado" not in text and earned(member) == ([], 0)


def test_a_run_that_has_just_begun_says_what_there_is_to_win(season, member):
    member.go_on("scored")
    text = run_page(member)
    assert "0 puntos." in text and "Esta vuelta no ha sumado puntos." in text
    assert f"Cada capítulo que ganes suma 100; ganar los cinco, 200 más. Cuenta lo que ganes antes del cierre: {MOMENT}." in text
    assert "Fiestas de Quito 2026 · Cupo 1 de 3 · 30 de noviembre de 2026" in text


def test_a_run_under_way_lists_what_it_was_paid_and_when(season, member, clock):
    win(member, 1)
    clock.move_to(MONDAY + timedelta(hours=3, minutes=7), tick=False)
    win(member, 1)
    text = run_page(member)
    assert earned(member) == (chapters(2), 200)
    assert "200 puntos. Cada capítulo que ganes suma 100" in text
    assert f"{CHAPTERS[1].title} 30 de noviembre de 2026, 15:07 (hora de Quito)100" in text
    assert 'href="/ranking/fiestas-de-quito-2026/"' in member.browser.get(f"/campana/{Run.objects.get().pk}/").text


def test_a_completed_run_says_that_there_is_no_more(season, member):
    win(member, 5)
    assert earned(member) == ([*chapters(5), ("Los cinco capítulos", 200)], 700)
    assert "700 puntos. Ganaste todo lo que una vuelta puede dar." in run_page(member)


@pytest.mark.parametrize("won, total", [(0, "0 puntos."), (1, "100 puntos."), (4, "400 puntos.")])
def test_a_lost_run_says_where_it_ended(season, member, won, total):
    win(member, won)
    finish(member, member.go_on("scored")["id"], LOST)
    text = run_page(member)
    assert f"{total} Terminó al perder el capítulo {CHAPTERS[won].numeral}: en una vuelta puntuable no hay revancha." in text
    assert earned(member) == (chapters(won), 100 * won)


@pytest.mark.parametrize("won, left", [(0, "5 capítulos"), (3, "2 capítulos"), (4, "1 capítulo")])
def test_an_abandoned_run_says_what_was_left(season, member, won, left):
    win(member, won)
    member.go_on("scored")
    member.post(f"/campana/{Run.objects.get().pk}/abandonar/", {})
    assert f"La dejaste con {left} por ganar, y su cupo quedó usado." in run_page(member)
    assert earned(member) == (chapters(won), 100 * won)


def test_what_is_won_at_the_close_and_after_it_is_said_not_to_count(season, player, clock):
    clock.move_to(CLOSE - SECOND, tick=False)
    member = Program(client_of(player))
    win(member, 1)
    clock.move_to(CLOSE, tick=False)
    text = run_page(member)
    assert f"100 puntos. El torneo cerró: {MOMENT}. Esta vuelta sigue, ya sin puntos." in text
    win(member, 1)
    assert f"El capítulo II lo ganaste después del cierre ({MOMENT}): cuenta en tu historia, pero ya no suma." in run_page(member)
    win(member, 2)
    assert f"Los capítulos II, III y IV los ganaste después del cierre ({MOMENT}): cuentan en tu historia, pero ya no suman." in run_page(member)
    win(member, 1)
    text = run_page(member)
    assert "Los capítulos II, III, IV y V los ganaste" in text and "Por eso faltan también los 200 por los cinco." in text
    assert "Ganaste todo" not in text and "Esta vuelta sigue" not in text and earned(member)[1] == 100


def test_a_run_that_won_nothing_before_the_close_says_so(season, player, clock):
    clock.move_to(CLOSE - SECOND, tick=False)
    member = Program(client_of(player))
    member.go_on("scored")
    clock.move_to(CLOSE + SECOND, tick=False)
    assert "0 puntos. El torneo cerró" in run_page(member)
    finish(member, member.go_on()["id"], LOST)
    assert "Terminó al perder el capítulo I" in run_page(member)


def test_the_day_of_a_run_is_that_of_its_slot(season, player, clock, settings):
    """Whenever it ends, and wherever the server stands."""
    clock.move_to(MONDAY + timedelta(hours=11, minutes=58), tick=False)  # 23:58 in Quito
    settings.TIME_ZONE = "Asia/Tokyo"
    member = Program(client_of(player))
    member.go_on("scored")
    clock.move_to(MONDAY + timedelta(hours=12, minutes=5), tick=False)
    win(member, 1)
    text = run_page(member)
    assert "Cupo 1 de 3 · 30 de noviembre de 2026" in text
    assert "1 de diciembre de 2026, 00:05 (hora de Quito)100" in text


def test_a_run_keeps_the_terms_it_was_begun_by(season, member):
    win(member, 1)
    Season.objects.update(chapter_points=50, bonus_points=7, runs_a_day=9)
    win(member, 1)
    text = run_page(member)
    assert "Cada capítulo que ganes suma 100; ganar los cinco, 200 más." in text and "Cupo 1 de 3" in text
    assert "este capítulo suma 100 más" in chapter_page(member, 3)
    win(member, 3)
    assert earned(member)[1] == 700


def test_where_a_chapter_may_be_tried_twice_the_loss_is_told_so(member):
    make_season(attempts=2)
    finish(member, member.go_on("scored")["id"], LOST)
    assert "Otra vez contra" in chapter_page(member, 1) and "Cada capítulo que ganes suma 100" in run_page(member)
    finish(member, member.go_on("scored")["id"], LOST)
    assert "Terminó al perder el capítulo I: eran 2 intentos." in run_page(member)
    assert "Eran 2 intentos, y la vuelta puntuable termina aquí." in chapter_page(member, 1)


def test_one_point_is_a_punto(member):
    make_season(chapter_points=1, bonus_points=2)
    win(member, 1)
    assert "Ganaste 1 punto. Esta vuelta suma 1." in chapter_page(member, 1)
    assert "1 punto." in run_page(member) and "Lleva 1 punto; este capítulo suma 1 más" in chapter_page(member, 2)
    for path in ("", "1/", "2/"):
        assert "1 puntos" not in words(member, f"/campana/{Run.objects.get().pk}/{path}")


def test_nobody_else_reads_it(season, member, stranger):
    win(member, 1)
    for headers in (PAGE, JSON):
        assert client_of(stranger).get(f"/campana/{Run.objects.get().pk}/", headers=headers).status_code == 404


# Its chapters


def test_the_page_of_a_won_chapter_says_what_it_paid(season, member):
    for number in range(1, 5):
        win(member, 1)
        assert f"Ganaste 100 puntos. Esta vuelta suma {100 * number}. La tabla del torneo" in chapter_page(member, number)
    win(member, 1)
    assert "Ganaste 100 puntos y 200 más por los cinco. Esta vuelta suma 700. La tabla del torneo" in chapter_page(member, 5)


def test_the_page_of_a_chapter_won_after_the_close_says_that_it_pays_nothing(season, player, clock):
    clock.move_to(CLOSE - SECOND, tick=False)
    member = Program(client_of(player))
    win(member, 1)
    clock.move_to(CLOSE, tick=False)
    win(member, 4)
    assert "Ganaste 100 puntos. Esta vuelta suma 100." in chapter_page(member, 1)
    for number in range(2, 6):
        text = chapter_page(member, number)
        assert "Este capítulo lo ganaste después del cierre del torneo: ya no suma puntos." in text and "Ganaste" not in text


def test_the_page_of_a_chapter_to_play_says_what_it_would_pay_or_that_it_would_not(season, player, clock):
    member = Program(client_of(player))
    win(member, 1)
    text = chapter_page(member, 2)
    assert "Vuelta puntuable. Lleva 100 puntos; este capítulo suma 100 más. El torneo cierra en 6 días y 11 horas." in text
    assert "Lleva 100 puntos" in words(member, "/campana/")
    clock.move_to(CLOSE, tick=False)
    member = Program(client_of(player))
    for path in (f"/campana/{Run.objects.get().pk}/2/", "/campana/"):
        text = words(member, path)
        assert f"El torneo cerró el {MOMENT}. Esta vuelta sigue, ya sin puntos; lo ganado es tuyo: 100 puntos." in text
        assert "Vuelta puntuable. Lleva" not in text and "cierra en" not in text
    table = words(member, f"/mesa/{member.go_on()['id']}/")
    assert "El torneo cerró: esta partida sigue, ya sin puntos." in table and "esta mesa ya no suma puntos" in table


def test_the_link_of_an_old_run_leads_to_the_table_of_its_season(season, player, clock):
    member = Program(client_of(player))
    win(member, 1)
    year = timedelta(days=365)
    Season.objects.create(name="2027", slug="fiestas-de-quito-2027", opens_at=CLOSE, closes_at=CLOSE + year)
    clock.move_to(CLOSE + timedelta(days=30), tick=False)
    member = Program(client_of(player))
    for path in ("1/", ""):
        text = member.browser.get(f"/campana/{Run.objects.get().pk}/{path}", headers=PAGE).text
        assert "/ranking/fiestas-de-quito-2026/" in text and "2027" not in text
    assert "El torneo cerró" in chapter_page(member, 2)


def test_a_free_run_says_nothing_of_points_on_its_chapters(season, member):
    win(member, 1, "free")
    for number in (1, 2):
        text = chapter_page(member, number)
        assert "punto" not in text.replace("puntos de historia", "") and "torneo" not in text


# Where one abandons it


def test_abandoning_says_what_stays_and_that_the_slot_is_spent(season, member):
    member.go_on("scored")
    text = words(member, f"/campana/{Run.objects.get().pk}/abandonar/")
    assert "los puntos ganados se quedan, pero su cupo de hoy ya está gastado y no vuelve." in text


def test_abandoning_on_another_day_speaks_of_the_day_it_was_begun(season, player, clock):
    member = Program(client_of(player))
    member.go_on("scored")
    clock.move_to(MONDAY + timedelta(days=2), tick=False)
    text = words(Program(client_of(player)), f"/campana/{Run.objects.get().pk}/abandonar/")
    assert "pero su cupo del 30 de noviembre de 2026 ya está gastado y no vuelve." in text and "de hoy" not in text


def test_abandoning_a_free_run_says_that_it_costs_nothing(season, member):
    member.go_on("free")
    text = words(member, f"/campana/{Run.objects.get().pk}/abandonar/")
    assert "Es libre: no gasta ningún cupo." in text and "gastado" not in text
