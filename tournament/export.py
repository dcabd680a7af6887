"""Tables as CSV that a spreadsheet opens without taking a name for a formula; streamed, UTF-8."""

import csv
import re
from collections.abc import Iterable, Iterator
from itertools import chain

from django.http import StreamingHttpResponse

AT_A_TIME = 500  #: lines
# A formula begins so to some spreadsheet, also behind spaces; and of what steers the writing direction nothing is kept,
# for it would move the cells beside it.
_FORMULA = re.compile(r"\s*[=+\-@\t\r\n|%＝＋－＠]")
_UNSEEN = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def cell(value):
    """What is written for a value: numbers as they are, a text so that nothing reckons with it.

    >>> cell("=1+1"), cell(-3), cell("Dolores")
    ("'=1+1", -3, 'Dolores')
    """
    if not isinstance(value, str):
        return value
    text = _UNSEEN.sub("", value)
    return f"'{text}" if _FORMULA.match(text) else text


def csv_response(filename: str, columns: Iterable[str], lines: Iterable[tuple]) -> StreamingHttpResponse:
    """The lines as a file to be saved: the first are asked for now, so that a single statement stands as it is at this
    moment, the others as they are sent."""
    chunks = _chunks(columns, lines)
    response = StreamingHttpResponse(chain([next(chunks)], chunks), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    response["Cache-Control"] = "no-store"
    return response


class _Echo:
    def write(self, line):
        return line


def _chunks(columns: Iterable[str], lines: Iterable[tuple]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    chunk = ["\ufeff" + writer.writerow(columns)]
    for line in lines:
        chunk.append(writer.writerow([cell(value) for value in line]))
        if len(chunk) >= AT_A_TIME:
            yield "".join(chunk)
            chunk = []
    yield "".join(chunk)
