"""Replay records of matches and print what happens in them, one JSON object a line."""

import json
import sys

from django.core.management.base import BaseCommand

from cvarenta.game.errors import Unreadable
from cvarenta.game.record import replay_lines
from cvarenta.management.files import text_of


class Command(BaseCommand):
    help = "Replays match records (cvarenta-record/1) and prints their events as JSON lines; exits 1 if one is wrong."
    requires_system_checks = []

    def add_arguments(self, parser):
        parser.add_argument("files", nargs="+", metavar="FILE", help="a record; - reads standard input")

    def handle(self, files, **options):
        failed = False
        try:
            for file in files:
                if len(files) > 1:
                    self._print({"event": "record", "file": file})
                for line in self._lines(file):
                    self._print(line)
                    failed = failed or line["event"] == "error"
            self.stdout.flush()
        except BrokenPipeError:  # the reader, `head` say, has seen enough
            sys.stderr.close()
        if failed:
            sys.exit(1)

    def _print(self, line):
        self.stdout.write(json.dumps(line))

    def _lines(self, file):
        try:
            yield from replay_lines(text_of(file))
        except Unreadable as error:
            yield {"event": "error", "ply": 0, "reason": str(error)}
