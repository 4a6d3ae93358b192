"""The lines of a file of entries: read, and looked at before anything is stored.

The columns are those of the export. A column that is not there and a cell that is empty leave what is stored as it is; a minus
sign clears it.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone

from portal.lib.spreadsheets import Unreadable, read_csv
from portal.lib.storable import storable_text
from portal.lib.text_keys import key_of
from portal.library.models import MAX_ANSWER, MAX_LANGUAGE, MAX_QUESTION, MAX_SHORT, Entry, labels_of
from portal.library.typed import (
    REVIEW_AFTER,
    check_day,
    label_names,
    one_line,
    owner_by_email,
    owners,
    without_address,
)
from portal.users.models import User

MAX_LINES = 500
QUESTION = "question"
ANSWERS = {"answer", "short answer"}
CLEAR = "-"
type Values = Mapping[str, Any]


@dataclass(frozen=True)
class ImportRow:
    """One line of the file: what it says, what keeps it from being stored, and the entry that asks the same."""

    number: int
    cells: Mapping[str, str]
    problem: str = ""
    entry: Entry | None = None
    is_left: bool = False
    """It would change nothing: its entry is to be left, or says the same."""
    values: Values = field(default_factory=dict)

    @property
    def question(self) -> str:
        return self.cells.get(QUESTION, "")

    @property
    def answer(self) -> str:
        return " · ".join(filter(None, (self.cells.get(name, "") for name in ("short answer", "answer"))))

    @property
    def is_good(self) -> bool:
        return not self.problem and not self.is_left


def read_lines(content: bytes) -> list[ImportRow]:
    """Read a file of comma-separated values. Raises Unreadable."""
    sheet = read_csv(content, most=MAX_LINES, what="entries")
    if QUESTION not in sheet.columns or not ANSWERS & set(sheet.columns):
        raise Unreadable("The first line has to name the columns “Question” and “Answer” or “Short answer”.")
    if not sheet.rows:
        raise Unreadable("There are no entries below the line with the column names.")
    known = {QUESTION, *READERS}
    return [
        ImportRow(number, {name: cell for name, cell in zip(sheet.columns, cells, strict=False) if name in known and cell})
        for number, cells in sheet.rows
    ]


def validated(lines: Sequence[ImportRow], *, replaces: bool) -> list[ImportRow]:
    """Say of each line what comes of it."""
    there, people = _entries_asked(lines), owners().values()
    seen, found = set[str](), []
    for line in lines:
        key = key_of(line.question)
        looked_at = _looked_at(line, there.get(key, []), people, replaces=replaces)
        if key in seen and not looked_at.problem:
            looked_at = replace(looked_at, problem="This question is already in the file above.")
        seen.add(key)
        found.append(looked_at)
    return found


def _entries_asked(lines: Sequence[ImportRow]) -> dict[str, list[Entry]]:
    """Return the entries that ask the questions of the lines, by the keys of these."""
    rows = Entry.objects.own().filter(wording__key__in={key_of(line.question) for line in lines} - {""})
    there: dict[str, list[Entry]] = defaultdict(list)
    for row in rows.select_related("wording", "owner").prefetch_related("labels", "variants"):
        there[key_of(row.question)].append(row)
    return there


def _looked_at(line: ImportRow, there: Sequence[Entry], people: Collection[User], *, replaces: bool) -> ImportRow:
    if not key_of(line.question):
        return replace(line, problem="No question.")
    if len(line.question) > MAX_QUESTION:
        return replace(line, problem=f"The question is longer than {MAX_QUESTION:,} characters.")
    if len(there) > 1:
        return replace(line, problem="Several entries have this question. Edit them on their pages.")
    entry = there[0] if there else None
    if entry and not replaces:
        return replace(line, entry=entry, is_left=True)
    if entry and entry.owner:
        # Who owns it already may go on to, also where they may not write here any more.
        people = [*people, entry.owner]
    try:
        read = {name: _read(cell, read, people) for name, cell in line.cells.items() if (read := READERS.get(name))}
    except ValidationError as error:
        return replace(line, problem=" ".join(error.messages))
    stored = stored_values(entry) if entry else {**BLANK, "review_on": timezone.localdate() + REVIEW_AFTER}
    values = {**stored, **{NAMES[name]: value for name, value in read.items()}}
    if not (values["short"] or values["text"]):
        return replace(line, problem="No answer.")
    return replace(line, entry=entry, values=values, is_left=entry is not None and values == stored)


def stored_values(entry: Entry) -> Values:
    """Return what an entry says of all that a file can say."""
    names = ("text", "short", "language", "owner", "review_on", "expires_on")
    labels = {kind: sorted(names) for kind, names in labels_of(entry).items()}
    return {**{name: getattr(entry, name) for name in names}, **labels}


type Reader = Callable[[str, Collection[User]], Any]


def _read(cell: str, reader: Reader, people: Collection[User]) -> Any:
    return reader("", people) if cell == CLEAR else reader(cell, people)


def _short_text(max_length: int, what: str) -> Reader:
    def read(cell: str, people: Collection[User]) -> str:
        if len(cell) > max_length:
            raise ValidationError(f"The {what} is longer than {max_length:,} characters.")
        return storable_text(cell).strip() if what == "answer" else one_line(cell)

    return read


def _language(cell: str, people: Collection[User]) -> str:
    read: str = _short_text(MAX_LANGUAGE, "language")(cell, people)
    return without_address(read)


def _labels(cell: str, people: Collection[User]) -> list[str]:
    return sorted(label_names(cell))


def _owner(cell: str, people: Collection[User]) -> User | None:
    return owner_by_email(cell, people) if cell else None


def _date(cell: str, people: Collection[User]) -> date | None:
    try:
        day = date.fromisoformat(cell) if cell else None
    except ValueError:
        raise ValidationError(f"“{cell[:40]}” is not a date like 2027-03-31.") from None
    if day:
        check_day(day)
    return day


READERS: Mapping[str, Reader] = {
    "answer": _short_text(MAX_ANSWER, "answer"),
    "short answer": _short_text(MAX_SHORT, "short answer"),
    "tags": _labels,
    "products": _labels,
    "language": _language,
    "owner email": _owner,
    "review by": _date,
    "expires on": _date,
}
NAMES = {
    "answer": "text",
    "short answer": "short",
    "tags": "tags",
    "products": "products",
    "language": "language",
    "owner email": "owner",
    "review by": "review_on",
    "expires on": "expires_on",
}
"""Of the columns, what the service calls them."""
BLANK: Values = {
    **dict.fromkeys(("text", "short", "language"), ""),
    **dict.fromkeys(("owner", "review_on", "expires_on")),
    "tags": [],
    "products": [],
}
