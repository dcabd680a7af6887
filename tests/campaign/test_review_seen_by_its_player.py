"""What a player reads of the review of their runs: how it stands, why, and what counts; and others nothing of it."""

import json

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from django.test import Client

from campaign.models import Run
from cvarenta.accounts.services import gather_data
from tests.support import client_of
from tests.tournament.books import CLOSE, MONDAY, minutes, seconds
from tournament import decisions, ranking, review
from tournament.models import ScoredRun, Standing

from .endings import LOST, finish
from .playing import JSON, PAGE, Program
from .test_run_page_points import chapter_page, earned, run_page, win, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
LATER = MONDAY + minutes(30)
MOMENT = "30 de noviembre de 2026, 12:30 (hora de Quito)"
REASON = "Cuatro jugadas en un segundo."


def decide(action, reviewer, reason="", at=LATER):
    run = ScoredRun.objects.get()
    return decisions.decide(run_id=run.pk, action=action, reason=reason, by=reviewer, seen=run.news, at=at)


def as_json(member):
    return member.browser.get(f"/campana/{Run.objects.get().pk}/", headers=JSON).json()["review"]


@pytest.fixture
def lost(season, member):
    """Two chapters won, and the third lost."""
    win(member, 2)
    finish(member, member.go_on()["id"], LOST)


# Its states


def test_a_run_under_way_says_nothing_of_a_review(season, member):
    win(member, 1)
    assert "La revisión" not in run_page(member) and "Por revisar" not in words(member, "/campana/")
    assert as_json(member) == {"state": None, "reason": None, "decided_at": None, "second_look": False}


def test_a_free_run_has_none(season, member):
    win(member, 1, "free")
    member.post(f"/campana/{Run.objects.get().pk}/abandonar/", {})
    assert "revisión" not in run_page(member) and as_json(member) is None
    assert "Por revisar" not in words(member, "/campana/")


def test_an_ended_run_waits_and_its_points_count_already(lost, member):
    text = run_page(member)
    assert "Por revisar: se revisa cada vuelta puntuable; tus puntos ya cuentan." in text and "200 puntos." in text
    assert "Por revisar" in words(member, "/campana/") and as_json(member)["state"] == "waiting"


def test_a_run_without_points_is_not_told_that_they_count(season, member):
    finish(member, member.go_on("scored")["id"], LOST)
    text = run_page(member)
    assert "Por revisar: se revisa cada vuelta puntuable." in text and "cuentan" not in text


def test_an_approved_run_says_so_and_not_who_did_it(lost, member, reviewer):
    decide("approve", reviewer)
    text = run_page(member)
    assert "Aprobada: vale tal como la jugaste." in text and MOMENT in text and "mariana" not in text
    assert as_json(member) == {"state": "approved", "reason": None, "decided_at": LATER.isoformat(), "second_look": False}
    assert "Aprobada" in words(member, "/campana/")


def test_an_annulled_run_says_why_and_that_nothing_counts(lost, member, player, reviewer):
    before = run_page(member)
    decide("annul", reviewer, REASON)
    text = run_page(member)
    assert "200 puntos." in before and "200 puntos." not in text  # read at once, from nothing that was kept
    assert "Anulada: Cuatro jugadas en un segundo. Sus 200 puntos no cuentan." in text and f"Se decidió el {MOMENT}." in text
    assert "0 puntos: 200 ganados, anulados." in text and "Ganado, anulado200Cuenta0" in text
    assert earned(member)[1] == 0 and "mariana" not in text
    assert as_json(member) == {"state": "annulled", "reason": REASON, "decided_at": LATER.isoformat(), "second_look": False}
    chapter = chapter_page(member, 3)
    assert "La vuelta está anulada: sus puntos no cuentan." in chapter and "200" not in chapter
    assert "cuenta solo si se restituye" in chapter_page(member, 1) and "Ganaste 100" not in chapter_page(member, 1)


def test_a_reason_is_shown_as_it_was_written(lost, member, reviewer):
    decide("annul", reviewer, "<b>ojo</b> & \u202etxt")
    page = member.browser.get(f"/campana/{Run.objects.get().pk}/", headers=PAGE).text
    assert "<bdi>&lt;b&gt;ojo&lt;/b&gt; &amp; \u202etxt.</bdi>" in page


