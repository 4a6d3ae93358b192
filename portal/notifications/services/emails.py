"""Bringing by email what is due: all that waits for one member in one message, tried again where the server refuses it."""

import logging
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from portal.comments.models import Mention
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.notifications.kinds import EMAIL_FAILS, MENTION, Channel
from portal.notifications.models import Dispatch, DispatchQuerySet, DispatchState, Notification
from portal.notifications.selectors import is_quiet
from portal.notifications.services.dispatches import claim, due_in_turn, postpone, record_outcome, release, without_done_work
from portal.notifications.services.notifications import notify, while_open
from portal.tenants.models import Membership, Tenant
from portal.tenants.turns import serve_in_turn

logger = logging.getLogger(__name__)

MAX_IN_ONE = 50
"""So many notifications stand in one mail; the others follow with the next one."""
TOLD_AT = 3
"""The try after which it is no hiccup: some minutes after the first."""


class NotDelivered(Exception):
    """The mail server did not take a message."""


def deliver_due(*, seconds: float = TASK_TIME_BUDGET_SECONDS) -> int:
    """Send the mails that are due, of every tenant, as far as the time goes; return how many were sent."""
    turns = due_in_turn(DispatchQuerySet.by_email, "notification__user_id")
    return serve_in_turn(turns, _deliver, what="mailing a member", seconds=seconds)


def _deliver(user_id: int) -> bool:
    """Claim what waits for one member of the tenant in scope, then mail it."""
    mine = Dispatch.objects.by_email().filter(notification__user=user_id)
    claimed = without_done_work(claim(mine.order_by("-notification_id"), MAX_IN_ONE))
    member = Membership.objects.active().filter(user=user_id).select_related("user").first()
    unread = [each for each in claimed if each.notification.read_at is None and not _is_taken_back(each.notification)]
    if member is None or not unread:
        record_outcome(claimed, DispatchState.NOT_NEEDED)
        return False
    now = timezone.now()
    if is_quiet(user_id) and (opens_at := while_open(now)) > now:
        # It was due while the office was open, or would have been: a try has failed, or a holiday was entered since.
        release(claimed, due_at=opens_at)
        return False
    if not _mail_notifications(member, [each.notification for each in unread]):
        postpone(claimed)
        if any(each.attempts == TOLD_AT for each in claimed):
            _tell_otherwise(member)
        return False
    record_outcome(claimed, DispatchState.SENT)
    return True


def _is_taken_back(row: Notification) -> bool:
    """Say whether it tells of a mention whose comment was deleted, or mentions this person no more."""
    if row.kind != MENTION.name or row.object_id is None:
        return False
    return not Mention.objects.filter(comment=row.object_id, user=row.user_id).exists()


def _tell_otherwise(member: Membership) -> None:
    """Say in the bell, once a day, that email does not reach somebody."""
    notify(
        EMAIL_FAILS,
        [member.user_id],
        key=f"email:{timezone.now():%Y-%m-%d}",
        title="Email isn't reaching you",
        text=f"The mail server is rejecting email to {member.user.email}. We'll keep trying for two days.",
        url=lambda slug: reverse("notification_settings:preferences", args=[slug]),
        only_by=[Channel.BELL],
    )


def _mail_notifications(member: Membership, rows: list[Notification]) -> bool:
    subject = rows[0].title if len(rows) == 1 else f"{len(rows)} notifications"
    lines = [(row, f"{settings.PUBLIC_URL}{row.path}") for row in rows]
    return _mail(member, subject, "notifications/mail.txt", lines=lines)


def send_test(member: Membership) -> None:
    """Mail a member now that mail arrives. Raises NotDelivered."""
    if not _mail(member, "test notification", "notifications/test_mail.txt"):
        raise NotDelivered


def _mail(member: Membership, subject: str, template: str, **context: Any) -> bool:
    """Mail one member, with the address of the page where they choose; False when the mail server did not take it."""
    tenant = Tenant.objects.get(pk=member.tenant_id)
    url = settings.PUBLIC_URL + reverse("notification_settings:preferences", args=[tenant.slug])
    text = render_to_string(template, {"tenant": tenant, "url": url, **context})
    try:
        send_mail(" ".join(f"{tenant}: {subject}".split()), text, None, [member.user.email])
    except OSError:  # smtplib's errors are OSErrors
        logger.exception("a member could not be mailed: %s", template)
        return False
    return True
