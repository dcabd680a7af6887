"""The trail and the runs as CSV: with the filters of the list, whole, and safe to open in a spreadsheet."""

import csv
import io
from collections import Counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cvarenta.models import Player
from tournament import decisions, review
from tournament.models import Decision, ScoredRun, Standing

from .books import CLOSE, MONDAY, crowd, minutes, quito, score
from .reviewing import LIST, TRAIL, decide, desk_of, reviewer_called

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


@pytest.fixture
def desk(season):
    return desk_of()


@pytest.fixture
def judge(season):
    return reviewer_called("eugenio")


def rows(answer):
    assert answer.status_code == 200 and answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.streaming and answer["Content-Disposition"].startswith("attachment")
    text = b"".join(answer.streaming_content).decode()
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def test_the_trail_tells_who_when_what_why_before_and_after(desk, judge, player):
    run = score(player, 3)
    decisions.decide(run_id=run, action="annul", reason="A cuatro manos", by=judge, seen=0, at=MONDAY + minutes(5))
    decisions.decide(run_id=run, action="restore", by=judge, seen=1, at=MONDAY + minutes(6))
    last, first = rows(desk.get(f"{TRAIL}csv/"))
    assert first == {
        "cuándo": "2026-11-30T12:05:00-05:00", "quién": "eugenio", "decisión": "Anular", "vuelta": run, "número": "1", "jugador": "dolores",
        "temporada": "Fiestas de Quito 2026", "día": "2026-11-30", "cupo": "1", "motivo": "A cuatro manos", "estado antes": "Por revisar",
        "estado después": "Anulada", "puntos antes": "300", "puntos después": "0",
    }  # fmt: skip
    assert (last["decisión"], last["puntos antes"], last["puntos después"]) == ("Restituir", "0", "300")
    text = desk.get(TRAIL).text
    assert "Por revisar → Anulada" in text and "300 → 0" in text and "A cuatro manos" in text and "30/11/2026, 12:05 (Quito)" in text


def test_the_trail_narrows_by_action_day_season_and_player(desk, judge, season, player, rival_player):
    early, late = score(player, 1), score(rival_player, 1)
    decisions.decide(run_id=early, action="annul", reason="x", by=judge, seen=0, at=quito(11, 30, 23, 30))
    decisions.decide(run_id=late, action="approve", by=judge, seen=0, at=quito(12, 1, 0, 30))
    for asked, found in (
        ({"decision": "approve"}, [late]), ({"dia": "2026-11-30"}, [early]), ({"dia": "2026-12-01"}, [late]), ({"temporada": season.pk}, [late, early]),
        ({"q": "CANTUNA"}, [late]), ({"q": early}, [early]), ({"q": "nadie"}, []), ({}, [late, early]),
    ):  # fmt: skip
        assert [row["vuelta"] for row in rows(desk.get(f"{TRAIL}csv/", asked))] == found, asked
        assert [line.run_id for line in desk.get(TRAIL, asked).context["cl"].result_list] == found, asked


def test_runs_go_out_as_the_list_shows_them(desk, judge, player, rival_player):
    run, other = score(player, 5), score(rival_player, 1, MONDAY + minutes(1))
    review.flag(run_id=run, finding=review.Finding("pace", "Rápido"), at=MONDAY)
    review.flag(run_id=run, finding=review.Finding("shuffle", "Otra baraja"), at=MONDAY)
    decisions.decide(run_id=other, action="annul", reason="x", by=judge, seen=0, at=MONDAY)
    assert rows(desk.get(f"{LIST}csv/")) == [
        {
            "vuelta": run, "jugador": "dolores", "temporada": "Fiestas de Quito 2026", "día": "2026-11-30", "cupo": "1", "ganados": "700", "cuentan": "700",
            "final": "Completa",
 "estado": "Por revisar", "señales": "Muy rápido · Baraja", "segunda mirada": "", "empezó": "2026-11-30T12:00:00-05:00",
            "terminó": "2026-11-30T12:00:00-05:00",
        }
    ]  # fmt: skip
    assert [row["vuelta"] for row in rows(desk.get(f"{LIST}csv/", {"estado": "anuladas"}))] == [other]
    assert f'href="{LIST}csv/?estado=anuladas"' in desk.get(LIST, {"estado": "anuladas", "p": "1"}).text


