"""The ranking as its readers see it: in order, page by page, searched, one's own place in it; as a page and as JSON."""

import random
from datetime import datetime, timedelta
from urllib.parse import quote

import pytest
from django.core import signing
from django.test import Client
from django.utils.html import escape

from cvarenta.models import Player
from tests.campaign.playing import JSON, PAGE
from tests.support import client_of, make_player
from tournament import ranking, services, views
from tournament.models import Season

from .books import CLOSE, MONDAY, begin, crowd, make_season, minutes, own_faults, score, win

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
SECOND = timedelta(seconds=1)
ADDRESS = "/ranking/fiestas-de-quito-2026/"


@pytest.fixture
def pages_of(monkeypatch):
    """Has pages of so many lines."""

    def cut(size):
        for question in (ranking.page_at, ranking.page_after):
            monkeypatch.setitem(question.__kwdefaults__, "size", size)
        monkeypatch.setattr(ranking, "PAGE", size)

    return cut


def table(path="/ranking/", browser=None):
    response = (browser or Client()).get(path, headers=JSON)
    assert response.status_code == 200, response.text
    return response.json()


def page(path="/ranking/", browser=None, status=200):
    response = (browser or Client()).get(path, headers=PAGE)
    assert response.status_code == status, response.text
    return response.text


def main(text):
    return text.partition("<main")[2].partition("</main>")[0]


def names(answer):
    return [line["player"] for line in answer["standings"]]


def walk(path="/ranking/", browser=None, between=lambda: None):
    """Every line from here to the end, by `next`."""
    answer = table(path, browser)
    lines = answer["standings"]
    while answer["next"]:
        between()
        answer = table(answer["next"], browser)
        assert answer["standings"], "an empty page at the end"
        lines += answer["standings"]
    return lines


def close(clock, seconds=0):
    clock.move_to(CLOSE + seconds * SECOND, tick=False)


def next_season():
    year = timedelta(days=365)
    Season.objects.create(name="Fiestas de Quito 2027", slug="fiestas-de-quito-2027", opens_at=CLOSE, closes_at=CLOSE + year)


# What is told


def test_a_program_is_told_season_close_and_lines(season, player, rival_player):
    score(player, 2, MONDAY - minutes(10))
    score(rival_player, 5, MONDAY - minutes(5))
    assert table() == {
        "season": "Fiestas de Quito 2026",
        "slug": "fiestas-de-quito-2026",
        "opens_at": None,
        "closes_at": "2026-12-06T23:59:00-05:00",
        "final": False,
        "amended_at": None,
        "amendments": [],
        "total": 2,
        "standings": [
            {"place": 1, "player": "cantuña", "points": 700, "runs": 1, "reached_at": "2026-11-30T11:55:00-05:00"},
            {"place": 2, "player": "dolores", "points": 200, "runs": 1, "reached_at": "2026-11-30T11:50:00-05:00"},
        ],
        "next": None,
        "me": None,
    }


def test_a_program_is_told_its_own_line(season, player, rival_player):
    score(rival_player, 5)
    score(player, 1)
    answer = table(browser=client_of(player))
    assert answer["me"] == answer["standings"][1] and answer["me"]["player"] == "dolores"


def test_a_page_says_season_close_rules_and_lines(season, player, rival_player):
    score(player, 2, MONDAY - minutes(10))
    score(rival_player, 5, MONDAY - minutes(5))
    text = page()
    assert "Fiestas de Quito 2026" in text and "6 de diciembre de 2026, 23:59 (hora de Quito)" in text
    assert "6 días y 11 horas" in text
    assert text.index("cantuña") < text.index("dolores") and "30 nov, 11:55" in text
    assert "2 en la tabla" in text and "suma 100 puntos; los cinco, 200 más" in text


def test_the_answer_depends_on_who_asks_for_what(season):
    for headers, kind in ((PAGE, "text/html"), (JSON, "application/json"), ({"accept": "*/*"}, "text/html")):
        response = Client().get("/ranking/", headers=headers)
        assert response["Content-Type"].startswith(kind) and "Accept" in response["Vary"]


