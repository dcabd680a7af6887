"""The close: from that instant nothing counts, and the table as it stood is written down once, whoever does it and whenever."""

import random

import pytest
import time_machine
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from cvarenta.accounts.services import delete_player, rename_player
from tests.campaign.playing import JSON
from tournament import ranking, services, tasks
from tournament.models import Final, Season, Standing
from tournament.services import GRACE

from .apart import Apart
from .books import CLOSE, MONDAY, begin, crowd, in_threads, make_season, minutes, own_faults, score, seconds, win

pytestmark = pytest.mark.django_db
DUE = CLOSE + GRACE
on_postgres = pytest.mark.skipif(connection.vendor != "postgresql", reason="elsewhere one writes at a time")


@pytest.fixture
def field(season):
    """Thirty players who won some, many of them the same at the same moment but for five; two who won nothing."""
    rng, players = random.Random(1534), crowd(32)
    for player in players[:25]:
        score(player, rng.choice([1, 1, 2, 5]), MONDAY + minutes(rng.choice([1, 1, 1, 2, 60])))
    for n, player in enumerate(players[25:30]):
        score(player, n + 1, MONDAY + minutes(100 + n))
    begin(players[30])
    return players


def live(season, at=CLOSE):
    season.refresh_from_db()
    return list(ranking.walk(season))


def close(at=DUE):
    return services.close_seasons(at=at)


def test_the_final_table_is_the_table_as_it_stood(season, field):
    before = live(season)
    assert len(before) == 30 and close() == 1
    assert live(season) == before and Final.objects.count() == 30
    assert [ranking.line_of(season, player.pk) for player in field[30:]] == [None, None]
    for line in before[::5]:
        player = next(player for player in field if player.username == line.player)
        assert ranking.line_of(season, player.pk) == line
        assert ranking.page_at(season, line.place, at=DUE).lines[0] == line
    assert season.final_at == DUE and not own_faults(season)


def test_it_is_not_written_before_the_last_request_has_ended(season, field):
    for at in (MONDAY, CLOSE - seconds(1), CLOSE, CLOSE + GRACE - seconds(0.000001)):
        assert close(at) == 0 and not services.close_season(season_id=season.pk, at=at)
    assert not Final.objects.exists() and not ranking.is_final(season)
    assert close(CLOSE + GRACE) == 1


@pytest.mark.parametrize("late", [minutes(5), minutes(60 * 24 * 400)], ids=["minutes", "a year"])
def test_late_is_as_good(season, field, late):
    before = live(season)
    close(CLOSE + late)
    assert live(season) == before and season.final_at == CLOSE + late and not own_faults(season)


def test_it_is_written_once_however_often_it_is_done(season, field):
    assert [close(DUE + minutes(n)) for n in range(3)] == [1, 0, 0]
    written = list(Final.objects.order_by("place").values())
    tasks.close_seasons()
    call_command("close_seasons")
    assert not services.close_season(season_id=season.pk, at=DUE + minutes(9))
    season.refresh_from_db()
    assert season.final_at == DUE and list(Final.objects.order_by("place").values()) == written


def test_the_command_says_how_many_it_wrote(season, field, capsys):
    Season.objects.update(closes_at=MONDAY - minutes(60 * 24 * 365))
    for said in ("1 final tables written.\n", "0 final tables written.\n"):
        call_command("close_seasons")
        assert capsys.readouterr().out == said


def test_a_season_that_nobody_scored_in_closes_too(season):
    assert close() == 1 and live(season) == [] and ranking.total(season) == 0 and not own_faults(season)


def test_each_season_has_its_own(season, field):
    before = live(season)
    open_one = Season.objects.create(name="Carnaval", slug="carnaval", opens_at=CLOSE, closes_at=CLOSE + minutes(60 * 24 * 60))
    score(field[0], 5, CLOSE)
    assert close() == 1 and live(season) == before
    assert [line.points for line in live(open_one, DUE)] == [700] and not open_one.final.exists()
    assert not own_faults(season) and not own_faults(open_one)


