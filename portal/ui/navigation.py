"""The side navigation of a tenant. Desks register their counts here; this room knows only their URL names."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.urls import NoReverseMatch, reverse

from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope

type Count = Callable[[Tenant], int]


@dataclass(frozen=True)
class Status:
    """What the foot of the navigation says about the tenant's copy of the platform's data."""

    tone: str
    text: str
    at: datetime | None = None


@dataclass(frozen=True)
class Entry:
    """One page of the navigation. The part of its URL name before the colon, with its query, is also the key of its count."""

    label: str
    icon: str
    url_name: str
    short_label: str = ""
    search_label: str = ""
    query: str = ""
    """Narrows the page to a part that people open by itself."""

    @property
    def key(self) -> str:
        return self.url_name.partition(":")[0] + self.query


@dataclass(frozen=True)
class Item:
    """An entry as one tenant sees it on one page."""

    entry: Entry
    url: str
    is_current: bool
    count: int | None
    is_urgent: bool


DESKS = (
    Entry("Today", "sun", "today:today"),
    Entry("Questionnaires", "clipboard-list", "questionnaires:list", "Questions", "Search questionnaires"),
    Entry("Access requests", "key-round", "access_requests:list", "Access", "Search access requests"),
    Entry("Trust Center activity", "activity", "trust_center_activity:overview"),
    Entry("Reviews", "glasses", "questionnaires:list", query="?stage=in-review"),
    Entry("Contracts", "handshake", "contracts:list", search_label="Search contracts"),
    Entry("Commitments", "scale", "commitments:matrix", search_label="Search customers"),
    Entry("Incidents", "siren", "incidents:list", search_label="Search incidents"),
    Entry("Customers", "building-2", "customers:list", search_label="Search customers"),
    # Not searched from the bar: a search stands in the address of the page, where the mail address of a person must not be.
    Entry("Deletion requests", "eraser", "deletion_requests:list"),
    Entry("Tags", "tags", "trust_documents:matrix", search_label="Search tag categories"),
)
SETTINGS = (
    Entry("Connection", "plug-zap", "connections:connection"),
    Entry("Webhooks", "webhook", "inbox:webhooks"),
    Entry("Members", "users", "members:list"),
    Entry("Questionnaire rules", "list-checks", "questionnaire_rules:rules"),
    Entry("Office hours", "clock", "calendars:hours"),
)

_counts: dict[str, tuple[Count, bool]] = {}
_status: list[Callable[[Tenant], Status | None]] = []


def register_count(key: str, count: Count, *, is_urgent: bool = False) -> None:
    """Show a number beside a desk, from its `AppConfig.ready`. An urgent one is coloured while it is not zero."""
    _counts[key] = (count, is_urgent)


def register_status(status: Callable[[Tenant], Status | None]) -> None:
    """Show the state of the tenant's copy at the foot of the navigation. The last one registered speaks."""
    _status[:] = [status]


def items(entries: tuple[Entry, ...], *, tenant: Tenant, current: str) -> list[Item]:
    """Give the entries that have an address, with their counts. `current` is the namespace of the open page."""
    found = []
    for entry in entries:
        try:
            url = reverse(entry.url_name, args=[tenant.slug]) + entry.query
        except NoReverseMatch:
            continue
        count, is_urgent = count_of(entry.key, tenant)
        found.append(Item(entry, url, is_current=entry.key == current, count=count, is_urgent=is_urgent and bool(count)))
    return found


def status(tenant: Tenant) -> Status | None:
    """Say how the tenant's copy is, or nothing when no room has registered to know."""
    if not _status:
        return None
    with tenant_scope(tenant.pk):
        return _status[0](tenant)


def count_of(key: str, tenant: Tenant) -> tuple[int | None, bool]:
    """Return the number beside a desk, if it has one, and whether it is urgent while it is not zero."""
    if key not in _counts:
        return None, False
    count, is_urgent = _counts[key]
    # Its own scope: an error page is rendered after the view has left the tenant's.
    with tenant_scope(tenant.pk):
        return count(tenant), is_urgent
