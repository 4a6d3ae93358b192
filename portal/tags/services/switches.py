"""Pressing a switch: a category is used in a context, or no more, in the request of the person who does it.

What is about to be sent is written down first. When the answer is lost, the list of the context tells (`verification.py`).
"""

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.connections.services import NotConnected, Urgency, client_for
from portal.lib.sealed import Locked
from portal.page_refresh.services import touch_areas
from portal.platform_api.errors import InvalidIdentifier, PlatformError, TemporaryError, Unavailable, UnexpectedAnswer
from portal.platform_writes.outcomes import OutcomeUnknown
from portal.tags.models import LEASE, Category, Step, SwitchChange
from portal.tags.models.categories import why_fixed
from portal.tags.models.switches import FAILED
from portal.tags.services.outcomes import is_done, mark_uncertain, record_outcome, refuse, send
from portal.tags.services.store import AREA
from portal.tenants.models import Membership, Role


class NotSwitchable(Exception):
    """Nothing can be changed there from here; the message says why."""


class AlreadyOnItsWay(Exception):
    """Somebody presses this switch in this very moment, or the outcome of a press before is not known yet."""

    def __init__(self, change: SwitchChange | None) -> None:
        super().__init__()
        self.change = change
        """None: it came to its end in this very moment."""


def switch(category: Category, context: str, *, is_on: bool, member: Membership) -> SwitchChange:
    """Use a category in a context, or no more; the row that is returned says what came of it.

    To switch on what is on already is no error. Raises NotSwitchable, AlreadyOnItsWay; NotConnected or a PlatformError when the
    platform has not taken it.
    """
    if not member.may(Role.ADMIN):
        raise PermissionDenied
    if words := why_fixed(context):
        raise NotSwitchable(words)
    if category.gone_at:
        raise NotSwitchable("The platform no longer has this category.")
    client = client_for(Urgency.PERSON)
    change = _begin(category, context, is_on=is_on, member=member)
    try:
        found = send(change, client)
    except (UnexpectedAnswer, OutcomeUnknown):
        mark_uncertain(change)
    except (PlatformError, NotConnected, Locked, InvalidIdentifier) as error:
        if isinstance(error, Unavailable) and error.sent:
            mark_uncertain(change)
        elif isinstance(error, TemporaryError):
            # Nothing has left: there is nothing to be told about it.
            _forget(change)
            raise
        else:
            refuse(change, error)
            raise
    else:
        # It said yes and may show it only in a moment.
        record_outcome(change, found) if is_done(change, found) else mark_uncertain(change)
    return SwitchChange.objects.select_related("category").get(pk=change.pk)


def _begin(category: Category, context: str, *, is_on: bool, member: Membership) -> SwitchChange:
    """Write down what is about to be sent; what failed before at this switch is over with that."""
    now = timezone.now()
    change = SwitchChange(
        category=category,
        context=context,
        is_on=is_on,
        begun_by=member.user,
        begun_by_name=str(member.user)[:120],
        sent_at=now,
        due_at=now + LEASE,
    )
    rows = SwitchChange.objects.filter(category=category, context=context)
    try:
        with transaction.atomic():
            change.save()
            rows.filter(state__in=FAILED).update(state=Step.CLOSED)
            touch_areas(AREA)
    except IntegrityError:
        raise AlreadyOnItsWay(rows.on_their_way().first()) from None
    return change


@transaction.atomic
def _forget(change: SwitchChange) -> None:
    change.delete()
    touch_areas(AREA)
