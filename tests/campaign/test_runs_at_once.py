"""One player in many tabs and on two devices: never two runs, two matches of a chapter, two wins, or a lost match."""

import pytest
from django.test import Client

from campaign.models import Match, Run

from .endings import LOST, WON, bring_to_its_end, finish
from .playing import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tabs(tab_of, player):
    return [tab_of(player) for _ in range(5)]


def start(tab):
    return tab.post("/campana/", {"kind": "free"})


def test_thirty_starts_at_once_are_one_run_with_one_match(tab_of, player):
    tabs = [tab_of(player) for _ in range(30)]
    answers = at_once(*[lambda tab=tab: start(tab) for tab in tabs])

    assert sorted({answer.status_code for answer in answers}) == [200, 201]
    assert [answer.status_code for answer in answers].count(201) == 1
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert Run.objects.count() == Match.objects.count() == 1


def test_the_next_chapter_is_dealt_once_however_many_ask(tabs):
    finish(tabs[0], start(tabs[0]).json()["id"], WON)
    answers = at_once(*[lambda tab=tab: start(tab) for tab in tabs])
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 200, 201]
    assert len({(answer.json()["id"], answer.json()["chapter"]) for answer in answers}) == 1
    assert Match.objects.count() == 2


def test_a_lost_chapter_is_dealt_again_once(tabs):
    finish(tabs[0], start(tabs[0]).json()["id"], LOST)
    answers = at_once(*[lambda tab=tab: start(tab) for tab in tabs])
    assert [answer.status_code for answer in answers].count(201) == 1
    assert Match.objects.under_way().count() == 1


@pytest.mark.parametrize("winner", [WON, LOST])
def test_the_last_play_from_five_tabs_ends_the_chapter_once(tabs, winner):
    match_id = start(tabs[0]).json()["id"]
    play, ply = bring_to_its_end(match_id, winner)
    answers = at_once(*[lambda tab=tab: tab.play(match_id, play, ply) for tab in tabs])
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409, 409]
    assert Run.objects.get().chapters_won == (winner == WON)


def test_five_chapters_in_two_browsers_at_once_are_five_wins_of_one_run(tabs):
    for chapter in range(1, 6):
        answers = at_once(*[lambda tab=tab: start(tab) for tab in tabs[:2]])
        match_id = answers[0].json()["id"]
        assert {answer.json()["id"] for answer in answers} == {match_id}
        play, ply = bring_to_its_end(match_id, WON)
        codes = [answer.status_code for answer in at_once(*[lambda tab=tab: tab.play(match_id, play, ply) for tab in tabs[:2]])]
        assert sorted(codes) == [200, 409], chapter
    run = Run.objects.get()
    assert (run.outcome, run.matches.filter(winner=0).count(), Match.objects.count()) == ("completed", 5, 5)


def test_abandoning_and_winning_at_once_agree(tabs):
    """Whoever is first: either the chapter is won and then the run left, or it is left and nothing was won."""
    outcomes = set()
    for _ in range(12):
        answer = start(tabs[0]).json()
        play, ply = bring_to_its_end(answer["id"], WON)
        left, played = at_once(
            lambda answer=answer: tabs[1].post(f"/campana/{answer['run']}/abandonar/", {}),
            lambda answer=answer, play=play, ply=ply: tabs[2].play(answer["id"], play, ply),
        )
        assert left.status_code == 200 and played.status_code in (200, 409)
        run, match = Run.objects.get(pk=answer["run"]), Match.objects.get(pk=answer["id"])
        was_won = played.status_code == 200
        assert run.outcome == "abandoned"
        assert (run.chapters_won, match.winner, match.is_abandoned) == ((1, 0, False) if was_won else (0, None, True))
        outcomes.add(was_won)


def test_abandons_and_starts_at_once_never_leave_two_runs_under_way(tabs):
    for _ in range(8):
        run = start(tabs[0]).json()["run"]
        calls = [lambda tab=tab: start(tab) for tab in tabs[:3]] + [lambda tab=tab, run=run: tab.post(f"/campana/{run}/abandonar/", {}) for tab in tabs[3:]]
        codes = [answer.status_code for answer in at_once(*calls)]
        assert set(codes) <= {200, 201, 409}, codes
        assert codes[3:].count(200) == 1
        assert Run.objects.under_way().count() <= 1
    for run in Run.objects.ended():
        assert not run.matches.under_way().exists()


def test_two_players_at_once_do_not_wait_for_each_other_in_vain(tab_of, player, rival_player):
    mine, theirs = tab_of(player), tab_of(rival_player)
    answers = at_once(lambda: start(mine), lambda: start(theirs))
    assert [answer.status_code for answer in answers] == [201, 201]
    assert {run.player_id for run in Run.objects.all()} == {player.pk, rival_player.pk}


def test_an_account_deleted_while_its_runs_begin_leaves_no_error(tabs, player):
    from django.utils import timezone

    from cvarenta.accounts.services import delete_player

    def leave():
        from django.db import connection

        try:
            delete_player(player=player, at=timezone.now())
        finally:
            connection.close()

    answers = at_once(*[lambda tab=tab: start(tab) for tab in tabs], leave)[:-1]
    assert {answer.status_code for answer in answers} <= {200, 201, 401, 409}
    assert Run.objects.under_way().count() == 0 or Run.objects.under_way().get().player_id is None
    assert not Match.objects.exists()
    assert Client().get("/").status_code == 200
