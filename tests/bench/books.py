"""The books of the tournament on a PostgreSQL with fsync: places and pages of the ranking, awards, slots, and the page itself.

Run: python -m tests.bench.books [--sizes 1000,100000,1000000] [--rounds 11] [--slot 0.5] [--only ranking,awards,starts,pages] [--apart]
     python -m tests.bench.books --pages        (/ranking/ alone; the rest does not ask for it)
All are ratios taken side by side, and what is printed is the median of the rounds with their quartiles; no time is asserted.
*Ranking*: seasons of each size, reached within a week, with a hundred movements not gathered yet; each question, about somebody or some
place else each time, beside a `SELECT 1` sent the same way, all sizes in turn. *Awards*: ledger, standing and rank index in one commit,
against the bare update of the standing, by one writer and by eight whose standings have the same points. *Starts*: fifty connections
at once, against the same behind a `SELECT … FOR UPDATE` of the player. *Pages*: /ranking/ of the whole site against a view that reads one row.
Slots of ours lie between two of the other, and their ratio is taken to the mean of those.
"""

import argparse
import multiprocessing
import os
import random
import socket
import statistics
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier
from urllib.parse import urlsplit

from tests.bench.web import SERVERS, quartiles
from tests.campaign.serving import Server, manage, production

SIZES = [1000, 100_000, 1_000_000]
MOVED = 100  #: movements that wait to be gathered
WITH_RUNS = 5000  #: standings whose runs are booked too
CALLS = 15  #: of a question about a size in a round
WRITERS, CONNECTIONS, PLAYERS, ATTEMPTS = 8, 50, 200, 4
STANDINGS_A_WRITER, MOST_A_SECOND = 250, 3000
EPOCH, FIRST, WEEK = datetime.fromtimestamp(0, UTC), datetime(2026, 11, 2, 17, tzinfo=UTC), timedelta(days=7)
clock = time.perf_counter


def say(what, goal, *ratios, met=None):
    """A line: ratios, the goal beside them, and whether the median meets it."""
    verdict = "" if met is None else f"   goal {goal}: {'met' if met else 'MISSED'}" if goal else ""
    print(f"  {what:<36}" + "".join(ratios) + verdict, flush=True)


def median(values):
    return statistics.median(values)


# Seasons


class Field:
    """A season of so many standings; with `database`, in one of its own."""

    def __init__(self, number, size, database=None):
        from django.db import connections
        from django.db.utils import load_backend

        self.number, self.size, self.prefix = number, size, f"j{number}_"
        self.since = FIRST + number * timedelta(days=8)
        self.at = self.since + WEEK + timedelta(minutes=10)  # when it is asked
        self.connection = connections["default"]
        if database:
            settings = connections.settings["default"] | {"NAME": database}
            self.connection = load_backend(settings["ENGINE"]).DatabaseWrapper(settings, "default")

    def use(self):
        from django.db import connections

        if connections["default"] is not self.connection:
            connections["default"] = self.connection

    def fill(self, rng, vacuumed=True):
        from django.db import connection

        from tests.tournament.filling import fill_players, fill_runs, fill_standings
        from tournament import postgres, ranking, services
        from tournament.models import Season

        self.use()
        Season.objects.filter(name__startswith="Fiestas").delete()
        self.season = Season.objects.create(
            name=str(self.size), slug=str(self.size), opens_at=self.since, closes_at=self.since + timedelta(days=7, hours=23)
        )
        fill_players(self.size, prefix=self.prefix, since=self.since)
        fill_standings(self.season, prefix=self.prefix, since=self.since)
        services.rebuild_rank_index(season_id=self.season.pk)
        standings = dict(self.season.standings.values_list("pk", "player_id"))
        played = rng.sample(sorted(standings), min(WITH_RUNS, self.size))
        runs = fill_runs(played, runs=2, since=self.since)[::2]
        with connection.cursor() as cursor:
            if not vacuumed:
                cursor.execute("ALTER TABLE tournament_standing SET (autovacuum_enabled = off)")
            cursor.execute("VACUUM ANALYZE" if vacuumed else "ANALYZE")
        self.players = rng.sample(sorted(standings.values()), min(2000, self.size))
        places = [rng.randrange(1, self.size - ranking.PAGE) for _ in range(200)]
        asked = self.since + WEEK + timedelta(minutes=1)
        self.cursors = [ranking.page_at(self.season, place, at=asked).next for place in places]
        for number, run_id in enumerate(rng.sample(runs, MOVED)):
            postgres.award(run_id=run_id, chapter=1, at=asked + timedelta(seconds=1 + number))
        assert postgres.wrong_buckets(season_id=self.season.pk) == []
        return self


