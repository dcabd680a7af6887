"""Twenty thousand players: what the rank index tells of them is what counting them one by one gives."""

import random
from datetime import timedelta

import pytest
from django.db import connection

from tournament import plain, postgres, ranking, services
from tournament.models import Movement, Standing

from .books import MONDAY, seconds
from .filling import fill_players, fill_runs, fill_standings

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="the rank index is PostgreSQL's"),
]

NUMBER = 20_000
SINCE = MONDAY - timedelta(days=7)
LATER = MONDAY + timedelta(hours=1)
ORDERED = ("player__username", "points", "runs", "reached_at")


def filled(season, number):
    """The standings of so many, counted by the rank index."""
    fill_players(number, prefix="jugador", since=SINCE)
    fill_standings(season, prefix="jugador", since=SINCE)
    services.rebuild_rank_index(season_id=season.pk)
    connection.cursor().execute("ANALYZE tournament_standing, tournament_tally, cvarenta_player")
    return Standing.objects.ranked().filter(season=season)


def agrees(season, ranked, rng, places):
    """The sums, so many places, and a third as many pages."""
    assert not postgres.wrong_buckets(season_id=season.pk)
    assert ranking.total(season) == ranked.count() == NUMBER
    chosen = rng.sample(list(ranked.values_list("pk", flat=True)), places * 2 // 3)
    for standing in [*ranked.filter(pk__in=chosen), *around_the_hour(ranked, places // 6)]:
        of = {"season_id": season.pk, "player_id": standing.player_id}
        assert postgres.place_of(**of) == plain.place_of(**of), standing.reached_at
    for place in [1, NUMBER - 3, *rng.sample(range(1, NUMBER), places // 3 - 2)]:
        lines = ranking.page_at(season, place, at=LATER, size=20).lines
        there = ranked.in_order().values_list(*ORDERED)[place - 1 : place + 19]
        assert lines == [(number, *line) for number, line in enumerate(there, place)]


def around_the_hour(ranked, number):
    """Some who were paid within the last half second of an hour, each with who comes next at the same points."""
    late = ranked.filter(reached_at__minute=59, reached_at__second=59).extra(where=["date_part('second', reached_at) > 59.5"])
    assert late.count() > number
    for standing in late.order_by("pk")[:number]:
        later = ranked.filter(points=standing.points, reached_at__gt=standing.reached_at).order_by("reached_at").first()
        yield from filter(None, (standing, later))


def test_sums_places_and_pages_are_those_of_counting(season):
    ranked, rng = filled(season, NUMBER), random.Random(1534)
    agrees(season, ranked, rng, places=24)
    chosen = rng.sample(list(ranked.values_list("pk", flat=True)), 100)
    runs = fill_runs(chosen, runs=1, since=MONDAY)
    for number in range(300):
        services.award(run_id=rng.choice(runs), chapter=rng.randrange(1, 6), at=MONDAY + seconds(number // 2))
        if number == 180:
            services.gather(season_id=season.pk)
    assert 0 < Movement.objects.count() < 120
    agrees(season, ranked, rng, places=60)


def test_pages_are_gone_through_in_order_while_others_win(season):
    ranked, rng, place = filled(season, 2000), random.Random(40), 700
    there = list(ranked.in_order().values_list(*ORDERED)[place - 1 : place + 149])
    chosen = rng.sample(list(ranked.values_list("pk", flat=True)), 100)
    runs = fill_runs(chosen, runs=1, since=MONDAY)
    page = ranking.page_at(season, place, at=MONDAY)
    seen = page.lines
    for number in range(2):
        for run_id in runs[number * 50 : number * 50 + 50]:
            services.award(run_id=run_id, chapter=1, at=MONDAY + seconds(10 + number))
        page = ranking.page_after(season, page.next, at=MONDAY + seconds(20 + number))
        seen += page.lines
    assert [(line.player, line.points, line.reached_at) for line in seen] == [(name, points, at) for name, points, _, at in there]


def test_a_statement_is_planned_once_on_a_connection(season):
    for number in range(7):
        postgres.place_of(season_id=season.pk, player_id=number)
    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(generic_plans), sum(custom_plans) FROM pg_prepared_statements WHERE statement LIKE %s", ["%place%"])
        generic, custom = cursor.fetchone()
    assert generic >= 7 and not custom
