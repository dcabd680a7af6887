"""Beginning a scored run: the day's slots 1, 2 and 3, by the season's clock, and never a fourth however many ask at once."""

import pytest
from django.db import IntegrityError, transaction

from campaign.models import new_id
from tests.support import make_player
from tournament import services
from tournament.models import ScoredRun, Season, Standing

from .books import CLOSE, MONDAY, begin, crowd, in_threads, make_season, minutes, own_faults, quito, score, seconds

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]
MICROSECOND = seconds(0.000001)


def start(player, at=MONDAY):
    """The slot that a run begun now takes, or None."""
    return services.open_slot(player_id=player.pk, run_id=new_id(), at=at)


def numbers(player, *moments):
    """The slots taken one after the other, None where there was none."""
    return [slot and slot.number for slot in (start(player, at) for at in moments)]


def test_a_day_has_slots_one_two_and_three_and_no_fourth(season, player):
    assert numbers(player, *[MONDAY] * 5) == [1, 2, 3, None, None]
    assert list(ScoredRun.objects.order_by("slot").values_list("slot", flat=True)) == [1, 2, 3]
    assert Standing.objects.get().runs == 3 and not own_faults(season)


def test_a_slot_says_what_was_taken(season, player):
    slot, run = start(player), ScoredRun.objects.get()
    assert slot == ("fiestas-de-quito-2026", MONDAY.date(), 1, season.attempts)
    assert slot.name == "fiestas-de-quito-2026:2026-11-30:1"
    assert (run.season, run.standing.player, run.day, run.slot, run.started_at) == (season, player, slot.day, 1, MONDAY)
    assert (run.runs_a_day, run.chapter_points, run.bonus_points, run.outcome, run.ended_at) == (3, 100, 200, "", None)


def test_what_was_offered_is_what_is_taken_and_nobody_elses(season, player, rival_player):
    for _ in range(3):
        offered = services.offer(player_id=player.pk, at=MONDAY)
        assert start(player) == offered.slot
    assert services.offer(player_id=player.pk, at=MONDAY).slot is None
    assert services.offer(player_id=rival_player.pk, at=MONDAY).left == 3
    assert numbers(rival_player, *[MONDAY] * 4) == [1, 2, 3, None]


@pytest.mark.parametrize("outcome", ["abandoned", "lost", "completed"])
def test_a_run_that_has_ended_keeps_its_slot(season, player, outcome):
    for number in (1, 2, 3):
        run_id = begin(player)
        services.close_run(run_id=run_id, outcome=outcome, at=MONDAY + minutes(number))
    assert start(player, MONDAY + minutes(9)) is None
    assert ScoredRun.objects.filter(outcome=outcome).count() == 3


def test_the_next_day_has_three_again(season, player):
    days = [quito(11, 30), quito(12, 1), quito(12, 1, 23, 59, 59), quito(12, 2)]
    assert [numbers(player, *[day] * 4) for day in days[:2]] == [[1, 2, 3, None]] * 2
    assert numbers(player, *days[2:]) == [None, 1]


def test_midnight_of_greenwich_is_no_midnight_of_quito(season, player):
    assert numbers(player, quito(11, 30, 18, 59), quito(11, 30, 19, 1)) == [1, 2]
    assert {run.day for run in ScoredRun.objects.all()} == {MONDAY.date()}


def test_a_day_ends_at_midnight_of_quito(season, player):
    late, early = quito(11, 30, 23, 59) + seconds(30), quito(12, 1, 0, 0) + seconds(30)
    assert [start(player, late).day.day, start(player, early).day.day] == [30, 1]
    assert numbers(player, quito(12, 1) - seconds(12 * 3600) - MICROSECOND, quito(12, 1, 0)) == [2, 2]


def test_a_season_elsewhere_has_the_days_of_there(season, player):
    make_season(time_zone="Asia/Tokyo")
    tokyo_midnight = quito(11, 30, 10)  # fourteen hours ahead
    assert numbers(player, tokyo_midnight - MICROSECOND, tokyo_midnight, tokyo_midnight + minutes(60 * 23)) == [1, 1, 2]
    assert [str(run.day) for run in ScoredRun.objects.order_by("started_at")] == ["2026-11-30", "2026-12-01", "2026-12-01"]
    assert services.offer(player_id=player.pk, at=tokyo_midnight).next_day_at == quito(12, 1, 10)


@pytest.mark.parametrize("zone", ["UTC", "Europe/Madrid", "Asia/Tokyo", "Pacific/Kiritimati"])
def test_the_servers_zone_changes_nothing(season, player, settings, zone):
    settings.TIME_ZONE = zone
    assert numbers(player, quito(11, 30, 18, 59), quito(11, 30, 19, 1), quito(11, 30, 23, 59, 30), quito(12, 1, 0, 0, 30)) == [1, 2, 3, 1]
    assert [str(run.day) for run in ScoredRun.objects.order_by("started_at")] == ["2026-11-30"] * 3 + ["2026-12-01"]
    assert not own_faults(season)


def test_without_a_season_there_is_no_slot(season, player):
    Season.objects.all().delete()
    assert start(player) is None and services.offer(player_id=player.pk, at=MONDAY) is None
    assert not Standing.objects.exists()


def test_a_season_opens_at_its_very_moment(season, player):
    make_season(opens_at=MONDAY)
    assert numbers(player, MONDAY - seconds(1), MONDAY - MICROSECOND) == [None, None]
    assert not Standing.objects.exists()
    assert numbers(player, MONDAY) == [1]


