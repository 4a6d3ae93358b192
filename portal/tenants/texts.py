"""Mail addresses in texts that are not about one person alone: found, and taken out. The rows stay (guarantee S11)."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from portal.tenants.models import TenantModel
from portal.tenants.personal_data import Rows, fold, register_holding

ERASED = "[erased]"
BATCH = 200
ADDRESS = re.compile(r"([^\s<>\"'(),;:@]+)@([\w-]+(?:\.[\w-]+)*)")
FILE_TYPES = r"\.(?:pdf|docx?|xlsx?|pptx?|csv|txt|rtf|odt|ods|eml|msg)"
"""Behind an address they end the name of a file, and are no part of a longer address."""
AS_FILE = re.compile(rf"{FILE_TYPES}$")
BESIDE = re.compile(r"[^\w.+%-]")
"""What stands before an address and is no part of it, as `alone` sees it."""


@dataclass(frozen=True, kw_only=True)
class Texts:
    """The columns of one kind of rows into which people or documents may have written an address."""

    kind: type[TenantModel]
    columns: tuple[str, ...]
    changed: Callable[[], object]
    """Has the open pages draw themselves again."""
    likely: Callable[[str], Rows] | None = None
    """Finds the rows that may hold an address, where an index can tell; without it all with an at are looked at."""
    renew: Callable[[Any], Sequence[str]] = lambda row: ()
    """Makes anew what is made of the texts, and names those columns."""

    def rows(self, email: str) -> Rows:
        pattern = alone(email)
        found = self._walk(self.likely(email) if self.likely else self._with_an_at())
        return self.kind._default_manager.filter(pk__in=[key for key, text in found if pattern.search(text)])

    def erase(self, rows: Rows, email: str) -> None:
        """Take one address out of these rows; those of others stay."""
        pattern = alone(email)
        for row in rows.select_for_update().order_by("pk"):
            for column in self.columns:
                set_text(row, column, pattern.sub(ERASED, getattr(row, column)))
            row.save(update_fields=[*self.columns, *self.renew(row)])
        self.changed()

    def addresses(self) -> Iterator[str]:
        seen: set[str] = set()
        for _, text in self._walk(self._with_an_at()):
            found = named_in(text)
            yield from found - seen
            seen |= found

    def _with_an_at(self) -> Rows:
        has_at = Q()
        for column in self.columns:
            has_at |= Q(**{f"{column}__contains": "@"})
        return self.kind._default_manager.filter(has_at)

    def _walk(self, rows: Rows) -> Iterator[tuple[int, str]]:
        """Walk rows in batches: key and all words."""
        last = 0
        while batch := list(rows.order_by("pk").filter(pk__gt=last).values_list("pk", *self.columns)[:BATCH]):
            for key, *words in batch:
                yield key, "\n".join(words)
            last = batch[-1][0]


def set_text(row: Any, column: str, text: Any) -> None:
    """Set a text of a row, cut to what its column takes: what stands in place of an address may be longer than it."""
    setattr(row, column, text[: row._meta.get_field(column).max_length] if isinstance(text, str) else text)


def alone(email: str) -> re.Pattern[str]:
    """Match an address, but not as a part of a longer one, which is somebody else's. A line of text may break within it."""
    letters = r"\s*".join(re.escape(letter) for letter in fold(email))
    return re.compile(rf"(?<![\w.+%-]){letters}(?![\w-]|(?!{FILE_TYPES}(?![\w-]|\.\w))\.\w)", re.IGNORECASE)


def named_in(text: str) -> set[str]:
    """Return the addresses that a text may name, folded: also those with a mark right beside them, as at a question's end."""
    found = [(local, each) for local, domain in ADDRESS.findall(fold(text)) for each in {domain, AS_FILE.sub("", domain)}]
    return {f"{name}@{domain}" for local, domain in found for name in (local.lstrip("."), BESIDE.split(local)[-1].lstrip("."))}


def register_texts(all_texts: Iterable[tuple[str, Texts]]) -> None:
    """Make kinds of texts known, each by the name that people read. From `AppConfig.ready`."""
    for name, texts in all_texts:
        register_holding(name, rows=texts.rows, erase=texts.erase, addresses=texts.addresses, keeps_rows=True)
