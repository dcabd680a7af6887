"""Replay records of matches and print what happens in them, one JSON object a line."""

import json
import sys

from django.core.management.base import BaseCommand

from cvarenta.game.record import MOST_CHARACTERS, replay_lines


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
            yield from replay_lines(_read(file))
        except UnicodeDecodeError:
            yield {"event": "error", "ply": 0, "reason": "the file is not UTF-8 text"}
        except OSError as error:
            yield {"event": "error", "ply": 0, "reason": f"the file cannot be read: {error.strerror}"}


def _read(file):
    """The text of a file, not much more than a record may have, so that a huge file costs little."""
    most = MOST_CHARACTERS * 4 + 1
    if file == "-":
        return sys.stdin.buffer.read(most).decode("utf-8-sig")
    with open(file, "rb") as stream:
        return stream.read(most).decode("utf-8-sig")
