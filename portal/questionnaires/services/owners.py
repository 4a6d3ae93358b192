"""Who can own or approve a questionnaire: the platform's lists of people, kept here so that no page waits for it."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Max
from django.utils import timezone

from portal.lib.page_cache import cache
from portal.lib.storable import storable_text
from portal.lib.unnamed import named
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


def member_named(name: str) -> User | None:
    """The member whom the platform calls so. The two sides share only a name, so it has to fit exactly one."""
    fits = Membership.objects.filter(tenant_id=current_tenant_id(), user__is_active=True, user__name__iexact=name.strip())
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


def store_owners(
    owners: Sequence[remote.AssignableUser], approvers: Sequence[remote.AssignableUser], *, asked_at: datetime
) -> bool:
    """Make the rows equal to the platform's two lists; True when somebody came, went or is called or listed otherwise."""
    columns = ("platform_id", "name", "may_own", "may_approve")
    before = set(AssignableUser.objects.values_list(*columns))
    may_own, may_approve = {one.id for one in owners}, {one.id for one in approvers}
    names = {one.id: named(storable_text(one.display_name))[:SHORT] for one in (*approvers, *owners)}
    people = {(each, name, each in may_own, each in may_approve) for each, name in names.items()}
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
