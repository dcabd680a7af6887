"""The review desk's lists, their filters and their search on PostgreSQL, among 1,000 and 1,000,000 runs.

Run: python -m tests.bench.desk [--sizes 1000,1000000] [--rounds 15]
Each size is a database of its own, with twenty runs of each player on seven days, half of them waiting, one in eight flagged
and one in ten of the waiting asking for a second look, so that every list of the smaller fills its page of fifty too; whatever
waits no longer has its line in the trail. Every page is asked for whole (rights, rows, filters, template), by a reviewer, in
each size in turn; what is printed is what a page takes in the larger to what it takes in the smaller: the median of the rounds with
their quartiles. No time is asserted.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

from tests.bench.web import quartiles
from tests.campaign.serving import manage, production

EACH = 20  #: runs of a player
CALLS = 3  #: of a page of a size in a round
SINCE = datetime(2026, 11, 23, 17, tzinfo=UTC)
LIST = "/admin/tournament/scoredrun/"
TRAIL = "/admin/tournament/decision/"
clock = time.perf_counter

_RUNS = """
INSERT INTO tournament_scoredrun (run_id, season_id, standing_id, day, slot, runs_a_day, chapter_points, bonus_points, started_at,
                                  outcome, ended_at, state, decided, is_waiting, asks, is_flagged)
SELECT to_hex(number), season_id, standing_id, %(day)s::date + n / 3, n %% 3 + 1, 3, 100, 200, at, 'lost', at + interval '20 minutes',
       CASE WHEN number %% 2 = 0 THEN 'waiting' WHEN number %% 9 = 0 THEN 'annulled' ELSE 'approved' END,
       number %% 2, number %% 2 = 0, number %% 20 = 0, random() < 0.13
FROM (SELECT row_number() OVER () number, season_id, id standing_id, n, %(since)s + n / 3 * interval '1 day' + random() * interval '10 hours' AS at
      FROM tournament_standing, generate_series(0, %(each)s - 1) n ORDER BY random()) runs
"""
_AWARDS = """
INSERT INTO tournament_award (run_id, chapter, points, at)
SELECT run_id, chapter, 100, ended_at FROM tournament_scoredrun, generate_series(1, 2) chapter
"""
_FLAGS = """
INSERT INTO tournament_flag (run_id, kind, about, reason, evidence, link, at)
SELECT run_id, 'pace', '', 'Jugó más rápido de lo que alcanza una mano', '', '', ended_at FROM tournament_scoredrun WHERE is_flagged
"""
_SECOND_LOOKS = """
INSERT INTO tournament_secondlook (run_id, text, at) SELECT run_id, 'Fue mi ñaña', ended_at FROM tournament_scoredrun WHERE asks
"""
_DECISIONS = """
INSERT INTO tournament_decision (run_id, number, action, reason, by_id, by_name, at, state_before, state_after, points_before, points_after)
SELECT run_id, 1, CASE state WHEN 'annulled' THEN 'annul' ELSE 'approve' END, 'Dos cuentas', 1, 'mariana', ended_at + interval '1 day',
       'waiting', state, 200, CASE state WHEN 'annulled' THEN 0 ELSE 200 END
