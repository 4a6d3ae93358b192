"""What one person was told in all of their tenants, for the pages that are of none."""

from collections.abc import Iterable

from portal.lib.keyset import KeysetPage, keyset_page
from portal.notifications import services
from portal.notifications.models import AREA, Notification, NotificationQuerySet
from portal.notifications.selectors import shown_count
from portal.page_refresh.services import PageVersion
from portal.tenants.models import Membership
from portal.tenants.scope import all_tenants, tenant_scope
from portal.today.portfolio import version_of

WHY = "what one person was told stands in one list; each query names them and their tenants"
IN_BELL, ROWS_OF_PAGE = 7, 50


def newest(memberships: Iterable[Membership], user_id: int) -> list[Notification]:
    """Return the newest of all tenants, with their tenants."""
    with all_tenants(WHY):
        return list(_told(memberships, user_id)[:IN_BELL])


def page_of(
    memberships: Iterable[Membership], user_id: int, *, is_unread: bool, cursor: str | None
) -> KeysetPage[Notification]:
    """Return a page of them, newest first."""
    with all_tenants(WHY):
        rows = _told(memberships, user_id)
        return keyset_page(rows.unread() if is_unread else rows, order_by=("-id",), cursor=cursor, size=ROWS_OF_PAGE)


def unread_count(memberships: Iterable[Membership], user_id: int) -> str:
    """Count what is unread in all tenants; empty for nothing."""
    with all_tenants(WHY):
        return shown_count(_told(memberships, user_id).unread())


def mark_all_read(memberships: Iterable[Membership], user_id: int) -> None:
    """Mark everything as read, in those tenants where something is not."""
    by_tenant = {each.tenant_id: each for each in memberships}
    with all_tenants(WHY):
        unread = _told(by_tenant.values(), user_id).unread().order_by()
        found = list(unread.values_list("tenant_id", flat=True).distinct())
    for tenant_id in found:
        with tenant_scope(tenant_id):
            services.mark_all_read(by_tenant[tenant_id])


def version(memberships: Iterable[Membership]) -> PageVersion:
    return version_of(memberships, [AREA])


def _told(memberships: Iterable[Membership], user_id: int) -> NotificationQuerySet:
    tenants = [each.tenant_id for each in memberships]
    return Notification.objects.in_bell_of(user_id).filter(tenant__in=tenants).select_related("tenant")
