"""What PostgreSQL does in one statement, each prepared once on a connection: a slot taken, an award written with its
standing and rank index, a place found. Other databases get there by `tournament.plain`, statement by statement.

The rank index answers «how many are before this one?» without counting them. `Tally` keeps how many standings there are
by points in thousands, by points, and within equal points by day and by hour; only the standings of one hour are
counted one by one. Tallies of common points would make every winner wait for every other, so an award only adds a
`Movement`; every so many, movements are gathered into the tallies, and whoever reads adds up both.
"""

from datetime import UTC, datetime

import psycopg
from django.db import connection

GATHER_EVERY = 128  #: movements; what is not gathered yet costs every reader a little
GATHERED_AT_ONCE = 1024

# Grains of the rank index
THOUSANDS, POINTS, DAYS, HOURS = range(4)
_GRAINS = (
    f"(VALUES ({THOUSANDS}::smallint), ({POINTS}::smallint), ({DAYS}::smallint), ({HOURS}::smallint)) AS by (grain)"
)


def is_used() -> bool:
    return connection.vendor == "postgresql"


def rows(sql: str, parameters: dict) -> list[tuple]:
    """The rows of a statement that is prepared on the connection the first time: planning costs more than running
    it."""
    connection.close_if_health_check_failed()  # as Django does before each of its cursors
    connection.ensure_connection()
    connection.connection.prepare_threshold = (
        0  # Django sets None, which would prepare nothing; its own cursors never do
    )
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        cursor.execute(sql, parameters, prepare=True, binary=True)
        return cursor.fetchall() if cursor.description else []


def _hour(moment: str) -> str:
    """SQL: the whole hours from 1970 to a moment."""
    return f"(extract(epoch FROM {moment})::bigint / 3600)::integer"


def hour_starts(hour: int) -> datetime:
    return datetime.fromtimestamp(hour * 3600, UTC)


# Writing

_OPEN_SLOT = """
WITH season AS (
    SELECT id, slug, runs_a_day, chapter_points, bonus_points, attempts, (%(at)s AT TIME ZONE time_zone)::date AS day
    FROM tournament_season WHERE (opens_at IS NULL OR opens_at <= %(at)s) AND closes_at > %(at)s
), standing AS (
    INSERT INTO tournament_standing AS s (season_id, player_id, points, runs, day, taken)
    SELECT id, %(player)s, 0, 1, day, 1 FROM season
    ON CONFLICT (season_id, player_id) DO UPDATE
    SET runs = s.runs + 1, day = excluded.day, taken = CASE WHEN s.day = excluded.day THEN s.taken + 1 ELSE 1 END
    WHERE s.day < excluded.day OR s.day = excluded.day AND s.taken < (SELECT runs_a_day FROM season)
    RETURNING id, taken
), run AS (
    INSERT INTO tournament_scoredrun
        (run_id, season_id, standing_id, day, slot, runs_a_day, chapter_points, bonus_points, started_at, outcome)
    SELECT %(run)s, season.id, standing.id, season.day, taken, runs_a_day, chapter_points, bonus_points, %(at)s, ''
    FROM season, standing
    RETURNING slot
)
SELECT season.slug, season.day, run.slot, season.attempts FROM season, run
"""


def open_slot(*, player_id: int, run_id: str, at: datetime) -> tuple | None:
    """(season's slug, day, slot, attempts) of the slot taken; None if the day has none left, or seems to have
    passed."""
    found = rows(_OPEN_SLOT, {"player": player_id, "run": run_id, "at": at})
    return found[0] if found else None