FROM tournament_scoredrun WHERE decided > 0
"""


def fill(size):
    """A season with so many runs; returns a reviewer's browser."""
    from django.db import connection
    from django.test import Client

    from cvarenta.models import Player
    from tests.tournament.filling import fill_players, fill_standings
    from tournament import services
    from tournament.models import Season

    Season.objects.all().delete()
    season = Season.objects.create(name="Fiestas", slug="fiestas", closes_at=SINCE + timedelta(days=60))
    fill_players(size // EACH, prefix="jugador", since=SINCE)
    fill_standings(season, prefix="jugador", since=SINCE)
    services.rebuild_rank_index(season_id=season.pk)
    with connection.cursor() as cursor:
        cursor.execute(_RUNS, {"day": SINCE.date(), "since": SINCE, "each": EACH})
        cursor.execute(_AWARDS)
        cursor.execute(_FLAGS)
        cursor.execute(_SECOND_LOOKS)
        cursor.execute(_DECISIONS)
        cursor.execute("VACUUM ANALYZE")
    browser = Client()
    browser.force_login(Player.objects.create_superuser("jefa"))
    return browser


def pages(size, rng):
    """What is asked for: {what: (address, query)}."""
    from tournament.models import ScoredRun

    name = f"jugador{rng.randrange(1, size // EACH)}"
    day, decided_on = ((SINCE + timedelta(days=rng.randrange(6) + later)).date().isoformat() for later in (0, 1))
    runs = {
        "list": {},
        "list of all": {"estado": "todas"},
        "… of the annulled": {"estado": "anuladas"},
        "… of the approved": {"estado": "aprobadas"},
        "… of a day": {"estado": "todas", "dia": day},
        "… flagged": {"senales": "con"},
        "… without a flag": {"senales": "sin"},
        "… that ask for a second look": {"segunda": "si"},
        "… of the first of the ranking": {"estado": "todas", "primeros": "si"},
        "… its last page": {"estado": "todas", "p": "20"},
        "search: a name": {"q": name.upper()},
        "search: the beginning of many": {"q": "jug"},
        "search: a run": {"q": ScoredRun.objects.order_by("run_id").values_list("pk", flat=True)[rng.randrange(100)]},
        "search: within a name, where none begins so": {"q": name[2:]},
    }
    decisions = {
        "trail": {},
        "trail: what was annulled": {"decision": "annul"},
        "trail: a day": {"dia": decided_on},
        "trail: a page further on": {"p": "9"},
        "trail: a name": {"q": name},
    }
    asked = ((LIST, runs), (TRAIL, decisions))
    return {what: (address, query) for address, queries in asked for what, query in queries.items()}


def run(options, database_url, folder):
    environment = production(database_url, Path(folder) / "static")
    os.environ |= environment
    os.environ["DJANGO_SETTINGS_MODULE"] = "cvarenta.settings"
    manage(environment, "migrate")
    manage(environment, "createcachetable")
    manage(environment, "collectstatic", "--no-input")
    import django

    django.setup()
    from django.conf import settings
    from django.db import connection, connections
    from django.db.utils import load_backend

    settings.ALLOWED_HOSTS.append("testserver")
    rng, browsers, there = random.Random(options.seed), {}, {}
    template = connection.settings_dict["NAME"]
    connection.close()
    for size in options.sizes:
        with connection._nodb_cursor() as cursor:
            cursor.execute(f"CREATE DATABASE desk_{size} TEMPLATE {template}")
    for size in options.sizes:
        given = connections.settings["default"] | {"NAME": f"desk_{size}"}
        connections["default"] = there[size] = load_backend(given["ENGINE"]).DatabaseWrapper(given, "default")
        begun = clock()
        browsers[size] = fill(size)
        print(f"{size:,} runs written in {clock() - begun:.0f} s", flush=True)
    small, large = options.sizes[0], options.sizes[-1]
    told, took = {}, {}
    for number in range(options.rounds + 1):
        times = {}
        asked = {}
        for size in options.sizes:
            connections["default"] = there[size]
            asked[size] = pages(size, rng)
        calls = [(what, size) for what in asked[small] for size in options.sizes for _ in range(CALLS)]
        rng.shuffle(calls)
        for what, size in calls:
            connections["default"] = there[size]
            begun = clock()
            answer = browsers[size].get(*asked[size][what])
            times.setdefault((what, size), []).append(clock() - begun)
            assert answer.status_code == 200, (what, answer.status_code)
        for what in asked[small] if number else ():  # the first warms up
            told.setdefault(what, []).append(median(times[what, large]) / median(times[what, small]))
            took.setdefault(what, []).append(1000 * median(times[what, large]))
    print(f"\nwhat a page takes among {large:,} runs to what it takes among {small:,}, {options.rounds} rounds: median [quartiles]")
    for what, ratios in told.items():
        verdict = "met" if median(ratios) <= 2 else "MISSED"
        print(f"  {what:<46}{quartiles(ratios)}   ({median(took[what]):.0f} ms)   goal ≤ 2: {verdict}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=lambda text: [int(n) for n in text.split(",")], default=[1000, 1_000_000])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seed", default="bench")
    with tempfile.TemporaryDirectory() as folder:
        from tests import services

        services.POSTGRES = "listen_addresses= max_connections=50 shared_buffers=128MB"
        run(parser.parse_args(), services.start_postgres(), folder)


if __name__ == "__main__":
    sys.exit(main())