def test_one_second_before_the_close_a_run_still_scores_and_at_the_close_not(season, player):
    assert numbers(player, CLOSE - seconds(1), CLOSE - MICROSECOND) == [1, 2]
    assert numbers(player, CLOSE, CLOSE + MICROSECOND, CLOSE + minutes(60 * 24)) == [None] * 3
    assert services.offer(player_id=player.pk, at=CLOSE) is None and ScoredRun.objects.count() == 2


def test_a_server_whose_clock_is_behind_finds_the_slots_of_its_own_day(season, player):
    """Two servers disagree about midnight by some seconds: a run of the day before comes after one of the new day."""
    before, after = quito(11, 30, 23, 59, 58), quito(12, 1, 0, 0, 2)
    assert numbers(player, before, after, before, before, before) == [1, 1, 2, 3, None]
    assert numbers(player, after, after, after, before) == [2, 3, None, None]
    standing = Standing.objects.get()
    assert (standing.runs, str(standing.day), standing.taken) == (6, "2026-12-01", 3)
    assert not own_faults(season)


def test_a_day_nobody_played_may_be_come_back_to(season, player):
    assert numbers(player, quito(12, 1), quito(11, 30), quito(12, 1)) == [1, 1, 2]
    assert not own_faults(season)


def test_two_seasons_keep_their_slots_apart(season, player):
    later = Season.objects.create(name="Carnaval", slug="carnaval", opens_at=CLOSE, closes_at=CLOSE + minutes(60 * 24 * 90))
    assert numbers(player, *[CLOSE - seconds(1)] * 4, *[CLOSE] * 4) == [1, 2, 3, None] * 2  # one day, two seasons
    assert {run.season for run in ScoredRun.objects.filter(started_at=CLOSE)} == {later}
    assert not own_faults(season) and not own_faults(later)


def test_a_season_that_gives_more_or_fewer_is_asked_at_the_moment(season, player):
    assert numbers(player, *[MONDAY] * 4) == [1, 2, 3, None]
    Season.objects.update(runs_a_day=4)
    assert numbers(player, MONDAY, MONDAY) == [4, None]
    Season.objects.update(runs_a_day=1)
    assert numbers(player, MONDAY, quito(12, 1), quito(12, 1)) == [None, 1, None]
    assert services.offer(player_id=player.pk, at=MONDAY).left == 0 and not own_faults(season)


def row(standing, slot):
    return ScoredRun(run_id=new_id(), season_id=standing.season_id, standing=standing, day=MONDAY.date(), slot=slot,
                     runs_a_day=3, chapter_points=100, bonus_points=200, started_at=MONDAY)  # fmt: skip


@pytest.mark.parametrize("slot", [0, 1, 2, 4])
def test_the_database_alone_refuses_a_fourth_row_and_a_slot_twice(season, player, slot):
    begin(player), begin(player)
    standing = Standing.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        row(standing, slot).save(force_insert=True)
    row(standing, 3).save(force_insert=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        row(standing, 3).save(force_insert=True)


def test_a_start_that_comes_to_nothing_leaves_the_slot(season, player):
    class Elsewhere(Exception):
        pass

    with pytest.raises(Elsewhere), transaction.atomic():
        start(player)
        raise Elsewhere
    assert not Standing.objects.exists() and numbers(player, *[MONDAY] * 4) == [1, 2, 3, None]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("has_played", [False, True], ids=["the first day", "later"])
def test_fifty_at_once_by_one_player_are_exactly_three(season, player, has_played):
    if has_played:
        score(player, 2, quito(11, 29))
    slots = in_threads([lambda: start(player)] * 50)
    assert sorted(slot.number for slot in slots if slot) == [1, 2, 3]
    assert ScoredRun.objects.filter(day=MONDAY.date()).count() == 3
    assert Standing.objects.get().runs == 3 + has_played and not own_faults(season)


@pytest.mark.django_db(transaction=True)
def test_at_midnight_the_two_days_have_three_each(season, player):
    """Half of those who ask at once say it is today, the other half tomorrow."""
    today, tomorrow = quito(11, 30, 23, 59, 59), quito(12, 1, 0)
    slots = in_threads([lambda at=at: start(player, at) for at in (today, tomorrow) * 10])
    assert sorted((slot.day.day, slot.number) for slot in slots if slot) == [(1, 1), (1, 2), (1, 3), (30, 1), (30, 2), (30, 3)]
    assert not own_faults(season)


@pytest.mark.django_db(transaction=True)
def test_a_crowd_at_once_has_three_each(season, store):
    """Everybody asks four times at about the same moment, from four of twelve servers."""
    players = crowd(200 if store == "postgres" else 60)
    groups = [players[n::3] for n in range(3)]
    answers = in_threads([lambda group=group: [start(player) for player in group] for group in groups for _ in range(4)])
    for group in range(3):
        for asked in zip(*answers[4 * group : 4 * group + 4], strict=True):
            assert sorted(slot.number for slot in asked if slot) == [1, 2, 3]
    assert ScoredRun.objects.count() == 3 * len(players) and not own_faults(season)


def test_nobody_without_an_account_has_a_slot(season):
    assert services.offer(player_id=None, at=MONDAY).left == 3
    player = make_player("dolores")
    services.leave(player_id=player.pk, at=MONDAY)
    assert not Standing.objects.exists()