@pytest.mark.parametrize("points", [1, 2])
def test_one_point_is_a_punto(player, points):
    make_season(chapter_points=points, bonus_points=points)
    score(player, 1)
    text = page(browser=client_of(player))
    assert ("<b>1</b> punto<" in text) == (points == 1) and ("<b>2</b> puntos<" in text) == (points == 2)
    assert "1 puntos" not in text


# The seasons


def test_without_points_the_first_place_is_free(season, player):
    begin(player)
    answer = table(browser=client_of(player))
    assert (answer["standings"], answer["total"], answer["next"], answer["me"]) == ([], 0, None, None)
    assert "el primer puesto está libre" in page()
    assert "Tu puesto te espera" in page(browser=client_of(player))


def test_who_has_no_points_is_not_ranked(season, player, rival_player):
    win(begin(player), 0, outcome="lost")
    score(rival_player, 1)
    assert names(table()) == ["cantuña"] and "dolores" not in main(page())


def test_without_a_season_it_says_so_and_the_answer_has_the_same_shape(season):
    keys = table().keys()
    Season.objects.all().delete()
    answer = table()
    assert answer.keys() == keys
    assert (answer["season"], answer["standings"], answer["total"], answer["final"]) == (None, [], 0, False)
    assert "Ahora no hay torneo" in page()


def test_a_season_to_come_says_when_it_opens(player):
    make_season(opens_at=MONDAY + minutes(60 * 24 + 5))
    assert begin(player) is None
    answer, text = table(), page(browser=client_of(player))
    assert (answer["opens_at"], answer["final"], answer["standings"]) == ("2026-12-01T12:05:00-05:00", False, [])
    assert "El torneo abre en" in text and "1 día" in text and "1 de diciembre de 2026, 12:05 (hora de Quito)" in text
    assert "final" not in main(text).lower() and "A la historia" not in text


def test_the_table_is_the_same_one_second_before_and_after_the_close_and_once_written(season, clock, player, rival_player):
    score(rival_player, 3, MONDAY)
    close(clock, -1)
    run_id = begin(player, CLOSE - 2 * SECOND)
    win(run_id, 3, CLOSE - 2 * SECOND)
    open_table = table()
    assert not open_table["final"] and names(open_table) == ["cantuña", "dolores"]
    win(run_id, 1, CLOSE - SECOND, first=4)  # after that table was drawn
    close(clock)
    win(run_id, 1, CLOSE, first=5)
    closed = table()
    assert closed["final"] and [(line["player"], line["points"]) for line in closed["standings"]] == [("dolores", 400), ("cantuña", 300)]
    assert "La tabla final" in page() and "El torneo cerró el 6 de diciembre" in page()
    close(clock, 61)
    assert services.close_seasons(at=CLOSE + 61 * SECOND) == 1
    assert table() == closed
    close(clock, 400 * 24 * 3600)
    assert table() == closed
    assert not own_faults(season)


def test_reading_the_table_writes_it_down_if_nobody_has(season, clock, player, monkeypatch):
    monkeypatch.setattr(views, "soon", lambda task: task())
    score(player, 1)
    close(clock, 59)
    table()
    season.refresh_from_db()
    assert season.final_at is None  # plays made before the close may still be on their way
    close(clock, 60)
    table()
    season.refresh_from_db()
    assert season.final_at and names(table()) == ["dolores"]


def test_an_old_season_keeps_its_table_at_its_own_address(season, clock, player, rival_player):
    score(player, 2)
    close(clock, 100)
    services.close_seasons(at=CLOSE + 100 * SECOND)
    later = CLOSE + timedelta(days=200)
    next_season()
    clock.move_to(later, tick=False)
    score(rival_player, 1, later)
    now = table()
    assert (now["slug"], now["final"], names(now)) == ("fiestas-de-quito-2027", False, ["cantuña"])
    assert table("/ranking/fiestas-de-quito-2027/") == now
    old = table(ADDRESS, client_of(player))
    assert (old["season"], old["final"], names(old), old["me"]["place"]) == ("Fiestas de Quito 2026", True, ["dolores"], 1)
    assert ADDRESS in page() and "La tabla final" in page(ADDRESS)
    assert "En este torneo no sumaste puntos" in page(ADDRESS, client_of(rival_player))


