"""The lines of a file of customers: read, and looked at before anything is sent."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO

from portal.accounts.selectors import fold_domain, matches_by_domain
from portal.customers.forms import DOMAIN, LONGEST_DOMAIN, LONGEST_NAME
from portal.lib.storable import storable_text
from portal.writes.models import MOST_ITEMS

NAMES = {"name", "customer", "company"}
DOMAINS = {"mail domain", "domain", "email domain", "emaildomain"}


class Unreadable(Exception):
    """The file is no list of customers; the message says what is missing."""


@dataclass(frozen=True)
class Line:
    """One line of the file, and what keeps it from becoming a customer, if anything does."""

    number: int
    name: str
    domain: str
    problem: str = ""


def read_lines(content: bytes) -> list[Line]:
    """Read a file of comma-separated values with the columns Name and Mail domain. Raises Unreadable."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("This is no text in UTF-8. Save it as CSV UTF-8 in your spreadsheet.") from None
    try:
        found = list(_read(StringIO(text)))
    except csv.Error:
        raise Unreadable("This is no CSV file.") from None
    if len(found) > MOST_ITEMS:
        raise Unreadable(f"One import takes {MOST_ITEMS:,} customers; this file has more. Split it.")
    if not found:
        raise Unreadable("There is no customer below the line with the names of the columns.")
    return found


def _read(file: StringIO) -> Iterator[Line]:
    first = file.readline()
    file.seek(0)
    rows = csv.reader(file, delimiter=";" if first.count(";") > first.count(",") else ",")
    head = [cell.strip().casefold() for cell in next(rows, [])]
    name_at = next((at for at, cell in enumerate(head) if cell in NAMES), None)
    domain_at = next((at for at, cell in enumerate(head) if cell in DOMAINS), None)
    if name_at is None or domain_at is None:
        raise Unreadable("The first line has to name the columns “Name” and “Mail domain”.")
    for number, row in enumerate(rows, start=2):
        cells = [storable_text(cell).strip() for cell in row]
        if any(cells):
            name, domain = (cells[at] if at < len(cells) else "" for at in (name_at, domain_at))
            # An export puts a mark before what a spreadsheet would take for a formula.
            yield Line(number, name.removeprefix("'"), fold_domain(domain.rpartition("@")[2]))


def checked(lines: Sequence[Line]) -> list[Line]:
    """Say of each line what keeps it from becoming a customer."""
    there, seen, found = matches_by_domain({line.domain for line in lines}), set[str](), []
    for line in lines:
        match = there.get(line.domain)
        if not line.name:
            problem = "It has no name."
        elif len(line.name) > LONGEST_NAME:
            problem = f"The name is longer than {LONGEST_NAME} characters."
        elif not DOMAIN.fullmatch(line.domain) or len(line.domain) > LONGEST_DOMAIN:
            problem = "It has no mail domain such as northwind.example."
        elif match:
            problem = f"{match.words} has this mail domain already."
        elif line.domain in seen:
            problem = "The mail domain stands in this file before."
        else:
            problem = ""
        seen.add(line.domain)
        found.append(Line(line.number, line.name, line.domain, problem))
    return found
