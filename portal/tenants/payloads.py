"""The addresses of people in objects of the platform that are about something else: who has added, edited, approved.

The row stays, without the address (guarantee S11). From the erasure on `erased_people.without_erased` keeps it out.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import batched

from django.db import models
from django.db.models import Q
from django.db.models.functions import Cast, Lower

from portal.tenants.erased_people import without_address
from portal.tenants.models import TenantModel
from portal.tenants.personal_data import Rows, fold, register_holding

ROWS_AT_ONCE = 20_000
"""So many rows are looked at in one statement: one over all of them could take longer than a statement may."""


@dataclass(frozen=True, kw_only=True)
class Payloads:
    """One kind of rows that keep an object of the platform in `payload`."""

    kind: type[TenantModel]
    changed: Callable[[], object]
    """Has the open pages draw themselves again."""
    own: Callable[[str], Q] = lambda email: Q(pk=None)
    """The rows that are about the person: they are found, and go, by themselves."""

    def rows(self, email: str) -> Rows:
        """Find the rows whose object has the address as a value."""
        return self.kind._default_manager.filter(pk__in=list(self._keys(email)))

    def _keys(self, email: str) -> Iterable[int]:
        rows = self.kind._default_manager.order_by().exclude(self.own(email))
        # One database keeps other letters as they are, the other one as JSON writes them.
        has_it = Q(text__contains=f'"{fold(email)}"') | Q(text__contains=json.dumps(fold(email)))
        texts = rows.annotate(text=Lower(Cast("payload", models.TextField()))).filter(has_it)
        # The rows of all tenants share one row of numbers: what lies between two of one's own may be millions of others.
        for keys in batched(rows.order_by("pk").values_list("pk", flat=True), ROWS_AT_ONCE):
            yield from texts.filter(pk__gte=keys[0], pk__lte=keys[-1]).values_list("pk", flat=True)

    def erase(self, rows: Rows, email: str) -> None:
        """Take the address out of these rows."""
        for row in rows.select_for_update().order_by("pk"):
            row.payload = without_address(row.payload, email)
            row.save(update_fields=["payload"])
        self.changed()


def register_payloads(name: str, payloads: Payloads) -> None:
    """Make a kind of rows known, by the name that people read. From `AppConfig.ready`."""
    register_holding(
        name,
        rows=payloads.rows,
        erase=payloads.erase,
        # None comes back: what is stored later is stored without the address.
        addresses=partial(iter, ()),
        keeps_rows=True,
    )
