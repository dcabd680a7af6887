"""The first page is drawn for everybody and kept some seconds: never too old, never another's, and nothing depends on it."""

import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.core.cache.backends.dummy import DummyCache
from django.test import Client

from tests.campaign.playing import JSON, PAGE
from tests.support import client_of, make_player
from tournament import front, ranking, tasks

from .books import CLOSE, MONDAY, begin, crowd, minutes, score, win

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
SECOND = timedelta(seconds=1)
# A token against forged posts, and a deck that nobody else is offered
OF_EACH_VISIT = re.compile(r'(csrfmiddlewaretoken|pledge)" value="[^"]+"|[0-9a-f]{64}|[0-9a-f]{8}…')


@pytest.fixture
def drawn(monkeypatch):
    """How often the first page was drawn anew."""
    drawings, refresh = [], front.refresh
    monkeypatch.setattr(front, "refresh", lambda *args, **more: drawings.append(args) or refresh(*args, **more))
    return drawings


def page(browser=None, path="/ranking/"):
    response = (browser or Client()).get(path, headers=PAGE)
    assert response.status_code == 200
    return response.text


def points(browser=None):
    """What the page says of each player; the first three are honoured, the others stand in a table."""
    shown = page(browser)
    lines = re.findall(r'<b class="name"><a [^>]*><bdi>(.*?)</bdi>.*?<b>(\d+)</b> punto', shown, re.S)
    lines += re.findall(r'<th scope="row"><a [^>]*><bdi>(.*?)</bdi>.*?</th><td>(\d+)</td>', shown, re.S)
    return {name: int(number) for name, number in lines}


def test_a_program_is_told_how_it_is_now(season, player, rival_player):
    score(player, 1, MONDAY - minutes(1))
    assert points() == {"dolores": 100}
    score(rival_player, 2)
    answer = Client().get("/ranking/", headers=JSON).json()
    assert [line["player"] for line in answer["standings"]] == ["cantuña", "dolores"] and answer["total"] == 2


def test_it_is_drawn_once_for_a_crowd(season, drawn):
    for player in crowd(5):
        score(player, 1, MONDAY - minutes(1))
    for _ in range(20):
        page()
    assert len(drawn) == 1


def test_nobody_sees_a_table_older_than_ten_seconds(season, clock, player, rival_player):
    score(player, 1)
    assert points() == {"dolores": 100}
    clock.move_to(MONDAY + SECOND, tick=False)
    score(rival_player, 2, MONDAY + SECOND)
    told = {}
    for tenths in range(10, 120, 5):
        clock.move_to(MONDAY + tenths / 10 * SECOND, tick=False)
        told[tenths] = points()
    assert all("cantuña" in names for tenths, names in told.items() if tenths >= 110)
    assert told[10] == {"dolores": 100}, "nothing was kept"


def test_a_clock_that_is_set_back_keeps_no_table(season, clock, player):
    """Another server's may be ahead."""
    score(player, 1, MONDAY - minutes(60))
    points()
    clock.move_to(MONDAY - minutes(30), tick=False)
    score(make_player("otra"), 1, MONDAY - minutes(30))
    assert len(points()) == 2


def test_who_wins_sees_it_at_once_and_so_does_everybody_then(season, clock, player, rival_player):
    for each in (player, rival_player):
        score(each, 1, MONDAY - minutes(1))
    mine = client_of(player)
    assert points(mine) == {"dolores": 100, "cantuña": 100}
    clock.move_to(MONDAY + SECOND, tick=False)
    score(player, 2, MONDAY + SECOND)
    assert points(mine)["dolores"] == 300
    assert "<b>300</b> puntos" in page(mine) and points()["dolores"] == 300


def test_who_wins_sees_it_at_once_although_the_page_was_drawn_while_the_win_was_being_written(season, clock, player):
    """The win's moment is the one the card came at; somebody looked at the table before it was committed."""
    run_id = begin(player, MONDAY - minutes(1))
    clock.move_to(MONDAY + SECOND, tick=False)
    points()
    win(run_id, 1, MONDAY)
    assert points(client_of(player)) == {"dolores": 100}


def test_who_comes_up_from_the_second_page_sees_it_at_once(season, clock):
    players = crowd(52)
    for player in players:
        score(player, 1, MONDAY - minutes(1))
    last = client_of(next(player for player in players if player.username == "jugador9"))
    assert "jugador9" not in points(last)
    clock.move_to(MONDAY + SECOND, tick=False)
    score(next(player for player in players if player.username == "jugador9"), 1, MONDAY + SECOND)
    assert list(points(last))[0] == "jugador9"


