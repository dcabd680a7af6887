"""A final table that was written again says so to everybody: when and why, and never whom."""

import pytest
from django.test import Client
from django.utils.html import strip_tags

from tests.campaign.playing import JSON, PAGE
from tests.support import client_of
from tournament import services

from . import reviewing
from .books import CLOSE, MONDAY, crowd, minutes, score

pytestmark = pytest.mark.django_db
LATER = CLOSE + minutes(60)  #: 7 December, 00:59 in Quito
AGAIN = "La tabla final se volvió a escribir el 7 de diciembre de 2026, {} (hora de Quito): la revisión {}."


def decide(run_id, action, by, at=LATER):
    reviewing.decide(run_id, action, by, "Es de cantuña", at)


def words(browser=None, path="/ranking/"):
    text = (browser or Client()).get(path, headers=PAGE).text
    return " ".join(strip_tags(text.partition("<main")[2].partition("</main>")[0]).split())


@pytest.fixture
def closed(season, clock, rival_player):
    """A season that has closed, with its table written; the run of who won it."""
    run_id = score(rival_player, 5)
    services.close_seasons(at=CLOSE + services.GRACE)
    clock.move_to(LATER + minutes(600))
    return run_id


def test_a_table_that_stands_as_it_was_written_says_nothing(closed, reviewer):
    decide(closed, "approve", reviewer)
    assert "se volvió a escribir" not in words()
    data = Client().get("/ranking/", headers=JSON).json()
    assert (data["amended_at"], data["amendments"]) == (None, [])


def test_whose_points_were_annulled_is_led_to_why_and_nobody_else(closed, player, rival_player, reviewer):
    decide(closed, "annul", reviewer)
    text = client_of(rival_player).get("/ranking/").text
    assert "La revisión anuló lo que sumaste." in text and f'href="/campana/{closed}/#revision"' in text
    assert all("anuló lo que" not in who.get("/ranking/").text for who in (client_of(player), Client()))
    decide(closed, "restore", reviewer)
    assert "anuló lo que" not in client_of(rival_player).get("/ranking/").text


def test_it_says_when_and_why_and_not_whom(closed, season, player, reviewer, rival_player):
    decide(closed, "annul", reviewer)
    for browser in (Client(), client_of(player), client_of(rival_player)):
        for path in ("/ranking/", "/ranking/fiestas-de-quito-2026/"):
            text = words(browser, path)
            assert AGAIN.format("00:59", "anuló una vuelta") in text and "veces" not in text
            assert "Es de" not in text and closed not in text and "mariana" not in text
    answer = Client().get("/ranking/", headers=JSON)
    assert answer.json()["amended_at"] == "2026-12-07T00:59:00-05:00"
    assert answer.json()["amendments"] == [{"at": "2026-12-07T00:59-05:00", "action": "annul", "runs": 1}]
    assert "Es de" not in answer.text and closed not in answer.text


def test_who_had_the_page_kept_reads_it_at_once(closed, reviewer):
    assert "se volvió a escribir" not in words()
    decide(closed, "annul", reviewer)
    assert AGAIN.format("00:59", "anuló una vuelta") in words()
    decide(closed, "restore", reviewer, LATER + minutes(1))
    assert AGAIN.format("01:00", "restituyó una vuelta") in words()


def test_the_last_five_are_listed_and_those_before_counted(closed, reviewer):
    for number in range(7):
        decide(closed, "restore" if number % 2 else "annul", reviewer, LATER + minutes(number))
    text = words()
    assert text.index(AGAIN.format("01:05", "anuló una vuelta")) < text.index("Las veces anteriores")
    assert "El 7 de diciembre de 2026, 01:01 (hora de Quito): la revisión anuló una vuelta." in text and "Y 2 veces más." in text and "00:59" not in text
    assert len(Client().get("/ranking/", headers=JSON).json()["amendments"]) == 5


def test_many_at_once_are_counted(season, clock, reviewer):
    runs = [score(player, 1) for player in crowd(3)]
    services.close_seasons(at=CLOSE + services.GRACE)
    clock.move_to(LATER + minutes(600))
    for run_id in runs:
        decide(run_id, "annul", reviewer)
    assert AGAIN.format("00:59", "anuló 3 vueltas") in words()


def test_what_was_decided_before_the_table_was_written_is_no_change_of_it(season, clock, reviewer, player):
    run_id = score(player, 2)
    decide(run_id, "annul", reviewer, MONDAY + minutes(5))
    assert "se volvió a escribir" not in words()
    services.close_seasons(at=CLOSE + services.GRACE)
    clock.move_to(LATER + minutes(600))
    assert "se volvió a escribir" not in words()
    decide(run_id, "restore", reviewer)
    assert words().count("se volvió a escribir") == 1 and AGAIN.format("00:59", "restituyó una vuelta") in words()
