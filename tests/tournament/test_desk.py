"""The review desk: which runs are listed, how they are found, and what the page of one shows."""

import re
from datetime import timedelta

import pytest
from django.contrib.admin.sites import site
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.models import Run
from cvarenta.accounts.services import delete_player
from tests.campaign.ended_matches import save_ended
from tests.support import client_of, make_player
from tournament import decisions, models, review
from tournament.models import ScoredRun, Season
from tournament.review import Finding

from .books import MONDAY, begin, crowd, make_season, minutes, quito, score
from .reviewing import LIST, TRAIL, decide, desk_of, page_of, shown

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


@pytest.fixture
def desk(season):
    return desk_of()


@pytest.fixture
def reviewer_person():
    return make_player("marieta", is_staff=True)


def flag(run_id, kind="pace", **fields):
    review.flag(run_id=run_id, finding=Finding(kind, "Jugó más rápido de lo que alcanza una mano", **fields), at=MONDAY)


def played(run_id, player, number=1, times=1500):
    """The run is also one of the campaign's, with a match that was played to its end; returns the match."""
    Run.objects.create(pk=run_id, player=player, is_scored=True, outcome="lost", started_at=MONDAY, ended_at=MONDAY)
    return save_ended(player, number, times=times, run_id=run_id, chapter=1, rival="almeida")


def test_it_lists_what_waits_flagged_first_then_the_newest(desk, player, rival_player):
    first, second = score(player, 1), score(player, 2, MONDAY + minutes(10))
    third = score(rival_player, 0, MONDAY + minutes(5))
    begin(rival_player, MONDAY + minutes(20))  # under way
    flag(third)
    assert shown(desk.get(LIST)) == [third, second, first]


def test_what_was_decided_waits_no_longer_and_is_found_by_its_state(desk, player, reviewer_person):
    annulled, approved, waiting = score(player, 1), score(player, 2, MONDAY + minutes(1)), score(player, 0, MONDAY + minutes(2))
    decisions.decide(run_id=annulled, action="annul", reason="Dos manos", by=reviewer_person, seen=0, at=MONDAY)
    decisions.decide(run_id=approved, action="approve", by=reviewer_person, seen=0, at=MONDAY)
    assert shown(desk.get(LIST)) == [waiting]
    assert shown(desk.get(LIST, {"estado": "anuladas"})) == [annulled]
    assert shown(desk.get(LIST, {"estado": "aprobadas"})) == [approved]
    assert shown(desk.get(LIST, {"estado": "todas"})) == [waiting, approved, annulled]


@pytest.mark.parametrize("asked, title", [
    ({}, "Vueltas por revisar"), ({"estado": "anuladas"}, "Vueltas anuladas"), ({"estado": "todas"}, "Vueltas"),
    ({"q": "dolores"}, "Vueltas"), ({"q": "dolores", "estado": "esperan"}, "Vueltas por revisar"), ({"estado": "nada"}, "Vueltas por revisar"),
])  # fmt: skip
def test_the_list_says_which_runs_it_has(desk, asked, title):
    assert f"<h1>{title}</h1>" in desk.get(LIST, asked).text


def test_a_second_look_brings_a_run_back_and_is_a_filter(desk, player, reviewer_person):
    asked, other = score(player, 1), score(player, 2, MONDAY + minutes(1))
    decisions.decide(run_id=asked, action="annul", reason="Dos manos", by=reviewer_person, seen=0, at=MONDAY)
    review.ask_again(run_id=asked, text="<b>Fue</b> mi ñaña", at=MONDAY)
    assert shown(desk.get(LIST)) == [other, asked]
    assert shown(desk.get(LIST, {"segunda": "si"})) == [asked]
    text = desk.get(page_of(asked)).text
    assert "&lt;b&gt;Fue&lt;/b&gt; mi ñaña" in text and "Dos manos" in text


