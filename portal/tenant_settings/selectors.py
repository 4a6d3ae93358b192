from collections.abc import Iterable

from django.db.models import Count, Exists, OuterRef, QuerySet

from portal.audit.models import AccountEvent, ChainCheck, Entry, Link
from portal.tenants.models import Membership, Tenant
from portal.users.factors import factors_of_users
from portal.users.models import User


def members_by_factor(tenant: Tenant) -> list[Membership]:
    """Return the members who have no second factor first, each with `has_factor`."""
    members = Membership.objects.filter(tenant=tenant).select_related("user")
    marked = members.annotate(has_factor=Exists(factors_of_users().filter(user=OuterRef("user"))))
    return list(marked.order_by("has_factor", "user__email"))


def people() -> list[str]:
    """Return the names of those who did something, the busiest first."""
    names = Entry.objects.exclude(actor_name="").values("actor_name").annotate(number=Count("id")).order_by("-number")
    return [row["actor_name"] for row in names[:200]]


def accounts_of(entries: Iterable[Entry]) -> dict[int, str]:
    """Return the address of each account that stands in these entries: names are chosen by those who bear them."""
    people = {entry.actor_id for entry in entries if entry.actor_id}
    return dict(User.objects.filter(pk__in=people).values_list("pk", "email"))


def account_events(tenant: Tenant) -> QuerySet[AccountEvent]:
    """Return what happened to the accounts of those who are members now."""
    members = Membership.objects.filter(tenant=tenant).values("user_id")
    return AccountEvent.objects.filter(user__in=members).select_related("user")


def last_check() -> ChainCheck | None:
    """Return what the last check of the tenant's chain found, if there was one."""
    return ChainCheck.objects.first()


def link_of(entry: Entry) -> Link | None:
    """Return an entry's place in the chain. It has none for a moment, and longer where a process was killed."""
    return Link.objects.filter(entry_id=entry.pk).first()
