"""The files that commands are given: records of matches."""

import sys

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
