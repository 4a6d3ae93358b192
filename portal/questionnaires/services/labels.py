"""What accounts and tags are called: questionnaires tell their ids alone, and nobody sets a target for an id."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils import timezone

from portal.lib.storable import storable_text
from portal.lib.unnamed import named
from portal.platform_api import Platform
from portal.platform_api.errors import NotFound, PermissionRefused, Unreadable
from portal.platform_api.paging import Collected, Unread, collect, whole_list
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
    """The names that could be read, and when the platform was asked for them."""

    asked_at: datetime
    items: list[Named]
    whole: frozenset[str] = frozenset((ACCOUNT, TAG))
    """The kinds whose list could be read to its end: what it does not name is not there."""
    unread: frozenset[str] = frozenset()
    """The ids of accounts, and of tags' categories, that could not be read: what they are called stays."""


def ask_for_labels(*, may_be_first: bool) -> None:
    """Have the names read again when they are old, because somebody looks at them.

    Not for the first time on pages that many open: where the grant covers no names, each of them would cost calls for nothing.
    """
    read_at = Label.objects.aggregate(at=Max("read_at"))["at"]
    is_due = may_be_first if read_at is None else read_at < timezone.now() - READ_EVERY
    if is_due:
        ask_for(LABELS, ALL_OF_THEM)


def fetch_labels(client: Platform, _: str) -> FetchedLabels:
    asked_at, items, whole, unread = timezone.now(), list[Named](), set[str](), set[str]()
    fetches: dict[str, Callable[[Platform], Collected[Named]]] = {ACCOUNT: _accounts, TAG: _tags}
    for kind, fetch in fetches.items():
        # The grant may cover questionnaires alone: targets of a priority need no names.
        with suppress(PermissionRefused):
            found = fetch(client)
            items += found.items
            unread |= {each.id for each in found.unread}
            whole |= {kind} if found.is_whole else set()
    return FetchedLabels(asked_at, items, frozenset(whole), frozenset(unread))


def _accounts(client: Platform) -> Collected[Named]:
    found = collect(client.accounts.all.page)
    return Collected([Named(ACCOUNT, each.id, each.name) for each in found.items], found.unread, found.circle)


def _tags(client: Platform) -> Collected[Named]:
    listed = whole_list(client.tag_categories.all())
    items, unread = list[Named](), [*listed.unread]
    for each in listed.items:
        try:
            of = client.tag_categories.get(each.id)
        except (NotFound, Unreadable) as error:
            unread.append(Unread(each.id, str(error)))
            continue
        for tag in of.tags:
            items.append(Named(TAG, tag.id, f"{named(of.category.display_name)}: {named(tag.display_name)}", of.category.id))
    return Collected(items, tuple(unread))


def store_labels(fetched: FetchedLabels) -> bool:
    """Make the rows equal to the platform's names; True when one of them is another. What could not be read keeps its name."""
    before = _names()
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
    others = Label.objects.filter(read_at__lt=fetched.asked_at)
    gone = others.filter(kind__in=fetched.whole).exclude(platform_id__in=fetched.unread).exclude(category_id__in=fetched.unread)
    gone.delete()
    # They are not asked for again with each page: whoever refuses them refuses them for a day.
    others.update(read_at=fetched.asked_at)
    return before != _names()


def _names() -> set[tuple[str, str, str, str]]:
    return set(Label.objects.values_list("kind", "category_id", "platform_id", "name"))
