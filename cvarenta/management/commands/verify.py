"""Check records of finished matches: the shuffle from seed and nonce, the plays, the bots' choices."""

from cvarenta.game.errors import Unreadable
from cvarenta.game.record import read_json
from cvarenta.game.verify import CHECKS, FAILS, OK, Check, verify
from cvarenta.management.files import RecordsCommand, text_of

WORDS = {OK: "ok", FAILS: "FAILS"}
WIDTH = max(map(len, CHECKS))


class Command(RecordsCommand):
    help = "Checks records of finished matches, one line a check: shuffle, plays, bots' choices; exits 1 if one fails."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("--no-bots", action="store_true", help="leave the bots' choices, the slow part, unchecked")
        parser.add_argument("--decks", action="store_true", help="show the decks too, in the order they were dealt")

    def show(self, file, *, is_named, no_bots, decks, **options):
        if is_named:
            self._print(f"{file}:")
        try:
            data = read_json(text_of(file))
        except Unreadable as error:
            data, checks = None, [Check("record", FAILS, str(error))]
        else:
            checks = verify(data, with_bots=not no_bots).checks
        for check in checks:
            self._print(_line(check))
            self.is_wrong = self.is_wrong or check.state == FAILS
        if decks and checks[0].detail == "":
            for n, deck in enumerate(data["decks"]):
                self._print(f"deck {n}: {deck}" if deck.isalnum() and len(deck) == 80 else f"deck {n}: no deck")

    def _print(self, line):
        """A line; what this terminal cannot write, a file's strange name say, is escaped."""
        encoding = getattr(self.stdout, "encoding", None) or "utf-8"
        self.stdout.write(line.encode(encoding, "backslashreplace").decode(encoding))


def _line(check):
    word = WORDS.get(check.state, check.state)
    return f"{check.name:{WIDTH}}  {word}{f': {check.detail}' if check.detail else ''}"