def test_an_unknown_season_is_not_found(season):
    for path in ("/ranking/fiestas-de-quito-1534/", "/ranking/fiestas-de-quito-1534/tabla.csv", "/ranking/a b/", "/ranking/%00/"):
        assert Client().get(path, headers=PAGE).status_code == 404, path
        response = Client().get(path, headers=JSON)
        assert response.status_code == 404 and response.json()["error"]


def test_it_is_only_looked_at(season, player):
    score(player, 1)
    for path in ("/ranking/", ADDRESS, f"{ADDRESS}tabla.csv"):
        head = Client().head(path)
        assert (head.status_code, head.getvalue()) == (200, b"")
        for method in ("post", "put", "patch", "delete"):
            assert getattr(Client(), method)(path).status_code == 405, (path, method)


# In order


def test_more_points_come_first_then_who_reached_them_first_then_the_name(season):
    late, early, zoila, andres = (make_player(name) for name in ("tarde", "pronto", "Zoila", "andrés"))
    score(late, 2, MONDAY - minutes(1))
    score(early, 2, MONDAY - minutes(9))
    for tied in (zoila, andres):
        score(tied, 5, MONDAY - minutes(5))
    lines = table()["standings"]
    assert [line["player"] for line in lines] == ["andrés", "Zoila", "pronto", "tarde"]
    assert [line["place"] for line in lines] == [1, 2, 3, 4]


def test_a_sum_is_reached_with_its_last_award_and_runs_are_counted(season, player, rival_player):
    score(player, 1, MONDAY - minutes(30))
    score(rival_player, 2, MONDAY - minutes(20))
    score(player, 1, MONDAY - minutes(10))
    begin(player)
    lines = table()["standings"]
    assert [(line["player"], line["points"], line["runs"]) for line in lines] == [("cantuña", 200, 1), ("dolores", 200, 3)]
    assert lines[1]["reached_at"] == "2026-11-30T11:50:00-05:00"


# One's own place


def marked(text):
    """The marked lines of a page, as texts."""
    rows = [part.partition("</li>")[0].partition("</tr>")[0] for part in text.split('class="place-') + text.split("<tr")]
    return [row for row in rows if row.partition(">")[0].rstrip('"').endswith("mine")]


def test_ones_own_line_is_marked_and_ones_place_stands_on_every_page(season):
    players = crowd(70)
    for number, player in enumerate(players):
        score(player, 1, MONDAY - minutes(number + 1))
    for player, place in ((players[-1], 1), (players[-2], 2), (players[-50], 50), (players[-51], 51), (players[0], 70)):
        browser = client_of(player)
        first, around = page(browser=browser), page(f"/ranking/?desde={max(1, place - 5)}", browser)
        for text in (first, around, page("/ranking/?desde=60", browser), page("/ranking/?q=jugador7", browser)):
            assert f'<b class="own-place">{place}</b> de 70' in text
        assert f'href="/ranking/?desde={max(1, place - 5)}"' in first
        assert len(marked(around)) == 1 and player.username in marked(around)[0]
        assert len(marked(first)) == (place <= 50)
        assert table(browser=browser)["me"]["place"] == place
    assert marked(page()) == [] and "Tu puesto <b" not in page()


def test_one_number_everywhere(season):
    """Ranking, its pages, its search, the player's page, the cover and the table of all agree."""
    players = crowd(70)
    for number, player in enumerate(players):
        score(player, 1 + number % 2, MONDAY - minutes(number % 7 + 1))
    lines = walk()
    assert [line["place"] for line in lines] == list(range(1, 71))
    cover = main(page("/"))
    for line in lines[::6]:
        name, place = line["player"], line["place"]
        browser = client_of(next(player for player in players if player.username == name))
        assert table(browser=browser)["me"] == line
        assert table(f"/ranking/?desde={place}")["standings"][0] == line
        assert line in table(f"/ranking/?q={name}")["standings"]
        text = main(page(f"/jugadores/{name}/"))
        around = f"?desde={place - 5}" if place > 6 else ""
        assert f"Puesto <b>{place}</b> · <b>{line['points']}</b> puntos · Fiestas de Quito 2026" in text
        assert f'href="{ADDRESS}{around}"' in text and name in page(f"{ADDRESS}{around}")
        assert (f'<span class="place">{place}</span> <a href="/jugadores/{name}/">' in cover) == (place <= 5)


