"""What a member has read."""

from django.db import transaction
from django.utils import timezone

from portal.notifications.models import AREA, Notification
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership


@transaction.atomic
def mark_read(notification: Notification) -> None:
    if Notification.objects.unread().filter(pk=notification.pk).update(read_at=timezone.now()):
        touch_areas(AREA)


@transaction.atomic
def mark_all_read(member: Membership) -> int:
    """Mark everything in a member's bell as read; return how many there were."""
    number = Notification.objects.in_bell_of(member.user_id).unread().update(read_at=timezone.now())
    if number:
        touch_areas(AREA)
    return number


@transaction.atomic
def mark_unread(key: str) -> None:
    """Show what was told under a key as unread again, to everybody who has read it."""
    if Notification.objects.filter(key=key).exclude(read_at=None).update(read_at=None):
        touch_areas(AREA)
