"""The contract with programs, key by key."""

import random

import pytest
from django.test import Client

from campaign.characters import RIVALS
from campaign.models import Match
from cvarenta.game.cards import NAMES
from cvarenta.game.rulesets import RULESETS

from .playing import JSON, Program

pytestmark = pytest.mark.django_db

KEYS = ["id", "ruleset", "ply", "seat", "to_play", "dealer", "hand", "table", "last", "counts", "taken", "stock", "score",
        "chicas", "legal", "events", "over", "winner"]  # fmt: skip
EVENT_KEYS = {
    "deal": {"deck", "deal", "dealer"},
    "ronda": {"seat", "rank", "count", "points", "score"},
    "play": {"ply", "seat", "card", "takes", "caida", "limpia", "points", "score"},
    "carton": {"cards", "points", "score"},
    "chica": {"winner", "score", "chicas", "zapateria"},
    "end": {"winner", "score"},
}


def assert_is_a_table(table, ruleset):
    rules = RULESETS[ruleset]
    assert list(table) == KEYS
    assert (table["ruleset"], table["seat"]) == (ruleset, 0)
    assert table["to_play"] in range(rules.seats) and table["dealer"] in range(rules.seats)
    for cards in (table["hand"], table["table"]):
        assert set(cards) <= set(NAMES) and len(set(cards)) == len(cards)
    assert table["last"] is None or table["last"] in table["table"]
    assert len(table["counts"]) == rules.seats and table["counts"][0] == len(table["hand"])
    assert len(table["taken"]) == len(table["score"]) == len(table["chicas"]) == 2
    assert type(table["over"]) is bool
    if not table["over"]:
        assert sum(table["counts"]) + table["stock"] + len(table["table"]) + sum(table["taken"]) == 40
        assert table["to_play"] == 0 and table["winner"] is None
        assert {play[:2] for play in table["legal"]} == set(table["hand"])
        for play in table["legal"]:
            taken = play[3:]
            assert {taken[i : i + 2] for i in range(0, len(taken), 2)} <= set(table["table"])
    else:
        assert table["winner"] in (0, 1) and table["legal"] == []
    for event in table["events"]:
        kind = event["event"]
        wanted = EVENT_KEYS[kind] | ({"chicas"} if kind == "end" and rules.is_mesa else set())
        assert set(event) == {"event"} | wanted


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_table_of_a_match_has_every_key_and_adds_up(guest, ruleset):
    rng, table = random.Random(ruleset), guest.sit(ruleset=ruleset, rival="random")
    assert_is_a_table(table, ruleset)
    while not table["over"]:
        table = guest.play(table["id"], rng.choice(table["legal"]), table["ply"]).json()
        assert_is_a_table(table, ruleset)


def test_since_tells_what_happened_from_a_ply_on(guest, table):
    rng = random.Random(7)
    told, plies = [*table["events"]], [table["ply"]]
    for _ in range(30):
        table = guest.play(table["id"], rng.choice(table["legal"]), table["ply"]).json()
        told += table["events"]
        plies.append(table["ply"])
        if table["over"]:
            break
    everything = guest.look(table["id"])["events"]

    assert everything == told == guest.look(table["id"], since=0)["events"]
    for ply in plies[:-1]:
        events = guest.look(table["id"], since=ply)["events"]
        assert events[0]["event"] == "play" and events[0]["ply"] == ply
        assert events == everything[-len(events) :]
    assert guest.look(table["id"], since=plies[-1])["events"] == []
    assert guest.look(table["id"], since=9_999_999)["events"] == []


def test_since_changes_the_events_and_nothing_else(guest, table):
    tables = [guest.look(table["id"], since=ply) for ply in (None, 0, 1, 3, 1000)]
    for other in tables:
        other.pop("events")
    assert all(other == tables[0] for other in tables)


def test_a_start_answers_201_with_a_location_that_is_the_table(guest):
    response = guest.post("/practica/", {"ruleset": "mano-a-mano", "rival": "random"})

    assert response.status_code == 201
    assert list(response.json()) == ["id", "url", "commitment"]
    assert len(response.json()["commitment"]) == 64
    assert response.headers["Location"] == response.json()["url"]
    assert guest.browser.get(response.headers["Location"], headers=JSON).json()["id"] == response.json()["id"]


def test_the_practice_page_tells_what_can_be_started(guest):
    answer = guest.browser.get("/practica/", headers=JSON).json()

    assert set(answer.pop("pledge")) == {"pledge", "commitment"}
    assert answer == {"rulesets": list(RULESETS), "rivals": list(RIVALS), "under_way": []}
    for ruleset in answer["rulesets"]:
        for rival in answer["rivals"]:
            guest.start(ruleset=ruleset, rival=rival)


def test_numbers_may_be_sent_as_numbers_or_as_texts(guest, table):
    table = guest.post(f"/mesa/{table['id']}/", {"play": table["legal"][0], "ply": str(table["ply"])}).json()

    assert guest.post(f"/mesa/{table['id']}/", {"play": table["legal"][0], "ply": table["ply"]}).status_code == 200


def test_the_same_guards_hold_a_program_must_show_its_csrf_token(guest, table):
    body = {"play": table["legal"][0], "ply": table["ply"]}
    for path, fields in ((f"/mesa/{table['id']}/", body), ("/practica/", {"ruleset": "quito"})):
        response = guest.browser.post(path, fields, content_type="application/json", headers=JSON)
        assert response.status_code == 403
        assert list(response.json()) == ["error"]
    assert Match.objects.get().ply == table["ply"]
    assert guest.play(table["id"], body["play"], body["ply"]).status_code == 200


def test_any_look_gives_a_program_the_token_it_needs(guest, table):
    for path in ("/practica/", "/", f"/mesa/{table['id']}/"):
        assert "csrftoken" in Client().get(path, headers=JSON).cookies or path.startswith("/mesa/")
    mine = Client(enforce_csrf_checks=True)
    mine.cookies["invitado"] = guest.browser.cookies["invitado"].value
    assert mine.get(f"/mesa/{table['id']}/", headers=JSON).cookies["csrftoken"].value
    assert Program(mine).play(table["id"], table["legal"][0], table["ply"]).status_code == 200


def test_errors_are_json_with_a_reason(guest, table):
    token = {"x-csrftoken": guest.browser.cookies["csrftoken"].value}
    for response, status in (
        (guest.browser.get("/mesa/222222222222/", headers=JSON), 404),
        (guest.browser.get(f"/partida/{table['id']}/", headers=JSON), 404),
        (guest.browser.get(f"/mesa/{table['id']}/?since=x", headers=JSON), 400),
        (guest.play(table["id"], "ZZ", table["ply"]), 400),
        (guest.post("/practica/", {"ruleset": "poker"}), 400),
        (guest.browser.post(f"/mesa/{table['id']}/", b"x" * 70_000, content_type="application/json", headers=JSON | token), 400),
    ):
        assert response.status_code == status
        assert response.headers["Content-Type"] == "application/json"
        assert list(response.json()) == ["error"] and response.json()["error"]
