"""CSV files that people open in a spreadsheet."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Final

from django.http import StreamingHttpResponse
from django.utils import timezone

from portal.lib.storable import storable_text

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet takes for the beginning of a formula (guarantee S3)."""
INSIDE: Final = re.compile(r"([;\t\r\n][ \"]*)(?=[=+\-@＝＋－＠])")
"""Where one begins inside a cell, for spreadsheets of countries whose cells end with a semicolon: a comma and the quotes
behind it are a part of the text there."""
MARKED_INSIDE: Final = re.compile(r"([;\t\r\n][ \"]*)'(?=[=+\-@＝＋－＠])")


class Unreadable(Exception):
    """The file is not what is to be imported; the message says why, for people."""


@dataclass(frozen=True)
class Sheet:
    """A CSV file as it was read."""

    columns: Sequence[str]
    """The names in the first line, folded."""
    rows: Sequence[tuple[int, list[str]]]
    """The lines below that hold something: their number in the file, and their cells."""


def read_csv(content: bytes, *, most: int, what: str) -> Sheet:
    """Read a file with commas or semicolons, one thing a line, as a spreadsheet writes it. Raises Unreadable.

    `what` names the things for people, `customers`. So many as `most` are taken.
    """
    try:
        text = storable_text(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Unreadable("This file isn't UTF-8 text. Save it as CSV UTF-8 in your spreadsheet.") from None
    first = text.partition("\n")[0]
    lines = csv.reader(StringIO(text, newline=""), delimiter=";" if first.count(";") > first.count(",") else ",")
    try:
        head, *below = [[unguarded(cell.strip()) for cell in line] for line in lines] or [[]]
    except csv.Error:
        raise Unreadable("This isn't a CSV file.") from None
    rows = [(number, cells) for number, cells in enumerate(below, start=2) if any(cells)]
    if len(rows) > most:
        raise Unreadable(f"One import takes {most:,} {what}; this file has {len(rows):,}. Split it.")
    return Sheet([cell.casefold() for cell in head], rows)


def unguarded(cell: str) -> str:
    """Take the marks off that an export has put before a cell and into it; any other one belongs to the cell."""
    bare = MARKED_INSIDE.sub(r"\1", cell)
    candidates = (bare[1:], bare) if bare.startswith("'") else (bare,)
    return next((each for each in candidates if guarded(each) == cell), cell)


class _Line:
    """Hands a written line back instead of keeping it."""

    def write(self, text: str) -> str:
        return text


def guarded(value: object) -> str:
    """Write a cell that no spreadsheet takes for a formula."""
    text = INSIDE.sub(r"\1'", "" if value is None else str(value))
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text


def csv_lines(rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """Write rows as lines of a CSV file, one at a time, with a mark at its start that makes spreadsheets read UTF-8."""
    writer = csv.writer(_Line())
    yield "\ufeff"
    for row in rows:
        yield writer.writerow([guarded(cell) for cell in row])


def csv_answer(rows: Iterable[Iterable[object]], name: str) -> StreamingHttpResponse:
    """Hand rows out as a file that bears this name and today's date. They are read while the answer leaves."""
    answer = StreamingHttpResponse(csv_lines(rows), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}-{timezone.localdate():%Y-%m-%d}.csv"'
    return answer
