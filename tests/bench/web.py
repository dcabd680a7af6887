"""The play request against a naive play, on the same server and database, by one client and by eight.

Run: python -m tests.bench.web [--rounds 11] [--slot 1.5] [--sqlite] [--servers sync,gthread] [--clients 1,8]
*Naive play*: signed in, `select_for_update`, `save`, commit, on a row of about the same columns (tests/bench/naive). Ours is the
site's own: the guards, the rules, three greedy rivals' answers (once three maestros'), the log, the commit; as guest and signed in, answered as JSON and as
the page's fragment. PostgreSQL runs with fsync, as shipped. Each slot of ours lies between two of the naive play, and its ratio is
taken to their mean; the medians of the rounds and their quartiles are printed: below 1 ours is faster. Clients are processes, and
only the time between sending a request and having its answer counts. Ply 300 is paired with ply 10 in the same way.
"""

import argparse
import multiprocessing
import os
import random
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.campaign.serving import Server, manage, production

ROWS = 60  #: matches a client has for a slot; each is played a few times, then the next
PLAYS_A_ROW = 4
SERVERS = {"sync": ("--workers", "2"), "gthread": ("--worker-class", "gthread", "--workers", "2", "--threads", "4")}
MAESTROS = "player json, maestros"  #: three of the strong bots answer
OURS = ("guest json", "player json", "guest fragment", "player fragment", MAESTROS)


# What a client does, in a process of its own


def client(url, kind, rows, cookies, seconds, seed):
    """Play in these rows, (id, ply, legal plays), until the time is over; returns the time of each request."""
    from tests.campaign.playing import Visitor

    rng, browser, times = random.Random(seed), Visitor(url), []
    for name, value in cookies.items():
        browser.cookies[name] = value
    headers = {"Content-Type": "application/json", "X-CSRFToken": cookies["csrftoken"],
               "Accept": "text/html" if "fragment" in kind else "application/json"}  # fmt: skip
    if "fragment" in kind:
        headers["X-Fragment"] = "table"
    end, clock = time.perf_counter() + seconds, time.perf_counter
    for match_id, ply, legal in rows:
        for _ in range(PLAYS_A_ROW):
            body = f'{{"play": "{rng.choice(legal)}", "ply": {ply}}}'
            path = f"/naive/{match_id}/" if kind == "naive" else f"/mesa/{match_id}/"
            start = clock()
            answer = browser.request("POST", path, body, headers)
            times.append(clock() - start)
            assert answer.status_code == 200, (answer.status_code, answer.text[:300])
            if kind == "naive":
                continue
            if "fragment" in kind:
                legal = re.findall(r'name="play" value="([^"]+)"', answer.text)
                ply = int(re.search(r'name="ply" value="(\d+)"', answer.text)[1]) if legal else ply
            else:
                table = answer.json()
                legal, ply = table["legal"], table["ply"]
            if not legal:
                break
        if clock() > end:
            break
    browser.close()
    return times


# The rows


