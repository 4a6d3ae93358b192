"""What accounts and tags are called: questionnaires tell their ids alone, and nobody sets a target for an id."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils import timezone

from portal.lib.storable import storable_text
from portal.lib.unnamed import named
from portal.platform_api import Platform
from portal.platform_api.errors import PermissionRefused
from portal.platform_api.paging import collect
from portal.questionnaires.models import ACCOUNT, TAG, Label
from portal.sync.freshness import ask_for

LABELS, ALL_OF_THEM = "labels", "all"
"""The kind and the id of the one mark that has all names read."""
READ_EVERY = timedelta(days=1)
NAME_LENGTH = 300


@dataclass(frozen=True)
class Named:
    """An account, or a tag of a category."""

    kind: str
    platform_id: str
    name: str
    category_id: str = ""


@dataclass(frozen=True)
class FetchedLabels:
    """All names, and when the platform was asked for them."""

    asked_at: datetime
    items: list[Named]


def ask_for_labels(*, may_be_first: bool) -> None:
    """Have the names read again when they are old, because somebody looks at them.

    Not for the first time on pages that many open: where the grant covers no names, each of them would cost calls for nothing.
    """
    read_at = Label.objects.aggregate(at=Max("read_at"))["at"]
    is_due = may_be_first if read_at is None else read_at < timezone.now() - READ_EVERY
    if is_due:
        ask_for(LABELS, ALL_OF_THEM)


def fetch_labels(client: Platform, _: str) -> FetchedLabels:
    asked_at = timezone.now()
    return FetchedLabels(asked_at, [*_accounts(client), *_tags(client)])


def _accounts(client: Platform) -> Iterable[Named]:
    try:
        return [Named(ACCOUNT, each.id, each.name) for each in collect(client.accounts.all.page).items]
    except PermissionRefused:  # the grant may cover questionnaires alone: targets of a priority need no names
        return []


def _tags(client: Platform) -> Iterable[Named]:
    try:
        categories = [client.tag_categories.get(each.id) for each in client.tag_categories.all()]
    except PermissionRefused:
        return []
    return [
        Named(TAG, tag.id, f"{named(of.category.display_name)}: {named(tag.display_name)}", of.category.id)
        for of in categories
        for tag in of.tags
    ]


def store_labels(fetched: FetchedLabels) -> bool:
    """Make the rows equal to the platform's names; True when one of them is another."""
    before = {(each.kind, each.category_id, each.platform_id): each.name for each in Label.objects.all()}
    rows = {
        (one.kind, one.category_id, one.platform_id): Label(
            kind=one.kind,
            category_id=one.category_id,
            platform_id=one.platform_id,
            name=named(storable_text(one.name))[:NAME_LENGTH],
            read_at=fetched.asked_at,
        )
        for one in fetched.items
    }
    Label.objects.bulk_create(
        rows.values(),
        batch_size=200,
        update_conflicts=True,
        unique_fields=["tenant", "kind", "category_id", "platform_id"],
        update_fields=["name", "read_at"],
    )
    Label.objects.filter(read_at__lt=fetched.asked_at).delete()
    return before != {key: row.name for key, row in rows.items()}