def test_what_was_drawn_before_the_close_is_not_told_as_final(season, clock, player, rival_player):
    score(player, 1)
    run_id = begin(rival_player)
    clock.move_to(CLOSE - 2 * SECOND, tick=False)
    points()
    win(run_id, 1, CLOSE - SECOND)
    clock.move_to(CLOSE + SECOND, tick=False)
    answer = Client().get("/ranking/", headers=JSON).json()
    assert answer["final"] and len(answer["standings"]) == 2


def test_nobody_sees_anothers_line_mark_name_or_token(season, player, rival_player, stranger):
    for each in (player, rival_player):
        score(each, 1, MONDAY - minutes(1))
    mine, theirs, others = client_of(player), client_of(rival_player), client_of(stranger)
    for _ in range(2):
        for browser, name, place in ((mine, "dolores", 2), (theirs, "cantuña", 1), (others, "forastero", 0), (Client(), None, 0)):
            response = browser.get("/ranking/", headers=PAGE)
            text = response.text
            header, _, main = text.partition("<main")
            assert [who for who in ("dolores", "cantuña", "forastero") if who in header] == ([name] if name else [])
            assert text.count(" mine") == (1 if place else 0)
            assert (f'class="place-{place} mine"' in text) == bool(place)
            assert ("Tu puesto <b" in main) == bool(place) and "csrf" not in text.lower()
            assert "forastero" not in main
            me = browser.get("/ranking/", headers=JSON).json()["me"]
            assert (me and me["player"]) == (name if place else None)
            assert "csrftoken" not in response.cookies and "sessionid" not in response.cookies


def test_what_is_kept_has_nothing_of_who_asked(season, player, rival_player):
    score(player, 1, MONDAY - minutes(1))
    score(rival_player, 1, MONDAY - minutes(1))
    by_me = client_of(player)
    page(by_me)
    kept = front.front(season, at=MONDAY).drawing
    cache.clear()
    page()
    assert kept == front.front(season, at=MONDAY).drawing and "mine" not in kept and "csrf" not in kept.lower()


def test_an_emptied_cache_changes_no_number(season, player):
    for number, each in enumerate([player, *crowd(60)]):
        score(each, 1 + number % 3, MONDAY - minutes(number + 1))
    browser = client_of(player)

    def everything():
        paths = ("/ranking/", "/ranking/?desde=40", "/ranking/?q=jugador1", "/", "/jugadores/dolores/")
        texts = [OF_EACH_VISIT.sub("", page(browser, path)) for path in paths]
        return texts + [browser.get("/ranking/", headers=JSON).json()]

    before = everything()
    cache.clear()
    assert everything() == before


def test_with_a_cache_that_forgets_at_once_it_answers_all_the_same(season, monkeypatch, player):
    score(player, 1)
    before = page(client_of(player)), points()
    monkeypatch.setattr(front, "cache", DummyCache("", {}))
    assert (page(client_of(player)), points()) == before
    assert "dolores" in page(path="/")


@pytest.mark.parametrize("path", ["/ranking/", "/ranking/fiestas-de-quito-2026/", "/ranking/?desde=2", "/ranking/?q=a", "/ranking/?desde=x", "/jugadores/dolores/", "/campana/", "/"])
def test_no_page_is_kept_on_the_way(season, player, path):
    score(player, 1)
    for browser in (client_of(player), Client()):
        for headers in (PAGE, JSON):
            control = browser.get(path, headers=headers)["Cache-Control"]
            assert "no-store" in control and "private" in control and "public" not in control


def test_the_task_draws_it_before_anybody_waits_for_it(season, clock, player, drawn):
    score(player, 1)
    tasks.refresh_ranking()
    assert len(drawn) == 1 and points() == {"dolores": 100} and len(drawn) == 1
    clock.move_to(MONDAY + 4 * SECOND, tick=False)
    tasks.refresh_ranking()
    clock.move_to(MONDAY + 9 * SECOND, tick=False)
    assert points() == {"dolores": 100} and len(drawn) == 2


def test_the_task_has_nothing_to_draw_without_an_open_season(db, season, clock, drawn):
    clock.move_to(CLOSE, tick=False)
    tasks.refresh_ranking()
    season.delete()
    tasks.refresh_ranking()
    assert drawn == []


def test_the_task_keeps_the_rank_index_short_and_changes_no_place(season, player):
    for number, each in enumerate(crowd(10)):
        score(each, 1, MONDAY - minutes(number + 1))
    before = list(ranking.walk(season))
    tasks.refresh_ranking()
    tasks.refresh_ranking()
    assert list(ranking.walk(season)) == before
