"""Bringing by email what is due: all that waits for one member in one message, tried again where the server refuses it."""

import time

from django.conf import settings
from django.utils import timezone

from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.members.mail import mail_members
from portal.notifications.models import Dispatch, DispatchState, Notification
from portal.notifications.services.dispatching import claim, settle, try_later
from portal.tenants.models import Membership, Role, Tenant
from portal.tenants.scope import all_tenants, tenant_scope

MAX_PEOPLE, MAX_IN_ONE = 100, 50
"""So many members are looked for at once, so many notifications stand in one mail; the others follow with the next one."""


class NotDelivered(Exception):
    """The mail server did not take a message."""


def deliver_due(*, seconds: float = TASK_TIME_BUDGET_SECONDS) -> int:
    """Send the mails that are due, of every tenant, as far as the time goes; return how many were sent."""
    sent, deadline = 0, time.monotonic() + seconds
    while found := _people_to_mail():
        for tenant_id, user_id in found:
            if time.monotonic() > deadline:
                return sent
            with tenant_scope(tenant_id):
                sent += _deliver(tenant_id, user_id)
    return sent


def _people_to_mail() -> list[tuple[int, int]]:
    """Return tenant and user of those for whom something is due. Whoever was tried is not among them for a while."""
    with all_tenants("dispatches that are due are found over all tenants"):
        due = Dispatch.objects.due(timezone.now()).by_email().order_by()
        return list(due.values_list("tenant_id", "notification__user_id").distinct()[:MAX_PEOPLE])


def _deliver(tenant_id: int, user_id: int) -> bool:
    """Claim what waits for one member, then mail it."""
    mine = Dispatch.objects.by_email().filter(notification__user=user_id)
    claimed = claim(mine.order_by("-notification_id"), MAX_IN_ONE)
    member = Membership.objects.filter(tenant=tenant_id, user=user_id, user__is_active=True).select_related("user").first()
    unread = [each for each in claimed if each.notification.read_at is None]
    if member is None or not unread:
        settle(claimed, DispatchState.NOT_NEEDED)
        return False
    if not _mail(member, [each.notification for each in unread]):
        try_later(claimed)
        return False
    settle(claimed, DispatchState.SENT)
    return True


def _mail(member: Membership, rows: list[Notification]) -> bool:
    tenant = Tenant.objects.get(pk=member.tenant_id)
    subject = rows[0].title if len(rows) == 1 else f"{len(rows)} notifications"
    return mail_members(
        tenant,
        role=Role.VIEWER,
        person=member.user,
        subject=f"{tenant}: {subject}",
        template="notifications/mail.txt",
        page="notification_settings:preferences",
        lines=[(row, f"{settings.PUBLIC_URL}{row.path}") for row in rows],
    )


def send_test(member: Membership) -> None:
    """Mail a member now that mail arrives. Raises NotDelivered."""
    tenant = Tenant.objects.get(pk=member.tenant_id)
    if not mail_members(
        tenant,
        role=Role.VIEWER,
        person=member.user,
        subject=f"{tenant}: test of your notifications",
        template="notifications/test_mail.txt",
        page="notification_settings:preferences",
    ):
        raise NotDelivered