def test_what_counts_adds_up_to_what_the_ranking_says(desk, judge, player, rival_player):
    runs = [score(player, 3), score(player, 5, MONDAY + minutes(1)), score(rival_player, 2)]
    decide(runs[0], "annul", judge)
    decide(runs[2], "annul", judge)
    lines = rows(desk.get(f"{LIST}csv/", {"estado": "todas"}))
    assert {line["vuelta"]: (line["ganados"], line["cuentan"]) for line in lines} == {
        runs[0]: ("300", "0"), runs[1]: ("700", "700"), runs[2]: ("200", "0")
    }  # fmt: skip
    sums = Counter()
    for line in lines:
        sums[line["jugador"]] += int(line["cuentan"])
    assert dict(sums) == dict(Standing.objects.values_list("player__username", "points")) == {"dolores": 700, "cantuña": 0}


def test_after_the_close_the_trail_goes_on_and_its_days_too(desk, judge, clock, player):
    run, late = score(player, 1), CLOSE + minutes(60 * 24 * 3)  # Wednesday night in Quito
    decide(run, "approve", judge, at=late)
    clock.move_to(late, tick=False)
    assert "?dia=2026-12-09" in desk.get(TRAIL).text and "?dia=2026-12-06" in desk.get(TRAIL).text
    runs = desk.get(LIST).text  # which were begun before it
    assert "?dia=2026-12-06" in runs and "?dia=2026-12-07" not in runs
    assert [row["vuelta"] for row in rows(desk.get(f"{TRAIL}csv/", {"dia": "2026-12-09"}))] == [run]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\u202eabc", '"; DROP', "a\tb"])
def test_nothing_in_it_is_reckoned_by_a_spreadsheet(desk, judge, player, text):
    run = score(player, 1)
    Player.objects.filter(pk=player.pk).update(username=text)
    decisions.decide(run_id=run, action="annul", reason=text, by=judge, seen=0, at=MONDAY)
    for address, columns in ((f"{TRAIL}csv/", ("jugador", "motivo")), (f"{LIST}csv/?estado=todas", ("jugador",))):
        (row,) = rows(desk.get(address))
        for column in columns:
            assert row[column][0] not in "=+-@\t" and "\u202e" not in row[column]


def test_a_long_file_comes_in_pieces_and_a_few_questions(desk, judge, season, monkeypatch):
    monkeypatch.setattr("tournament.desk.lists.AT_A_TIME", 20)
    run = ScoredRun.objects.get(pk=score(crowd(1)[0], 1))
    ScoredRun.objects.bulk_create(
        ScoredRun(
            pk=f"r{n}", season=season, standing_id=run.standing_id, day=f"2027-{n // 28 + 1:02}-{n % 28 + 1:02}", slot=1, runs_a_day=3, chapter_points=100,
            bonus_points=200, started_at=MONDAY, outcome="lost", ended_at=MONDAY, is_waiting=True,
        )
        for n in range(99)
    )  # fmt: skip
    Decision.objects.bulk_create(
        Decision(run=run, number=n, action="approve", by_id=1, by_name="eugenio", at=MONDAY, state_before="waiting", state_after="approved", points_before=100, points_after=100)
        for n in range(1, 101)
    )  # fmt: skip
    with CaptureQueriesContext(connection) as asked:
        assert len(rows(desk.get(f"{LIST}csv/"))) == 100
    assert len(asked) <= 25  # two more for each piece of twenty: awards and flags
    with CaptureQueriesContext(connection) as asked:
        assert len(rows(desk.get(f"{TRAIL}csv/"))) == 100
    assert len(asked) <= 10