def test_a_second_look_that_was_given_is_asked_for_no_longer(desk, player, rival_player, reviewer_person):
    given, asked = score(player, 1), score(rival_player, 1, MONDAY + minutes(1))
    for run in (given, asked):
        review.ask_again(run_id=run, text="Fue mi ñaña", at=MONDAY)
    decide(given, "annul", reviewer_person)
    assert shown(desk.get(LIST, {"segunda": "si", "estado": "todas"})) == [asked]
    rows = desk.get(LIST, {"estado": "todas"}).text
    assert rows.count('class="field-asked">Pedida<') == rows.count('class="field-asked">Dada<') == 1
    door = "<b>1</b> con segunda mirada pedida"
    assert door in desk.get("/admin/").text and "Pide una segunda mirada" in desk.get(page_of(asked)).text
    text = desk.get(page_of(given)).text
    assert "Pide una segunda mirada" not in text and "Pidió una segunda mirada" in text and "Fue mi ñaña" in text
    assert "La pidió el 30/11/2026, 12:00 (Quito), y ya se dio." in text
    decide(asked, "approve", reviewer_person)
    assert door not in desk.get("/admin/").text


def test_an_approved_run_that_is_flagged_later_is_to_be_looked_at_again(desk, player, reviewer_person):
    run = score(player, 1)
    again = "por revisar otra vez"
    assert again not in desk.get(page_of(run)).text
    decide(run, "approve", reviewer_person)
    assert again not in desk.get(page_of(run)).text
    flag(run)
    assert again in desk.get(page_of(run)).text and shown(desk.get(LIST)) == [run]


def test_days_are_those_of_quito(desk, player, rival_player):
    late, early = score(player, 1, quito(11, 30, 23, 30)), score(rival_player, 1, quito(12, 1, 0, 30))
    assert shown(desk.get(LIST, {"dia": "2026-11-30"})) == [late]
    assert shown(desk.get(LIST, {"dia": "2026-12-01"})) == [early]
    assert "30/11 23:30 (Quito)" in desk.get(LIST).text


def test_it_narrows_to_a_season_to_flags_and_to_the_first_of_the_ranking(desk, season, player, rival_player):
    best, worst = score(player, 5), score(rival_player, 0)
    flag(worst)
    assert shown(desk.get(LIST, {"senales": "con"})) == [worst]
    assert shown(desk.get(LIST, {"senales": "sin"})) == [best]
    assert shown(desk.get(LIST, {"primeros": "si"})) == [best]
    next_one = Season.objects.create(name="Corpus", slug="corpus", opens_at=MONDAY + timedelta(100), closes_at=MONDAY + timedelta(120))
    assert shown(desk.get(LIST, {"temporada": next_one.pk})) == []
    assert shown(desk.get(LIST, {"temporada": season.pk})) == [worst, best]


def test_the_first_of_the_ranking_come_in_its_order_with_their_places(desk, clock, player, rival_player, stranger):
    assert shown(desk.get(LIST, {"primeros": "si"})) == []
    third, second = score(stranger, 1, MONDAY + minutes(1)), score(player, 1)
    first = [score(rival_player, 1, MONDAY + minutes(2)), score(rival_player, 2, MONDAY + minutes(3))]
    flag(third)
    clock.move_to(MONDAY + minutes(10))
    page = desk.get(LIST, {"primeros": "si"})
    assert shown(page) == [*first[::-1], second, third]
    assert re.findall(r"field-place[^>]*>([^<]*)", page.text) == ["1", "1", "2", "3"]


def test_an_empty_list_says_so(desk, player):
    assert "Nada espera: buen momento para un canelazo." in desk.get(LIST).text
    score(player, 1)
    assert "canelazo" not in desk.get(LIST).text
    assert "Nada por aquí con lo que pides." in desk.get(LIST, {"estado": "anuladas"}).text


@pytest.mark.parametrize("text", ["cantuña", "CANTUNA", "Cantúña", " cant ", "antu"])
def test_a_player_is_found_without_accents_or_case(desk, player, rival_player, text):
    score(player, 1)
    wanted = score(rival_player, 1)
    assert shown(desk.get(LIST, {"q": text})) == [wanted]


@pytest.mark.parametrize("text", ["\u0301", " \u0301\u0303 "])
def test_what_leaves_nothing_to_look_for_finds_nobody(season, player, text):
    """An accent alone: no name, and not every name."""
    score(player, 1)
    boss = client_of(type(player).objects.create_superuser("jefa"))
    for listed in (LIST, TRAIL, "/admin/cvarenta/player/"):
        assert list(boss.get(listed, {"q": text}).context["cl"].result_list) == [], listed


