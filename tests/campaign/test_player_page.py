"""A player's public page: runs and finished matches, nothing private, nothing of what is under way."""

import pytest
from django.test import Client
from django.utils import timezone

from campaign import services
from campaign.figures import summary_of
from campaign.models import Match, Run, Summary, new_id
from tests.support import client_of, make_player

from .ended_matches import save_ended
from .endings import LOST, WON, finish
from .playing import JSON, PAGE

pytestmark = pytest.mark.django_db


def page_of(name, browser=None):
    response = (browser or Client()).get(f"/jugadores/{name}/", headers=PAGE)
    assert response.status_code == 200, response.status_code
    return response.text


def test_anyone_sees_what_a_player_has_finished(member):
    answer = member.go_on()
    finish(member, answer["id"], WON)
    member.post(f"/campana/{answer['run']}/abandonar/", {})
    finish(member, member.start(), LOST)
    text = page_of("dolores")
    assert "1 capítulo ganado" in text and "Abandonada" in text
    assert "Capítulo I" in text and "Perdida" in text


def test_what_is_under_way_is_not_told(member):
    member.go_on()
    member.start()
    text = page_of("dolores")
    assert "Todavía no termina ninguna vuelta." in text and "Todavía no termina ninguna partida." in text
    for row in (*Match.objects.all(), *Run.objects.all()):
        assert row.pk not in text


def test_others_get_no_way_into_matches_and_runs_and_the_player_does(member, player):
    answer = member.go_on()
    finish(member, answer["id"], WON)
    member.post(f"/campana/{answer['run']}/abandonar/", {})
    theirs = page_of("dolores")
    assert answer["id"] not in theirs and answer["run"] not in theirs
    mine = page_of("dolores", client_of(player))
    assert f"/partida/{answer['id']}/" in mine and f"/campana/{answer['run']}/" in mine


def test_nothing_private_is_told(db):
    player = make_player("manuelita", email="secreta@example.com")
    text = page_of("manuelita")
    assert "secreta" not in text and "example.com" not in text
    assert str(player.date_joined.year) not in text.partition("<main")[2].partition("</main>")[0]


def test_a_name_written_another_way_leads_to_the_page(db):
    make_player("Peña.Luz")
    for written in ("peña.luz", "PEÑA.LUZ", "pena.luz"):
        response = Client().get(f"/jugadores/{written}/")
        assert (response.status_code, response["Location"]) == (302, "/jugadores/Pe%C3%B1a.Luz/")


@pytest.mark.parametrize("name", ["nadie-asi", "%F0%9F%98%80", "x" * 300, "a%00b", "..", "<script>"])
def test_a_name_of_nobody_is_not_found(db, name):
    assert Client().get(f"/jugadores/{name}/").status_code == 404


def test_an_account_that_is_closed_is_not_found(db):
    make_player("cerrada", is_active=False)
    assert Client().get("/jugadores/cerrada/").status_code == 404


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_it_is_only_looked_at(player, method):
    assert getattr(Client(), method)("/jugadores/dolores/").status_code == 405


def test_a_shared_match_can_be_opened_by_all_and_the_others_cannot(player):
    shared, own = save_ended(player, 1), save_ended(player, 2)
    services.share(match=shared, is_shared=True, at=timezone.now())
    theirs = page_of("dolores")
    assert f"/partida/{shared.pk}/" in theirs and own.pk not in theirs
    mine = page_of("dolores", client_of(player))
    assert f"/partida/{shared.pk}/" in mine and f"/partida/{own.pk}/" in mine


def test_what_others_see_is_said_to_the_player_and_to_nobody_else(player):
    assert "Esto lo ve cualquiera" in page_of("dolores", client_of(player))
    assert "Esto lo ve cualquiera" not in page_of("dolores")


def test_the_matches_come_page_by_page_without_loss(player):
    matches = [save_ended(player, 1, days_ago=n) for n in range(45)]
    browser, seen = client_of(player), []
    for page in (1, 2, 3):
        text = browser.get(f"/jugadores/dolores/?pagina={page}", headers=PAGE).text
        assert f"Página {page} de 3" in text
        seen += [match.pk for match in matches if f"/partida/{match.pk}/" in text.partition('id="partidas"')[2]]
    assert seen == [match.pk for match in matches]


@pytest.mark.parametrize("page", ["0", "4", "-1", "dos", "1.5", "", "9" * 40, "²", "%00"])
def test_a_page_that_is_not_there_is_not_found(player, page):
    for number in range(3):
        save_ended(player, number)
    assert Client().get(f"/jugadores/dolores/?pagina={page}", headers=PAGE).status_code == 404


def test_the_figures_are_tables_with_what_they_say(player):
    for number in (1, 2, 3):
        save_ended(player, number)
    save_ended(player, 8, "mano-a-mano", rival="maestro")
    text = page_of("dolores")
    for says in ("2 de 3", "1 de 1", "Caídas recibidas", "27 o más", "3 ganadas de 4 partidas", "Lo usual: 1,5 segundos."):
        assert says in text, says
    assert "style=" not in text and Summary.objects.count() == 4  # caught up with on the way


def test_a_visit_catches_up_with_fifty_matches_at_most(player):
    match = save_ended(player, 1)
    fields = Match.objects.filter(pk=match.pk).values().get()
    Match.objects.bulk_create(Match(**fields | {"id": new_id()}) for _ in range(59))
    page_of("dolores")
    assert Summary.objects.count() == 50
    assert "60 ganadas de 60 partidas" in page_of("dolores") and Summary.objects.count() == 60


def test_programs_get_the_same_and_ids_only_of_what_is_open(player):
    shared, own = save_ended(player, 80), save_ended(player, 2, days_ago=1)
    services.share(match=shared, is_shared=True, at=timezone.now())
    data = Client().get("/jugadores/dolores/", headers=JSON).json()
    assert set(data) == {"player", "figures", "badges", "runs", "matches", "next"}
    assert [row["id"] for row in data["matches"]] == [shared.pk, None] and data["next"] is None
    assert [row["won"] for row in data["matches"]] == [True, False] and data["figures"]["played"] == 2
    assert [badge["badge"] for badge in data["badges"]] == ["sin-un-solo-perro"]
    mine = client_of(player).get("/jugadores/dolores/", headers=JSON).json()
    assert [row["id"] for row in mine["matches"]] == [shared.pk, own.pk]


def test_it_asks_the_same_for_two_thousand_matches_as_for_one(player, django_assert_num_queries):
    match = save_ended(player, 80)
    Run.objects.create(player=player, outcome="lost", started_at=match.started_at, ended_at=match.finished_at)
    page_of("dolores")
    with django_assert_num_queries(11):
        page_of("dolores")
    fields, figures = Match.objects.filter(pk=match.pk).values().get(), summary_of(match)
    matches = Match.objects.bulk_create(Match(**fields | {"id": new_id()}) for _ in range(1999))
    copied = {field.attname: getattr(figures, field.attname) for field in Summary._meta.fields}
    Summary.objects.bulk_create(Summary(**copied | {"match_id": match.pk}) for match in matches)
    with django_assert_num_queries(11):
        assert "2000 ganadas de 2000 partidas" in page_of("dolores")
