"""The lines of a file with own fields: read, and looked at before anything is changed.

The columns are those of the export. A column that is not there and a cell that is empty leave what is noted as it is; a minus
sign clears it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from portal.contracts.dates import DOUBTED, EARLIEST, LATEST, MAX_DAYS, MAX_MONTHS, contradiction_in, doubt_in
from portal.contracts.models import Contract, NoticeUnit, Terms
from portal.lib.spreadsheets import Unreadable, read_csv
from portal.tenants.models import Membership
from portal.users.models import User

MAX_LINES = 500
MAX_CELL_LENGTH = 5000
EXTERNAL_ID = "external id"
CLEAR = "-"
MAX_MONTH_NUMBER = 12
TWO_NUMBERS = re.compile(r"(\d{1,2})[./-](\d{1,2})[./-](?:\d{4}|\d{2})")
NOTICE = re.compile(r"(\d{1,4})\s*(day|month)s?", re.IGNORECASE)
TOGETHER = ("ends_on", "renews_on", "renews_itself", "renewal_months", "notice_number", "notice_unit")
YES, NO = {"yes", "y", "true", "1"}, {"no", "n", "false", "0"}


class InvalidCell(Exception):
    """A cell cannot be read; the message says why."""


@dataclass(frozen=True)
class ImportRow:
    """One line of the file: the contract that it names, and what keeps it from being noted, if anything does."""

    number: int
    external_id: str
    cells: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""
    contract: Contract | None = None
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def description(self) -> str:
        """What would be noted, in the words of the file."""
        return ", ".join(f"{name}: {cell[:80]}" for name, cell in self.cells.items())


def read_lines(content: bytes) -> list[ImportRow]:
    """Read a file of comma-separated values. Raises Unreadable."""
    sheet = read_csv(content, most=MAX_LINES, what="contracts")
    if EXTERNAL_ID not in sheet.columns or not READERS.keys() & set(sheet.columns):
        raise Unreadable(f"The first line must contain “External id” and at least one of: {', '.join(READERS)}.")
    if not sheet.rows:
        raise Unreadable("There are no contracts below the line of column names.")
    found = []
    for number, cells in sheet.rows:
        named = dict(zip(sheet.columns, cells, strict=False))
        known = {name: named[name] for name in READERS if named.get(name)}
        found.append(ImportRow(number, named.get(EXTERNAL_ID, "")[:300], known))
    return found


def validated(lines: Sequence[ImportRow]) -> list[ImportRow]:
    """Say of each line which contract it means and what would be noted, or what keeps it from being noted."""
    wanted = {line.external_id for line in lines} - {""}
    rows = Contract.objects.present().filter(external_id__in=wanted).defer("payload", "search")
    there = {contract.external_id: contract for contract in rows}
    terms = {each.platform_id: each for each in Terms.objects.filter(contract__in=there.values())}
    owners, seen, found = _owners(), set[str](), []
    for line in lines:
        contract, problem, values = there.get(line.external_id), "", dict[str, Any]()
        if not line.external_id:
            problem = "This line has no external id."
        elif contract is None:
            problem = "No contract here has this external id."
        elif line.external_id in seen:
            problem = "This external id appears earlier in the file."
        elif not line.cells:
            problem = "This line has nothing to import."
        else:
            try:
                values = _values(line.cells, owners)
                problem = _problem(values, contract, terms.get(contract.platform_id))
            except InvalidCell as error:
                problem = str(error)
        seen.add(line.external_id)
        found.append(ImportRow(line.number, line.external_id, line.cells, problem, contract, values))
    return found


def _problem(values: Mapping[str, Any], contract: Contract, terms: Terms | None) -> str:
    """Say what keeps values from being noted, together with what is noted already. A file cannot confirm what is unlikely."""
    before = terms or Terms()
    together = {**{name: getattr(before, name) for name in TOGETHER}, **values}
    if problem := contradiction_in(together):
        return problem
    is_new = any(getattr(before, name) != together[name] for name in DOUBTED)
    doubt = doubt_in(together, executed_on=contract.executed_on) if is_new else ""
    return doubt and f"{doubt} Correct it, or confirm it on the contract's page."


def _owners() -> dict[str, User | None]:
    """The members by mail address and by name; a name that two have is nobody's."""
    found: dict[str, User | None] = {}
    for user in [each.user for each in Membership.objects.active().select_related("user")]:
        name = user.name.strip().casefold()
        if name:
            found[name] = None if name in found else user
        found[user.email.casefold()] = user
    return found


