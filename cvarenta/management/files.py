"""The files that commands are given: records of matches."""

import sys

from django.core.management.base import BaseCommand

from cvarenta.game.errors import Unreadable
from cvarenta.game.record import MOST_CHARACTERS


def text_of(file):
    """The text of a file, or of standard input for `-`; not much more than a record may have, so that a huge file costs
    little. Raises Unreadable."""
    most = MOST_CHARACTERS * 4 + 1
    try:
        if file == "-":
            return sys.stdin.buffer.read(most).decode("utf-8-sig")
        with open(file, "rb") as stream:
            return stream.read(most).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("the file is not UTF-8 text") from None
    except OSError as error:
        raise Unreadable(f"the file cannot be read: {error.strerror}") from None


class RecordsCommand(BaseCommand):
    """A command that shows files of records one after another, by `show(file, is_named=, ...)`, which sets `is_wrong`
    if something in one is; the exit code is 1 then."""

    requires_system_checks = []

    def add_arguments(self, parser):
        parser.add_argument("files", nargs="+", metavar="FILE", help="a record; - reads standard input")

    def handle(self, files, **options):
        self.is_wrong = False
        try:
            for file in files:
                self.show(file, is_named=len(files) > 1, **options)
            self.stdout.flush()
        except BrokenPipeError:  # the reader, `head` say, has seen enough
            sys.stderr.close()
        if self.is_wrong:
            sys.exit(1)
