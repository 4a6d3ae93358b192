"""What owners and risk attributes are called: vendors tell their ids alone, and pages name people."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils import timezone

from portal.lib.storable import storable_text
from portal.lib.unnamed import named
from portal.platform_api import Platform
from portal.platform_api.errors import PermissionRefused
from portal.platform_api.models import vendors as remote
from portal.platform_api.paging import collect
from portal.sync.freshness import ask_for
from portal.sync.services import mark_many
from portal.tenants.erased_people import ERASED, is_erased, without_erased
from portal.tenants.personal_data import fold
from portal.vendors.kinds import ALL_OF_THEM, LABELS
from portal.vendors.models import Label, LabelKind
from portal.vendors.models.labels import MAX_EMAIL_LENGTH
from portal.vendors.models.vendors import MAX_NAME_LENGTH, MAX_WORD_LENGTH
from portal.vendors.services.store import ids_named

READ_EVERY = timedelta(days=1)
READ_FOR_NEW_ONES = timedelta(hours=6)
"""So often at most because of an id without a name: one that nothing names stays so."""


@dataclass(frozen=True)
class FetchedLabels:
    """The names of each kind that the grant covers, and when the platform was asked for them."""

    asked_at: datetime
    rows: list[Label]
    kinds: frozenset[LabelKind]
    """Whose list could be read to its end: what it does not name is not there."""
    unread: frozenset[str] = frozenset()
    """The ids of what could not be read: it is there, and keeps the name that it had."""


def _read_at() -> datetime | None:
    at: datetime | None = Label.objects.aggregate(at=Max("read_at"))["at"]
    return at


def mark_labels(fetched: Sequence[remote.Vendor]) -> None:
    """Have the names read when vendors are about to be stored that name somebody or something without one."""
    owners, attributes = ids_named(fetched)
    wanted = {(LabelKind.USER.value, each) for each in owners} | {(LabelKind.RISK.value, each) for each in attributes}
    ids = {each for _, each in wanted}
    known = set(Label.objects.filter(platform_id__in=ids).values_list("kind", "platform_id")) if ids else set()
    at = _read_at() if wanted - known else None
    if wanted - known and (at is None or at < timezone.now() - READ_FOR_NEW_ONES):
        mark_many(LABELS, [ALL_OF_THEM])


def ask_for_labels() -> None:
    """Have the names read again when they are old, because somebody looks at them."""
    at = _read_at()
    if at and at < timezone.now() - READ_EVERY:
        ask_for(LABELS, ALL_OF_THEM)


def fetch_labels(client: Platform, _: str) -> FetchedLabels:
    asked_at, rows, kinds, unread = timezone.now(), list[Label](), set[LabelKind](), set[str]()
    # The grant may cover vendors alone: then what it does not cover stays without names.
    with suppress(PermissionRefused):
        users = collect(client.users.all.page)
        for user in users.items:
            name = named(user.display_name or user.email)
            rows.append(Label(kind=LabelKind.USER, platform_id=user.id, name=name, folded_email=fold(user.email)))
        kinds |= {LabelKind.USER} if users.is_whole else set()
        unread |= {each.id for each in users.unread}
    with suppress(PermissionRefused):
        attributes = collect(client.vendor_risk_attributes.all.page)
        for attribute in attributes.items:
            level = attribute.risk_level or ""
            label = Label(kind=LabelKind.RISK, platform_id=attribute.id, name=named(attribute.name), risk_level=level)
            rows.append(label)
        kinds |= {LabelKind.RISK} if attributes.is_whole else set()
        unread |= {each.id for each in attributes.unread}
    return FetchedLabels(asked_at, rows, frozenset(kinds), frozenset(unread))


def store_labels(fetched: FetchedLabels) -> bool:
    """Make the rows equal to the platform's names; True when one of them is another. Who was erased has none."""
    columns = ("kind", "platform_id", "name", "folded_email", "risk_level")
    before = set(Label.objects.values_list(*columns))
    rows = [_stored(row, fetched.asked_at) for row in _of_others(fetched.rows)]
    Label.objects.bulk_create(
        rows,
        batch_size=200,
        update_conflicts=True,
        unique_fields=["tenant", "kind", "platform_id"],
        update_fields=[*columns[2:], "read_at"],
    )
    not_named = Label.objects.filter(kind__in=fetched.kinds, read_at__lt=fetched.asked_at)
    not_named.exclude(platform_id__in=fetched.unread).delete()
    return before != set(Label.objects.values_list(*columns))


def _of_others(rows: Sequence[Label]) -> list[Label]:
    """Leave out who was erased. Asked for all at once first: nearly always that is nobody."""
    kept = without_erased([row.folded_email for row in rows])
    pairs = zip(rows, kept, strict=True)
    return [row for row, email in pairs if email != ERASED or not is_erased(email=row.folded_email, created_at=None)]


def _stored(row: Label, asked_at: datetime) -> Label:
    return Label(
        kind=row.kind,
        platform_id=row.platform_id,
        name=storable_text(row.name)[:MAX_NAME_LENGTH],
        folded_email=storable_text(row.folded_email)[:MAX_EMAIL_LENGTH],
        risk_level=storable_text(row.risk_level)[:MAX_WORD_LENGTH],
        read_at=asked_at,
    )
