"""What a scored run does differently, with the tournament's books watched: a loss ends it, and each step is told once."""

from datetime import date

import pytest

from campaign.chapters import FAREWELLS
from campaign.models import Match, Run
from tournament import review
from tournament import services as tournament

from .endings import LOST, WON, finish
from .playing import JSON, PAGE

pytestmark = pytest.mark.django_db


@pytest.fixture
def books(monkeypatch):
    """A tournament that gives a slot to every run, and what it is told."""
    told = []
    monkeypatch.setattr(tournament, "open_slot", lambda **facts: told.append(("open", facts)) or tournament.Slot("fiestas", date(2026, 12, 1), 1, attempts=1))
    monkeypatch.setattr(tournament, "award", lambda **facts: told.append(("award", facts["chapter"])))
    monkeypatch.setattr(tournament, "close_run", lambda **facts: told.append(("close", facts["outcome"])))
    monkeypatch.setattr(review, "trace", lambda **facts: None)  # there is no row that it could be of
    return told


def test_the_slot_is_asked_for_once_with_the_player_and_the_moment(member, player, books):
    answer = member.go_on("scored")
    member.go_on("scored")
    (_, facts), run = books[0], Run.objects.get()
    assert facts == {"player_id": player.pk, "run_id": run.pk, "at": run.started_at}
    assert len(books) == 1 and answer["kind"] == "scored" and run.is_scored and run.attempts == 1


def test_a_free_run_takes_no_slot(member, books):
    assert member.go_on("free")["kind"] == "free"
    assert books == [] and not Run.objects.get().is_scored


def test_the_page_says_that_a_loss_has_ended_it(member, books):
    answer = member.go_on("scored")
    finish(member, answer["id"], LOST)
    path = f"/campana/{answer['run']}/1/"
    assert member.browser.get(f"/mesa/{answer['id']}/", headers=PAGE)["Location"] == path
    text = member.browser.get(path, headers=PAGE).text
    assert FAREWELLS["lost"] in text and "termina con el primer capítulo perdido" in text
    assert "Otra vez contra" not in text and f"/partida/{answer['id']}/" in text


def test_a_loss_ends_it(member, books):
    answer = member.go_on("scored")
    finish(member, answer["id"], LOST)
    run = Run.objects.get()
    assert (run.outcome, books[1:]) == ("lost", [("close", "lost")])
    assert member.browser.get("/campana/", headers=JSON).json()["run"] is None
    refused = member.post("/campana/", {"run": run.pk, "chapter": 1})
    assert refused.status_code == 409 and Match.objects.count() == 1


def test_each_chapter_is_awarded_once_and_the_end_told_once(member, books):
    for _ in range(5):
        answer = member.go_on("scored")
        finish(member, answer["id"], WON)
        assert member.play(answer["id"], "5Dx5C", 0).status_code == 409
    assert books[1:] == [("award", n) for n in range(1, 6)] + [("close", "completed")]


def test_if_the_books_cannot_be_written_the_play_is_not_either(member, books, monkeypatch):
    """Award and winning play are one transaction."""
    answer = member.go_on("scored")

    def fail(**facts):
        raise RuntimeError("the books are closed")

    monkeypatch.setattr(tournament, "award", fail)
    with pytest.raises(RuntimeError):
        finish(member, answer["id"], WON)
    match, run = Match.objects.get(), Run.objects.get()
    assert (match.winner, match.finished_at, run.chapters_won) == (None, None, 0)
    monkeypatch.setattr(tournament, "award", lambda **facts: None)
    finish(member, answer["id"], WON)
    assert Run.objects.get().chapters_won == 1


def test_if_the_slot_cannot_be_written_no_run_begins(member, monkeypatch):
    def fail(**facts):
        raise RuntimeError("the books are closed")

    monkeypatch.setattr(tournament, "open_slot", fail)
    with pytest.raises(RuntimeError):
        member.go_on("scored")
    assert Run.objects.count() == Match.objects.count() == 0


def test_abandoning_says_that_the_slot_is_spent_and_closes_the_run(member, books):
    run = member.go_on("scored")["run"]
    assert "su cupo de hoy ya está gastado" in member.browser.get(f"/campana/{run}/abandonar/", headers=PAGE).text
    member.post(f"/campana/{run}/abandonar/", {})
    assert books[1:] == [("close", "abandoned")]
