"""Customers out of a text that somebody has pasted: by name, mail domain or id. What is in doubt is never guessed."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from portal.accounts.models import Account
from portal.accounts.selectors import fold_domain, own_domains
from portal.lib.key_batches import key_batches

BETWEEN = re.compile(r"[\n;\t]")
MAX_LINES, MAX_LINE_LENGTH, MAX_OFFERED = 5_000, 320, 8
MAX_SEARCHED = 20
"""For so many lines similar customers are looked for; who pastes a thousand wrong ones has the wrong file."""


@dataclass(frozen=True)
class Unknown:
    """A line that names no customer for certain, and those that may have been meant."""

    line: str
    offered: Sequence[Account]
    is_ambiguous: bool
    """Several are called so."""


@dataclass
class Recognised:
    """What a text names."""

    account_ids: list[str] = field(default_factory=list)
    unknown: list[Unknown] = field(default_factory=list)


def lines_of(text: str) -> list[str]:
    """Take a text apart: one customer a line, or between semicolons or tabs. Names may hold commas."""
    parts = (part.strip().strip('"').strip()[:MAX_LINE_LENGTH] for part in BETWEEN.split(text))
    return list(dict.fromkeys(part for part in parts if part))


def recognise(lines: Sequence[str]) -> Recognised:
    """Find the customers that lines name exactly, and what may have been meant by the others."""
    named = _named(lines)
    result = Recognised()
    for line in lines:
        found = named.get(line, {})
        if len(found) == 1:
            result.account_ids += found.keys()
        else:
            result.unknown.append(Unknown(line, _offers(line, found, len(result.unknown)), is_ambiguous=bool(found)))
    result.account_ids = list(dict.fromkeys(result.account_ids))
    return result


def written(account_ids: Collection[str]) -> str:
    """Write customers so that they are recognised again: by name where only one has it, else by mail domain or id."""
    rows = [row for batch in key_batches(account_ids) for row in Account.objects.filter(platform_id__in=batch).defer("payload")]
    twice = {row.name_sort for row in _same_names({row.name_sort for row in rows})}
    domains = {account_id: domain for domain, account_id in own_domains(account_ids).items()}
    known = {row.platform_id: row for row in rows}
    names = []
    for account_id in account_ids:
        row = known.get(account_id)
        is_clear = row is not None and row.name and row.gone_at is None and row.name_sort not in twice
        is_clear = is_clear and row is not None and not BETWEEN.search(row.name) and len(row.name) <= MAX_LINE_LENGTH
        names.append(row.name if row is not None and is_clear else domains.get(account_id, account_id))
    return "\n".join(sorted(names, key=str.casefold))


def _named(lines: Sequence[str]) -> dict[str, dict[str, Account]]:
    """Find for each line the customers whose name, mail domain or id it is."""
    by_name, by_domain = ({fold(line): line for line in lines} for fold in (_fold_name, fold_domain))
    found: dict[str, dict[str, Account]] = defaultdict(dict)
    rows = Account.objects.defer("payload", "search", "custom_fields")
    for batch in key_batches(by_name):
        for row in rows.present().filter(name_sort__in=batch):
            found[by_name[row.name_sort]][row.platform_id] = row
    for batch in key_batches(by_domain):
        for row in rows.present().filter(domain__in=batch):
            found[by_domain[row.domain]][row.platform_id] = row
    for batch in key_batches(lines):
        # Whoever writes an id means one that is gone, too.
        for row in rows.filter(platform_id__in=batch):
            found[row.platform_id][row.platform_id] = row
    return found


def _offers(line: str, found: dict[str, Account], number: int) -> list[Account]:
    if found or number >= MAX_SEARCHED:
        return list(found.values())[:MAX_OFFERED]
    return list(Account.objects.present().matching(line).order_by("name_sort", "id")[:MAX_OFFERED])


def _same_names(names: Collection[str]) -> Iterator[Account]:
    """Walk the customers that share a name with another one."""
    seen = set()
    for batch in key_batches(names):
        for row in Account.objects.present().filter(name_sort__in=batch).only("id", "name_sort", "tenant"):
            if row.name_sort in seen:
                yield row
            seen.add(row.name_sort)


def _fold_name(line: str) -> str:
    return line.casefold()[:300]