class Tables:
    """Matches of a guest and of a player at ply 10 and at ply 300, and naive rows like them; put back before each slot."""

    def __init__(self):
        from django.contrib.auth import get_user_model
        from django.test import Client

        from campaign.models import Match
        from tests.bench.naive.models import NaiveMatch
        from tests.campaign.long_matches import save_far_on
        from tests.campaign.playing import Program

        self.Match, self.NaiveMatch = Match, NaiveMatch
        self.player = get_user_model().objects.create_user("bench", password="bench-1534")
        programs = {"guest": Program(Client()), "player": Program(Client())}
        programs["player"].browser.force_login(self.player)
        guest = Match.objects.get(pk=programs["guest"].start()).guest
        programs["player"].start()
        owners = {"guest": {"guest": guest}, "player": {"player": self.player}}
        self.cookies = {who: {name: morsel.value for name, morsel in program.browser.cookies.items()}
                        for who, program in programs.items()}  # fmt: skip
        self.models = {}
        for who, owner in owners.items():
            for plies in (10, 300):
                self.models[who, plies] = [save_far_on(plies=plies, seed=b"bench %d" % n, **owner) for n in range(6)]
        self.programs = programs

    def rows_for(self, kind, plies, number):
        """Fresh rows as (id, ply, legal plays), a list for each client."""
        from django.db import transaction

        from campaign.models import new_id
        from cvarenta.game.notation import format_play

        who = "guest" if "guest" in kind else "player"
        models, lists, rows = self.models[who, plies], [], []
        for n in range(number):
            lists.append([])
            for m in range(ROWS):
                model = models[(n + m) % len(models)]
                fields = {field.attname: getattr(model, field.attname) for field in self.Match._meta.concrete_fields}
                if kind == "naive":
                    kept = {field.attname for field in self.NaiveMatch._meta.concrete_fields} - {"id"}
                    naive = {name: value for name, value in fields.items() if name in kept}
                    rows.append(self.NaiveMatch(**naive | {"player_id": self.player.pk}))
                else:
                    bots = {"bots": "0:maestro/1,maestro/1,maestro/1"} if kind == MAESTROS else {}
                    rows.append(self.Match(**fields | {"id": new_id()} | bots))
                lists[-1].append((rows[-1], model.ply, [format_play(play) for play in model.load_game().legal()]))
        with transaction.atomic():
            self.NaiveMatch.objects.all().delete()
            self.Match.objects.all().delete()
            (self.NaiveMatch if kind == "naive" else self.Match).objects.bulk_create(rows)
        return [[(row.pk, ply, legal) for row, ply, legal in some] for some in lists]

    def cookies_for(self, kind):
        return self.cookies["guest" if "guest" in kind else "player"]

    def queries(self, kind):
        """How many queries one request of this kind makes, BEGIN and COMMIT included."""
        from django.db import connection
        from django.test import Client
        from django.test.utils import CaptureQueriesContext

        counts = []
        for plies in (10, 300):
            (rows,) = self.rows_for(kind, plies, 1)
            match_id, ply, legal = rows[0]
            browser, cookies = Client(), self.cookies_for(kind)
            for name, value in cookies.items():
                browser.cookies[name] = value
            headers = {"x-csrftoken": cookies["csrftoken"], "accept": "text/html" if "fragment" in kind else "application/json"}
            headers |= {"x-fragment": "table"} if "fragment" in kind else {}
            path = f"/naive/{match_id}/" if kind == "naive" else f"/mesa/{match_id}/"
            with CaptureQueriesContext(connection) as captured:
                response = browser.post(path, {"play": legal[0], "ply": ply}, content_type="application/json", headers=headers)
            assert response.status_code == 200
            counts.append(len(captured))
        return counts


def decisions(seconds, name="maestro"):
    """The seconds of this bot's decisions, one after the other in this process, in matches against itself; only those
    with something to decide are counted."""
    from cvarenta.game.bots import get_bot
    from cvarenta.game.match import Match
    from cvarenta.game.rulesets import RULESETS
    from cvarenta.game.shuffle import bot_stream, shuffled_deck
    from cvarenta.game.view import view_of

    bot, times, number, clock = get_bot(name), [], 0, time.perf_counter
    end = clock() + seconds
    while clock() < end or len(times) < 100:
        number += 1
        seed, match = number.to_bytes(32, "big"), Match(RULESETS["quito"], number % 4)
        while not match.is_over:
            if match.awaits_deck:
                match.begin_deck(shuffled_deck(seed, "", match.deck_number + 1))
                continue
            start = clock()
            play = bot.choose(view_of(match, match.to_play), bot_stream(seed, match.ply))
            if len(match.legal()) > 1:
                times.append(clock() - start)
            match.play(play)
    return times


# The rounds