def test_a_run_is_found_by_its_id_whatever_its_state(desk, player, reviewer_person):
    run, _ = score(player, 1), score(player, 2, MONDAY + minutes(1))
    decisions.decide(run_id=run, action="approve", by=reviewer_person, seen=0, at=MONDAY)
    assert shown(desk.get(LIST, {"q": run})) == [run]
    assert shown(desk.get(LIST, {"q": run[:6]})) == []


GARBAGE = [
    {"q": "\0"}, {"q": "ñ" * 5000}, {"q": "%_\\'\""}, {"q": "=1+1"}, {"dia": "ayer"}, {"dia": "9999-12-31"}, {"dia": "\0"}, {"estado": "\0"},
    {"temporada": "9" * 40}, {"primeros": "x"}, {"p": "0"}, {"p": "9" * 30}, {"o": "1.-2.99"}, {"all": ""}, {"_facets": ""}, {"e": "1"},
    {"standing__player__password__startswith": "a"}, {"outcome": "\0"}, {"_to_field": "password"}, {"decision": "x"},
]  # fmt: skip


@pytest.mark.parametrize("listed", [LIST, TRAIL])
def test_garbage_breaks_nothing(desk, player, listed):
    score(player, 1)
    for asked in GARBAGE:
        assert desk.get(listed, asked).status_code in (200, 302, 400), asked
    for asked in GARBAGE[:8]:
        assert desk.get(f"{listed}csv/", asked).status_code in (200, 400), asked
    assert desk.get(listed, {"standing__player__password__startswith": "a"}).status_code == 400


def test_a_name_and_a_reason_are_never_more_than_text(desk, player, reviewer_person):
    run, script = score(player, 1), "<svg onload=alert(1)"
    type(player).objects.filter(pk=player.pk).update(username=script)
    decisions.decide(run_id=run, action="annul", reason=f"{script}>{{{{7*7}}}}", by=reviewer_person, seen=0, at=MONDAY)
    for page in (f"{LIST}?estado=todas", TRAIL, page_of(run)):
        text = desk.get(page).text
        assert "<svg onload" not in text and "&lt;svg onload" in text
        assert page.startswith(LIST + "?") or "{{7*7}}" in text


def test_a_list_asks_the_same_number_of_questions_for_one_run_and_for_forty(desk, player):
    def questions():
        with CaptureQueriesContext(connection) as asked:
            assert desk.get(LIST).status_code == 200
        return len(asked)

    flag(score(player, 2))
    one = questions()
    for other in crowd(39):
        flag(score(other, 1))
    assert len(shown(desk.get(LIST))) == 40
    assert questions() == one <= 16


def test_a_thousand_and_more_are_said_to_be_so_and_not_counted(desk, season):
    standings = [score(one, 0) for one in crowd(1)]
    model = ScoredRun.objects.get(pk=standings[0])
    ScoredRun.objects.bulk_create(
        ScoredRun(
            pk=f"r{n}", season=season, standing_id=model.standing_id, day=MONDAY.date() + timedelta(days=n), slot=1, runs_a_day=3, chapter_points=100,
            bonus_points=200, started_at=MONDAY - minutes(n), outcome="lost", ended_at=MONDAY, is_waiting=True,
        )
        for n in range(1, 1020)
    )  # fmt: skip
    first, last = desk.get(LIST), desk.get(LIST, {"p": "20"})
    assert "más de 1.000 vueltas" in first.text and len(shown(first)) == len(shown(last)) == 50
    assert desk.get(LIST, {"p": "21"}).status_code == 302
    rows = b"".join(desk.get(f"{LIST}csv/").streaming_content).decode().splitlines()
    assert len(rows) == 1 + 1020  # the file has them all


