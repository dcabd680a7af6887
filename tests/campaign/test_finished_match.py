"""A finished match: its page, its figures, its record to download; before the end, neither."""

import json
import random

import pytest

from campaign.models import Match
from cvarenta.game.rulesets import RULESETS
from cvarenta.game.shuffle import commitment

from .playing import JSON, PAGE, Page, Reader
from .truth import replayed, row_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished(guest):
    """The table at the end of a match of the house game."""
    return guest.play_on(guest.start(ruleset="quito", rival="random", nonce="fin"), random.Random(40))[0]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_page_shows_the_result_the_figures_and_every_deck(guest, ruleset):
    table, events = guest.play_on(guest.start(ruleset=ruleset, rival="random"), random.Random(2))
    text = guest.browser.get(f"/partida/{table['id']}/", headers=PAGE).text

    assert ("victoria" in text.lower()) is (table["winner"] == 0)
    decks = sum(event["event"] == "deal" and event["deal"] == 0 for event in events)
    assert text.count("<summary>Baraja ") == decks
    assert text.count('<li class="') >= len(events)
    end = events[-1]
    assert f"<b>{end['score'][0]}</b>" in text and f"<b>{end['score'][1]}</b>" in text
    assert ("Chicas: " in text) is RULESETS[ruleset].is_mesa
    plays = [event for event in events if event["event"] == "play"]
    for name, word in (("Caídas", "caida"), ("Limpias", "limpia")):
        counts = [sum(event[word] for event in plays if event["seat"] % 2 == team) for team in (0, 1)]
        assert f'<th scope="row">{name}</th><td>{counts[0]}</td><td>{counts[1]}</td>' in text


def test_the_record_is_whole_and_proves_its_shuffle(guest, finished):
    text = guest.record(finished["id"])
    data, (game, events) = json.loads(text), replayed(text)
    match = Match.objects.get()

    assert data["format"] == "cvarenta-record/1"
    assert list(game.score) == finished["score"]
    assert data["nonce"] == "fin"
    assert data["commitment"] == commitment(bytes.fromhex(data["seed"]))
    assert len(data["think_times"]) == sum(event["event"] == "play" and event["seat"] == 0 for event in events)
    assert data["bots"] == match.bots
    assert len(data["decks"]) == game.deck_number + 1
    assert set(data) == {"format", "ruleset", "dealer", "score", "decks", "plays", "seed", "commitment", "nonce", "bots",
                         "think_times", "started_at", "finished_at"}  # fmt: skip


def test_the_download_is_a_file_with_the_same_record(guest, finished):
    path = f"/partida/{finished['id']}/"
    assert f"{path}?record" in Page(guest.browser.get(path, headers=PAGE).text).links
    response = guest.browser.get(f"{path}?record", headers=PAGE)

    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Content-Disposition"] == f'attachment; filename="cvarenta-{finished["id"]}.json"'
    assert response.json() == guest.browser.get(path, headers=JSON).json()


def test_another_match_of_the_same_kind_is_one_button_away(guest, finished):
    path, page = Reader(guest.browser).open(f"/partida/{finished['id']}/")
    Reader(guest.browser).submit(page.form_to("/practica/"), [])

    assert Match.objects.filter(ruleset="quito", rival="random").count() == 2


def test_before_the_end_there_is_no_record_and_the_page_leads_to_the_table(guest, table):
    path = f"/partida/{table['id']}/"
    for query, headers in (("", JSON), ("?record", JSON), ("?record", PAGE), ("?record=1", PAGE)):
        response = guest.browser.get(path + query, headers=headers)
        assert response.status_code == 404
        assert list(response.json()) == ["error"]
    response = guest.browser.get(path, headers=PAGE)
    assert (response.status_code, response.headers["Location"]) == (302, f"/mesa/{table['id']}/")


def test_a_finished_match_is_only_read(guest, finished):
    before = row_of(finished["id"])
    token = guest.browser.cookies["csrftoken"].value
    for method in ("post", "put", "patch", "delete"):
        response = getattr(guest.browser, method)(f"/partida/{finished['id']}/", headers={"x-csrftoken": token})
        assert response.status_code == 405
    assert guest.browser.head(f"/partida/{finished['id']}/").status_code == 200
    assert row_of(finished["id"]) == before


def test_it_is_listed_among_the_last_ones_and_no_more_under_way(guest, finished):
    page = Page(guest.browser.get("/practica/", headers=PAGE).text)

    assert f"/partida/{finished['id']}/" in page.links
    assert f"/mesa/{finished['id']}/" not in page.links
    assert guest.browser.get("/practica/", headers=JSON).json()["under_way"] == []


def test_nobody_else_sees_it(guest, finished, member):
    for path in (f"/partida/{finished['id']}/", f"/partida/{finished['id']}/?record"):
        for headers in (JSON, PAGE):
            assert member.browser.get(path, headers=headers).status_code == 404
