"""What each request asks of the database: a play at most six queries, as many late as early; pages the same however much there is."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign.models import Match
from tests.support import client_of

from .long_matches import save_far_on
from .playing import FRAGMENT, JSON, PAGE, Program

pytestmark = pytest.mark.django_db(transaction=True)  # so that transactions are what they are in life


def queries_of(call, status=200):
    with CaptureQueriesContext(connection) as captured:
        response = call()
    assert response.status_code == status, response.text[:300]
    return [query["sql"] for query in captured]


@pytest.fixture(params=["guest", "player"])
def person(request, player):
    """Someone with a match under way, as (program, the fields by which their matches are theirs)."""
    program = Program(Client() if request.param == "guest" else client_of(player))
    match = Match.objects.get(pk=program.start())
    return program, {"player": match.player, "guest": match.guest}


def play(program, match, headers):
    token = program.browser.cookies["csrftoken"].value
    body = {"play": program.look(match.pk)["legal"][0], "ply": match.ply, "csrfmiddlewaretoken": token}
    return queries_of(lambda: program.browser.post(f"/mesa/{match.pk}/", body, headers=headers), 302 if headers is PAGE else 200)


@pytest.mark.parametrize("headers", [JSON, PAGE, FRAGMENT], ids=["json", "page", "fragment"])
def test_a_play_asks_the_same_at_ply_10_and_at_ply_300_and_at_most_six(person, headers):
    program, owner = person
    matches = [save_far_on(plies=plies, seed=b"long", **owner) for plies in (10, 300)]
    early, late = [play(program, match, headers) for match in matches]

    assert not Match.objects.finished().exists()  # the last play does more: the next test
    assert len(early) == len(late) <= 6
    assert len(late) <= (4 if owner["guest"] else 6)
    assert sum(sql.split()[0] in ("UPDATE", "INSERT", "DELETE") for sql in late) == 1


def test_the_play_that_ends_a_match_also_writes_its_figures_in_its_transaction(person):
    program, owner = person
    match = save_far_on(plies=300, **owner)
    queries = play(program, match, JSON)
    own = queries[[sql.split()[0] for sql in queries].index("BEGIN") :]

    assert Match.objects.get(pk=match.pk).is_over
    assert [sql.split()[0] for sql in own] == ["BEGIN", "UPDATE", "SELECT", "INSERT", "COMMIT"]


def test_a_play_reads_and_writes_no_more_of_the_row_late_than_early(person):
    """What grows with the match, its plays, is neither read nor sent back: it is added to where it lies."""
    program, owner = person
    match = save_far_on(plies=300, **owner)
    queries = play(program, match, JSON)

    read = next(sql for sql in queries if sql.startswith('SELECT "campaign_match"'))
    assert '"plays"' not in read.partition("FROM")[0] and '"think_times"' not in read.partition("FROM")[0]
    assert max(map(len, queries)) < 3000
    assert match.plays.strip()[:40] not in "".join(queries)


@pytest.mark.parametrize("headers", [JSON, PAGE, FRAGMENT], ids=["json", "page", "fragment"])
def test_a_refused_play_asks_no_more(person, headers):
    program, owner = person
    match = save_far_on(plies=40, **owner)
    token = program.browser.cookies["csrftoken"].value
    for fields, status in (({"play": "ZZ", "ply": match.ply}, 400), ({"play": "5H", "ply": 1}, 409)):
        fields |= {"csrfmiddlewaretoken": token}
        queries = queries_of(lambda fields=fields: program.browser.post(f"/mesa/{match.pk}/", fields, headers=headers), status)
        assert len(queries) <= (4 if owner["guest"] else 5)  # a player's page also asks what their city has back


@pytest.mark.parametrize("path, most", [("/", 5), ("/practica/", 5), ("/mesa/{}/", 4), ("/partida/{}/", 4)])
def test_a_page_asks_as_little_with_many_matches_as_with_one(person, path, most):
    program, owner = person
    match = save_far_on(plies=10, **owner)
    if "partida" in path:
        Match.objects.filter(pk=match.pk).update(winner=0, finished_at=match.played_at)
        path += "?record"
    path = path.format(match.pk)
    one = len(queries_of(lambda: program.browser.get(path, headers=PAGE)))
    for _ in range(12):
        program.start()
    many = len(queries_of(lambda: program.browser.get(path, headers=PAGE)))

    assert one == many <= most


def test_a_start_is_one_insert(person):
    program, _ = person
    token = program.browser.cookies["csrftoken"].value
    queries = queries_of(lambda: program.browser.post("/practica/", {"csrfmiddlewaretoken": token}, headers=JSON), 201)

    assert len([sql for sql in queries if sql not in ("BEGIN", "COMMIT")]) <= 3
    assert sum(sql.startswith("INSERT") for sql in queries) == 1
