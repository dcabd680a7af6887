"""Check records of finished matches: the shuffle from seed and nonce, the plays, the bots' choices."""

import sys

from django.core.management.base import BaseCommand

from cvarenta.game.errors import Unreadable
from cvarenta.game.record import read_json
from cvarenta.game.verify import CHECKS, FAILS, OK, Check, verify
from cvarenta.management.files import text_of

WORDS = {OK: "ok", FAILS: "FAILS"}
WIDTH = max(map(len, CHECKS))


class Command(BaseCommand):
    help = "Checks records of finished matches, one line a check: shuffle, plays, bots' choices; exits 1 if one fails."
    requires_system_checks = []

    def add_arguments(self, parser):
        parser.add_argument("files", nargs="+", metavar="FILE", help="a record; - reads standard input")
        parser.add_argument("--no-bots", action="store_true", help="leave the bots' choices, the slow part, unchecked")
        parser.add_argument("--decks", action="store_true", help="show the decks too, in the order they were dealt")

    def handle(self, files, no_bots, decks, **options):
        failed = False
        try:
            for file in files:
                if len(files) > 1:
                    self._print(f"{file}:")
                try:
                    data = read_json(text_of(file))
                except Unreadable as error:
                    data, checks = None, [Check("record", FAILS, str(error))]
                else:
                    checks = verify(data, with_bots=not no_bots).checks
                for check in checks:
                    self._print(_line(check))
                failed = failed or any(check.state == FAILS for check in checks)
                if decks and checks[0].detail == "":
                    for n, deck in enumerate(data["decks"]):
                        self._print(f"deck {n}: {deck}" if deck.isalnum() and len(deck) == 80 else f"deck {n}: no deck")
            self.stdout.flush()
        except BrokenPipeError:  # the reader, `head` say, has seen enough
            sys.stderr.close()
        if failed:
            sys.exit(1)

    def _print(self, line):
        """A line; what this terminal cannot write, a file's strange name say, is escaped."""
        encoding = getattr(self.stdout, "encoding", None) or "utf-8"
        self.stdout.write(line.encode(encoding, "backslashreplace").decode(encoding))


def _line(check):
    word = WORDS.get(check.state, check.state)
    return f"{check.name:{WIDTH}}  {word}{f': {check.detail}' if check.detail else ''}"
