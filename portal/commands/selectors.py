"""What the search over all desks offers: pages, things to do, people, and the objects of every desk that can be searched."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Q
from django.urls import resolve, reverse

from portal.saved_views.found import Found
from portal.saved_views.lists import ListPage, list_pages
from portal.tenants.models import Membership, Role
from portal.ui.navigation import DESKS, SETTINGS, SETTINGS_PAGE, Entry

SHOWN = 5
"""Of each kind."""
SHORTEST = 2
"""Letters; of less nearly every object has them."""
ICONS = {entry.url_name: entry.icon for entry in DESKS}
ACTIONS = (
    Entry("New questionnaire", "plus", "questionnaires:new"),
    Entry("New library entry", "plus", "library:new"),
    Entry("Upload contract", "upload", "contracts:upload"),
    Entry("New customer", "plus", "customers:new"),
    Entry("New incident", "plus", "incidents:new"),
    Entry("New deletion request", "plus", "deletion_requests:new"),
    Entry("New access rule", "plus", "access_requests:new_rule"),
    Entry("Invite a colleague", "user-plus", "members:list", role=Role.ADMIN),
    Entry("Review viewers' access", "user-check", "access_requests:viewer_review"),
    Entry("Manage saved views", "bookmark", "saved_views:list"),
)


@dataclass(frozen=True)
class Group:
    """What was found of one kind. `more_url` leads to the list that shows the rest."""

    label: str
    icon: str
    found: list[Found]
    more_url: str = ""


def groups(words: str, *, membership: Membership) -> list[Group]:
    """Return what has all of the words, for a member in their tenant's scope; without words, what can be done and opened."""
    wanted = words.casefold().split()
    found = [
        Group("Actions", "zap", _entries(ACTIONS, wanted, membership)),
        Group("Pages", "arrow-right", _entries((*DESKS, SETTINGS_PAGE, *SETTINGS), wanted, membership)),
    ]
    if len(words) >= SHORTEST:
        objects = (_of_list(page, words, membership) for page in list_pages() if page.find and membership.may(page.role))
        found = [*objects, Group("Members", "users", _members(wanted, membership)), *found]
    return [group for group in found if group.found]


def _of_list(page: ListPage, words: str, membership: Membership) -> Group:
    slug = membership.tenant.slug
    rows = list(page.find(words, slug, SHOWN + 1)) if page.find else []
    more_url = page.url(slug, page.normalized(urlencode({"q": words}))) if len(rows) > SHOWN else ""
    return Group(page.label, ICONS.get(page.url_name, "file"), rows[:SHOWN], more_url)


def _entries(entries: Iterable[Entry], wanted: list[str], membership: Membership) -> list[Found]:
    return list(_offered(entries, wanted, membership))


def _offered(entries: Iterable[Entry], wanted: list[str], membership: Membership) -> Iterator[Found]:
    for entry in entries:
        words = f"{entry.label} {entry.note}".casefold()
        url = reverse(entry.url_name, args=[membership.tenant.slug])
        needed = max(entry.role, resolve(url).func.role)  # type: ignore[attr-defined] # set by `tenant_view`
        if membership.may(needed) and all(word in words for word in wanted):
            yield Found(entry.label, entry.note, url, entry.icon)


def _members(wanted: list[str], membership: Membership) -> list[Found]:
    rows = Membership.objects.filter(tenant=membership.tenant).select_related("user").order_by("user__name", "pk")
    for word in wanted:
        rows = rows.filter(Q(user__name__icontains=word) | Q(user__email__icontains=word))
    url = reverse("members:list", args=[membership.tenant.slug])
    return [Found(str(row.user), row.get_role_display(), url) for row in rows[:SHOWN]]
