"""Every column that holds sealed values, whichever room it is in: so that keys can be rotated, and a missing one is noticed."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from portal.connections.keys import ring
from portal.lib.sealed import Locked, key_of
from portal.tenants.models import TenantModel
from portal.tenants.scope import all_tenants

BATCH = 200

type Place = Callable[[Any, str], str]


@dataclass(frozen=True)
class Sealed:
    """The sealed columns of one kind of rows, and where their values are sealed."""

    model: type[TenantModel]
    fields: Sequence[str]
    place: Place


_kinds: list[Sealed] = []


def register_sealed(model: type[TenantModel], fields: Sequence[str], place: Place) -> None:
    """Make sealed columns known, from `AppConfig.ready`."""
    _kinds.append(Sealed(model, fields, place))


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


def _reseal(kind: Sealed, row: TenantModel, field: str) -> str:
    value, place = bytes(getattr(row, field)), kind.place(row, field)
    if not value or key_of(value) == ring().first:
        return "done"
    try:
        sealed = ring().seal(ring().open(value, place=place), place=place)
    except Locked:
        return "locked"
    unchanged = kind.model._default_manager.filter(pk=row.pk, **{field: value})
    return "resealed" if unchanged.update(**{field: sealed}) else "done"


def keys_in_use() -> Counter[bytes]:
    """Count the stored values by the id of the key that sealed them."""
    found: Counter[bytes] = Counter()
    with all_tenants("keys are the portal's, not a tenant's"):
        for kind in _kinds:
            for field in kind.fields:
                values = kind.model._default_manager.exclude(**{field: b""}).values_list(field, flat=True)
                found.update(key_of(bytes(value)) for value in values.iterator(chunk_size=BATCH))
    return found


def forget_locked() -> int:
    """Empty every value that no key opens, because its key is lost for good; return how many.

    The connections then need a new consent, and the webhook addresses their secret again.
    """
    forgotten = 0
    with all_tenants("keys are the portal's, not a tenant's"):
        for kind in _kinds:
            for row in kind.model._default_manager.order_by("pk").iterator(chunk_size=BATCH):
                lost = {field: b"" for field in kind.fields if _is_locked(kind, row, field)}
                if lost:
                    kind.model._default_manager.filter(pk=row.pk).update(**lost)
                    forgotten += len(lost)
    return forgotten


def _is_locked(kind: Sealed, row: TenantModel, field: str) -> bool:
    value = bytes(getattr(row, field))
    if not value:
        return False
    try:
        ring().open(value, place=kind.place(row, field))
    except Locked:
        return True
    return False
