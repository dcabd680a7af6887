"""Beginning scored runs from everywhere at once, over HTTP: three a day, one under way, and each player gets theirs."""

import itertools
import random

import pytest
import time_machine
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from campaign import services as story
from campaign.models import Match, Run
from cvarenta.accounts.services import delete_player
from tests.support import client_of
from tests.tournament.apart import Apart
from tests.tournament.books import MONDAY, crowd, in_threads, make_season, own_faults, quito
from tournament.audit import audit
from tournament.models import ScoredRun, Standing

from .playing import JSON, at_once

pytestmark = pytest.mark.django_db(transaction=True)
on_postgres = pytest.mark.skipif(connection.vendor != "postgresql", reason="elsewhere one writes at a time")
THREE = [1, 2, 3]


@pytest.fixture(autouse=True)
def monday():
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


@pytest.fixture
def season(transactional_db):
    return make_season()


def start(tab, **fields):
    return tab.post("/campana/", {"kind": "scored"} | fields)


def leave(tab, run_id):
    return tab.post(f"/campana/{run_id}/abandonar/", {})


def assert_three_and_no_more(season, player):
    """In the campaign and in the books, which agree."""
    assert Run.objects.filter(player=player, is_scored=True).count() == 3
    assert sorted(ScoredRun.objects.filter(standing__player=player).values_list("slot", flat=True)) == THREE
    assert Run.objects.filter(player=player).under_way().count() <= 1
    assert [fault for _, _, faults in audit(season) for fault in faults] == []


def test_fifty_starts_and_the_abandons_between_them_are_three_scored_runs(season, player, tab_of):
    tabs, rng, kinds = [tab_of(player) for _ in range(50)], random.Random(1534), []
    for wave in range(4):
        under_way = Run.objects.under_way().first()
        leaving = rng.sample(tabs, 10) if under_way else []
        calls = [lambda tab=tab: leave(tab, under_way.pk) if tab in leaving else start(tab) for tab in tabs]
        answers = at_once(*calls)
        codes = [answer.status_code for answer in answers]
        assert set(codes) <= {200, 201, 409}, (wave, codes)
        assert Run.objects.under_way().count() <= 1
        kinds += [answer.json()["kind"] for answer in answers if answer.status_code == 201]
    assert kinds == (["scored"] * 3 + ["free"])[: len(kinds)]  # a wave may end with nobody having begun after the abandon
    for run in Run.objects.under_way():
        leave(tabs[0], run.pk)
    while Run.objects.filter(is_scored=True).count() < 3:
        leave(tabs[0], start(tabs[0]).json()["run"])
    assert start(tabs[0]).json()["kind"] == "free"
    assert_three_and_no_more(season, player)


def test_a_slot_that_many_tabs_were_offered_is_taken_once(season, player, tab_of, monday):
    """Each names the slot that its page offered: nobody begins in another."""
    tabs = [tab_of(player) for _ in range(10)]
    for number in (*THREE, 4):
        slot = f"fiestas-de-quito-2026:2026-11-30:{number}"
        answers = at_once(*[lambda tab=tab: start(tab, slot=slot) for tab in tabs])
        if number == 4:
            assert {answer.status_code for answer in answers} == {409}
            assert {answer.json()["offer"]["left"] for answer in answers} == {0}
            break
        begun = [answer.json() for answer in answers if answer.status_code == 201]
        assert [answer["kind"] for answer in begun] == ["scored"]
        assert {answer.status_code for answer in answers} <= {200, 201, 409}
        leave(tabs[0], begun[0]["run"])
    assert_three_and_no_more(season, player)
    assert not Run.objects.under_way().exists()