def test_who_has_no_points_has_no_place_on_their_page(season, player, rival_player):
    begin(player)
    score(rival_player, 1)
    assert "Puesto" not in main(page("/jugadores/dolores/"))
    Season.objects.update(opens_at=MONDAY + minutes(1))
    assert "Puesto" in main(page(f"/jugadores/{quote('cantuña')}/"))  # shown, since there is no other
    services.leave(player_id=rival_player.pk, at=MONDAY)
    assert "Puesto" not in main(page(f"/jugadores/{quote('cantuña')}/"))


@pytest.mark.parametrize("size", [50, 2])
def test_a_place_is_never_above_the_number_of_places(season, clock, pages_of, size):
    """Also when the first page was drawn a moment before somebody came, on it or behind it."""
    pages_of(size)
    players = crowd(3)
    score(players[0], 2)
    assert table()["total"] == 1
    for player in players[1:]:
        score(player, 1, MONDAY + SECOND)
    clock.move_to(MONDAY + SECOND, tick=False)
    assert '<b class="own-place">3</b> de 3' in page(browser=client_of(players[2]))


def test_the_marked_line_says_the_place_that_the_bar_says(season, clock):
    """Others have moved up since the first page was drawn."""
    players = crowd(3)
    for player in players:
        score(player, 2, MONDAY - minutes(1))
    table()
    clock.move_to(MONDAY + SECOND, tick=False)
    score(players[2], 1, MONDAY + SECOND)
    text = page(browser=client_of(players[0]))
    assert '<b class="own-place">2</b>' in text and len(marked(text)) == 1 and "Puesto 2:" in marked(text)[0]


# Names


@pytest.mark.parametrize("name", ["<svg onload=x>", '"><i>', "'><b>'", "{{ 7|add:7 }}", "&lt;b&gt;", "\u202eotro", "أحمد"])
def test_a_name_that_cannot_exist_would_be_shown_as_it_is(season, name, settings):
    player = Player.objects.bulk_create([Player(username=name, password="!")])[0]
    score(player, 1)
    browser = client_of(player)
    for path in ("/ranking/", "/ranking/?desde=1", f"/ranking/?q={quote(name)}", "/"):
        text = page(path, browser)
        assert f"<bdi>{escape(name)}</bdi>" in text, path
        assert text.count(name) == (text.count(escape(name)) if escape(name) == name else 0), path
    assert table()["standings"][0]["player"] == name


def test_what_is_searched_is_shown_as_it_is(season):
    text = page("/ranking/?q=%3Cb%3E%E2%80%AEx")
    assert "«<bdi>&lt;b&gt;\u202ex</bdi>»" in text and "<b>\u202e" not in text


def test_no_e_mail_is_anywhere(season):
    player = make_player("manuelita", email="secreta@example.com")
    score(player, 1)
    for path in ("/ranking/", "/ranking/?q=secreta", "/ranking/?q=example", f"{ADDRESS}tabla.csv", "/jugadores/manuelita/"):
        for headers in (PAGE, JSON):
            response = Client().get(path, headers=headers)
            text = response.getvalue().decode()
            assert "@" not in text.partition("<main")[2] and "secreta@" not in text and "example.com" not in text
    assert table("/ranking/?q=secreta@example.com")["standings"] == []


# Page by page


def test_two_hundred_tied_players_come_once_each_in_one_order(season):
    players = crowd(200, prefix="igual")
    for player in players:
        score(player, 1, MONDAY - minutes(1))
    first = walk()
    assert [line["place"] for line in first] == list(range(1, 201))
    assert [line["player"] for line in first] == sorted(player.username for player in players)
    assert walk() == first == walk(ADDRESS)
    for line in first[::23]:
        player = next(player for player in players if player.username == line["player"])
        assert table(browser=client_of(player))["me"] == line
        assert table(f"/ranking/?desde={line['place']}")["standings"] == first[line["place"] - 1 : line["place"] + 49]


