"""CSV files that people open in a spreadsheet."""

import csv
from collections.abc import Iterable, Iterator
from typing import Final

from django.http import StreamingHttpResponse
from django.utils import timezone

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet takes for the beginning of a formula (guarantee S3)."""


class _Line:
    """Hands a written line back instead of keeping it."""

    def write(self, text: str) -> str:
        return text


def guarded(value: object) -> str:
    """Write a cell that no spreadsheet takes for a formula."""
    text = "" if value is None else str(value)
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