# `old` reads what it locks, and `new` reads from `old`: an update of the same row beside it might come first and leave
# `old` empty. No award is given once the final table is written (see services.close_season).
_AWARD = """
WITH term AS (
    SELECT run.run_id, run.standing_id, CASE WHEN %(chapter)s::smallint IS NULL THEN run.bonus_points
           ELSE run.chapter_points END AS points
    FROM tournament_scoredrun run JOIN tournament_season season ON season.id = run.season_id
    WHERE run.run_id = %(run)s AND season.closes_at > %(at)s AND season.final_at IS NULL
), award AS (
    INSERT INTO tournament_award (run_id, chapter, points, at)
    SELECT run_id, %(chapter)s, points, %(at)s FROM term
    ON CONFLICT DO NOTHING RETURNING points
), old AS (
    SELECT s.id, s.season_id, s.points, s.reached_at, award.points AS won
    FROM award, term JOIN tournament_standing s ON s.id = term.standing_id FOR NO KEY UPDATE OF s
), new AS (
    UPDATE tournament_standing s SET points = old.points + old.won, reached_at = greatest(old.reached_at, %(at)s)
    FROM old WHERE s.id = old.id RETURNING s.points, s.reached_at, s.player_id
), movement AS (
    INSERT INTO tournament_movement (season_id, old_points, old_reached_at, points, reached_at)
    SELECT old.season_id, old.points, old.reached_at, new.points, new.reached_at FROM old, new
    WHERE new.player_id IS NOT NULL RETURNING id
)
SELECT old.season_id, old.won, movement.id FROM old LEFT JOIN movement ON true
"""


def award(*, run_id: str, chapter: int | None, at: datetime) -> tuple | None:
    """(season's id, points, movement's id) of an award written now; None if there is one, or the season has closed."""
    found = rows(_AWARD, {"run": run_id, "chapter": chapter, "at": at})
    return found[0] if found else None


_GATHER = f"""
WITH gone AS (
    DELETE FROM tournament_movement WHERE id IN (
        SELECT id FROM tournament_movement WHERE season_id = %(season)s ORDER BY id LIMIT {GATHERED_AT_ONCE}
        FOR UPDATE SKIP LOCKED)
    RETURNING old_points, old_reached_at, points, reached_at
), step AS (
    SELECT old_points AS points, {_hour("old_reached_at")} AS hour, -1 AS count FROM gone WHERE old_points > 0
    UNION ALL SELECT points, {_hour("reached_at")}, 1 FROM gone WHERE points > 0
), bucket AS (
    SELECT grain, CASE grain WHEN {THOUSANDS} THEN points / 1000 * 1000 ELSE points END AS points,
           CASE grain WHEN {DAYS} THEN hour / 24 WHEN {HOURS} THEN hour ELSE 0 END AS period, sum(count) AS count
    FROM step, {_GRAINS} GROUP BY 1, 2, 3 HAVING sum(count) <> 0
), tally AS (
    INSERT INTO tournament_tally AS tally (season_id, grain, points, period, count)
    SELECT %(season)s, grain, points, period, count FROM bucket ORDER BY grain, points, period
    ON CONFLICT (season_id, grain, points, period) DO UPDATE SET count = tally.count + excluded.count
)
SELECT count(*) FROM gone
"""


def gather(*, season_id: int) -> int:
    """Add what has moved to the tallies, exactly once whoever else gathers; returns how many movements."""
    return rows(_GATHER, {"season": season_id})[0][0]


_LEAVE = """
INSERT INTO tournament_movement (season_id, old_points, old_reached_at, points)
SELECT season_id, points, reached_at, 0 FROM tournament_standing WHERE player_id = %(player)s AND points > 0
"""


def leave(*, player_id: int) -> None:
    """Take a player's standings, which are theirs still, out of the rank index."""
    rows(_LEAVE, {"player": player_id})


_REBUILD = f"""
INSERT INTO tournament_tally (season_id, grain, points, period, count)
SELECT season_id, grain, CASE grain WHEN {THOUSANDS} THEN points / 1000 * 1000 ELSE points END AS bucket,
       CASE grain WHEN {DAYS} THEN hour / 24 WHEN {HOURS} THEN hour ELSE 0 END AS period, count(*)
FROM (SELECT season_id, points, {_hour("reached_at")} AS hour FROM tournament_standing
      WHERE season_id = %(season)s AND points > 0 AND player_id IS NOT NULL) standing, {_GRAINS}
GROUP BY season_id, grain, bucket, period
"""


def rebuild(*, season_id: int) -> None:
    """Work the rank index out anew from the standings, while nobody may change them; in a transaction."""
    season = {"season": season_id}
    rows("LOCK TABLE tournament_standing IN SHARE ROW EXCLUSIVE MODE", {})
    rows("DELETE FROM tournament_movement WHERE season_id = %(season)s", season)
    rows("DELETE FROM tournament_tally WHERE season_id = %(season)s", season)
    rows(_REBUILD, season)