class Bench:
    def __init__(self, tables, pool, url, clients):
        self.tables, self.pool, self.url, self.clients, self.turn = tables, pool, url, clients, 0

    def slot(self, kind, seconds, plies=10):
        """Requests' mean time in this slot in ms (for eight clients: as each of them waits)."""
        rows, cookies, self.turn = self.tables.rows_for(kind, plies, self.clients), self.tables.cookies_for(kind), self.turn + 1
        calls = [(self.url, kind, rows[n], cookies, seconds, f"{self.turn} {n}") for n in range(self.clients)]
        times = [each for some in self.pool.starmap(client, calls) for each in some]
        return statistics.fmean(times) * 1000

    def round(self, seconds):
        """Ours between naive plays: {kind: (ms, ratio)}."""
        found, before = {}, self.slot("naive", seconds)
        naive = [before]
        for kind in OURS:
            ours = self.slot(kind, seconds)
            after = self.slot("naive", seconds)
            found[kind] = ours, ours / ((before + after) / 2)
            naive.append(after)
            before = after
        found["naive"] = statistics.median(naive), max(naive) / min(naive)
        times = [1000 * time for time in decisions(seconds)]
        found["maestro"] = (statistics.fmean(times) / found["naive"][0],
                            statistics.quantiles(times, n=100)[98] / found["naive"][0])  # fmt: skip
        return found

    def late_and_early(self, kind, seconds):
        """Ply 300 between two of ply 10: the ratio."""
        before = self.slot(kind, seconds)
        late = self.slot(kind, seconds, plies=300)
        return late / ((before + self.slot(kind, seconds)) / 2)


def quartiles(values):
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{middle:7.2f} [{low:.2f} – {high:.2f}]"


def run(options, database_url, folder):
    environment = production(database_url, Path(folder) / "static", DJANGO_SETTINGS_MODULE="tests.bench.naive.settings")
    os.environ |= environment
    manage(environment, "migrate")
    manage(environment, "migrate", "--run-syncdb")  # the naive row has no migration
    manage(environment, "collectstatic", "--no-input")
    import django

    django.setup()
    from django.conf import settings
    from django.db import connection

    settings.ALLOWED_HOSTS.append("testserver")
    tables = Tables()
    print("queries of a request (BEGIN and COMMIT included), at ply 10 and at ply 300:")
    for kind in ("naive", *OURS):
        print(f"  {kind:<18}{tables.queries(kind)}")
    connection.close()
    context = multiprocessing.get_context("spawn")
    with context.Pool(max(options.clients)) as pool:
        for name in options.servers:
            for clients in options.clients:
                with Server(environment, *SERVERS[name]) as server:
                    bench = Bench(tables, pool, server.url, clients)
                    bench.round(min(0.3, options.slot))  # warm up
                    rounds = [bench.round(options.slot) for _ in range(options.rounds)]
                    late = {kind: [bench.late_and_early(kind, options.slot / 2) for _ in range(options.rounds)]
                            for kind in ("guest json", "player fragment")}  # fmt: skip
                print(f"\n{connection.vendor}, gunicorn {name}, {clients} client{'s' * (clients > 1)}, {options.rounds} rounds of "
                      f"{options.slot} s: median [quartiles]")  # fmt: skip
                noise = quartiles([one["naive"][1] for one in rounds])
                print(f"  {'naive play':<18}{quartiles([one['naive'][0] for one in rounds])} ms; slowest / fastest slot of a round {noise}")
                for kind in OURS:
                    print(f"  {kind:<18}{quartiles([one[kind][0] for one in rounds])} ms, ratio to naive"
                          f"{quartiles([one[kind][1] for one in rounds])}")  # fmt: skip
                print(f"  a play of maestro in this process, ratio to a naive play: mean"
                      f"{quartiles([one['maestro'][0] for one in rounds])}, p99{quartiles([one['maestro'][1] for one in rounds])}")
                for kind, ratios in late.items():
                    print(f"  {kind:<18} ply 300 / ply 10 {quartiles(ratios)}")
                sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--slot", type=float, default=1.5, help="seconds")
    parser.add_argument("--sqlite", action="store_true")
    parser.add_argument("--servers", type=lambda text: text.split(","), default=list(SERVERS))
    parser.add_argument("--clients", type=lambda text: [int(n) for n in text.split(",")], default=[1, 8])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.sqlite:
            database_url = f"sqlite:///{folder}/bench.sqlite3"
        else:
            from tests import services

            services.POSTGRES = "listen_addresses= max_connections=100"  # fsync and all, as it is shipped
            database_url = services.start_postgres()
        run(options, database_url, folder)


if __name__ == "__main__":
    sys.exit(main())
