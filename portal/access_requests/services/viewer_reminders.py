"""Having the invitation sent again: a real mail, which nobody can take back and which leaves no trace to look at.

So it never leaves twice by itself: the row says that it may have been sent before the call leaves, and takes that back only
when the platform has certainly not done it (guarantee W1).
"""

from collections.abc import Callable
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from portal.access_requests.models import Viewer
from portal.connections.services import NotConnected
from portal.platform_api.areas.trust_center import TrustCenter
from portal.platform_api.errors import InvalidIdentifier, PlatformError, Unavailable, UnexpectedAnswer

ONE_A_DAY = timedelta(days=1)


class RemindedToday(Exception):
    """One mail a day is enough for a person."""


class MayHaveBeenSent(Exception):
    """The platform did not say whether it sent the mail."""


class NotSent(Exception):
    """The platform says that it did not send the mail."""


def remind(viewer: Viewer, center: TrustCenter, *, then: Callable[[], object]) -> None:
    """Have the invitation sent again, once a day at most; `then` runs in the transaction that writes it down.

    Raises RemindedToday, MayHaveBeenSent, NotSent, or why the platform certainly did not send it.
    """
    now, before = timezone.now(), viewer.reminded_at
    free = Q(reminded_at=None) | Q(reminded_at__lte=now - ONE_A_DAY)
    if not Viewer.objects.filter(free, pk=viewer.pk).update(reminded_at=now):
        raise RemindedToday
    try:
        answer = center.viewers.send_invite_reminder(viewer.platform_id)
    except UnexpectedAnswer as error:
        raise MayHaveBeenSent from error
    except Unavailable as error:
        if error.sent:
            raise MayHaveBeenSent from error
        _take_back(viewer, before)
        raise
    except (PlatformError, NotConnected, InvalidIdentifier):
        _take_back(viewer, before)
        raise
    if not answer.is_successful:
        _take_back(viewer, before)
        raise NotSent
    with transaction.atomic():
        then()


def _take_back(viewer: Viewer, before: object) -> None:
    Viewer.objects.filter(pk=viewer.pk).update(reminded_at=before)