def _values(cells: Mapping[str, str], owners: Mapping[str, User | None]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, cell in cells.items():
        values |= READERS[name](cell if cell != CLEAR else "")
    if "owner" in cells:
        values["owner"] = _owner(cells["owner"], owners)
    return values


def _owner(cell: str, owners: Mapping[str, User | None]) -> User | None:
    if cell == CLEAR:
        return None
    owner = owners.get(cell.casefold())
    if owner is None:
        raise InvalidCell("No member has this name, or two members do. Enter an email address.")
    return owner


def _day(column: str, cell: str) -> dict[str, Any]:
    try:
        day = date.fromisoformat(cell) if cell else None
    except ValueError:
        is_unclear = _can_be_two_days(cell)
        what = "can be two dates: the day or the month may come first" if is_unclear else "is not a date"
        raise InvalidCell(f"“{cell[:40]}” {what}. Write it as 2026-01-31.") from None
    if day and not EARLIEST <= day <= LATEST:
        raise InvalidCell(f"{cell} can't be right.")
    return {column: day}


def _can_be_two_days(cell: str) -> bool:
    """Say whether a date like 03/04/2025 is meant, which no column can be trusted to read one way."""
    found = TWO_NUMBERS.fullmatch(cell)
    first, second = (int(found[1]), int(found[2])) if found else (0, 0)
    return first != second and min(first, second) >= 1 and max(first, second) <= MAX_MONTH_NUMBER


def _answer(cell: str) -> dict[str, Any]:
    if cell.casefold() in YES:
        return {"renews_itself": True}
    if not cell or cell.casefold() in NO:
        return {"renews_itself": False}
    raise InvalidCell("“Renews automatically” must be yes or no.")


def _months(cell: str) -> dict[str, Any]:
    if not cell:
        return {"renewal_months": None}
    if not cell.isdecimal() or not 1 <= int(cell[:6]) <= MAX_MONTHS:
        raise InvalidCell(f"The renewal term must be a number of months from 1 to {MAX_MONTHS}.")
    return {"renewal_months": int(cell)}


def _notice(cell: str) -> dict[str, Any]:
    if not cell:
        return {"notice_number": None}
    found = NOTICE.fullmatch(cell)
    unit = NoticeUnit.DAYS if found and found[2].casefold() == "day" else NoticeUnit.MONTHS
    if not found or not 1 <= int(found[1]) <= (MAX_DAYS if unit == NoticeUnit.DAYS else MAX_MONTHS):
        raise InvalidCell("Write the notice period as 30 days or 3 months.")
    return {"notice_number": int(found[1]), "notice_unit": unit.value}


def _governing(cell: str) -> dict[str, Any]:
    """The platform's id of another contract, or words; words leave a contract that was chosen."""
    if not cell:
        return {"governed_by": "", "governed_by_words": ""}
    if Contract.objects.filter(platform_id=cell).exists():
        return {"governed_by": cell}
    return {"governed_by_words": cell[:300]}


READERS: Mapping[str, Any] = {
    "ends": lambda cell: _day("ends_on", cell),
    "renews": lambda cell: _day("renews_on", cell),
    "renews automatically": _answer,
    "renewal months": _months,
    "notice": _notice,
    "owner": lambda cell: {},
    "governing dpa": _governing,
    "notes": lambda cell: {"notes": cell[:MAX_CELL_LENGTH]},
}
"""How each column is read into fields."""