def test_forty_players_at_once_have_theirs(season, visit):
    """Each from a browser of its own, all in the same moment, three times: nobody is locked out."""
    players = crowd(40)
    browsers = []
    for player in players:
        browser = visit()
        browser.cookies["sessionid"] = client_of(player).cookies["sessionid"].value
        browser.get("/practica/", headers=JSON)
        browsers.append(browser)

    def day_of(browser):
        headers = JSON | {"x-csrftoken": browser.cookies["csrftoken"].value}
        kinds = []
        for _ in range(4):
            answer = browser.post("/campana/", {"kind": "scored"}, headers=headers)
            assert answer.status_code == 201, answer.text
            kinds.append(answer.json()["kind"])
            assert browser.post(f"/campana/{answer.json()['run']}/abandonar/", {}, headers=headers).status_code == 200
        return kinds

    assert at_once(*[lambda browser=browser: day_of(browser) for browser in browsers]) == [["scored"] * 3 + ["free"]] * 40
    assert ScoredRun.objects.count() == Run.objects.filter(is_scored=True).count() == 120
    assert set(Standing.objects.values_list("runs", "taken")) == {(3, 3)}
    assert [fault for _, _, faults in audit(season) for fault in faults] == []


def test_over_midnight_each_day_has_three(season, player, tab_of, monday):
    tabs = [tab_of(player) for _ in range(4)]
    for moment in (quito(11, 30, 23, 59, 59), quito(12, 1, 0, 0, 0)):
        monday.move_to(moment, tick=False)
        for _ in range(4):
            answers = at_once(*[lambda tab=tab: start(tab) for tab in tabs])
            assert {answer.status_code for answer in answers} <= {200, 201}
            leave(tabs[0], answers[0].json()["run"])
    days = list(ScoredRun.objects.order_by("day", "slot").values_list("day", "slot"))
    assert [(day.day, slot) for day, slot in days] == [*itertools.product((30,), THREE), *itertools.product((1,), THREE)]
    assert not own_faults(season)


@on_postgres
def test_a_run_that_was_in_the_way_and_has_ended_meanwhile_is_no_error(season, player):
    """Another tab's run kept this one from beginning; before anybody can look at it, it is abandoned."""
    match = story.start_run(player_id=player.pk, at=MONDAY)

    def lose_the_race(execute, sql, params, many, context):
        try:
            return execute(sql, params, many, context)
        except IntegrityError:
            in_threads([lambda: story.abandon_run(run=match.run, at=MONDAY)])
            raise

    with connection.execute_wrapper(lose_the_race), pytest.raises(story.RunUnderWay):
        story.start_run(player_id=player.pk, is_scored=True, at=MONDAY)
    assert Run.objects.count() == Match.objects.count() == 1 and not ScoredRun.objects.exists()


def test_an_account_deleted_while_its_scored_runs_begin_leaves_no_error(season, player, tab_of):
    """Who has a standing already, so that starts and the leaving want the same rows."""
    tabs = [tab_of(player) for _ in range(4)]
    leave(tabs[0], start(tabs[0]).json()["run"])

    def go():
        try:
            delete_player(player=player, at=timezone.now())
        finally:
            connection.close()

    answers = at_once(*[lambda tab=tab: start(tab) for tab in tabs], go)[:-1]
    assert {answer.status_code for answer in answers} <= {200, 201, 401, 409}
    assert not Standing.objects.filter(player__isnull=False).exists() and not Run.objects.under_way().exists()
    assert not own_faults(season)


@on_postgres
def test_a_start_and_the_leaving_of_its_player_take_the_same_rows_in_one_order(season, player):
    """A start has the standing that who leaves wants, and when it ends must find the player, whom who leaves has."""
    story.abandon_run(run=story.start_run(player_id=player.pk, is_scored=True, at=MONDAY).run, at=MONDAY)
    with transaction.atomic():
        story.start_run(player_id=player.pk, is_scored=True, at=MONDAY)
        leaving = Apart(lambda: delete_player(player=player, at=MONDAY)).go()
        assert leaving.waits()
    leaving.result()
    assert not Standing.objects.filter(player__isnull=False).exists() and not Run.objects.under_way().exists()
    assert not own_faults(season)


@on_postgres
def test_a_start_that_comes_while_its_player_leaves_begins_nothing(season, player):
    with transaction.atomic():
        delete_player(player=player, at=MONDAY)
        starting = Apart(lambda: story.start_run(player_id=player.pk, is_scored=True, at=MONDAY)).go()
        assert starting.waits()
    with pytest.raises(IntegrityError):  # which leads to the way in
        starting.result()
    assert not Run.objects.exists() and not Standing.objects.exists()
