"""Being paid: each chapter once, all five once more, by the terms the run was begun under, and not from the close on."""

import random

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Max, Sum

from campaign.models import new_id
from tournament import ranking, review, services
from tournament.models import Award, Flag, ScoredRun, Season, Standing

from .books import CLOSE, LAST, MONDAY, begin, crowd, in_threads, minutes, own_faults, quito, score, seconds, win

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]
MICROSECOND = seconds(0.000001)


def paid(run_id):
    """What a run was paid for which chapters, None for all five."""
    return list(Award.objects.filter(run_id=run_id).order_by("pk").values_list("chapter", "points"))


def checked(run_id, at):
    """What checking a run finds in the books themselves: runs made here were not played, which is told too."""
    return [found.about for found in review.check_run(run_id=run_id, at=at) if found.kind == "books"]


def standing_of(player):
    return Standing.objects.get(player=player)


def test_a_chapter_pays_a_hundred_and_all_five_two_hundred_more(season, player):
    run_id = begin(player)
    for chapter in range(1, LAST + 1):
        services.award(run_id=run_id, chapter=chapter, at=MONDAY + minutes(chapter))
    services.close_run(run_id=run_id, outcome="completed", at=MONDAY + minutes(LAST))
    assert paid(run_id) == [(1, 100), (2, 100), (3, 100), (4, 100), (5, 100), (None, 200)]
    standing = standing_of(player)
    assert (standing.points, standing.reached_at, standing.runs) == (700, MONDAY + minutes(LAST), 1)
    assert not own_faults(season)


def test_whatever_is_told_twice_is_paid_once(season, player):
    run_id = begin(player)
    for _ in range(3):
        for chapter in range(1, LAST + 1):
            services.award(run_id=run_id, chapter=chapter, at=MONDAY)
            services.award(run_id=run_id, chapter=chapter, at=MONDAY + minutes(9))
    for at in (MONDAY, MONDAY, MONDAY + minutes(9)):
        services.close_run(run_id=run_id, outcome="completed", at=at)
    standing, run = standing_of(player), ScoredRun.objects.get()
    assert (standing.points, standing.reached_at, len(paid(run_id))) == (700, MONDAY, 6)
    assert (run.outcome, run.ended_at) == ("completed", MONDAY) and not own_faults(season)


@pytest.mark.parametrize("outcome", ["lost", "abandoned"])
def test_only_a_completed_run_has_the_bonus(season, player, outcome):
    run_id = begin(player)
    win(run_id, 4)
    services.close_run(run_id=run_id, outcome=outcome, at=MONDAY)
    services.close_run(run_id=run_id, outcome="completed", at=MONDAY)  # it has ended, and otherwise
    run = ScoredRun.objects.get()
    assert (run.outcome, standing_of(player).points) == (outcome, 400) and not own_faults(season)


def test_an_end_that_is_told_again_says_nothing_new(season, player, django_capture_on_commit_callbacks):
    run_id = begin(player)
    services.close_run(run_id=run_id, outcome="lost", at=MONDAY)
    with django_capture_on_commit_callbacks() as sent:
        services.close_run(run_id=run_id, outcome="abandoned", at=MONDAY + minutes(1))
    assert (ScoredRun.objects.get().outcome, ScoredRun.objects.get().ended_at, sent) == ("lost", MONDAY, [])


def test_a_run_is_paid_by_the_terms_it_was_begun_under(season, player, rival_player):
    run_id = begin(player)
    Season.objects.update(chapter_points=150, bonus_points=500, runs_a_day=2)
    win(run_id, LAST)
    later = score(rival_player, LAST)
    assert sum(points for _, points in paid(run_id)) == 700
    assert paid(later) == [(1, 150), (2, 150), (3, 150), (4, 150), (5, 150), (None, 500)]
    assert [line.points for line in ranking.walk(season)] == [1250, 700] and not own_faults(season)