def test_nothing_is_awarded_once_it_is_written(store, season, field):
    """Not even by a server whose clock stands still."""
    run_id = begin(field[31], CLOSE - minutes(1))
    close()
    services.award(run_id=run_id, chapter=1, at=CLOSE - seconds(1))
    services.close_run(run_id=run_id, outcome="completed", at=CLOSE - seconds(1))
    assert Standing.objects.get(player=field[31]).points == 0 and not own_faults(season)


def test_the_database_keeps_a_place_and_a_standing_once(season, field):
    close()
    first, second = Final.objects.order_by("place")[:2]
    for fields in ({"place": first.place, "standing": Standing.objects.filter(points=0).first()}, {"place": 99, "standing": second.standing}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Final.objects.create(season=season, points=1, runs=1, reached_at=MONDAY, **fields)


# Who leaves


def leave(player, at):
    delete_player(player=player, at=at)


def place_of(player, lines):
    return next(line.place for line in lines if line.player == player.username)


def without_name(lines, *places):
    return [line._replace(player=None) if line.place in places else line for line in lines]


def test_an_account_deleted_after_the_close_keeps_its_line_without_a_name(season, field):
    before = live(season)
    place = place_of(field[4], before)
    close()
    leave(field[4], DUE + minutes(60))
    assert live(season) == without_name(before, place) and not own_faults(season)


@pytest.mark.parametrize("late", [seconds(0), seconds(1), GRACE - seconds(1), GRACE, minutes(60 * 24)], ids=str)
def test_one_deleted_after_the_close_and_before_it_was_written_too(season, field, late):
    before, leaving = live(season), field[25:30:2]
    places = [place_of(player, before) for player in leaving]
    for player in leaving:
        leave(player, CLOSE + late)
    close(CLOSE + late + GRACE)
    assert live(season) == without_name(before, *places) and not own_faults(season)


def test_among_those_of_one_moment_one_without_a_name_comes_last(season, field):
    """Whose name is gone cannot be put in its place among them; all others keep theirs."""
    before = live(season)
    tied = [player for player in field[:25] if ranking.line_of(season, player.pk)[2:] == before[0][2:]]
    assert len(tied) > 1
    leave(tied[0], CLOSE)
    close()
    after = live(season)
    assert after[len(tied) - 1].player is None and after[len(tied) :] == before[len(tied) :] and not own_faults(season)


def test_one_deleted_before_the_close_has_no_line_and_the_others_move_up(season, field):
    before = live(season)
    place = place_of(field[4], before)
    leave(field[4], CLOSE - seconds(1))
    expected = [line._replace(place=place) for place, line in enumerate(before[: place - 1] + before[place:], 1)]
    assert live(season) == expected
    close()
    assert live(season) == expected and not own_faults(season)


def test_who_changes_their_name_afterwards_keeps_the_place(season, field):
    before = live(season)
    place = place_of(field[4], before)
    close()
    rename_player(player=field[4], name="aaa", at=DUE)
    assert live(season) == [line._replace(player="aaa") if line.place == place else line for line in before]


# At the same moment


@pytest.mark.django_db(transaction=True)
def test_six_at_once_write_it_once(season, field):
    before = live(season)
    assert sorted(in_threads([lambda: close()] * 6)) == [0, 0, 0, 0, 0, 1]
    assert live(season) == before and not own_faults(season)


@on_postgres
@pytest.mark.django_db(transaction=True)
def test_an_award_under_way_is_waited_for_and_is_in_the_table(season, player, rival_player):
    score(rival_player, 1)
    run_id = begin(player)
    with transaction.atomic():
        win(run_id, 5, CLOSE - seconds(0.001))
        closing = Apart(lambda: close()).go()
        assert closing.waits()
        assert not Final.objects.exists()
    assert closing.result() == 1
    assert [(line.player, line.points) for line in live(season)] == [("dolores", 700), ("cantuña", 100)] and not own_faults(season)


@on_postgres
@pytest.mark.django_db(transaction=True)
def test_one_that_comes_to_nothing_is_not(season, player, rival_player):
    score(rival_player, 1)
    run_id = begin(player)
    with transaction.atomic():
        win(run_id, 5, CLOSE - seconds(0.001))
        closing = Apart(lambda: close()).go()
        assert closing.waits()
        transaction.set_rollback(True)
    assert closing.result() == 1
    assert [line.player for line in live(season)] == ["cantuña"] and not own_faults(season)


@on_postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_prepared", [False, True], ids=["a fresh connection", "one that has awarded"])
def test_one_that_comes_while_it_is_written_waits_and_is_refused(season, player, rival_player, is_prepared):
    """What it must look at is the season after it has waited, not as it was when it began to."""
    run_id, other, at = begin(player), begin(rival_player), CLOSE - seconds(0.001)
    awarding = Apart(lambda: services.award(run_id=run_id, chapter=1, at=at), lambda: is_prepared and win(other, 1))
    with transaction.atomic():
        assert close() == 1
        assert awarding.go().waits()
    awarding.result()
    assert [line.player for line in live(season)] == ["cantuña"] * is_prepared
    assert Standing.objects.get(player=player).points == 0 and not own_faults(season)


@on_postgres
@pytest.mark.django_db(transaction=True)
def test_who_leaves_while_it_is_written_stays_in_it(season, player, rival_player):
    score(player, 2), score(rival_player, 1)
    with transaction.atomic():
        assert close() == 1
        leaving = Apart(lambda: leave(player, DUE)).go()
        assert leaving.waits()
    leaving.result()
    assert [(line.place, line.player) for line in live(season)] == [(1, None), (2, "cantuña")] and not own_faults(season)


@on_postgres
@pytest.mark.django_db(transaction=True)
def test_starts_do_not_wait_for_it_nor_it_for_them(season, player, rival_player):
    """A run begun in a transaction that is still open, and one begun while the table is written, in another season."""
    score(player, 1)
    Season.objects.create(name="Carnaval", slug="carnaval", opens_at=CLOSE, closes_at=CLOSE + minutes(60 * 24 * 60))
    with transaction.atomic():
        begin(rival_player, DUE)
        assert Apart(lambda: close()).go().result() == 1
    with transaction.atomic():
        Season.objects.filter(slug="fiestas-de-quito-2026").update(final_at=None)
        Final.objects.all().delete()
        assert close() == 1
        assert Apart(lambda: begin(rival_player, DUE)).go().result()


# On the pages


def test_one_closed_long_ago_is_shown_at_its_address_while_another_is_open(season, field, client):
    before = live(season)
    close()
    a_year = minutes(60 * 24 * 365)
    Season.objects.update(opens_at=None, closes_at=MONDAY - a_year)
    later = Season.objects.create(name="Fiestas de Quito 2027", slug="fiestas-de-quito-2027", opens_at=MONDAY, closes_at=CLOSE + a_year)
    with time_machine.travel(CLOSE, tick=False):
        answer = client.get("/ranking/fiestas-de-quito-2026/", headers=JSON).json()
        assert [(line["place"], line["player"], line["points"]) for line in answer["standings"]] == [line[:3] for line in before]
        assert (answer["final"], answer["total"], answer["slug"]) == (True, 30, "fiestas-de-quito-2026")
        answer = client.get(f"/ranking/{later.slug}/", headers=JSON).json()
        assert (answer["final"], answer["total"], answer["standings"]) == (False, 0, [])
        assert client.get("/ranking/", headers=JSON).json()["slug"] == later.slug
        assert client.get("/ranking/fiestas-de-quito-1534/", headers=JSON).status_code == 404


def test_that_one_is_closed_is_a_comparison_with_the_clock_and_needs_no_task(season, player, client):
    make_season(closes_at=MONDAY - minutes(60 * 24 * 365))
    begin(player, MONDAY - minutes(60 * 24 * 366))
    win(Standing.objects.get().scored_runs.get().pk, 2, MONDAY - minutes(60 * 24 * 366))
    answer = client.get("/ranking/", headers=JSON).json()
    assert answer["final"] is True and [line["player"] for line in answer["standings"]] == ["dolores"]
