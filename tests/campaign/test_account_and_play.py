"""What a player's matches do when the account begins, tells what it keeps, and ends."""

import pytest
from django.test import Client
from django.utils import timezone

from campaign.models import Match, Run
from cvarenta.accounts.services import delete_player, gather_data
from tests.support import make_player

from .endings import WON, finish
from .playing import JSON, PAGE, Program

pytestmark = pytest.mark.django_db
NEW = {"username": "carmela", "password1": "la-mesa-de-la-ronda-40"}


def sign_up(browser, **fields):
    response = browser.post("/cuenta/signup/", NEW | fields)
    assert response.status_code == 302, response.text[:3000]
    return response


def test_what_a_guest_played_goes_with_them_when_they_sign_up():
    guest = Program(Client())
    under_way, over = guest.start(), guest.start()
    finish(guest, over, WON)
    before = guest.look(under_way)
    sign_up(guest.browser)
    assert guest.look(under_way) == before
    assert set(Match.objects.values_list("player__username", "guest")) == {("carmela", "")}

    elsewhere = Program(Client())
    assert elsewhere.browser.post("/cuenta/login/", {"login": "carmela", "password": NEW["password1"]}).status_code == 302
    assert elsewhere.look(under_way)["id"] == under_way
    assert over in elsewhere.browser.get("/practica/", headers=PAGE).text


def test_after_logging_out_the_browser_shows_nothing_of_them():
    guest = Program(Client())
    match_id = guest.start()
    sign_up(guest.browser)
    guest.browser.post("/cuenta/logout/")
    assert guest.browser.get(f"/mesa/{match_id}/", headers=JSON).status_code == 404
    assert guest.browser.get("/practica/", headers=JSON).json()["under_way"] == []


def test_the_next_who_signs_up_in_the_browser_gets_nothing():
    guest = Program(Client())
    guest.start()
    sign_up(guest.browser)
    guest.browser.post("/cuenta/logout/")
    sign_up(guest.browser, username="rosario")
    assert Match.objects.filter(player__username="rosario").count() == 0


def test_a_refused_sign_up_takes_nothing(player):
    guest = Program(Client())
    match_id = guest.start()
    assert guest.browser.post("/cuenta/signup/", NEW | {"username": "DOLORES"}).status_code == 200
    assert Match.objects.get().player is None
    assert guest.look(match_id)["id"] == match_id


def test_another_guest_is_not_touched():
    guest, other = Program(Client()), Program(Client())
    guest.start()
    match_id = other.start()
    sign_up(guest.browser)
    assert Match.objects.get(pk=match_id).player is None and other.look(match_id)


# Telling


def test_the_download_holds_runs_and_matches_and_no_hidden_card(member, player):
    answer = member.go_on()
    finish(member, answer["id"], WON)
    under_way = member.go_on()["id"]
    data = gather_data(player=player)
    assert [run["capítulos_ganados"] for run in data["vueltas"]] == [1]
    matches = {match["id"]: match for match in data["partidas"]}
    assert matches[answer["id"]]["ganador"] == 0 and matches[answer["id"]]["jugadas"]
    assert matches[under_way]["jugadas"] is None
    seed = bytes(Match.objects.get(pk=under_way).seed)
    assert seed.hex() not in str(data)


# Leaving


def test_who_leaves_leaves_runs_without_a_name_and_nothing_else(member, player, rival_player):
    answer = member.go_on()
    finish(member, answer["id"], WON)
    member.go_on()
    member.start()
    other = Match.objects.create(player=rival_player, ruleset="quito", rival="greedy", bots="", state="{}", started_at=timezone.now(), played_at=timezone.now())
    delete_player(player=player, at=timezone.now())
    run = Run.objects.get()
    assert (run.player, run.chapters_won, run.outcome) == (None, 1, "abandoned")
    assert list(Match.objects.all()) == [other]
    assert Client().get("/jugadores/dolores/").status_code == 404
    assert member.browser.get(f"/campana/{run.pk}/", headers=PAGE).status_code == 404


def test_the_same_name_again_finds_nothing_of_the_old_account(member, player):
    member.go_on()
    delete_player(player=player, at=timezone.now())
    fresh = make_player("dolores-2")
    browser = Client()
    browser.force_login(fresh)
    assert browser.get("/campana/", headers=JSON).json()["run"] is None
