"""People named anywhere in objects of the platform, also in the midst of a text: kept and found without those who were erased.

For rooms whose rows have a `payload` and columns that are made of it (guarantee S11); the rows stay. Where an address can
only be a value of its own, such as who has edited, `payloads` is enough.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.models import Q
from django.db.models.functions import Cast, Lower

from portal.lib.json_texts import texts_in
from portal.lib.storable import storable
from portal.tenants.erased_people import ERASED, without_mention, without_mentions
from portal.tenants.personal_data import Rows, fold, register_holding
from portal.tenants.texts import alone, named_in

BATCH = 500


def cleaned(decoded: Any, names: Collection[str]) -> Any:
    """Return what may be kept of an object, or of a list of them: storable, and without people who were erased.

    `names` are the keys of a person's name that stand beside their address.
    """
    return _without_names(without_mentions(storable(decoded)), names)


def _without_names(value: Any, names: Collection[str]) -> Any:
    match value:
        case dict():
            gone = names if ERASED in value.values() else ()
            return {key: ERASED if key in gone and item else _without_names(item, names) for key, item in value.items()}
        case list():
            return [_without_names(item, names) for item in value]
        case _:
            return value


@dataclass(frozen=True, kw_only=True)
class Mentions:
    """One kind of rows that keep such objects."""

    kind: type[Any]
    columns_of: Callable[[Any], dict[str, Any]]
    """Makes a row's columns of its object, the object included."""
    changed: Callable[[], object]
    """Has the open pages draw themselves again."""
    names: Collection[str] = ()
    own: Callable[[str], Q] = lambda email: Q(pk=None)
    """The rows that are about the person: they are found, and go, by themselves."""

    def rows(self, email: str) -> Rows:
        """Find the rows whose object names an address, also in the midst of a text."""
        # One database keeps other letters as they are, the other one as JSON writes them.
        likely = Q(text__contains=fold(email)) | Q(text__contains=json.dumps(fold(email))[1:-1])
        rows = self._all().exclude(self.own(email)).annotate(text=Lower(Cast("payload", models.TextField()))).filter(likely)
        pattern = alone(email)
        named = [pk for pk, payload in rows.values_list("pk", "payload") if pattern.search(_text(payload))]
        found: Rows = self.kind._default_manager.filter(pk__in=named)
        return found

    def erase(self, rows: Rows, email: str) -> None:
        """Take one address out of these rows, with the name beside it, and out of what was made of them."""
        for row in rows.select_for_update().order_by("pk"):
            columns = self.columns_of(_without_names(without_mention(row.payload, email), self.names))
            for name, value in columns.items():
                setattr(row, name, value)
            row.save(update_fields=list(columns))
        self.changed()

    def addresses(self) -> Iterator[str]:
        seen: set[str] = set()
        for payload in self._all().values_list("payload", flat=True).iterator(BATCH):
            found = named_in(_text(payload))
            yield from found - seen
            seen |= found

    def _all(self) -> Rows:
        rows: Rows = self.kind._default_manager.order_by()
        return rows


def _text(payload: Any) -> str:
    """Write out the words of an object: as JSON, the letter of a line's end would stand right before an address."""
    return "<".join(texts_in(payload))


def register_mentions(kinds: Iterable[tuple[str, Mentions]]) -> None:
    """Make kinds of such rows known, each by the name that people read. From `AppConfig.ready`."""
    for name, kept in kinds:
        register_holding(name, rows=kept.rows, erase=kept.erase, addresses=kept.addresses, keeps_rows=True)
