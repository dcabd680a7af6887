"""Replay records of matches and print what happens in them, one JSON object a line."""

import json

from cvarenta.game.errors import Unreadable
from cvarenta.game.record import replay_lines
from cvarenta.management.files import RecordsCommand, text_of


class Command(RecordsCommand):
    help = "Replays match records (cvarenta-record/1) and prints their events as JSON lines; exits 1 if one is wrong."

    def show(self, file, *, is_named, **options):
        if is_named:
            self._print({"event": "record", "file": file})
        for line in self._lines(file):
            self._print(line)
            self.is_wrong = self.is_wrong or line["event"] == "error"

    def _print(self, line):
        self.stdout.write(json.dumps(line))

    def _lines(self, file):
        try:
            yield from replay_lines(text_of(file))
        except Unreadable as error:
            yield {"event": "error", "ply": 0, "reason": str(error)}
