"""Whatever is earned and whoever leaves: places and pages told by the rank index are those that counting gives."""

import random

import pytest
from django.db import connection
from django.utils import timezone

from tests.support import make_player
from tournament import plain, postgres, ranking, services
from tournament.models import Movement, Standing

from .books import MONDAY, begin, crowd, minutes, own_faults, win

pytestmark = pytest.mark.django_db


@pytest.fixture
def field(season):
    """A hundred players who began at most three runs each and won some chapters at about the same times."""
    rng, players = random.Random(1534), crowd(100)
    for _ in range(220):
        at = MONDAY + minutes(rng.randrange(180)) if rng.random() < 0.8 else MONDAY + minutes(60)
        run_id = begin(rng.choice(players), MONDAY)
        if run_id:
            win(run_id, rng.randrange(6), at, outcome="lost")
    return players


needs_postgres = pytest.mark.skipif(connection.vendor != "postgresql", reason="the rank index is PostgreSQL's")


def both(question, **asked):
    return getattr(postgres, question)(**asked), getattr(plain, question)(**asked)


@needs_postgres
@pytest.mark.parametrize("gathered", ["nothing", "half", "all"])
def test_places_totals_and_pages_are_those_of_counting(season, field, gathered):
    if gathered == "half":
        postgres.gather(season_id=season.pk)
        for player in field[:20]:
            run_id = begin(player, MONDAY + minutes(60 * 24))
            win(run_id, 2, MONDAY + minutes(60 * 24))
    elif gathered == "all":
        while postgres.gather(season_id=season.pk):
            pass
    assert Movement.objects.exists() == (gathered != "all")
    of = {"season_id": season.pk}
    said, counted = both("total", **of)
    assert said == counted > 50
    for player in field:
        said, counted = both("place_of", **of, player_id=player.pk)
        assert said == counted
    for place in range(1, both("total", **of)[0] + 3):
        pages = []
        for store in (postgres, plain):
            start = store.start_of(**of, place=place)
            if start is None:
                pages.append(None)
                continue
            points, reached_at, skip = start
            pages.append(store.rows_from(**of, points=points, reached_at=reached_at, name="", skip=skip, until=timezone.now() + minutes(10**6), limit=7))
        assert pages[0] == pages[1], place
    assert not own_faults(season)


@needs_postgres
def test_who_leaves_is_taken_out(season, field):
    postgres.gather(season_id=season.pk)
    before = postgres.total(season_id=season.pk)
    ranked = Standing.objects.ranked().filter(season=season)
    for standing in ranked[:3]:
        services.leave(player_id=standing.player_id, at=MONDAY + minutes(600))
    assert postgres.total(season_id=season.pk) == before - 3 == ranked.count()
    assert not postgres.wrong_buckets(season_id=season.pk)
    postgres.gather(season_id=season.pk)
    assert not postgres.wrong_buckets(season_id=season.pk)


@needs_postgres
def test_an_index_that_was_spoilt_is_seen_and_can_be_built_anew(season, field):
    connection.cursor().execute("DELETE FROM tournament_movement WHERE id % 3 = 0")
    assert postgres.wrong_buckets(season_id=season.pk)
    assert own_faults(season)
    postgres.rebuild(season_id=season.pk)
    assert not postgres.wrong_buckets(season_id=season.pk)
    for player in field[:10]:
        said, counted = both("place_of", season_id=season.pk, player_id=player.pk)
        assert said == counted


def test_a_place_is_the_same_everywhere(season, field):
    now = MONDAY + minutes(1000)
    lines = list(ranking.walk(season))
    assert [line.place for line in lines] == list(range(1, len(lines) + 1))
    assert sorted(lines, key=lambda line: (-line.points, line.reached_at, line.player)) == lines
    for player in field:
        line = ranking.line_of(season, player.pk)
        assert line in lines if line else player.username not in {line.player for line in lines}
    for line in lines[::7]:
        assert ranking.page_at(season, line.place, at=now).lines[0] == line


def test_no_points_no_place(season):
    player = make_player("dolores")
    begin(player)
    assert ranking.line_of(season, player.pk) is None and ranking.total(season) == 0
    assert ranking.page_at(season, 1, at=MONDAY).lines == ranking.page_at(season, 9, at=MONDAY).lines == []