def test_the_pages_link_on_to_the_end_and_back_to_the_first(season):
    for number, player in enumerate(crowd(110)):
        score(player, 1, MONDAY - minutes(number + 1))
    text, seen = page(), []
    while True:
        seen += [part.partition("<")[0] for part in main(text).split("<bdi>")[1:]]
        if 'rel="next"' not in text:
            break
        text = page("/ranking/" + text.partition('<a class="button" href="')[2].partition('"')[0].replace("&amp;", "&"))
        assert '<a class="button" href="/ranking/">Desde el primero</a>' in text
    assert seen == [f"jugador{number}" for number in range(109, -1, -1)]


def test_a_place_beyond_the_last_says_so(season, player):
    score(player, 1)
    assert table("/ranking/?desde=2")["standings"] == []
    assert "Hasta aquí llega la tabla" in page("/ranking/?desde=1000000000")


class Crowd:
    """Players who win, come and go while somebody reads."""

    def __init__(self, clock, rng, number):
        self.clock, self.rng, self.now = clock, rng, MONDAY
        self.players, self.left = crowd(number), set()
        self.newcomers = crowd(40, prefix="nuevo")
        self.runs = {}
        for player in self.players:
            self.pay(player, rng.randrange(1, 4))

    def pay(self, player, chapters):
        run_id, won = self.runs.pop(player, None) or (begin(player, self.now), 0)
        chapters = min(chapters, 5 - won)
        win(run_id, chapters, self.now, first=won + 1)
        if won + chapters < 5:
            self.runs[player] = (run_id, won + chapters)

    def wait(self, seconds):
        self.now += timedelta(seconds=seconds)
        self.clock.move_to(self.now, tick=False)

    def change(self):
        """Something of what may happen between two pages."""
        self.wait(self.rng.choice((0.000001, 0.4, 3, 50)))
        for _ in range(self.rng.randrange(5)):
            what = self.rng.random()
            if what < 0.2 and self.newcomers:
                self.players.append(self.newcomers.pop())
                self.pay(self.players[-1], self.rng.randrange(1, 6))
            elif what < 0.3:
                self.leave(self.rng.choice(self.players))
            elif what < 0.5:
                self.jump()
            else:
                self.pay(self.rng.choice(self.players), self.rng.randrange(1, 3))

    def jump(self):
        """The last comes first."""
        lines = list(ranking.walk(Season.objects.get()))
        player = next(player for player in self.players if player.username == lines[-1].player)
        while ranking.line_of(Season.objects.get(), player.pk).points <= lines[0].points:
            self.pay(player, 5)

    def leave(self, player):
        services.leave(player_id=player.pk, at=self.now)
        self.players.remove(player)
        self.left.add(player.username)


@pytest.mark.parametrize("seed", range(8))
def test_nobody_is_doubled_or_missing_while_scores_change(db, clock, pages_of, seed):
    """Who had a place when the first page was drawn is met once, with the points of then; who leaves meanwhile may vanish."""
    pages_of(5)
    season = make_season(runs_a_day=1000)
    moving = Crowd(clock, random.Random(seed), 24)
    for _ in range(4):
        moving.wait(7)
        first = table()
        before = {line.player: line.points for line in ranking.walk(season)}
        moving.left.clear()
        moving.change()
        lines = first["standings"] + walk(first["next"], between=moving.change)
        seen = {line["player"]: line["points"] for line in lines}
        assert len(lines) == len(seen), "somebody came twice"
        assert seen.keys() - before.keys() == set() and before.keys() - seen.keys() <= moving.left
        assert all(before[name] == points for name, points in seen.items())
        order = [(-line["points"], line["reached_at"]) for line in lines]
        assert order == sorted(order)
    assert not own_faults(season)


