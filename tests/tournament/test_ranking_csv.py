"""The whole table as a file for spreadsheets: every line, streamed, nothing in it that a spreadsheet would run."""

import csv
import io

import pytest
from django.test import Client

from cvarenta.models import Player
from tests.support import make_player
from tournament import export, services

from .books import CLOSE, MONDAY, crowd, make_season, minutes, score

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
ADDRESS = "/ranking/fiestas-de-quito-2026/tabla.csv"
HEADER = ["puesto", "jugador", "puntos", "vueltas", "alcanzados"]


def text():
    response = Client().get(ADDRESS)
    assert response.status_code == 200
    return response.getvalue().decode()


def rows():
    return list(csv.reader(io.StringIO(text().removeprefix("\ufeff"))))


def test_it_is_the_table_line_by_line(season, player, rival_player):
    score(player, 2, MONDAY - minutes(10))
    score(rival_player, 5, MONDAY - minutes(5))
    assert rows() == [
        HEADER,
        ["1", "cantuña", "700", "1", "2026-11-30T11:55:00-05:00"],
        ["2", "dolores", "200", "1", "2026-11-30T11:50:00-05:00"],
    ]


def test_it_is_utf_8_and_a_spreadsheet_knows_it(season, rival_player):
    score(rival_player, 1)
    response = Client().get(ADDRESS)
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="fiestas-de-quito-2026.csv"'
    assert "no-store" in response["Cache-Control"] and "private" in response["Cache-Control"]
    body = response.getvalue()
    assert body.startswith(b"\xef\xbb\xbfpuesto,jugador,") and "cantuña".encode() in body and body.endswith(b"\r\n")


def test_without_points_there_is_a_header_only(season):
    assert rows() == [HEADER]


def test_every_line_is_there_however_many_and_none_twice(season, monkeypatch):
    """It is sent five hundred at a time; here four."""
    monkeypatch.setattr(export, "AT_A_TIME", 4)
    for number, player in enumerate(crowd(50)):
        score(player, 1, MONDAY - minutes(number % 5 + 1))
    lines = rows()[1:]
    assert [line[0] for line in lines] == [str(place) for place in range(1, 51)]
    assert len({line[1] for line in lines}) == 50
    assert len(list(Client().get(ADDRESS).streaming_content)) > 10


def test_it_is_streamed_and_stands_at_the_moment_it_was_asked_for(season, clock, player, rival_player):
    score(player, 1)
    response = Client().get(ADDRESS)
    assert response.streaming and "Content-Length" not in response
    clock.move_to(MONDAY + minutes(1), tick=False)
    score(rival_player, 5, MONDAY + minutes(1))
    assert b"cantu" not in response.getvalue()
    assert len(rows()) == 3


@pytest.mark.parametrize("name, cell", [("-1-1", "'-1-1"), ("-sum", "'-sum"), (".cinco", ".cinco"), ("_a", "_a"), ("x-y", "x-y"), ("007", "007")])
def test_a_name_is_no_formula(season, name, cell):
    score(make_player(name), 1)
    assert rows()[1][1] == cell


@pytest.mark.parametrize("name", ["=1+1", "+1", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_name_that_cannot_exist_would_be_none_either(season, name):
    score(Player.objects.bulk_create([Player(username=name, password="!")])[0], 1)
    assert rows()[1][1] == f"'{name}"


@pytest.mark.parametrize("name", ['a","b', "a\nb", "a,b", "'"])
def test_a_name_stays_in_its_cell(season, name):
    score(Player.objects.bulk_create([Player(username=name, password="!")])[0], 1)
    assert rows()[1] == ["1", name, "100", "1", "2026-11-30T12:00:00-05:00"]


def test_after_the_close_it_is_the_final_table_with_the_lines_of_those_who_left(season, clock, player, rival_player):
    score(player, 5)
    score(rival_player, 1)
    before = rows()
    clock.move_to(CLOSE + minutes(2), tick=False)
    assert services.close_seasons(at=CLOSE + minutes(2)) == 1
    assert rows() == before
    services.leave(player_id=player.pk, at=CLOSE + minutes(3))
    clock.move_to(CLOSE + minutes(60 * 24 * 700), tick=False)
    assert rows() == [HEADER, ["1", "(cuenta cerrada)", *before[1][2:]], before[2]]


def test_who_leaves_while_it_is_open_is_no_line(season, player, rival_player):
    score(player, 5)
    score(rival_player, 1)
    services.leave(player_id=player.pk, at=MONDAY)
    assert [line[:2] for line in rows()] == [HEADER[:2], ["1", "cantuña"]]


def test_moments_are_in_the_zone_of_the_season(player):
    make_season(time_zone="Asia/Tokyo")
    score(player, 1)
    assert rows()[1][4] == "2026-12-01T02:00:00+09:00"
