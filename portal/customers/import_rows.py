"""The lines of a file of customers: read, and looked at before anything is sent."""

from collections.abc import Sequence
from dataclasses import dataclass

from portal.accounts.selectors import fold_domain, matches_by_domain
from portal.customers.forms import DOMAIN, MAX_DOMAIN_LENGTH, MAX_NAME_LENGTH
from portal.lib.spreadsheets import Unreadable, read_csv
from portal.platform_writes.models import MAX_ITEMS

NAMES = {"name", "customer", "company"}
DOMAINS = {"domain", "email domain", "emaildomain"}


@dataclass(frozen=True)
class ImportRow:
    """One line of the file, and what keeps it from becoming a customer, if anything does."""

    number: int
    name: str
    domain: str
    problem: str = ""


def read_lines(content: bytes) -> list[ImportRow]:
    """Read a file of comma-separated values with the columns Name and Mail domain. Raises Unreadable."""
    sheet = read_csv(content, most=MAX_ITEMS, what="customers")
    name_at, domain_at = (next((at for at, cell in enumerate(sheet.columns) if cell in of), None) for of in (NAMES, DOMAINS))
    if name_at is None or domain_at is None:
        raise Unreadable("The first line must contain the columns “Name” and “Email domain”.")
    if not sheet.rows:
        raise Unreadable("There are no customers below the line of column names.")
    found = []
    for number, cells in sheet.rows:
        name, domain = (cells[at] if at < len(cells) else "" for at in (name_at, domain_at))
        found.append(ImportRow(number, name, fold_domain(domain.rpartition("@")[2])))
    return found


def validated(lines: Sequence[ImportRow]) -> list[ImportRow]:
    """Say of each line what keeps it from becoming a customer."""
    there, seen, found = matches_by_domain({line.domain for line in lines}), set[str](), []
    for line in lines:
        match = there.get(line.domain)
        if not line.name:
            problem = "This line has no name."
        elif len(line.name) > MAX_NAME_LENGTH:
            problem = f"The name is longer than {MAX_NAME_LENGTH} characters."
        elif not DOMAIN.fullmatch(line.domain) or len(line.domain) > MAX_DOMAIN_LENGTH:
            problem = "This line has no email domain, such as northwind.example."
        elif match:
            problem = f"{match.description} already has this email domain."
        elif line.domain in seen:
            problem = "This email domain appears earlier in the file."
        else:
            problem = ""
        seen.add(line.domain)
        found.append(ImportRow(line.number, line.name, line.domain, problem))
    return found
