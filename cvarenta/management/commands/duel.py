"""Let two bots play duplicate matches and tell who is stronger, and how slow each is."""

import json
import multiprocessing
import os
import signal
import sys
import time
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from cvarenta.game.bots import BOTS, get_bot
from cvarenta.game.duel import Tally, play_pair
from cvarenta.game.errors import Unreadable
from cvarenta.game.rulesets import RULESETS

AT_A_TIME = 2  #: pairs given to a process at once


class Command(BaseCommand):
    help = "Plays duplicate matches of two bots: the same decks and dealer twice, the sides changed."
    requires_system_checks = []

    def add_arguments(self, parser):
        bots = ", ".join(BOTS)
        parser.add_argument("a", metavar="A", help=f"a bot or character: {bots}; name or name/version")
        parser.add_argument("b", metavar="B", help="the bot it plays against")
        parser.add_argument("--pairs", type=int, default=100, metavar="N", help="pairs of matches (100)")
        parser.add_argument("--ruleset", default="quito", choices=list(RULESETS), help="the table (quito)")
        parser.add_argument("--seed", default="0", help="any text; the same seed deals the same decks (0)")
        parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="P", help="(all cores)")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--records", metavar="FILE", help="write the records of all matches to FILE, one a line")
        parser.add_argument("--record", type=int, metavar="K", help="print the two records of pair K (0-based) only")

    def handle(self, *, a, b, pairs, ruleset, seed, processes, records, record, **options):
        try:
            bots = get_bot(a), get_bot(b)
        except Unreadable:
            raise CommandError(f"A and B are two of {', '.join(BOTS)}.") from None
        if pairs < 1 or processes < 1 or (record is not None and record < 0):
            raise CommandError("--pairs and --processes are at least 1, --record at least 0.")
        labels = [bot.label for bot in bots]
        if record is not None:
            for match in _pair(labels, ruleset, seed, record):
                self.stdout.write(json.dumps(match.record))
            return
        try:
            with Path(records).open("w", encoding="utf-8") if records else nullcontext() as file:
                tally = self._play(labels, pairs, ruleset, seed, processes, file)
        except OSError as error:
            raise CommandError(f"{records} cannot be written: {error.strerror}") from None
        except KeyboardInterrupt:
            raise CommandError("stopped") from None
        told = {"a": labels[0], "b": labels[1], "ruleset": ruleset, "seed": seed} | tally.summary()
        self.stdout.write(json.dumps(told) if options["json"] else _text(told))

    def _play(self, labels, pairs, ruleset, seed, processes, file):
        """The Tally of all pairs, their records written to `file` in the order of the pairs."""
        tally, play = Tally(), partial(_pair, labels, ruleset, seed)
        processes = min(processes, pairs)
        pool = multiprocessing.get_context("spawn").Pool(processes, _ignore_interrupt) if processes > 1 else None
        try:
            for pair in pool.imap(play, range(pairs), AT_A_TIME) if pool else map(play, range(pairs)):
                tally.add(pair)
                if file:
                    file.writelines(json.dumps(match.record) + "\n" for match in pair)
                self._show_progress(tally, pairs)
        finally:
            if pool:
                pool.terminate()
                pool.join()
        return tally

    def _show_progress(self, tally, pairs):
        if sys.stderr.isatty():
            done = f"\r{tally.pairs}/{pairs} pairs: {tally.won} won, {tally.drawn} drawn, {tally.lost} lost "
            self.stderr.write(done, ending="\n" if tally.pairs == pairs else "")
            self.stderr.flush()


def _pair(labels, ruleset, seed, number):
    """One pair, in a process of its own."""
    return play_pair(ruleset, [get_bot(label) for label in labels], seed, number, time.perf_counter)


def _ignore_interrupt():
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _text(told):
    low, high = told["matches_interval"]
    lines = [
        f"{told['a']} against {told['b']}, {told['ruleset']}, {told['pairs']} pairs, seed {told['seed']}",
        f"pairs    {told['won']} won, {told['drawn']} drawn, {told['lost']} lost",
        f"matches  {told['matches']} % won [{low} to {high}]",
    ]
    if told["decided"] is not None:
        low, high = told["decided_interval"]
        lines.append(f"decided  {told['decided']} % of decided pairs won [{low} to {high}]")
    lines.append(f"points   {told['points'][0]} to {told['points'][1]} a match of {told['plies']} plies")
    for which, name in enumerate((told["a"], told["b"])):
        lines.append(f"time     {name}: mean {told['mean_ms'][which]} ms, p99 {told['p99_ms'][which]} ms a decision")
    return "\n".join(lines)
