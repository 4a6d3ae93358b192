"""Who can own or approve a questionnaire: the platform's lists of people, kept here so that no page waits for it."""

from collections.abc import Mapping
from datetime import datetime

from django.db.models import Max
from django.utils import timezone

from portal.lib.page_cache import cache
from portal.lib.storable import storable_text
from portal.lib.unnamed import named
from portal.platform_api import Page
from portal.platform_api import models as remote
from portal.questionnaires.models import READ_EVERY, AssignableUser
from portal.questionnaires.services.store import SHORT
from portal.sync.freshness import ask_for
from portal.tenants.models import Membership
from portal.tenants.scope import current_tenant_id
from portal.users.models import User

ASKED_AGAIN = 300
"""Seconds until a list in which nobody stood is asked for again."""
OWNERS, ALL_OF_THEM = "owners", "all"
"""The kind and the id of the one mark that has the whole list read."""
OWNER, APPROVER = "owner", "approver"
ROLES = (APPROVER, OWNER)
"""The platform's two lists. In this order: whom both of them name is called as the owners' list says."""


def member_named(name: str) -> User | None:
    """The member whom the platform calls so. The two sides share only a name, so it has to fit exactly one."""
    fits = Membership.objects.active().filter(user__name__iexact=name.strip())
    found = [membership.user for membership in fits.select_related("user")[:2]] if name.strip() else []
    return found[0] if len(found) == 1 else None


def ask_for_owners() -> None:
    """Have the list read again when it is old, because somebody is about to choose from it."""
    if _is_old(AssignableUser.objects.aggregate(at=Max("read_at"))["at"]):
        ask_for(OWNERS, ALL_OF_THEM)


def _is_old(read_at: datetime | None) -> bool:
    if read_at:
        return read_at < timezone.now() - READ_EVERY
    # Where the platform lists nobody, no row tells when it was asked.
    return bool(cache.add(f"owners-asked:{current_tenant_id()}", True, ASKED_AGAIN))


def store_owners(lists: Mapping[str, Page[remote.AssignableUser]], *, asked_at: datetime) -> bool:
    """Make the rows equal to the platform's lists by role; True when somebody came, went or is called or listed otherwise.

    What a list could not tell stays: all of its people where it is missing, and those of them who could not be read.
    """
    columns = ("platform_id", "name", "may_own", "may_approve")
    before = set(AssignableUser.objects.values_list(*columns))
    names = {each: name for each, name, _, _ in before}
    names |= {one.id: named(storable_text(one.display_name))[:SHORT] for role in ROLES for one in _items(lists, role)}
    may_own = _listed(lists.get(OWNER), {each for each, _, is_owner, _ in before if is_owner})
    may_approve = _listed(lists.get(APPROVER), {each for each, _, _, is_approver in before if is_approver})
    people = {(each, names[each], each in may_own, each in may_approve) for each in may_own | may_approve}
    rows = [AssignableUser(**dict(zip(columns, each, strict=True)), read_at=asked_at) for each in sorted(people)]
    AssignableUser.objects.bulk_create(
        rows,
        batch_size=200,
        update_conflicts=True,
        unique_fields=["tenant", "platform_id"],
        update_fields=[*columns[1:], "read_at"],
    )
    AssignableUser.objects.filter(read_at__lt=asked_at).delete()
    return people != before


def _items(lists: Mapping[str, Page[remote.AssignableUser]], role: str) -> list[remote.AssignableUser]:
    return lists[role].items if role in lists else []


def _listed(listed: Page[remote.AssignableUser] | None, before: set[str]) -> set[str]:
    """Return the ids of those who stand in a list, given those who have stood in it before."""
    if listed is None:
        return before
    unread = {each.id for each in listed.unread}
    return {one.id for one in listed.items} | (before if "" in unread else before & unread)