def test_a_restored_run_is_what_it_was_and_tells_its_story(lost, member, player, reviewer):
    decide("annul", reviewer, REASON)
    decide("restore", reviewer, "Miramos mal", LATER + minutes(5))
    text = run_page(member)
    assert "Por revisar: se revisa cada vuelta puntuable; tus puntos ya cuentan." in text and "200 puntos." in text
    story = f"Anulada: {REASON} {MOMENT} Restituida: Miramos mal {MOMENT.replace('12:30', '12:35')}"
    assert story in text and text.index("La revisión") < text.index("Los capítulos")
    assert earned(member)[1] == 200 and as_json(member)["reason"] is None and "anulados" not in text


# Annulled while it is played


def test_what_is_won_in_an_annulled_run_is_kept_and_counts_if_it_is_restored(season, member, player, reviewer):
    win(member, 1)
    decide("annul", reviewer, REASON)
    kept = "Vuelta anulada. Lo que ganes se guarda, y cuenta solo si la revisión la restituye."
    assert kept in words(member, "/campana/") and kept in chapter_page(member, 2) and "Lleva" not in chapter_page(member, 2)
    win(member, 1)
    assert "cuenta solo si se restituye" in chapter_page(member, 2) and Standing.objects.get().points == 0
    assert "Está anulada: lo que ganes se guarda" in run_page(member) and "Cada capítulo que ganes suma" not in run_page(member)
    run = Run.objects.get()
    assert "está anulada y sus puntos cuentan solo si la revisión la restituye, y su cupo" in words(member, f"/campana/{run.pk}/abandonar/")
    assert "Vuelta anulada: si ganas esta mesa se guarda" in words(member, f"/mesa/{member.go_on()['id']}/")
    decide("restore", reviewer)
    assert "Sigue en camino, y lo que ganes cuenta." in run_page(member) and earned(member)[1] == 200
    assert "Lleva 200 puntos" in chapter_page(member, 3) and Standing.objects.get().points == 200
    assert as_json(member)["state"] is None


def test_an_annulled_run_that_is_under_way_at_the_close_still_says_it(season, player, reviewer, clock):
    clock.move_to(CLOSE - seconds(1), tick=False)
    member = Program(client_of(player))
    win(member, 1)
    decide("annul", reviewer, REASON)
    clock.move_to(CLOSE, tick=False)
    member = Program(client_of(player))
    text = words(member, "/campana/")
    assert "Vuelta anulada. El torneo cerró: lo que ganes ahora ya no suma, y lo de antes cuenta solo si" in text
    assert "lo ganado es tuyo" not in text and "Lo que ganes se guarda" not in text


# What others see


def test_nobody_else_reads_of_the_review_and_the_points_are_gone_everywhere(lost, member, player, stranger, reviewer, season):
    decide("annul", reviewer, REASON)
    run = Run.objects.get()
    for browser in (Client(), client_of(stranger), client_of(reviewer)):
        text = browser.get("/jugadores/dolores/", headers=PAGE).text
        assert "2 capítulos ganados" in text
        for secret in ("Anulada", "Por revisar", "Cuatro jugadas", "200"):
            assert secret not in text, secret
        assert "review" not in json.dumps(browser.get("/jugadores/dolores/", headers=JSON).json())
        for headers in (PAGE, JSON):
            assert browser.get(f"/campana/{run.pk}/", headers=headers).status_code == 404
    own = client_of(player).get("/jugadores/dolores/", headers=PAGE).text
    assert "Anulada" in own and "Cuatro jugadas" not in own and "Puesto" not in own
    assert ranking.line_of(season, player.pk) is None


# What is kept, to take along


def test_the_data_has_the_review_without_who_decided(lost, member, player, reviewer):
    decide("annul", reviewer, REASON)
    run = ScoredRun.objects.get()
    run.traces.all().delete()
    review.ask_again(run_id=run.pk, text="Fue mi hermana", at=LATER + minutes(1))
    review.trace(run_id=run.pk, digests={"device": "d" * 64, "address": "a" * 64}, at=MONDAY)
    review.flag(run_id=run.pk, finding=review.Finding("pace", "Jugó muy rápido"), at=MONDAY)
    told = gather_data(player=player)["torneos"][0]["vueltas"][0]
    assert told["estado"] == "Anulada"
    assert told["decisiones"] == [{"cuándo": LATER, "decisión": "Anular", "motivo": REASON}]
    assert told["segunda_mirada"] == {"cuándo": LATER + minutes(1), "texto": "Fue mi hermana"}
    assert told["rastros"] == [{"clase": "aparato", "cuándo": MONDAY}, {"clase": "dirección", "cuándo": MONDAY}]
    text = json.dumps(told, cls=DjangoJSONEncoder, ensure_ascii=False)
    assert "mariana" not in text and "muy rápido" not in text and "dddd" not in text
