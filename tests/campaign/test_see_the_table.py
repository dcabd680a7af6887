"""See the table: as a page that works without script, as its fragment, as JSON; reload and look again as often as one likes."""

import pytest

from campaign.models import Match
from cvarenta.game.rulesets import RULESETS

from .playing import FRAGMENT, JSON, PAGE, Page
from .truth import row_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_page_shows_the_seats_the_score_the_cards_and_the_way_to_play(guest, ruleset):
    table = guest.sit(ruleset=ruleset, nonce="ver")
    response = guest.browser.get(f"/mesa/{table['id']}/", headers=PAGE)
    text, seats = response.text, RULESETS[ruleset].seats

    assert response.status_code == 200
    assert text.count('class="seat ') == seats
    assert f'class="table seats-{seats}"' in text
    assert text.count('type="radio" name="card"') == len(table["hand"])
    assert all(f'data-card="{name}"' in text for name in [*table["hand"], *table["table"]])
    assert text.count("#back") >= sum(table["counts"][1:])
    assert ", reparte" in text
    assert ('class="chicas"' in text) is RULESETS[ruleset].is_mesa


def test_looking_changes_nothing_however_often(guest, table):
    before = row_of(table["id"])
    for headers in (PAGE, JSON, FRAGMENT) * 3:
        guest.browser.get(f"/mesa/{table['id']}/", headers=headers)
        guest.browser.head(f"/mesa/{table['id']}/", headers=headers)

    assert row_of(table["id"]) == before


def test_the_fragment_is_the_pages_own_table(guest, table):
    page, fragment = [Page(guest.browser.get(f"/mesa/{table['id']}/", headers=headers).text) for headers in (PAGE, FRAGMENT)]

    assert fragment.table == page.table
    assert fragment.log == page.log
    assert fragment.forms[0].buttons == page.form_to(f"/mesa/{table['id']}/").buttons


def test_the_three_answers_of_one_address_are_never_mixed_up_or_kept(guest, table):
    for headers in (PAGE, JSON, FRAGMENT):
        response = guest.browser.get(f"/mesa/{table['id']}/", headers=headers)
        assert {"Accept", "X-Fragment", "Cookie"} <= set(response.headers["Vary"].split(", "))
        assert "no-store" in response.headers["Cache-Control"]
        assert "private" in response.headers["Cache-Control"]


def test_a_browser_that_takes_anything_gets_the_page(guest, table):
    for accept in ("*/*", "text/html", "application/json;q=0.5, text/html", ""):
        assert guest.browser.get(f"/mesa/{table['id']}/", headers={"accept": accept}).text.startswith("<!doctype html>")


def test_the_log_tells_this_deck_and_the_one_before(guest):
    table = guest.look(guest.start(ruleset="mano-a-mano", rival="random", nonce="log"))
    while not table["over"] and Match.objects.get().load_game().deck_number < 3:
        table = guest.play(table["id"], min(table["legal"], key=len), table["ply"]).json()
    page = Page(guest.browser.get(f"/mesa/{table['id']}/", headers=FRAGMENT).text)

    assert table["over"] or {line["data-deck"] for line in page.log} == {"2", "3"}


def test_a_table_whose_match_is_over_leads_to_the_match(guest, table):
    while not table["over"]:
        table = guest.play(table["id"], table["legal"][0], table["ply"]).json()
    response = guest.browser.get(f"/mesa/{table['id']}/", headers=PAGE)

    assert (response.status_code, response.headers["Location"]) == (302, f"/partida/{table['id']}/")
    assert guest.look(table["id"])["over"] is True
    fragment = Page(guest.browser.get(f"/mesa/{table['id']}/", headers=FRAGMENT).text)
    assert fragment.table["data-over"] == f"/partida/{table['id']}/"
    assert fragment.forms == []
    assert f"/partida/{table['id']}/" in fragment.links