# Reading. The tallies of a grain and what has moved since, as (points, period, count).


def _counts(grain: int) -> str:
    points = "points / 1000 * 1000" if grain == THOUSANDS else "points"
    old_points = points.replace("points /", "old_points /") if grain == THOUSANDS else "old_points"
    period = {DAYS: f"{_hour('{0}')} / 24", HOURS: _hour("{0}")}.get(grain, "0")
    return f"""(
        SELECT points, period, count FROM tournament_tally WHERE season_id = %(season)s AND grain = {grain}
        UNION ALL SELECT {points}, {period.format("reached_at")}, 1
        FROM tournament_movement WHERE season_id = %(season)s AND points > 0
        UNION ALL SELECT {old_points}, {period.format("old_reached_at")}, -1
        FROM tournament_movement WHERE season_id = %(season)s AND old_points > 0)"""


_RANKED = "season_id = %(season)s AND points > 0 AND player_id IS NOT NULL"
_PLACE = f"""
WITH me AS MATERIALIZED (
    SELECT standing.points, standing.runs, standing.reached_at, player.search_key, player.username,
           points / 1000 * 1000 AS thousand, {_hour("reached_at")} AS hour
    FROM tournament_standing standing JOIN cvarenta_player player ON player.id = standing.player_id
    WHERE season_id = %(season)s AND player_id = %(player)s AND points > 0
), moved AS MATERIALIZED (
    SELECT points, {_hour("reached_at")} AS hour, 1 AS count FROM tournament_movement
    WHERE season_id = %(season)s AND points > 0
    UNION ALL SELECT old_points, {_hour("old_reached_at")}, -1 FROM tournament_movement
    WHERE season_id = %(season)s AND old_points > 0
)
SELECT 1 + coalesce((SELECT sum(count) FROM tournament_tally tally WHERE season_id = %(season)s
                     AND grain = {THOUSANDS} AND tally.points > me.thousand), 0)
     + coalesce((SELECT sum(count) FROM tournament_tally tally WHERE season_id = %(season)s
                 AND grain = {POINTS} AND tally.points > me.points AND tally.points < me.thousand + 1000), 0)
     + coalesce((SELECT sum(count) FROM tournament_tally tally WHERE season_id = %(season)s
                 AND grain = {DAYS} AND tally.points = me.points AND period < me.hour / 24), 0)
     + coalesce((SELECT sum(count) FROM tournament_tally tally WHERE season_id = %(season)s
                 AND grain = {HOURS} AND tally.points = me.points
                 AND period >= me.hour / 24 * 24 AND period < me.hour), 0)
     + coalesce((SELECT sum(count) FROM moved
                 WHERE moved.points > me.points OR moved.points = me.points AND moved.hour < me.hour), 0)
     + (SELECT count(*) FROM tournament_standing other WHERE {_RANKED} AND other.points = me.points
        AND other.reached_at >= to_timestamp(me.hour::bigint * 3600) AND other.reached_at < me.reached_at)
     + (SELECT count(*) FROM tournament_standing other JOIN cvarenta_player rival ON rival.id = other.player_id
        WHERE {_RANKED} AND other.points = me.points AND other.reached_at = me.reached_at
        AND rival.search_key < me.search_key)
     AS place, me.username, me.points, me.runs, me.reached_at
FROM me
"""


def place_of(*, season_id: int, player_id: int) -> tuple | None:
    """(place, name, points, runs, reached_at) of a player; None if they have no points."""
    found = rows(_PLACE, {"season": season_id, "player": player_id})
    return found[0] if found else None


_TOTAL = f"SELECT coalesce(sum(count), 0) FROM {_counts(THOUSANDS)} counts"


def total(*, season_id: int) -> int:
    """How many have a place."""
    return int(rows(_TOTAL, {"season": season_id})[0][0])


