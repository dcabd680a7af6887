"""How strong the bots are, by duplicate matches, and what the quick one costs beside a bare Django view.

Run: python -m tests.bench.bots [--pairs 1000] [--seed bench] [--processes P] [--only TEXT] [--rounds 15]
Strength: `manage.py duel` of each row, with its 95 % intervals. `plain` takes most points, then most cards, and lays by chance: the
yardstick of the prototypes; `greedy` also lays the card that is least likely to be fallen on. Slow rows have fewer pairs. Cost:
three choices of `aficionado` (without and with the making of the seats' views), beside a view that answers "ok" through Django's five
usual middlewares, in this process; blocks of both in turn, the median of the rounds' ratios with their quartiles. What `maestro` costs
beside a naive play is measured in tests.bench.web.
"""

import argparse
import io
import json
import os
import statistics
import sys
import time

#: who against whom, at which table, and at most how many pairs
ROWS = [
    ("maestro", "greedy", "quito", 1000), ("maestro", "plain", "quito", 1000), ("maestro", "aficionado", "quito", 1000),
    ("aficionado", "plain", "quito", 1000), ("aficionado", "greedy", "quito", 1000), ("maestro", "maestro", "quito", 200),
    ("maestro", "greedy", "mano-a-mano", 300), ("maestro", "plain", "mano-a-mano", 300),
    ("maestro", "greedy", "tradicional-2", 150), ("maestro", "plain", "tradicional-2", 150),
    ("maestro", "greedy", "tradicional-4", 150), ("maestro", "plain", "tradicional-4", 150),
    ("aprendiz", "greedy", "quito", 1000), ("almeida", "greedy", "quito", 1000), ("ramon", "greedy", "quito", 1000),
    ("cantuna", "greedy", "quito", 1000), ("manuela", "greedy", "quito", 200), ("diablo", "greedy", "quito", 200),
    ("virgen", "diablo", "quito", 200),
    ("miguel-1", "greedy", "quito", 1000), ("miguel-3", "greedy", "quito", 1000), ("miguel-5", "greedy", "quito", 200),
]  # fmt: skip
BLOCK = 200  #: calls timed at once


def strength(options):
    from django.core.management import call_command

    print(f"{'':<42}{'matches won %':>22}{'decided pairs won %':>22}   points        ms mean, p99")
    for a, b, ruleset, most in ROWS:
        if options.only and options.only not in f"{a} {b} {ruleset}":
            continue
        out = io.StringIO()
        call_command("duel", a, b, pairs=min(most, options.pairs), ruleset=ruleset, seed=options.seed, processes=options.processes,
                     json=True, stdout=out)  # fmt: skip
        told = json.loads(out.getvalue())
        print(f"{a} against {b}, {ruleset}".ljust(42) + _with_interval(told, "matches") + _with_interval(told, "decided")
              + f"   {told['points'][0]:>5} – {told['points'][1]:<5} {told['mean_ms'][0]:>7}, {told['p99_ms'][0]}", flush=True)


def _with_interval(told, key):
    return "—".rjust(22) if told[key] is None else "{} [{} – {}]".format(told[key], *told[f"{key}_interval"]).rjust(22)


def cost(options):
    """Three plays of aficionado against a bare view: prints the ratio."""
    from django.core.handlers.wsgi import WSGIHandler

    from cvarenta.game.bots import get_bot
    from cvarenta.game.match import Match
    from cvarenta.game.rulesets import RULESETS
    from cvarenta.game.shuffle import bot_stream, shuffled_deck
    from cvarenta.game.state import dump_state, load_state
    from cvarenta.game.view import view_of

    bot, seed, turns = get_bot("aficionado"), bytes(range(32)), []
    match = Match(RULESETS["quito"], 0)
    while len(turns) < BLOCK:
        if match.is_over:
            match = Match(RULESETS["quito"], 0)
        if match.awaits_deck:
            match.begin_deck(shuffled_deck(seed, str(len(turns)), match.deck_number + 1))
        else:
            turns.append(load_state(dump_state(match)))
            match.play(bot.choose(view_of(match, match.to_play), bot_stream(seed, match.ply)))
    handler = WSGIHandler()

    def view():
        environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/bare/", "SERVER_NAME": "localhost", "SERVER_PORT": "80",
                   "wsgi.input": io.BytesIO(), "wsgi.url_scheme": "http", "QUERY_STRING": ""}  # fmt: skip
        response = handler(environ, lambda status, headers: None)
        assert response.status_code == 200
        response.close()

    def views():
        for _ in range(BLOCK):
            view()

    seen = [view_of(turn, turn.to_play) for turn in turns]

    def choices():
        for one in seen:
            bot.choose(one, bot_stream(seed, one.ply))

    def whole_turns():
        for turn in turns:
            bot.choose(view_of(turn, turn.to_play), bot_stream(seed, turn.ply))

    for what, plays in (("three choices of aficionado", choices), ("the same with the making of their views", whole_turns)):
        views(), plays()
        ratios, micros = [], []
        for _ in range(options.rounds):
            before, three, after = _timed(views), 3 * _timed(plays), _timed(views)
            ratios.append(2 * three / (before + after))
            micros.append(1e6 * (before + after) / 2 / BLOCK)
        low, middle, high = statistics.quantiles(ratios, n=4)
        print(f"{what} / a bare view: {middle:.2f} [{low:.2f} – {high:.2f}]; a view takes {statistics.median(micros):.0f} µs")


def _timed(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--seed", default="bench")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", help="rows whose names contain this")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--cost-only", action="store_true")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.bench.bare")
    import django

    django.setup()
    cost(options)
    if not options.cost_only:
        strength(options)


if __name__ == "__main__":
    sys.exit(main())