def test_one_second_before_the_close_counts_and_at_the_close_not(season, player):
    run_id = begin(player)
    for chapter, at in enumerate([CLOSE - seconds(1), CLOSE - MICROSECOND, CLOSE, CLOSE + MICROSECOND, CLOSE + minutes(1)], 1):
        services.award(run_id=run_id, chapter=chapter, at=at)
    assert paid(run_id) == [(1, 100), (2, 100)]
    services.award(run_id=run_id, chapter=3, at=CLOSE)  # nor if it is told once more
    standing = standing_of(player)
    assert (standing.points, standing.reached_at) == (200, CLOSE - MICROSECOND) and not own_faults(season)


@pytest.mark.parametrize(("at", "points"), [(CLOSE - seconds(1), 700), (CLOSE - MICROSECOND, 700), (CLOSE, 400), (CLOSE + seconds(1), 400)])
def test_the_bonus_too_is_paid_before_the_close_only(season, player, at, points):
    run_id = begin(player)
    win(run_id, 4, CLOSE - minutes(1))
    win(run_id, 1, at, first=LAST)
    run = ScoredRun.objects.get()
    assert (standing_of(player).points, run.outcome, run.ended_at) == (points, "completed", at)
    assert not own_faults(season) and checked(run_id, at) == []


def test_the_close_counts_where_the_season_has_it_now(season, player):
    """Unlike what a run pays, the close is no term of the run."""
    run_id = begin(player)
    Season.objects.update(closes_at=MONDAY + minutes(5))
    win(run_id, 1, MONDAY + minutes(5))
    assert paid(run_id) == []
    win(run_id, 1, MONDAY + minutes(5) - MICROSECOND)
    assert paid(run_id) == [(1, 100)]


def test_a_run_total_is_one_of_six(season):
    """Whatever is won, whenever, and however often it is told."""
    rng, seen = random.Random(1534), set()
    for player in crowd(60):
        run_id, at = begin(player, CLOSE - minutes(12)), CLOSE - minutes(12)
        won = rng.randrange(LAST + 1)
        for chapter in range(1, won + 1):
            at += minutes(rng.choice([1, 2, 3, 5]))
            for _ in range(rng.choice([1, 2])):
                services.award(run_id=run_id, chapter=chapter, at=at)
        outcome = "completed" if won == LAST else rng.choice(["lost", "abandoned", ""])
        if outcome:
            services.close_run(run_id=run_id, outcome=outcome, at=at)
        seen.add(sum(points for _, points in paid(run_id)))
        assert standing_of(player).points == sum(points for _, points in paid(run_id))
    assert seen == {0, 100, 200, 300, 400, 700} and not own_faults(season)


def test_a_standing_is_the_sum_of_its_awards_and_as_old_as_the_last(season):
    rng, players = random.Random(40), crowd(12)
    for day in range(3):
        for player in players:
            for _ in range(rng.randrange(4)):
                win(begin(player, quito(12, 1 + day)), rng.randrange(6), quito(12, 1 + day, 13 + rng.randrange(9)), outcome="lost")
    for standing in Standing.objects.annotate(sum=Sum("scored_runs__awards__points", default=0), last=Max("scored_runs__awards__at")):
        assert (standing.points, standing.reached_at) == (standing.sum, standing.last)
        assert standing.runs == standing.scored_runs.count()
    assert not own_faults(season)


def test_points_that_arrive_late_do_not_set_the_clock_back(season, player):
    """Two servers disagree by a second: what was reached is reached with the latest."""
    run_id = begin(player)
    win(run_id, 1, MONDAY + minutes(5))
    win(run_id, 1, MONDAY + minutes(4), first=2)
    standing = standing_of(player)
    assert (standing.points, standing.reached_at) == (200, MONDAY + minutes(5)) and not own_faults(season)


def test_who_reached_the_same_first_comes_first(season, player, rival_player):
    score(rival_player, 2, MONDAY + minutes(1))
    score(player, 2, MONDAY)
    assert [line.player for line in ranking.walk(season)] == ["dolores", "cantuña"]
    score(player, 1, MONDAY + minutes(2))
    score(rival_player, 1, MONDAY + minutes(2))  # the same moment: by name
    assert [line.player for line in ranking.walk(season)] == ["cantuña", "dolores"]


