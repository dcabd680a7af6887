"""A bot that has a new version since a match began: the match goes on, and says from which ply who played."""

import json
import random

import pytest

from campaign.models import Match
from cvarenta.game import bots
from cvarenta.game.bots import Bot

from .playing import JSON, PAGE
from .truth import replayed

pytestmark = pytest.mark.django_db


@pytest.fixture
def renewed(monkeypatch):
    """The greedy bot gets a second version: the first is gone."""

    def renew():
        monkeypatch.setitem(bots.BOTS, "greedy", Bot("greedy", 2, bots.random.choose))

    return renew


def test_a_match_whose_bots_version_is_gone_goes_on_with_the_present_one(guest, table, renewed):
    table = guest.play(table["id"], table["legal"][0], table["ply"]).json()
    renewed()
    assert guest.browser.get(f"/mesa/{table['id']}/", headers=PAGE).status_code == 200
    after = guest.play(table["id"], table["legal"][0], table["ply"])

    assert after.status_code == 200
    assert Match.objects.get().bots == f"0:greedy/1,virgen/1,greedy/1 {table['ply']}:greedy/2,virgen/1,greedy/2"


def test_the_change_is_noted_once(guest, table, renewed):
    renewed()
    for _ in range(4):
        table = guest.play(table["id"], table["legal"][0], table["ply"]).json()

    assert len(Match.objects.get().bots.split()) == 2


def test_only_the_seats_whose_bot_changed_are_noted_as_changed(guest, renewed):
    table = guest.look(guest.start(ruleset="quito", rival="greedy"))
    renewed()
    guest.play(table["id"], table["legal"][0], table["ply"])

    assert Match.objects.get().bots == f"0:greedy/1,virgen/1,greedy/1 {table['ply']}:greedy/2,virgen/1,greedy/2"


def test_without_a_change_nothing_is_noted(guest, table):
    guest.play(table["id"], table["legal"][0], table["ply"])

    assert Match.objects.get().bots == "0:greedy/1,virgen/1,greedy/1"


def test_a_refused_play_notes_no_change(guest, table, renewed):
    renewed()
    assert guest.play(table["id"], "ZZ", table["ply"]).status_code == 400

    assert Match.objects.get().bots == "0:greedy/1,virgen/1,greedy/1"


def test_a_new_match_begins_with_the_present_version(guest, renewed):
    renewed()
    guest.start(ruleset="mano-a-mano", rival="greedy")

    assert Match.objects.get().bots == "0:greedy/2"


def test_the_record_says_who_played_from_which_ply(guest, table, renewed):
    ply = table["ply"]
    renewed()
    table, _ = guest.play_on(table["id"], random.Random(8))
    text = guest.record(table["id"])

    assert json.loads(text)["bots"] == f"0:greedy/1,virgen/1,greedy/1 {ply}:greedy/2,virgen/1,greedy/2"
    assert list(replayed(text)[0].score) == table["score"]
    assert guest.browser.get(f"/partida/{table['id']}/", headers=PAGE).status_code == 200
    assert guest.browser.get("/practica/", headers=JSON).status_code == 200
