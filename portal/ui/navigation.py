"""The side navigation of a tenant. Desks register their counts here; this room knows only their URL names."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.urls import NoReverseMatch, reverse

from portal.tenants.models import Membership, Role, Tenant
from portal.tenants.scope import tenant_scope

type Count = Callable[[Tenant], int]
type MemberCount = Callable[[Membership], object]


@dataclass(frozen=True)
class Status:
    """What the foot of the navigation says about the tenant's copy of the platform's data."""

    tone: str
    text: str
    at: datetime | None = None


@dataclass(frozen=True)
class Entry:
    """One page of the navigation. The part of its URL name before the colon is also the key of its count."""

    label: str
    icon: str
    url_name: str
    go: str = ""
    """The letter that leads there after a `g`."""
    role: Role = Role.VIEWER
    """Who may open it; a section of the settings is shown to nobody else."""
    count_key: str = ""
    """Whose number stands beside it, if not its own."""
    note: str = ""
    """One line that says what the page is for."""
    views: str = ""
    """How the names of its views begin, if it shares its namespace with another entry."""

    @property
    def key(self) -> str:
        return self.count_key or self.url_name.partition(":")[0]


@dataclass(frozen=True)
class Group:
    """Entries that serve one kind of work."""

    label: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Item:
    """An entry as one tenant sees it on one page."""

    entry: Entry
    url: str
    is_current: bool
    count: object
    """None, or what stands beside it; one that is false is not shown."""
    is_urgent: bool


GROUPS = (
    Group(
        "Work",
        (
            Entry("Today", "sun", "today:today", go="t"),
            Entry("Questionnaires", "clipboard-list", "questionnaires:list", go="q"),
            Entry("Access requests", "key-round", "access_requests:list", go="a"),
            Entry("Library", "book-open-check", "library:list", go="l"),
            Entry("Deletion requests", "eraser", "deletion_requests:list", go="d"),
        ),
    ),
    Group(
        "Customers",
        (
            Entry("Customers", "building-2", "customers:list", go="c"),
            Entry("Contracts", "handshake", "contracts:list", go="n"),
            Entry("Commitments", "scale", "commitments:matrix", go="m"),
            Entry("Incidents", "siren", "incidents:list", go="i"),
        ),
    ),
    Group(
        "Trust Center",
        (
            Entry("Content", "layout-template", "trust_center:resources", go="o"),
            Entry("Viewers", "users", "access_requests:viewers", go="v", count_key="viewers", views="access_requests:viewer"),
            Entry("Activity", "activity", "trust_center_activity:overview", go="y"),
            Entry("Tags", "tags", "tags:matrix", go="g"),
        ),
    ),
    Group(
        # Behind what somebody waits for: questions about staff, evidence and suppliers are answered from it.
        "Security program",
        (
            Entry("People", "contact", "people:list", go="p"),
            Entry("Documents", "folder-check", "documents:list", go="f"),
            Entry("Vendors", "store", "vendors:list", go="e"),
            Entry("Audits", "clipboard-check", "engagements:list", go="u"),
            Entry("Controls", "shield-check", "controls:list", go="k"),
            Entry("Risks", "circle-alert", "risks:issues", go="r"),
        ),
    ),
)
"""The side navigation by kinds of work."""
DESKS = tuple(entry for group in GROUPS for entry in group.entries)
SETTINGS_PAGE = Entry("Settings", "settings", "settings:overview", go="s", count_key="inbox")
"""The one entry of the side navigation; its pages share a navigation of their own."""
SETTINGS_GROUPS = (
    Group(
        "Platform",
        (
            Entry("Connection", "plug-zap", "connections:connection", note="How the tenant is connected to the platform"),
            Entry("Webhooks", "webhook", "inbox:webhooks", note="Where the platform's events arrive, and what came"),
        ),
    ),
    Group(
        "Team",
        (
            Entry("Members", "users", "members:list", note="Who works here, invitations, leaving"),
            Entry("Roles", "user-check", "settings:roles", note="What each role may do"),
            Entry("Sign-in", "lock-keyhole", "settings:sign_in", role=Role.OWNER, note="What members need to sign in"),
            Entry(
                "Single sign-on",
                "log-in",
                "single_sign_on:settings",
                role=Role.OWNER,
                note="Your company's sign-in and its email domains",
            ),
            Entry(
                "Notifications",
                "bell",
                "notification_settings:preferences",
                note="What you and the team are notified about, where and when",
            ),
        ),
    ),
    Group(
        "How you work",
        (
            Entry("Office hours", "clock", "calendars:hours", note="Working days and holidays that deadlines count by"),
            Entry("Questionnaire rules", "list-checks", "questionnaire_rules:rules", note="SLAs and who is assigned"),
            Entry("Access requests", "key-round", "access_requests:settings", note="NDAs, approvals and how long access lasts"),
            Entry("Deletion requests", "eraser", "deletion_requests:desk", note="Deadlines and what is kept"),
            Entry(
                "Language model",
                "message-square-text",
                "language_model:overview",
                role=Role.ADMIN,
                note="Whether drafts may be rewritten, and what was sent",
            ),
        ),
    ),
    Group(
        "Records",
        (
            Entry("Audit", "scroll-text", "settings:audit", role=Role.ADMIN, note="Who did what, and when"),
            Entry("Event log", "logs", "event_log:log", role=Role.ADMIN, note="What the platform has logged"),
        ),
    ),
)
"""The navigation of the settings. A group is shown when there is a page in it that the member may open."""
SETTINGS = tuple(entry for group in SETTINGS_GROUPS for entry in group.entries)

_counts: dict[str, tuple[Count, bool]] = {}
_member_counts: dict[str, MemberCount] = {}
_conditions: dict[str, Callable[[], bool]] = {}
_status: list[Callable[[Tenant], Status | None]] = []


def register_count(key: str, count: Count, *, is_urgent: bool = False) -> None:
    """Show a number beside a desk, from its `AppConfig.ready`. An urgent one is coloured while it is not zero."""
    _counts[key] = (count, is_urgent)


def register_member_count(key: str, count: MemberCount) -> None:
    """Show a number beside a desk that is another one for each member; it is coloured while it is not zero."""
    _member_counts[key] = count


def register_condition(key: str, is_met: Callable[[], bool]) -> None:
    """Show a desk only to tenants for which this holds in their scope. Its pages still open, and say what is missing."""
    _conditions[key] = is_met


def is_shown(entry: Entry, tenant: Tenant) -> bool:
    """Say whether a tenant has a desk at all; nearly all desks are everybody's."""
    if entry.key not in _conditions:
        return True
    with tenant_scope(tenant.pk):
        return _conditions[entry.key]()


