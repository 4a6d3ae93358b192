"""Every column that holds sealed values, whichever room it is in: so that keys can be rotated, and a missing one is noticed."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Model

from portal.lib.keys import ring
from portal.lib.sealed import Locked, key_of
from portal.tenants.scope import all_tenants

BATCH = 200

type Place = Callable[[Any, str], str]
type Read = Callable[[Any, str], bytes]
type Replace = Callable[[Any, str, bytes, bytes], bool]


def _column(row: Any, field: str) -> bytes:
    return bytes(getattr(row, field))


def _replace_column(row: Any, field: str, before: bytes, after: bytes) -> bool:
    rows = type(row)._default_manager.filter(pk=row.pk, **{field: before})
    return bool(rows.update(**{field: after}))


@dataclass(frozen=True)
class Sealed:
    """The sealed values of one kind of rows, and where they are sealed."""

    model: type[Model]
    fields: Sequence[str]
    place: Place
    read: Read = _column
    replace: Replace = _replace_column
    """Stores another value where the one before is still there, and says whether it was. Empty stands for a lost one."""


_kinds: list[Sealed] = []


def register_sealed(kind: Sealed) -> None:
    """Make sealed values known, from `AppConfig.ready`."""
    _kinds.append(kind)


@dataclass(frozen=True)
class Progress:
    """What resealing did: values sealed with the first key now, and values that no key opens."""

    resealed: int
    locked: int


def reseal() -> Iterator[Progress]:
    """Seal every value with the first key, a batch at a time; yields after each batch.

    The site goes on meanwhile: a value is replaced only where it is still what was read. Whatever ends this in the middle, the
    next run finds only what is left. Values that no key opens are left as they are: a key put back opens them.
    """
    with all_tenants("keys are the portal's, not a tenant's"):
        for kind in _kinds:
            last = 0
            while rows := list(kind.model._default_manager.filter(pk__gt=last).order_by("pk")[:BATCH]):
                results = Counter(_reseal(kind, row, field) for row in rows for field in kind.fields)
                last = rows[-1].pk
                yield Progress(results["resealed"], results["locked"])


def _reseal(kind: Sealed, row: Model, field: str) -> str:
    value, place = kind.read(row, field), kind.place(row, field)
    if not value or key_of(value) == ring().first:
        return "done"
    try:
        sealed = ring().seal(ring().open(value, place=place), place=place)
    except Locked:
        return "locked"
    return "resealed" if kind.replace(row, field, value, sealed) else "done"


def keys_in_use() -> Counter[bytes]:
    """Count the stored values by the id of the key that sealed them."""
    found: Counter[bytes] = Counter()
    with all_tenants("keys are the portal's, not a tenant's"):
        for kind in _kinds:
            for row in kind.model._default_manager.order_by("pk").iterator(chunk_size=BATCH):
                values = (kind.read(row, field) for field in kind.fields)
                found.update(key_of(value) for value in values if value)
    return found


def forget_locked() -> int:
    """Empty every value that no key opens, because its key is lost for good; return how many.

    The connections then need a new consent, the webhook addresses their secret again, and people set up their second factor
    again.
    """
    forgotten = 0
    with all_tenants("keys are the portal's, not a tenant's"):
        for kind in _kinds:
            for row in kind.model._default_manager.order_by("pk").iterator(chunk_size=BATCH):
                for field in kind.fields:
                    if _is_locked(kind, row, field):
                        forgotten += kind.replace(row, field, kind.read(row, field), b"")
    return forgotten


def _is_locked(kind: Sealed, row: Model, field: str) -> bool:
    value = kind.read(row, field)
    if not value:
        return False
    try:
        ring().open(value, place=kind.place(row, field))
    except Locked:
        return True
    return False
