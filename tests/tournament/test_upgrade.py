"""The books as the version before the review kept them are carried over: same totals, runs ready for the desk."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tournament import ranking, review
from tournament.models import Flag, ScoredRun, Season, Standing

from .books import LAST, MONDAY, begin, crowd, minutes, own_faults, score, win

BEFORE = [("tournament", "0002_fiestas_de_quito_2026")]
pytestmark = pytest.mark.django_db(transaction=True)


def migrate(targets):
    executor = MigrationExecutor(connection)
    executor.migrate(targets)
    return MigrationExecutor(connection).loader.project_state(targets).apps


@pytest.fixture
def newest():
    """Wherever a test leaves it, the next one finds the newest tables."""
    leaves = MigrationExecutor(connection).loader.graph.leaf_nodes()
    yield leaves
    migrate(leaves)


def test_old_books_keep_their_totals_and_their_runs_wait_for_the_desk(newest, season):
    players = crowd(4)
    for number, player in enumerate(players):
        score(player, number + 1, MONDAY + minutes(number))
    under_way = begin(players[0], MONDAY + minutes(9))
    win(under_way, 2, MONDAY + minutes(9))
    before = list(ranking.walk(season))

    old = migrate(BEFORE)
    run_id = old.get_model("tournament", "ScoredRun").objects.exclude(ended_at=None).first().pk
    for reason in ("paid chapters are not the first ones", "paid the bonus without having been completed"):
        old.get_model("tournament", "Flag").objects.create(run_id=run_id, reason=reason, at=MONDAY)
    old.get_model("tournament", "ScoredRun").objects.update(checked_at=MONDAY)

    migrate(newest)
    season = Season.objects.get()
    assert list(ranking.walk(season)) == before and own_faults(season) == []
    assert {run.pk for run in ScoredRun.objects.waiting()} == set(ScoredRun.objects.exclude(pk=under_way).values_list("pk", flat=True))
    assert list(ScoredRun.objects.filter(is_flagged=True)) == [ScoredRun.objects.get(pk=run_id)]
    assert set(Flag.objects.values_list("kind", "evidence")) == {
        ("books", "paid chapters are not the first ones"),
        ("books", "paid the bonus without having been completed"),
    }
    assert len(review.runs_to_check(before=MONDAY + minutes(60))) == 4
    win(under_way, LAST - 2, MONDAY + minutes(10), first=3)
    assert Standing.objects.get(player=players[0]).points == 800 and own_faults(season) == []