def test_who_jumps_from_the_last_page_to_the_first_is_still_met_where_they_were(season, clock, pages_of):
    pages_of(5)
    players = crowd(15)
    for number, player in enumerate(players):
        score(player, 2, MONDAY - minutes(60 - number))
    steps = iter(range(1, 9))

    def jump():
        now = MONDAY + next(steps) * SECOND
        clock.move_to(now, tick=False)
        score(players[14], 5, now)

    lines = walk(between=jump)
    assert [line["player"] for line in lines] == [player.username for player in players]
    assert lines[-1]["points"] == 200
    assert names(table(browser=client_of(players[14])))[0] == players[14].username


def test_a_walk_begun_before_the_close_goes_on_over_it(season, clock, pages_of):
    """Even once the final table has been written between two pages."""
    pages_of(5)
    players = crowd(15)
    for number, player in enumerate(players):
        score(player, 2, MONDAY - minutes(60 - number))
    close(clock, -30)
    first = table()
    score(players[14], 5, CLOSE - SECOND)
    close(clock, 90)
    services.close_seasons(at=CLOSE + 90 * SECOND)
    lines = first["standings"] + walk(first["next"])
    assert [line["player"] for line in lines] == [player.username for player in players]
    assert walk()[0]["player"] == players[14].username


def test_a_final_table_is_walked_years_later(season, clock, pages_of):
    pages_of(5)
    for number, player in enumerate(crowd(12)):
        score(player, 1, MONDAY - minutes(number + 1))
    close(clock, 90)
    services.close_seasons(at=CLOSE + 90 * SECOND)
    soon, first = walk(), table()
    close(clock, 3 * 365 * 24 * 3600)
    assert walk() == soon == first["standings"] + walk(first["next"]) and len(soon) == 12


def test_the_line_of_a_deleted_account_stays_in_the_final_table_without_a_name(season, clock, player, rival_player):
    score(player, 5)
    score(rival_player, 1)
    close(clock, 90)
    services.leave(player_id=player.pk, at=CLOSE + 90 * SECOND)
    answer = table()
    assert names(answer) == [None, "cantuña"] and answer["standings"][1]["place"] == 2 and answer["total"] == 2
    assert "una cuenta que se fue" in page() and "dolores" not in main(page())


# What nobody gave


@pytest.fixture
def cursor(season, pages_of):
    pages_of(5)
    for number, player in enumerate(crowd(12)):
        score(player, 1, MONDAY - minutes(number + 1))
    return table()["next"].partition("pagina=")[2]


def refused(path):
    answer = Client().get(path, headers=JSON)
    assert answer.status_code == 400 and answer.json().keys() == {"error"} and answer.json()["error"].endswith(".")
    text = page(path, status=400)
    assert 'role="alert"' in text and "aquí empieza de nuevo" in text
    assert "jugador11" in text and "Puesto 1:" in text


def test_a_page_that_nobody_gave_is_refused_with_the_first_one(cursor):
    table(f"/ranking/?pagina={cursor}")
    forged = signing.dumps([1, 2, 3], salt="tournament.ranking")
    cut, changed, doubled = cursor[:-1], ("A" if cursor[0] != "A" else "B") + cursor[1:], cursor * 2
    for bad in (cut, cursor[:10], changed, doubled, forged, signing.dumps([1, 2, 3, 4, 5, 6]), "", "x", "1", "%00", "%FF", "ñ", "x" * 10_000):
        refused(f"/ranking/?pagina={bad}")


def test_a_page_of_another_season_is_refused(cursor):
    next_season()
    answer = Client().get(f"/ranking/fiestas-de-quito-2027/?pagina={cursor}", headers=JSON)
    assert answer.status_code == 400 and answer.json()["error"]


def test_a_page_is_gone_on_with_for_two_hours(cursor, clock):
    clock.move_to(MONDAY + minutes(120), tick=False)
    table(f"/ranking/?pagina={cursor}")
    clock.move_to(MONDAY + minutes(120) + SECOND, tick=False)
    refused(f"/ranking/?pagina={cursor}")


NO_PLACES = ["0", "-1", "abc", "", "1.5", "1e3", "+1", " 1", "9" * 11, "9" * 30, "0" * 12 + "1" * 5000, "1000000001", "٣", "²", "%00", "0x1"]


def test_what_is_no_place_is_refused(cursor):
    for place in NO_PLACES:
        refused(f"/ranking/?desde={place}")