def questions(rng):
    """What is asked of a field: {what: (call, goal of the ratio, goal of the growth)}."""
    from tournament import postgres, ranking

    first = {"points": ranking.AHEAD, "reached_at": EPOCH, "name": "", "limit": ranking.PAGE + 1}

    def place(field):
        return rng.randrange(1, field.size - ranking.PAGE)

    return {
        "own place": (lambda f: postgres.place_of(season_id=f.season.pk, player_id=rng.choice(f.players)), 3, 1.5),
        "first page, its statement": (lambda f: postgres.rows_from(season_id=f.season.pk, **first, until=f.at), None, 1.2),
        "first page": (lambda f: ranking.page_at(f.season, 1, at=f.at), None, 1.2),
        "page at any place": (lambda f: ranking.page_at(f.season, place(f), at=f.at), 5, 1.6),
        "next page": (lambda f: ranking.page_after(f.season, rng.choice(f.cursors), at=f.at), None, None),
        "how many there are": (lambda f: ranking.total(f.season), None, None),
    }


def ask(fields, rounds, rng):
    from tournament import postgres

    asked = questions(rng)
    told = {what: {field.size: [] for field in fields} | {"growth": []} for what in asked}
    floor = {field.size: [] for field in fields}
    for number in range(rounds + 1):
        times = {(what, field): ([], []) for what in asked for field in fields}
        calls = [key for key in times for _ in range(CALLS)]
        rng.shuffle(calls)
        for what, field in calls:
            field.use()
            start = clock()
            postgres.rows("SELECT 1", {})
            between = clock()
            asked[what][0](field)
            end = clock()
            ones, ours = times[what, field]
            ones.append(between - start)
            ours.append(end - between)
        if number == 0:  # warm up
            continue
        for (what, field), (ones, ours) in times.items():
            told[what][field.size].append(median(ours) / median(ones))
            floor[field.size].append(1e6 * median(ones))
        for what in asked:
            told[what]["growth"].append(median(times[what, fields[-1]][1]) / median(times[what, fields[0]][1]))
    sizes = "".join(f"{field.size:>26,}" for field in fields)
    print(f"\nranking, {rounds} rounds, ratio to SELECT 1: median [quartiles]\n  {'standings':<26}{sizes}{'growth':>24}")
    for what, (_, most, growth) in asked.items():
        columns = "".join(f"{quartiles(told[what][field.size]):>26}" for field in fields) + f"{quartiles(told[what]['growth']):>26}"
        goals = []
        if most:
            goals.append((f"≤ {most}", max(median(told[what][field.size]) for field in fields) <= most))
        if growth:
            goals.append((f"growth ≤ {growth}", median(told[what]["growth"]) <= growth))
        verdict = ", ".join(f"{goal} {'met' if met else 'MISSED'}" for goal, met in goals)
        print(f"  {what:<26}{columns}   {verdict}", flush=True)
    print(f"  {'SELECT 1, µs':<26}" + "".join(f"{quartiles(floor[field.size]):>26}" for field in fields))


# Awards


gate = None  #: of a process that writes, before which all of them wait


def join(database, barrier, environment):
    """Begins a process that writes."""
    global gate
    gate = barrier
    os.environ |= environment
    import django

    django.setup()
    from django.db import connections

    connections.settings["default"]["NAME"] = database


