"""A player's public page: runs and finished matches, nothing private, nothing of what is under way."""

import pytest
from django.test import Client

from campaign.models import Match, Run
from tests.support import client_of, make_player

from .endings import LOST, WON, finish
from .playing import PAGE

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


def test_it_asks_no_more_for_many_rows_than_for_one(member, django_assert_max_num_queries):
    for _ in range(3):
        finish(member, member.start(), WON)
    with django_assert_max_num_queries(4):
        Client().get("/jugadores/dolores/")