def test_what_it_does_not_know_it_does_not_mind(cursor):
    assert table("/ranking/?x=1&page=7&pagina2=") == table()


# Searching


@pytest.fixture
def named(season):
    """Some names, the first with the fewest points."""
    for number, name in enumerate(["Quiteña", "quito-1534", "La.Quinta", "Ñusta", "nusta2", "a_b", "a.b", "ÉlÉlÉl"]):
        score(make_player(name), 1 + number % 5, MONDAY - minutes(number + 1))


@pytest.mark.parametrize("text, found", [
    ("QUITENA", {"Quiteña"}), ("quiteña", {"Quiteña"}), ("QuiTeÑ", {"Quiteña"}), ("  quiteña  ", {"Quiteña"}), ("quiten\u0303a", {"Quiteña"}),
    ("qui", {"Quiteña", "quito-1534"}), ("1534", {"quito-1534"}), ("inta", {"La.Quinta"}), ("ÑUSTA", {"Ñusta", "nusta2"}),
    ("elel", {"ÉlÉlÉl"}), ("a_b", {"a_b"}), ("a.b", {"a.b"}), ("_", {"a_b"}), ("%", set()), ("%25", set()), ("a%b", set()),
    ("nadie", set()), ("\u0301", set()), ("\\", set()), ("' OR 1=1 --", set()), ("x" * 10_000, set()), ("qui\0", set()), ("\0", set()),
])  # fmt: skip
def test_a_name_is_found_without_case_and_accents_by_its_beginning_or_else_inside(named, text, found):
    path = f"/ranking/?q={quote(text)}"
    answer = table(path)
    assert set(names(answer)) == found and len(answer["standings"]) == len(found)
    assert (answer["next"], answer["total"]) == (None, 8)
    shown = main(page(path))
    assert all(f"<bdi>{name}</bdi>" in shown for name in found) and shown.count('<a href="/jugadores/') == len(found)
    assert ("Nadie con «" in shown) == (not found)


@pytest.mark.parametrize("text", ["", "   ", "\t\n"])
def test_nothing_searched_is_the_first_page(named, text):
    assert table(f"/ranking/?q={quote(text)}") == table()
    assert "toda la tabla" not in page(f"/ranking/?q={quote(text)}").lower()


def test_found_lines_keep_their_places_and_their_order(named):
    """The first three places are honoured on the first page only."""
    everybody = table()["standings"]
    assert table("/ranking/?q=qui")["standings"] == [line for line in everybody if line["player"].lower().startswith("qui")]
    for path in ("/ranking/?q=a", "/ranking/?q=qui"):
        text = page(path)
        assert 'class="honour"' not in text and text.count('id="q"') == 1
    for path in ("/ranking/", "/ranking/?desde=1"):
        text = page(path)
        assert text.count('class="honour"') == 1 and text.count('id="q"') == 1


def test_of_many_found_the_best_are_shown_and_it_says_so(season):
    for number, player in enumerate(crowd(25)):
        score(player, 1, MONDAY - minutes(number + 1))
    assert names(table("/ranking/?q=jugador")) == [f"jugador{number}" for number in range(24, 4, -1)]
    assert "los 20 mejor puestos" in page("/ranking/?q=jugador")
    assert "11 en la tabla" in page("/ranking/?q=jugador1")


def test_a_closed_season_is_searched_too(named, clock):
    before = table("/ranking/?q=qui")["standings"]
    close(clock, 90)
    services.close_seasons(at=CLOSE + 90 * SECOND)
    assert table("/ranking/?q=qui")["standings"] == before and table("/ranking/?q=qui")["final"]


def test_all_moments_are_in_the_zone_of_the_season(player):
    make_season(time_zone="Asia/Tokyo")
    score(player, 1)
    answer = table()
    assert answer["closes_at"].endswith("+09:00") and answer["standings"][0]["reached_at"] == "2026-12-01T02:00:00+09:00"
    assert datetime.fromisoformat(answer["closes_at"]) == CLOSE
    assert "7 de diciembre de 2026, 13:59 (hora de Tokyo)" in page() and "1 dic, 02:00" in page()
