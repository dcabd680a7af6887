"""Abandoning a run: asked once, never by accident, never undone; no other way out is cheaper."""

import pytest

from campaign.chapters import FAREWELLS
from campaign.models import Match, Run
from tests.support import client_of

from .endings import WON, bring_to_its_end, finish
from .playing import JSON, PAGE, Program, Reader

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(member):
    """A run under way whose first match has been dealt, as programs see it."""
    member.go_on()
    return member.browser.get("/campana/", headers=JSON).json()["run"]


def abandon(program, run):
    return program.post(f"/campana/{run['id']}/abandonar/", {})


def test_it_asks_first_and_says_what_it_costs_and_its_first_button_stays(member, run):
    text = member.browser.get(f"/campana/{run['id']}/abandonar/", headers=PAGE).text
    assert "no gasta ningún cupo" in text
    assert text.index("Seguir jugando") < text.index("Abandonar la vuelta</button>")
    assert Run.objects.get().is_under_way


def test_looking_at_it_abandons_nothing(member, run):
    for method in ("get", "head"):
        assert getattr(member.browser, method)(f"/campana/{run['id']}/abandonar/").status_code == 200
    assert Run.objects.get().is_under_way


def test_it_ends_the_run_and_its_match(member, run):
    answer = abandon(member, run)
    assert (answer.status_code, answer.json()["outcome"]) == (200, "abandoned")
    match = Match.objects.get()
    assert match.is_abandoned and match.winner is None
    assert Run.objects.get().outcome == "abandoned"


def test_a_second_time_is_told_and_changes_nothing(member, run):
    abandon(member, run)
    before = Run.objects.values().get()
    assert abandon(member, run).status_code == 409
    assert Run.objects.values().get() == before


def test_by_the_page_it_leads_to_the_run_as_it_ended(player):
    reader = Reader(client_of(player))
    _, page = reader.open("/campana/")
    reader.submit(page.form_to("/campana/"), [])
    run = Run.objects.get()
    path = f"/campana/{run.pk}/abandonar/"
    _, page = reader.open(path)
    end, _ = reader.submit(page.form_to(path), [])
    assert end == f"/campana/{run.pk}/"
    assert FAREWELLS["abandoned"] in reader.browser.get(end, headers=PAGE).text
    assert reader.open(path)[0] == end


def test_nothing_more_is_played_in_its_match_and_nothing_is_won(member, run):
    """Left in sight of the winning play, and the play sent all the same."""
    play, ply = bring_to_its_end(run["match"]["id"], WON)
    abandon(member, run)
    answer = member.play(run["match"]["id"], play, ply)
    assert answer.status_code == 409
    table = answer.json()
    assert (table["over"], table["winner"], table["legal"]) == (True, None, [])
    assert Run.objects.get().chapters_won == 0 and Match.objects.get().winner is None


def test_its_match_shows_no_hidden_card_afterwards(member, run):
    abandon(member, run)
    match_id = run["match"]["id"]
    assert member.browser.get(f"/partida/{match_id}/", headers=JSON).status_code == 404
    assert member.browser.get(f"/mesa/{match_id}/", headers=PAGE)["Location"] == "/campana/"
    assert member.browser.get(f"/partida/{match_id}/", headers=PAGE).status_code == 302


def test_what_was_won_stays_on_the_run_and_the_next_begins_in_la_ronda(member, run):
    finish(member, run["match"]["id"], WON)
    abandon(member, run)
    fresh = member.go_on()
    assert (fresh["chapter"], fresh["run"] != run["id"]) == (1, True)
    assert Run.objects.get(pk=run["id"]).chapters_won == 1


def test_the_next_run_is_another_deal(member, run):
    abandon(member, run)
    member.go_on()
    assert len({bytes(seed) for seed in Match.objects.values_list("seed", flat=True)}) == 2


def test_only_its_player_abandons_it(run, stranger, client):
    path = f"/campana/{run['id']}/abandonar/"
    for browser in (client, client_of(stranger)):
        assert browser.post(path).status_code == 404
    assert Run.objects.get().is_under_way


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_other_methods_are_refused(member, run, method):
    assert getattr(member.browser, method)(f"/campana/{run['id']}/abandonar/").status_code == 405
    assert Run.objects.get().is_under_way


def test_leaving_by_logout_or_by_another_start_is_no_way_out(player, member, run):
    member.browser.logout()
    again = Program(client_of(player))
    answer = again.post("/campana/", {"kind": "free"})
    assert (answer.status_code, answer.json()["id"]) == (200, run["match"]["id"])