def test_a_run_that_is_not_in_the_books_is_not_paid(season, player, django_capture_on_commit_callbacks):
    begin(player)
    with django_capture_on_commit_callbacks() as sent:
        for run_id in (new_id(), "", "x' OR true --"):
            services.award(run_id=run_id, chapter=1, at=MONDAY)
            services.close_run(run_id=run_id, outcome="completed", at=MONDAY)
    assert not Award.objects.exists() and standing_of(player).points == 0
    assert sent == [] and services.books_of("nobody") is None


def test_the_database_alone_refuses_what_was_paid(season, player):
    run_id = score(player, LAST)
    for chapter, points in [(1, 100), (None, 200), (2, 0), (6, 100), (0, 100)]:
        with pytest.raises(IntegrityError), transaction.atomic():
            Award.objects.create(run_id=run_id, chapter=chapter, points=points, at=MONDAY)


def test_an_award_that_comes_to_nothing_is_no_award(season, player):
    class Elsewhere(Exception):
        pass

    run_id = begin(player)
    with pytest.raises(Elsewhere), transaction.atomic():
        win(run_id, LAST)
        raise Elsewhere
    assert paid(run_id) == [] and standing_of(player).points == 0 and not own_faults(season)


def test_nobody_else_gets_anything(season, player, rival_player, stranger):
    score(rival_player, 2)
    begin(stranger)
    before = list(Standing.objects.exclude(player=player).order_by("pk").values())
    score(player, LAST)
    assert list(Standing.objects.exclude(player=player).order_by("pk").values()) == before


def test_a_run_that_fits_its_books_is_checked_without_a_flag(season, player):
    run_id = score(player, LAST)
    assert checked(run_id, MONDAY + minutes(1)) == []
    assert ScoredRun.objects.get().checked_at == MONDAY + minutes(1)
    assert review.runs_to_check(before=CLOSE) == []


def test_a_run_that_does_not_is_flagged_once(season, player):
    run_id = score(player, 3)
    Award.objects.filter(chapter=2).delete()
    for at in (MONDAY, MONDAY + minutes(1)):
        assert checked(run_id, at) == ["chapters"]
    assert Flag.objects.get(kind="books").at == MONDAY


@pytest.mark.django_db(transaction=True)
def test_three_at_once_are_paid_once(season, player):
    run_id = begin(player)
    for chapter in range(1, LAST + 1):
        in_threads([lambda: services.award(run_id=run_id, chapter=chapter, at=MONDAY + minutes(chapter))] * 3)
    in_threads([lambda: services.close_run(run_id=run_id, outcome="completed", at=MONDAY + minutes(LAST))] * 3)
    standing = standing_of(player)
    assert (standing.points, standing.reached_at, len(paid(run_id))) == (700, MONDAY + minutes(LAST), 6)
    assert not own_faults(season)


@pytest.mark.django_db(transaction=True)
def test_awards_of_one_player_at_once_are_all_in_the_standing(season, player):
    """One of two sums written over the other would be less."""
    runs = [begin(player, quito(11, 30, 8)) for _ in range(3)] + [begin(player, quito(12, 1, 8)) for _ in range(3)]
    at = quito(12, 1, 9)
    in_threads([lambda run_id=run_id, n=n: win(run_id, LAST, at + seconds(n)) for n, run_id in enumerate(runs)])
    standing = standing_of(player)
    assert (standing.points, standing.reached_at) == (6 * 700, at + seconds(5)) and not own_faults(season)
    assert ranking.line_of(season, player.pk).points == 6 * 700


@pytest.mark.django_db(transaction=True)
def test_winners_at_once_do_not_wait_for_each_other_for_ever(season):
    """Twelve players reach the same points at the same moments, in whatever order."""
    players = crowd(12)
    runs = {player: begin(player) for player in players}
    in_threads([lambda run_id=run_id: win(run_id, LAST, MONDAY + minutes(1)) for run_id in runs.values()])
    assert {standing.points for standing in Standing.objects.all()} == {700} and not own_faults(season)
    assert [line.player for line in ranking.walk(season)] == sorted(player.username for player in players)