def register_status(status: Callable[[Tenant], Status | None]) -> None:
    """Show the state of the tenant's copy at the foot of the navigation. The last one registered speaks."""
    _status[:] = [status]


def groups(tenant: Tenant, *, view_name: str, membership: Membership | None = None) -> list[tuple[str, list[Item]]]:
    """Give the side navigation: the label of each group, and its entries as `items` gives them."""
    return [(group.label, items(group.entries, tenant=tenant, view_name=view_name, membership=membership)) for group in GROUPS]


def items(entries: tuple[Entry, ...], *, tenant: Tenant, view_name: str, membership: Membership | None = None) -> list[Item]:
    """Give the entries that have an address, with their counts. `view_name` is that of the open page."""
    open_one, found = _open_desk(view_name), []
    for entry in entries:
        url = _url(entry, tenant)
        if not url or not is_shown(entry, tenant):
            continue
        count, is_urgent = count_of(entry.key, tenant, membership)
        found.append(Item(entry, url, is_current=entry is open_one, count=count, is_urgent=is_urgent and bool(count)))
    return found


def sections(tenant: Tenant, *, view_name: str, membership: Membership | None) -> list[tuple[str, list[Item]]]:
    """Give the pages of the settings that a member may open, by groups, while one is open; on every other page nothing."""
    open_one = _open_section(view_name)
    if membership is None or (open_one is None and view_name != SETTINGS_PAGE.url_name):
        return []
    found = []
    for group in SETTINGS_GROUPS:
        pages = [
            Item(entry, url, is_current=entry is open_one, count=None, is_urgent=False)
            for entry in group.entries
            if membership.may(entry.role) and (url := _url(entry, tenant))
        ]
        found += [(group.label, pages)] if pages else []
    return found


def settings_item(tenant: Tenant, *, view_name: str) -> Item | None:
    """Give the entry of the side navigation that leads to the settings."""
    url = _url(SETTINGS_PAGE, tenant)
    if not url:
        return None
    count, is_urgent = count_of(SETTINGS_PAGE.key, tenant)
    is_current = view_name == SETTINGS_PAGE.url_name or _open_section(view_name) is not None
    return Item(SETTINGS_PAGE, url, is_current=is_current, count=count, is_urgent=is_urgent and bool(count))


def _url(entry: Entry, tenant: Tenant) -> str:
    try:
        return reverse(entry.url_name, args=[tenant.slug])
    except NoReverseMatch:
        return ""


def _open_desk(view_name: str) -> Entry | None:
    """Find the desk of a page; one that shares its namespace owns the views that begin as it says."""
    namespace = view_name.partition(":")[0]
    shared = next((entry for entry in DESKS if entry.views and view_name.startswith(entry.views)), None)
    return shared or next((entry for entry in DESKS if entry.key == namespace), None)


def _open_section(view_name: str) -> Entry | None:
    """A page that a section leads to belongs to it, unless it is one of a desk."""
    exact = next(
        (entry for entry in SETTINGS if view_name == entry.url_name or view_name.startswith(f"{entry.url_name}_")), None
    )
    desks = {entry.key for entry in DESKS} | {SETTINGS_PAGE.url_name.partition(":")[0]}
    namespace = view_name.partition(":")[0]
    return exact or next((entry for entry in SETTINGS if entry.key == namespace and namespace not in desks), None)


def status(tenant: Tenant) -> Status | None:
    """Say how the tenant's copy is, or nothing when no room has registered to know."""
    if not _status:
        return None
    with tenant_scope(tenant.pk):
        return _status[0](tenant)


def count_of(key: str, tenant: Tenant, membership: Membership | None = None) -> tuple[object, bool]:
    """Return the number beside a desk, if it has one, and whether it is urgent while it is not zero."""
    if key in _member_counts:
        if membership is None:
            return None, False
        with tenant_scope(tenant.pk):
            return _member_counts[key](membership), True
    if key not in _counts:
        return None, False
    count, is_urgent = _counts[key]
    # Its own scope: an error page is rendered after the view has left the tenant's.
    with tenant_scope(tenant.pk):
        return count(tenant), is_urgent
