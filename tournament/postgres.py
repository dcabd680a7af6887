"""What PostgreSQL does in one statement, each prepared once on a connection: a slot taken, an award written with its
standing and rank index, a place found. Other databases get there by `tournament.plain`, statement by statement.

The rank index answers «how many are before this one?» without counting them. `Tally` keeps how many standings there are
by points in thousands, by points, and within equal points by day and by hour; only the standings of one hour are
counted one by one. Tallies of common points would make every winner wait for every other, so an award only adds a
`Movement`; every so many, movements are gathered into the tallies, and whoever reads adds up both.
"""

from datetime import datetime

import psycopg
from django.db import connection
from django.db.backends.signals import connection_created
from django.dispatch import receiver

GATHER_EVERY = 128  #: movements; what is not gathered yet costs every reader a little
GATHERED_AT_ONCE = 1024

# Grains of the rank index
THOUSANDS, POINTS, DAYS, HOURS = range(4)
_GRAINS = (
    f"(VALUES ({THOUSANDS}::smallint), ({POINTS}::smallint), ({DAYS}::smallint), ({HOURS}::smallint)) AS by (grain)"
)


def is_used() -> bool:
    return connection.vendor == "postgresql"


@receiver(connection_created)
def prepare_for_all(connection, **_):
    """Django turns preparing off; its own cursors never do it. One plan serves whatever is asked: left to itself, the
    server would plan anew for every small season that stands beside a large one."""
    if connection.vendor == "postgresql":
        connection.connection.prepare_threshold = 0
        connection.connection.execute("SET plan_cache_mode = force_generic_plan")


def rows(sql: str, parameters: dict) -> list[tuple]:
    """The rows of a statement that is prepared on the connection the first time: planning costs more than running it.
    They come in binary, for to read a moment from text takes longer than all the rest of its row."""
    connection.close_if_health_check_failed()  # as Django does before each of its cursors
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        cursor.execute(sql, parameters, prepare=True, binary=True)
        return cursor.fetchall() if cursor.description else []


def _hour(moment: str) -> str:
    """SQL: the whole hours from 1970 to a moment."""
    return f"floor(date_part('epoch', {moment}) / 3600)::integer"


# Writing

