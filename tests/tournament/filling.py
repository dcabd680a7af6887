"""Seasons with as many standings as wanted, written by PostgreSQL itself: points and times as a week of playing leaves
them, and runs to win awards with for some."""

from datetime import datetime

from django.db import connection

from tournament.models import Season

MEAN, MOST = 2000, 14_700  #: points; the most is three whole runs on each of seven days

_PLAYERS = """
INSERT INTO cvarenta_player (username, name_key, search_key, password, email, is_superuser, is_staff, is_active, date_joined, session_round)
SELECT name, translate(name, '10', 'lo'), name, '!', '', false, false, true, %(since)s, 0
FROM (SELECT %(prefix)s || n AS name FROM generate_series(1, %(number)s) n) names
"""
# One in ten is paid on a whole minute, so that some are paid at the same moment, and one in a hundred just before a whole
# hour. Players are shuffled by themselves: what rows are sorted by would be every random() beside it.
_STANDINGS = """
INSERT INTO tournament_standing (season_id, player_id, points, reached_at, moved_at, runs, day, taken)
SELECT %(season)s, id, points, reached_at, reached_at, (points + 699) / 700, %(day)s, 1
FROM (SELECT id, points, CASE WHEN random() < 0.1 THEN date_trunc('minute', at)
             WHEN random() < 0.01 THEN date_trunc('hour', at) + interval '59 minutes 59.9 seconds' ELSE at END AS reached_at
FROM (SELECT id, least(%(most)s, 100 + 100 * floor(-ln(1 - random()) * %(mean)s / 100)::integer) AS points,
             %(since)s + random() * interval '7 days' AS at
      FROM (SELECT id FROM cvarenta_player WHERE username LIKE %(prefix)s || '%%' ORDER BY random() OFFSET 0) shuffled) played) reached
"""
# Whatever they have was paid by one run under terms of its own; the others are still to be won.
_RUNS = """
WITH run AS (
    INSERT INTO tournament_scoredrun (run_id, season_id, standing_id, day, slot, runs_a_day, chapter_points, bonus_points,
                                      started_at, outcome, ended_at)
    SELECT to_hex(id) || 'x' || n, season_id, id, day + n / 3, n %% 3 + 1, 3, CASE n WHEN 0 THEN points ELSE 100 END, 200,
           %(since)s, CASE n WHEN 0 THEN 'lost' ELSE '' END, CASE n WHEN 0 THEN reached_at END
    FROM tournament_standing, generate_series(0, %(runs)s) n WHERE id = ANY(%(standings)s)
    RETURNING run_id, standing_id, outcome
), award AS (
    INSERT INTO tournament_award (run_id, chapter, points, at)
    SELECT run_id, 1, points, reached_at FROM run JOIN tournament_standing standing ON standing.id = standing_id
    WHERE outcome = 'lost'
), standing AS (
    UPDATE tournament_standing SET runs = 1 + %(runs)s WHERE id = ANY(%(standings)s)
)
SELECT run_id FROM run WHERE outcome = '' ORDER BY run_id
"""


def fill_players(number: int, *, prefix: str, since: datetime) -> None:
    """So many players, `prefix` and their number; they cannot log in."""
    with connection.cursor() as cursor:
        cursor.execute(_PLAYERS, {"number": number, "prefix": prefix, "since": since})


def fill_standings(season: Season, *, prefix: str, since: datetime, seed: float = 0.1534) -> None:
    """A standing for every player whose name begins so, reached within seven days; the rank index is to be built after it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT setseed(%s)", [seed])
        cursor.execute(
            _STANDINGS,
            {"season": season.pk, "prefix": prefix, "since": since, "day": season.day(since), "mean": MEAN, "most": MOST},
        )


def fill_runs(standings: list[int], *, runs: int, since: datetime) -> list[str]:
    """So many runs to be won for each of these standings, under way since a moment; returns their ids. What the standings
    have already is booked as well."""
    with connection.cursor() as cursor:
        cursor.execute(_RUNS, {"standings": standings, "runs": runs, "since": since})
        return [run_id for (run_id,) in cursor.fetchall()]