def write(kind, rows, done, start, seconds):
    """Awards, or bare updates, of these (standing, its runs) until the time is over, beginning after so many; the times
    taken. Each run wins its chapters, then the next."""
    from tournament import postgres
    from tournament.models import CHAPTERS

    update = "UPDATE tournament_standing SET points = points + 100, reached_at = %(at)s WHERE id = %(standing)s"
    postgres.rows("SELECT 1", {})
    if gate:
        gate.wait()
    times, begun = [], clock()
    while not times or clock() < begun + seconds:
        passes, number = divmod(done + len(times), len(rows))
        (standing, runs), at, before = rows[number], start + timedelta(seconds=clock() - begun), clock()
        if kind == "bare":
            postgres.rows(update, {"standing": standing, "at": at})
        else:
            season, _, movement = postgres.award(run_id=runs[passes // CHAPTERS], chapter=passes % CHAPTERS + 1, at=at)
            if movement % postgres.GATHER_EVERY == 0:
                postgres.gather(season_id=season)
        times.append(clock() - before)
    return times, clock() - begun


class Writers:
    """So many processes; each slot goes on with the standings where the last of its kind stopped, `done` says where."""

    def __init__(self, number, field, environment, rows, done):
        context = multiprocessing.get_context("spawn")
        barrier = context.Barrier(number) if number > 1 else None
        name = field.connection.settings_dict["NAME"]
        self.pool, self.number, self.rows = context.Pool(number, join, (name, barrier, environment)), number, rows
        self.done, self.at = done, field.at

    def slot(self, kind, seconds):
        """(commits a second, p50 in ms) of a slot."""
        start = self.at + timedelta(seconds=self.done["slots"] * (seconds + 5))
        self.done["slots"] += 1
        calls = [(kind, self.rows[kind][n], self.done[kind, n], start, seconds) for n in range(self.number)]
        found = self.pool.starmap(write, calls, chunksize=1)
        for n, (times, _) in enumerate(found):
            self.done[kind, n] += len(times)
        every = [each for times, _ in found for each in times]
        return sum(len(times) / took for times, took in found), 1000 * median(every)


def pools(field, most):
    """{kind: for each writer its (standing, runs)}: standings of one point value; those of awards have runs to win so many."""
    from django.db.models import Count

    from tests.tournament.filling import fill_runs
    from tournament.models import CHAPTERS

    ranked, needed = field.season.standings.ranked().filter(scored_runs=None), 2 * WRITERS
    points = ranked.values("points").annotate(number=Count("pk")).order_by("-number").values_list("points", flat=True)[0]
    level = list(ranked.filter(points=points).order_by("pk").values_list("pk", flat=True)[: needed * STANDINGS_A_WRITER])
    each, runs = len(level) // needed, {}
    mine = [level[n * each : (n + 1) * each] for n in range(needed)]
    for run in fill_runs(sum(mine[:WRITERS], []), runs=most // (each * CHAPTERS) + 1, since=field.since):
        runs.setdefault(int(run.split("x")[0], 16), []).append(run)
    kinds = {"award": [[(standing, runs[standing]) for standing in some] for some in mine[:WRITERS]]}
    return kinds | {"bare": [[(standing, None) for standing in some] for some in mine[WRITERS:]]}, points


KEPT = """
CREATE TABLE bench_before AS SELECT id, season_id, points, reached_at FROM tournament_standing WHERE id = ANY(%s)
"""
TOLD = """
INSERT INTO tournament_movement (season_id, old_points, old_reached_at, points, reached_at)
SELECT s.season_id, b.points, b.reached_at, s.points, s.reached_at
FROM bench_before b JOIN tournament_standing s ON s.id = b.id WHERE s.points <> b.points
"""


def award(field, rounds, seconds, environment):
    from django.db import connection

    from tournament import postgres

    field.use()
    rows, points = pools(field, int(MOST_A_SECOND * 2 * (rounds + 2) * seconds))
    with connection.cursor() as cursor:
        cursor.execute(KEPT, [[standing for some in rows["bare"] for standing, _ in some]])
        cursor.execute("VACUUM ANALYZE")
        cursor.execute("SHOW fsync"), print(f"\nawards among {field.size:,}, standings of {points} points, fsync {cursor.fetchone()[0]},", end=" ")
    print(f"{rounds} rounds of {seconds} s: what an award takes to a bare UPDATE")
    done = Counter()
    for number in (1, WRITERS):
        writers = Writers(number, field, environment, rows, done)
        try:
            for kind in ("bare", "award"):
                writers.slot(kind, seconds)  # warm up
            throughput, latency, awards = [], [], []
            before = writers.slot("bare", seconds)
            for _ in range(rounds):
                ours, after = writers.slot("award", seconds), writers.slot("bare", seconds)
                throughput.append((before[0] + after[0]) / 2 / ours[0])
                latency.append(ours[1] / ((before[1] + after[1]) / 2))
                awards.append(ours[0])
                before = after
        finally:
            writers.pool.terminate()
        who = f"{number} writer{'s' * (number > 1)}"
        say(f"{who}, throughput", "≤ 1.7", quartiles(throughput), f"   ({median(awards):,.0f} awards a second)", met=median(throughput) <= 1.7)
        say(f"{who}, p50", "≤ 1.7", quartiles(latency), met=median(latency) <= 1.7)
    with connection.cursor() as cursor:  # what the bare updates moved, all at once
        cursor.execute(TOLD)
        cursor.execute("DROP TABLE bench_before")
    wrong = postgres.wrong_buckets(season_id=field.season.pk)
    while postgres.gather(season_id=field.season.pk):
        pass
    wrong += postgres.wrong_buckets(season_id=field.season.pk)
    print(f"  the rank index afterwards, before and after gathering: {wrong or 'as counted'}")
    assert not wrong


# Starts


def open_locked(*, player_id, run_id, at):
    """The usual way: the player's row locked, then statement by statement."""
    from django.db import transaction

    from tournament.postgres import rows

    given = {"player": player_id, "run": run_id, "at": at}
    with transaction.atomic():
        rows("SELECT id FROM cvarenta_player WHERE id = %(player)s FOR UPDATE", given)
        season = rows(_SEASON, given)
        if not season:
            return None
        names = ("season", "slug", "runs_a_day", "chapter_points", "bonus_points", "attempts", "day")
        given |= dict(zip(names, season[0], strict=True))
        found = rows(_STANDING, given) or rows(_NEW_STANDING, given)
        given["standing"] = found[0][0]
        given["slot"] = rows(_TAKEN, given)[0][0] + 1
        if given["slot"] > given["runs_a_day"]:
            return None
        rows(_RUN, given)
        rows(_COUNTED, given)
    return given["slug"], given["day"], given["slot"], given["attempts"]


_SEASON = """
SELECT id, slug, runs_a_day, chapter_points, bonus_points, attempts, (%(at)s AT TIME ZONE time_zone)::date
FROM tournament_season WHERE (opens_at IS NULL OR opens_at <= %(at)s) AND closes_at > %(at)s
"""
_STANDING = "SELECT id FROM tournament_standing WHERE season_id = %(season)s AND player_id = %(player)s"
_NEW_STANDING = """
INSERT INTO tournament_standing (season_id, player_id, points, runs, day, taken)
VALUES (%(season)s, %(player)s, 0, 0, %(day)s, 0) RETURNING id
"""
_TAKEN = "SELECT count(*) FROM tournament_scoredrun WHERE standing_id = %(standing)s AND day = %(day)s"
_RUN = """
INSERT INTO tournament_scoredrun
    (run_id, season_id, standing_id, day, slot, runs_a_day, chapter_points, bonus_points, started_at, outcome)
VALUES (%(run)s, %(season)s, %(standing)s, %(day)s, %(slot)s, %(runs_a_day)s, %(chapter_points)s, %(bonus_points)s, %(at)s, '')
"""
_COUNTED = """
UPDATE tournament_standing SET runs = runs + 1, day = %(day)s, taken = %(slot)s WHERE id = %(standing)s
"""


class Crowd:
    """Fifty threads with a connection each, that stay."""

    def __init__(self):
        self.pool, self.number = ThreadPoolExecutor(CONNECTIONS), 0

    def at_once(self, work):
        """What each of fifty makes of its list of arguments, all setting off together: (answers, seconds taken)."""
        gate = Barrier(CONNECTIONS)

        def go(some):
            from django.db import connection

            connection.ensure_connection()
            gate.wait(60)
            start = clock()
            answers = [call(**arguments) for call, arguments in some]
            return answers, start, clock()

        found = list(self.pool.map(go, work))
        took = max(end for *_, end in found) - min(start for _, start, _ in found)
        return [answer for answers, *_ in found for answer in answers], took

    def run_id(self):
        self.number += 1
        return f"s{self.number}"


def starts(rounds, rng):
    from django.db import connection

    from cvarenta.models import Player
    from tests.tournament.filling import fill_players
    from tournament import postgres
    from tournament.models import ScoredRun, Season

    begin = FIRST - timedelta(days=300)
    Season.objects.filter(name__startswith="Fiestas").delete()
    season = Season.objects.create(name="starts", slug="starts", opens_at=begin, closes_at=FIRST - timedelta(days=1))
    fill_players(PLAYERS + 1, prefix="start", since=begin)
    one, *many = Player.objects.filter(username__startswith="start").values_list("pk", flat=True)
    connection.cursor().execute("ANALYZE")
    ways, crowd, day = {"ours": postgres.open_slot, "locked": open_locked}, Crowd(), begin

    def tomorrow():
        nonlocal day
        day += timedelta(days=1)
        return day

    def attempts(way, players, at):
        calls = [(ways[way], {"player_id": player, "run_id": crowd.run_id(), "at": at}) for player in players]
        return [calls[n::CONNECTIONS] for n in range(CONNECTIONS)]

    def slot(way):
        """Attempts a second, and whose day has not exactly three runs."""
        players = many * ATTEMPTS
        rng.shuffle(players)
        answers, took = crowd.at_once(attempts(way, players, tomorrow()))
        runs = ScoredRun.objects.filter(season=season, day=season.day(day)).values_list("standing__player_id", "slot")
        slots = {player: [] for player in many}
        for player, number in runs:
            slots[player].append(number)
        others = [player for player, taken in slots.items() if sorted(taken) != [1, 2, 3]]
        assert sum(map(bool, answers)) == len(runs)
        return len(players) / took, len(others)

    print(f"\nstarts on {CONNECTIONS} connections")
    for way in ways:
        slot(way)  # warm up: each connection prepares its statements
        admitted = [sum(map(bool, crowd.at_once(attempts(way, [one] * CONNECTIONS, tomorrow()))[0])) for _ in range(5)]
        say(f"all at once for one player, {way}", "3 each time", f"{admitted}", met=admitted == [3] * 5)
    ratios, speeds, wrong, (before, _) = [], [], 0, slot("locked")
    for _ in range(rounds):
        (ours, mine), (after, theirs) = slot("ours"), slot("locked")
        ratios.append(ours / ((before + after) / 2))
        speeds.append(ours)
        wrong, before = wrong + mine + theirs, after
    say(f"{PLAYERS} players, {ATTEMPTS} attempts each", "nobody", f"{wrong} with other than three in {2 * rounds} rounds", met=wrong == 0)
    say("as fast as behind a lock, times", "≥ 2", quartiles(ratios), f"   ({median(speeds):,.0f} attempts a second)", met=median(ratios) >= 2)


# Pages


def visit(url, path, cookies, seconds):
    """The times of asking for this page again and again, on a connection that stays as long as the server lets it; cheap, for
    it shares the processors with the server."""
    address, times, link = urlsplit(url), [], None
    lines = [f"GET {path} HTTP/1.1", f"Host: {address.netloc}", "Accept: text/html,*/*;q=0.8", "Accept-Encoding: gzip, deflate"]
    request = "\r\n".join([*lines, f"Cookie: {cookies}", "", ""] if cookies else [*lines, "", ""]).encode()
    end = clock() + seconds
    while not times or clock() < end:
        start = clock()
        if link is None:
            link = socket.create_connection((address.hostname, address.port))
        link.sendall(request)
        data = b""
        while b"\r\n\r\n" not in data:
            data += link.recv(65536)
        head, _, body = data.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().lower().split("\r\n")[1:])
        size = len(body)
        while size < int(fields["content-length"]):
            size += len(link.recv(65536))
        times.append(clock() - start)
        assert head.startswith(b"HTTP/1.1 200"), head
        if fields.get("connection") == "close":
            link.close()
            link = None
    return times


def pages(options, environment, size=100_000):
    from django.contrib.auth import get_user_model
    from django.db import connection
    from django.test import Client
    from django.utils import timezone

    from tests.tournament.filling import fill_players, fill_standings
    from tournament import services
    from tournament.models import Season

    size, now = max(options.sizes) if options.sizes != SIZES else size, timezone.now()
    Season.objects.all().delete()
    season = Season.objects.create(name="now", slug="now", closes_at=now + timedelta(days=30))
    fill_players(size, prefix="jugador", since=now - WEEK)
    fill_standings(season, prefix="jugador", since=now - WEEK)
    services.rebuild_rank_index(season_id=season.pk)
    connection.cursor().execute("VACUUM ANALYZE")
    browser = Client()
    browser.force_login(get_user_model().objects.get(username="jugador77"))
    signed_in = "; ".join(f"{name}={morsel.value}" for name, morsel in browser.cookies.items())
    connection.close()
    kinds = {
        "anonymous": ("/ranking/", "/naive/row/", ""),
        "signed in": ("/ranking/", "/naive/row/", signed_in),
        "signed in, the view knows whom": ("/ranking/", "/naive/row/?who", signed_in),
    }
    with multiprocessing.get_context("spawn").Pool(max(options.clients)) as pool:
        for name in options.servers:
            for clients in options.clients:
                with Server(environment, *SERVERS[name]) as server:

                    def slot(path, cookies, server=server, clients=clients):
                        """Requests a second."""
                        times = pool.starmap(visit, [(server.url, path, cookies, options.slot)] * clients)
                        return sum(len(some) / sum(some) for some in times)

                    told = {kind: [] for kind in kinds}
                    speeds = {kind: [] for kind in kinds}
                    for number in range(options.rounds + 1):
                        for kind, (ours, bare, cookies) in kinds.items():
                            before, mine, after = slot(bare, cookies), slot(ours, cookies), slot(bare, cookies)
                            if number:  # the first warms up
                                told[kind].append((before + after) / 2 / mine)
                                speeds[kind].append(mine)
                print(f"\n/ranking/ of {size:,}, gunicorn {name}, {clients} client{'s' * (clients > 1)}: requests a second of a view that reads one row, to ours")
                for kind in kinds:
                    say(kind, "≤ 2", quartiles(told[kind]), f"   ({median(speeds[kind]):,.0f} a second)", met=median(told[kind]) <= 2)


# All of it


def run(options, database_url, folder):
    more = {"DJANGO_SETTINGS_MODULE": "tests.bench.naive.settings"}
    if "pages" in options.only and not options.without_redis:
        from tests import services

        url, _ = services.start_redis(services.free_port())
        more["REDIS_URL"] = f"{url}/0"
    environment = production(database_url, Path(folder) / "static", **more)
    os.environ |= environment
    manage(environment, "migrate")
    if "pages" in options.only:
        manage(environment, "migrate", "--run-syncdb")
        manage(environment, "createcachetable")
        manage(environment, "collectstatic", "--no-input")
    import django

    django.setup()
    from django.conf import settings
    from django.db import connection

    settings.ALLOWED_HOSTS.append("testserver")
    rng = random.Random(options.seed)
    with connection.cursor() as cursor:
        cursor.execute("SELECT version(), current_setting('fsync'), current_setting('shared_buffers')")
        version, fsync, buffers = cursor.fetchone()
        print(f"{version.split(' on ')[0]}, fsync {fsync}, shared_buffers {buffers}, {'apart' if options.apart else 'in one database'}"
              f"{'' if options.vacuumed else ', not vacuumed'}")  # fmt: skip
        assert fsync == "on"
    if "starts" in options.only:
        starts(options.rounds, rng)
    if {"ranking", "awards"} & set(options.only):
        names = [f"bench_{size}" if options.apart else None for size in options.sizes]
        connection.close()
        for name in filter(None, names):
            with connection._nodb_cursor() as cursor:
                cursor.execute(f"CREATE DATABASE {name} TEMPLATE {connection.settings_dict['NAME']}")
        fields = [Field(n, size, name) for n, (size, name) in enumerate(zip(options.sizes, names, strict=True))]
        for field in fields:
            field.fill(rng, options.vacuumed)
        if "ranking" in options.only:
            ask(fields, 2 * options.rounds, rng)
        if "awards" in options.only:
            award(fields[-1], options.rounds, options.slot, environment)
    if "pages" in options.only:
        pages(options, environment)


def main():
    def words(text):
        return text.split(",")

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=lambda text: [int(n) for n in words(text)], default=SIZES)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--slot", type=float, default=0.5, help="seconds of awards or of pages")
    parser.add_argument("--only", type=words, default=["ranking", "awards", "starts"])
    parser.add_argument("--pages", action="store_true", help="/ranking/ of the whole site, and nothing else")
    parser.add_argument("--apart", action="store_true", help="each size in a database of its own")
    parser.add_argument("--unvacuumed", dest="vacuumed", action="store_false", help="as while all play at once")
    parser.add_argument("--shared-buffers", default="128MB", help="PostgreSQL's own default")
    parser.add_argument("--without-redis", action="store_true", help="the pages' cache in the database")
    parser.add_argument("--servers", type=words, default=list(SERVERS))
    parser.add_argument("--clients", type=lambda text: [int(n) for n in words(text)], default=[8])
    parser.add_argument("--seed", default="bench")
    options = parser.parse_args()
    if options.pages:
        options.only = ["pages"]
    with tempfile.TemporaryDirectory() as folder:
        from tests import services

        # fsync and all, as it is shipped
        services.POSTGRES = f"listen_addresses= max_connections=100 shared_buffers={options.shared_buffers}"
        run(options, services.start_postgres(), folder)


if __name__ == "__main__":
    sys.exit(main())