# The player before the standing, as who deletes the account takes them; otherwise the database would ask for the player
# when the transaction ends.
_OPEN_SLOT = """
WITH season AS (
    SELECT id, slug, runs_a_day, chapter_points, bonus_points, attempts, (%(at)s AT TIME ZONE time_zone)::date AS day
    FROM tournament_season WHERE (opens_at IS NULL OR opens_at <= %(at)s) AND closes_at > %(at)s
), player AS (
    SELECT id FROM cvarenta_player WHERE id = %(player)s FOR KEY SHARE
), standing AS (
    INSERT INTO tournament_standing AS s (season_id, player_id, points, runs, day, taken)
    SELECT season.id, player.id, 0, 1, day, 1 FROM season, player
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
# `old` empty. No award is given once the final table is written (see services.close_season); that of an annulled run
# is kept, and counts if the run is restored (see tournament.decisions).
_AWARD = """
WITH term AS (
    SELECT run.run_id, run.standing_id, run.state <> 'annulled' AS is_valid,
           CASE WHEN %(chapter)s::smallint IS NULL THEN run.bonus_points ELSE run.chapter_points END AS points
    FROM tournament_scoredrun run JOIN tournament_season season ON season.id = run.season_id
    WHERE run.run_id = %(run)s AND season.closes_at > %(at)s AND season.final_at IS NULL
), award AS (
    INSERT INTO tournament_award (run_id, chapter, points, at)
    SELECT run_id, %(chapter)s, points, %(at)s FROM term
    ON CONFLICT DO NOTHING RETURNING points
), old AS (
    SELECT s.id, s.season_id, s.points, s.reached_at, award.points AS won
    FROM award, term JOIN tournament_standing s ON s.id = term.standing_id WHERE is_valid FOR NO KEY UPDATE OF s
), new AS (
    UPDATE tournament_standing s SET points = old.points + old.won, reached_at = greatest(old.reached_at, %(at)s),
           moved_at = greatest(s.moved_at, %(at)s)
    FROM old WHERE s.id = old.id RETURNING s.points, s.reached_at, s.player_id
), movement AS (
    INSERT INTO tournament_movement (season_id, old_points, old_reached_at, points, reached_at)
    SELECT old.season_id, old.points, old.reached_at, new.points, new.reached_at FROM old, new
    WHERE new.player_id IS NOT NULL RETURNING id
)
SELECT old.season_id, old.won, movement.id FROM old LEFT JOIN movement ON true
"""


def award(*, run_id: str, chapter: int | None, at: datetime) -> tuple | None:
    """(season's id, points, movement's id) of an award that counts from now; None if there is one, the season has
    closed or the run is annulled."""
    found = rows(_AWARD, {"run": run_id, "chapter": chapter, "at": at})
    return found[0] if found else None


# Of a standing's points and hour
_BUCKET = f"""grain, CASE grain WHEN {THOUSANDS} THEN points / 1000 * 1000 ELSE points END AS points,
           CASE grain WHEN {DAYS} THEN hour / 24 WHEN {HOURS} THEN hour ELSE 0 END AS period"""


def _steps(movements: str) -> str:
    """SQL: one more where a movement went to, and one less where it came from."""
    return f"""
    SELECT points, {_hour("reached_at")} AS hour, 1 AS count FROM {movements} AND points > 0
    UNION ALL SELECT old_points, {_hour("old_reached_at")}, -1 FROM {movements} AND old_points > 0"""


def hold_awards() -> None:
    """Wait for the awards under way, and let the next ones wait for this transaction and see what it did."""
    rows("LOCK TABLE tournament_award IN SHARE ROW EXCLUSIVE MODE", {})


_GATHER = f"""
WITH gone AS (
    DELETE FROM tournament_movement WHERE id IN (
        SELECT id FROM tournament_movement WHERE season_id = %(season)s ORDER BY id LIMIT {GATHERED_AT_ONCE}
        FOR UPDATE SKIP LOCKED)
    RETURNING old_points, old_reached_at, points, reached_at
), bucket AS (
    SELECT {_BUCKET}, sum(count) AS count FROM ({_steps("gone WHERE true")}) step, {_GRAINS}
    GROUP BY 1, 2, 3 HAVING sum(count) <> 0
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


_MOVE = """
INSERT INTO tournament_movement (season_id, old_points, old_reached_at, points, reached_at)
VALUES (%(season)s, %(old_points)s, %(old_reached_at)s, %(points)s, %(reached_at)s)
"""


def move(*, season_id: int, old_points: int, old_reached_at, points: int, reached_at) -> None:
    """A standing that somebody holds goes from one place of the rank index to another."""
    steps = {"old_points": old_points, "old_reached_at": old_reached_at, "points": points, "reached_at": reached_at}
    rows(_MOVE, {"season": season_id, **steps})


_LEAVE = """
INSERT INTO tournament_movement (season_id, old_points, old_reached_at, points)
SELECT season_id, points, reached_at, 0 FROM tournament_standing WHERE player_id = %(player)s AND points > 0
"""


def leave(*, player_id: int) -> None:
    """Take a player's standings, which are theirs still, out of the rank index."""
    rows(_LEAVE, {"player": player_id})


_REBUILD = f"""
INSERT INTO tournament_tally (season_id, grain, points, period, count)
SELECT season_id, {_BUCKET}, count(*)
FROM (SELECT season_id, points, {_hour("reached_at")} AS hour FROM tournament_standing
      WHERE season_id = %(season)s AND points > 0 AND player_id IS NOT NULL) standing, {_GRAINS}
GROUP BY 1, 2, 3, 4
"""


def rebuild(*, season_id: int) -> None:
    """Work the rank index out anew from the standings, while nobody may change them; in a transaction."""
    season = {"season": season_id}
    rows("LOCK TABLE tournament_standing IN SHARE ROW EXCLUSIVE MODE", {})
    rows("DELETE FROM tournament_movement WHERE season_id = %(season)s", season)
    rows("DELETE FROM tournament_tally WHERE season_id = %(season)s", season)
    rows(_REBUILD, season)


# Reading. What has moved since the tallies were made is counted beside them: it came, or it went.


def _moved_before(points: str, hour_start: str) -> str:
    """SQL: how many more are before the standings of these points and this hour than the tallies say."""

    def is_before(of, at):
        return f"{of} > {points} OR {of} = {points} AND {at} < {hour_start}"

    return f"""(
        SELECT count(*) FILTER (WHERE {is_before("movement.points", "movement.reached_at")})
             - count(*) FILTER (WHERE {is_before("old_points", "old_reached_at")})
        FROM tournament_movement movement WHERE season_id = %(season)s)"""


_RANKED = "season_id = %(season)s AND points > 0 AND player_id IS NOT NULL"
_TALLIES = "SELECT count FROM tournament_tally tally WHERE season_id = %(season)s AND grain ="
_PLACE = f"""
SELECT 1 + coalesce((SELECT sum(count) FROM (
         {_TALLIES} {THOUSANDS} AND tally.points > me.thousand
         UNION ALL {_TALLIES} {POINTS} AND tally.points > me.points AND tally.points < me.thousand + 1000
         UNION ALL {_TALLIES} {DAYS} AND tally.points = me.points AND period < me.hour / 24
         UNION ALL {_TALLIES} {HOURS} AND tally.points = me.points AND period >= me.hour / 24 * 24 AND period < me.hour
       ) before), 0)
     + {_moved_before("me.points", "me.hour_start")}
     + (SELECT count(*) FROM tournament_standing other WHERE {_RANKED} AND other.points = me.points
        AND other.reached_at >= me.hour_start AND other.reached_at < me.reached_at)
     + (SELECT count(*) FROM tournament_standing other JOIN cvarenta_player rival ON rival.id = other.player_id
        WHERE {_RANKED} AND other.points = me.points AND other.reached_at = me.reached_at
        AND other.player_id <> %(player)s AND rival.search_key < me.search_key)
     AS place, me.username, me.points, me.runs, me.reached_at
FROM (
    SELECT standing.points, standing.runs, standing.reached_at, player.search_key, player.username,
           points / 1000 * 1000 AS thousand, {_hour("reached_at")} AS hour,
           date_trunc('hour', reached_at, 'UTC') AS hour_start
    FROM tournament_standing standing JOIN cvarenta_player player ON player.id = standing.player_id
    WHERE season_id = %(season)s AND player_id = %(player)s AND points > 0 OFFSET 0) me
"""


def place_of(*, season_id: int, player_id: int) -> tuple | None:
    """(place, name, points, runs, reached_at) of a player; None if they have no points."""
    found = rows(_PLACE, {"season": season_id, "player": player_id})
    return found[0] if found else None


_TOTAL = f"""
SELECT coalesce((SELECT sum(count) FROM ({_TALLIES} {THOUSANDS}) counts), 0)
     + count(*) FILTER (WHERE points > 0) - count(*) FILTER (WHERE old_points > 0)
FROM tournament_movement WHERE season_id = %(season)s
"""


def total(*, season_id: int) -> int:
    """How many have a place."""
    return int(rows(_TOTAL, {"season": season_id})[0][0])


def _level(name: str, grain: int, bucket: str, order: str, among: str, *above: str) -> str:
    """SQL: the bucket among the tallies of a grain that the place lies in, and how many of them are before it."""
    place = " - ".join(["%(place)s - moved.number", *(f"{level}.before" for level in above)])
    return f"""LATERAL (
        SELECT bucket, upto - count AS before FROM (
            SELECT {bucket} AS bucket, count, sum(count) OVER (ORDER BY {bucket} {order} ROWS UNBOUNDED PRECEDING) upto
            FROM tournament_tally WHERE season_id = %(season)s AND grain = {grain} AND {among}) summed
        WHERE upto >= {place} AND upto - count < {place} LIMIT 1) {name}"""


_OF_THE_DAY = "points = tie.bucket AND period BETWEEN day.bucket * 24 AND day.bucket * 24 + 23"
_LEVELS = ", ".join(
    [
        _level("thousand", THOUSANDS, "points", "DESC", "true"),
        _level("tie", POINTS, "points", "DESC", "points BETWEEN thousand.bucket AND thousand.bucket + 999", "thousand"),
        _level("day", DAYS, "period", "", "points = tie.bucket", "thousand", "tie"),
        _level("hour", HOURS, "period", "", _OF_THE_DAY, "thousand", "tie", "day"),
    ]
)
_STEPS = f"SELECT points, reached_at FROM tournament_standing WHERE {_RANKED}"
# With so many movements the tallies are wrong by as many places at most. The hour is looked for so many places too
# early, what is really before it is counted, and from there it is some steps along the index.
_START = f"""
WITH hour AS MATERIALIZED (
    SELECT coalesce(points, {2**31 - 1}) AS points, coalesce(start, '-infinity') AS start, coalesce(before, 0) AS before
    FROM (SELECT count(*) AS number FROM tournament_movement WHERE season_id = %(season)s) moved LEFT JOIN LATERAL (
        SELECT tie.bucket AS points, to_timestamp(hour.bucket * 3600::float) AS start,
               thousand.before + tie.before + day.before + hour.before AS before
        FROM {_LEVELS}) found ON true
    WHERE start IS NOT NULL OR %(place)s <= moved.number
), skipped AS MATERIALIZED (
    SELECT %(place)s - 1 - before - {_moved_before("hour.points", "hour.start")} AS number FROM hour
), step AS MATERIALIZED (
    SELECT * FROM (
        SELECT * FROM ({_STEPS} AND points = (SELECT points FROM hour) AND reached_at >= (SELECT start FROM hour)
                       ORDER BY reached_at LIMIT (SELECT number + 1 FROM skipped)) tie
        UNION ALL
        SELECT * FROM ({_STEPS} AND points < (SELECT points FROM hour)
                       ORDER BY points DESC, reached_at LIMIT (SELECT number + 1 FROM skipped)) lower) steps
    ORDER BY points DESC, reached_at LIMIT (SELECT number + 1 FROM skipped)
)
SELECT points, reached_at, number - (
    SELECT count(*) FROM step WHERE step.points > sought.points OR step.reached_at < sought.reached_at)
FROM skipped, LATERAL (SELECT points, reached_at FROM step OFFSET number LIMIT 1) sought
"""


def start_of(*, season_id: int, place: int) -> tuple[int, datetime, int] | None:
    """Where a place lies: (points, when they were reached, how many of that moment come before it)."""
    found = rows(_START, {"season": season_id, "place": place})
    return found[0] if found else None


# Players are looked up one by one, for only the lines wanted are read; what remains of the limit is of fewer points.
_LINES = f"""
    SELECT standing.id, username, points, runs, reached_at, search_key
    FROM tournament_standing standing, LATERAL (
        SELECT username, search_key FROM cvarenta_player player WHERE player.id = standing.player_id OFFSET 0) player
    WHERE {_RANKED} AND moved_at <= %(until)s"""
_ROWS = f"""
WITH tie AS MATERIALIZED ({_LINES} AND points = %(points)s AND reached_at >= %(reached_at)s
    AND (reached_at > %(reached_at)s OR search_key > %(name)s)
    ORDER BY reached_at, search_key OFFSET %(skip)s LIMIT %(limit)s
)
SELECT * FROM tie UNION ALL SELECT * FROM ({_LINES} AND points < %(points)s
    ORDER BY points DESC, reached_at, search_key LIMIT (SELECT %(limit)s - count(*) FROM tie)) lower
ORDER BY points DESC, reached_at, search_key
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


# Both ends of the time are given, for the one plan takes a third of all for later than a moment; and runs are looked up
# for each who moved, however many the plan takes them for.
_MOVED = """
SELECT moved.id, username, earned.points, runs, earned.at, search_key
FROM (
    SELECT id, player_id, runs FROM tournament_standing
    WHERE season_id = %(season)s AND player_id IS NOT NULL AND moved_at > %(since)s AND moved_at < 'infinity'
    ) moved, LATERAL (
    SELECT sum(award.points)::integer AS points, max(award.at) AS at
    FROM (SELECT run_id FROM tournament_scoredrun run WHERE standing_id = moved.id AND coalesce((
              SELECT state_after FROM tournament_decision decision
              WHERE decision.run_id = run.run_id AND decision.at <= %(since)s ORDER BY number DESC LIMIT 1), '')
          <> 'annulled' OFFSET 0) run, LATERAL (
        SELECT points, at FROM tournament_award
        WHERE run_id = run.run_id AND tournament_award.at <= %(since)s OFFSET 0) award) earned, LATERAL (
    SELECT username, search_key FROM cvarenta_player player WHERE player.id = moved.player_id OFFSET 0) player
WHERE earned.points > 0
"""


def moved_since(*, season_id: int, since: datetime) -> list[tuple]:
    """Where those who have moved since a moment were at it, as `rows_from`."""
    return rows(_MOVED, {"season": season_id, "since": since})


_WRONG = f"""
WITH said AS (
    SELECT grain, points, period, sum(count) AS count FROM (
        SELECT grain, points, period, count FROM tournament_tally WHERE season_id = %(season)s
        UNION ALL SELECT {_BUCKET}, count
        FROM ({_steps("tournament_movement WHERE season_id = %(season)s")}) step, {_GRAINS}
    ) counts GROUP BY grain, points, period
), there AS (
    SELECT {_BUCKET}, count(*) AS count
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