def test_a_runs_page_has_its_matches_its_flags_and_the_players_other_runs(desk, player):
    run, other = score(player, 2), score(player, 1, MONDAY + minutes(9))
    match = played(run, player, times=120)
    flag(run, about=match.pk, evidence="31 jugadas en 0,12 s", link=f"?partida={match.pk}&jugada=7#repaso")
    page = desk.get(page_of(run))
    text = page.text
    assert "Jugó más rápido de lo que alcanza una mano" in text and "31 jugadas en 0,12 s" in text
    assert f'href="{page_of(run)}?partida={match.pk}&amp;jugada=7#repaso"' in text
    assert "Capítulo 1: 100" in text and "Capítulo 2: 100" in text and page_of(other) in text
    assert 'href="/jugadores/dolores/"' in text and "1 de 3 del 30 de noviembre de 2026" in text
    assert text.count("<rect") == len(match.think_times.split()) and "la mitad en 120 ms" in text
    assert 'id="repaso"' in text and 'data-ply="0"' in text
    moved = desk.get(page_of(run), {"partida": match.pk, "jugada": "7"}).text
    assert 'data-ply="7"' in moved and f"?partida={match.pk}&amp;jugada=8" in moved


def test_of_several_matches_the_flagged_one_is_shown_until_another_is_asked_for(desk, player):
    run = score(player, 1)
    calm, hasty = played(run, player), save_ended(player, 2, run_id=run, chapter=2, rival="ramon")
    flag(run, about=hasty.pk)

    def replayed(**asked):
        return [match for match in (calm.pk, hasty.pk) if f'data-url="{page_of(run)}?partida={match}&amp;"' in desk.get(page_of(run), asked).text]

    assert replayed() == [hasty.pk]
    assert replayed(partida=calm.pk, jugada="3") == [calm.pk]
    assert replayed(partida="\0<script>", jugada="x") == [hasty.pk]


def test_a_match_under_way_shows_no_card(desk, player):
    run = begin(player)
    Run.objects.create(pk=run, player=player, is_scored=True, started_at=MONDAY)
    match = save_ended(player, 3, run_id=run, chapter=1, rival="almeida")
    type(match).objects.filter(pk=match.pk).update(winner=None, finished_at=None)
    text = desk.get(page_of(run), {"partida": match.pk}).text
    assert "En juego: se verá cuando termine" in text and 'id="repaso"' not in text


def test_a_run_of_a_closed_account_is_still_there_without_a_name(desk, player):
    run = score(player, 1)
    delete_player(player=player, at=MONDAY)
    assert "(cuenta cerrada)" in desk.get(LIST).text
    assert "quien cierra su cuenta se las lleva" in desk.get(page_of(run)).text


@pytest.mark.parametrize("run_id", ["nohay", "x" * 400, "%00", "..%2f"])
def test_what_is_no_run_is_not_there(desk, run_id):
    assert desk.get(f"{LIST}{run_id}/change/").status_code == 404


def test_a_player_is_found_in_the_admin_without_accents_or_by_a_whole_address(season, player, rival_player):
    boss = client_of(type(player).objects.create_superuser("jefa", email="jefa@example.org"))

    def found(text):
        return [one.username for one in boss.get("/admin/cvarenta/player/", {"q": text}).context["cl"].result_list]

    assert found("CANTUNA") == ["cantuña"] and found("lores") == ["dolores"]
    assert found("jefa@example.org") == ["jefa"] and found("x" * 900) == []


def test_the_site_is_called_by_its_name_and_speaks_spanish(desk):
    text = desk.get("/admin/").text
    assert '<html lang="es"' in text and "Mesa de revisión" in text and "Cvarenta de Qvito" in text
    assert "Vueltas puntuables" in text and "Decisiones" in text and "Temporadas" not in text and "Jugadores" not in text
    assert "style=" not in text and "<style" not in text


def test_a_season_elsewhere_has_its_own_hours(player):
    make_season(time_zone="Asia/Tokyo")
    score(player, 1)
    assert "01/12 02:00 (Tokyo)" in desk_of().get(LIST).text


def test_nothing_of_the_books_can_be_edited(season):
    books = [model for model in vars(models).values() if isinstance(model, type) and issubclass(model, models.models.Model)]
    registered = {model.__name__ for model in books if site.is_registered(model)}
    assert registered == {"Season", "ScoredRun", "Decision"}