_START = f"""
WITH by_points AS (
    SELECT points, sum(count) AS count FROM {_counts(POINTS)} counts GROUP BY points
), tie AS MATERIALIZED (
    SELECT points, before FROM (
        SELECT points, count, sum(count) OVER (ORDER BY points DESC) - count AS before FROM by_points) summed
    WHERE before < %(place)s AND before + count >= %(place)s
), by_hour AS (
    SELECT period, sum(count) AS count FROM {_counts(HOURS)} counts
    WHERE points = (SELECT points FROM tie) GROUP BY period
)
SELECT tie.points, summed.period, (%(place)s - 1 - tie.before - summed.before)::integer FROM tie, (
    SELECT period, count, sum(count) OVER (ORDER BY period) - count AS before FROM by_hour) summed
WHERE tie.before + summed.before < %(place)s AND tie.before + summed.before + summed.count >= %(place)s
"""


def start_of(*, season_id: int, place: int) -> tuple[int, datetime, int] | None:
    """Where a place lies: (points, the hour they were reached in, how many of that hour come before it)."""
    found = rows(_START, {"season": season_id, "place": place})
    return (found[0][0], hour_starts(found[0][1]), found[0][2]) if found else None


_COLUMNS = "standing.id, player.username, points, runs, reached_at, player.search_key"
_STANDINGS = "tournament_standing standing JOIN cvarenta_player player ON player.id = standing.player_id"
_ROWS = f"""
SELECT * FROM (
    SELECT {_COLUMNS} FROM {_STANDINGS}
    WHERE {_RANKED} AND points = %(points)s AND reached_at >= %(reached_at)s AND reached_at <= %(until)s
      AND (reached_at > %(reached_at)s OR search_key > %(name)s)
    ORDER BY reached_at, player.search_key OFFSET %(skip)s LIMIT %(limit)s) tie
UNION ALL SELECT * FROM (
    SELECT {_COLUMNS} FROM {_STANDINGS}
    WHERE {_RANKED} AND points < %(points)s AND reached_at <= %(until)s
    ORDER BY points DESC, reached_at, player.search_key LIMIT %(limit)s) lower
ORDER BY points DESC, reached_at, search_key LIMIT %(limit)s
"""


def rows_from(*, season_id, points, reached_at, name, skip=0, until, limit) -> list[tuple]:
    """(standing's id, name, points, runs, reached_at, search key) of those after a position, in order; without those
    who have moved since `until`."""
    return rows(
        _ROWS,
        {
            "season": season_id, "points": points, "reached_at": reached_at, "name": name, "skip": skip,
            "until": until, "limit": limit,
        },
    )  # fmt: skip


_MOVED = """
SELECT standing.id, player.username, sum(award.points)::integer, standing.runs, max(award.at), player.search_key
FROM tournament_standing standing JOIN cvarenta_player player ON player.id = standing.player_id
JOIN tournament_scoredrun run ON run.standing_id = standing.id JOIN tournament_award award ON award.run_id = run.run_id
WHERE standing.season_id = %(season)s AND standing.reached_at > %(since)s AND award.at <= %(since)s
GROUP BY standing.id, player.username, player.search_key
"""


def moved_since(*, season_id: int, since: datetime) -> list[tuple]:
    """Where those who have moved since a moment were at it, as `rows_from`."""
    return rows(_MOVED, {"season": season_id, "since": since})


_WRONG = f"""
WITH said AS (
    SELECT grain, points, period, sum(count) AS count FROM (
        {" UNION ALL ".join(f"SELECT {grain} AS grain, * FROM {_counts(grain)} counts" for grain in range(4))}) counts
    GROUP BY grain, points, period
), there AS (
    SELECT grain, CASE grain WHEN {THOUSANDS} THEN points / 1000 * 1000 ELSE points END AS points,
           CASE grain WHEN {DAYS} THEN hour / 24 WHEN {HOURS} THEN hour ELSE 0 END AS period, count(*) AS count
    FROM (SELECT points, {_hour("reached_at")} AS hour FROM tournament_standing WHERE {_RANKED}) standing, {_GRAINS}
    GROUP BY 1, 2, 3
)
SELECT grain, points, period, coalesce(said.count, 0)::integer, coalesce(there.count, 0)::integer
FROM said FULL JOIN there USING (grain, points, period)
WHERE coalesce(said.count, 0) <> coalesce(there.count, 0)
"""


def wrong_buckets(*, season_id: int) -> list[tuple]:
    """(grain, points, period, what the index says, what there is) wherever the two differ: nowhere, it is hoped."""
    return rows(_WRONG, {"season": season_id})
