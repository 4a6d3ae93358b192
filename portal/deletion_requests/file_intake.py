"""Requests in a CSV file: what each line says, and what is wrong with it. Nothing is stored here.

The first line may name its columns: `email`, and where wanted `received`, `regulation` and `note`. Without such a line they
stand in that order.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from portal.deletion_requests.addresses import fingerprint
from portal.deletion_requests.legal_clock import MAX_OWN_DAYS, OLDEST, Regulation
from portal.deletion_requests.models import DeletionRequest, DeskSettings, Intake
from portal.deletion_requests.services import NewRequest
from portal.lib.storable import storable_text

MAX_FILE_BYTES = 256 * 1024
MAX_LINES = 500
"""More requests than that at once are a matter for the platform's own support."""
COLUMNS = ("email", "received", "regulation", "note")
MAX_CELL_LENGTH = 300
VALID, OPEN_ALREADY, TWICE, WRONG = "valid", "open", "twice", "wrong"
LABELS = {VALID: "Will be added", OPEN_ALREADY: "Already open", TWICE: "Duplicate", WRONG: "Not readable"}


@dataclass(frozen=True)
class ImportRow:
    """One line of the file and what would come of it."""

    number: int
    email: str
    state: str
    description: str
    new: NewRequest | None = None

    @property
    def is_valid(self) -> bool:
        return self.state == VALID

    @property
    def label(self) -> str:
        return LABELS[self.state]

    @property
    def tone(self) -> str:
        return {VALID: "good", WRONG: "bad"}.get(self.state, "muted")


class _Wrong(Exception):
    """A cell cannot be read. The message says why."""


def readable(content: bytes) -> str:
    """Read a file as spreadsheets write it: UTF-8 with or without its mark, else the letters of western Windows."""
    try:
        return storable_text(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return storable_text(content.decode("cp1252", "replace"))


def read_lines(text: str, *, usual: DeskSettings, today: date) -> tuple[list[ImportRow], bool]:
    """Say of every line what would come of it; the second value says whether lines beyond the most were left out."""
    rows = list(_cells(text))
    lines, seen = [], set()
    for number, cells in rows[:MAX_LINES]:
        line = _line(number, cells, usual=usual, today=today)
        if line.new:
            email_hash = fingerprint(line.email)
            if email_hash in seen:
                line = ImportRow(number, line.email, TWICE, "The same address appears earlier in the file.")
            seen.add(email_hash)
        lines.append(line)
    return _without_open(lines), len(rows) > MAX_LINES


def valid_requests(lines: Sequence[ImportRow]) -> list[NewRequest]:
    return [line.new for line in lines if line.is_valid and line.new]


def _cells(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    first = text.partition("\n")[0]
    reader = csv.reader(text.splitlines(), delimiter=";" if first.count(";") > first.count(",") else ",")
    names: Sequence[str] = COLUMNS
    for number, row in enumerate(reader, start=1):
        cells = [cell.strip() for cell in row]
        if number == 1 and "email" in (named := [cell.casefold().replace("-", "") for cell in cells]):
            names = named
        elif any(cells):
            yield number, dict(zip(names, cells, strict=False))


def _line(number: int, cells: dict[str, str], *, usual: DeskSettings, today: date) -> ImportRow:
    email = cells.get("email", "")
    try:
        validate_email(email)
    except ValidationError:
        return ImportRow(number, email[:MAX_CELL_LENGTH], WRONG, "This is not an email address.")
    try:
        regulation, own_days = _clock(cells.get("regulation", ""), usual)
        received_on = _day(cells.get("received", ""), today)
    except _Wrong as error:
        return ImportRow(number, email, WRONG, str(error))
    new = NewRequest(
        email=email,
        received_on=received_on,
        regulation=regulation,
        own_days=own_days,
        note=cells.get("note", "")[:MAX_CELL_LENGTH],
        intake=Intake.FILE,
    )
    return ImportRow(number, email, VALID, new.clock_words, new)


def _clock(word: str, usual: DeskSettings) -> tuple[str, int | None]:
    if not word:
        return usual.regulation, usual.own_days if usual.regulation == Regulation.OWN else None
    if word.casefold() in (Regulation.GDPR, Regulation.CCPA):
        return word.casefold(), None
    if word.isdecimal() and 1 <= int(word[:4]) <= MAX_OWN_DAYS:
        return Regulation.OWN, int(word[:4])
    raise _Wrong("The regulation must be GDPR, CCPA or a number of days.")


def _day(word: str, today: date) -> date:
    if not word:
        return today
    try:
        day = date.fromisoformat(word)
    except ValueError:
        raise _Wrong("Write the date as 2026-01-31.") from None
    if not today - OLDEST <= day <= today:
        raise _Wrong("The date is in the future or too long ago.")
    return day


def _without_open(lines: list[ImportRow]) -> list[ImportRow]:
    """Mark those about whom there is an open request; it is the one to go on with."""
    hashes = {fingerprint(line.email) for line in lines if line.is_valid}
    found = DeletionRequest.objects.open().filter(email_hash__in=hashes)
    open_ones = dict(found.values_list("email_hash", "reference"))
    return [
        ImportRow(line.number, line.email, OPEN_ALREADY, f"There is an open request: {reference}.")
        if line.is_valid and (reference := open_ones.get(fingerprint(line.email)))
        else line
        for line in lines
    ]
