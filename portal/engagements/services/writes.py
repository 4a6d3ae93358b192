"""What the writes of this desk have in common (guarantee W1)."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import PermissionDenied

from portal.audit.services import record
from portal.engagements.errors import Gone
from portal.engagements.kinds import AREA, CONTROL, ENGAGEMENT, EVIDENCE, PARTS, REQUEST
from portal.engagements.models import Engagement, EngagementControl, EvidenceItem, InformationRequest
from portal.page_refresh.services import touch_areas
from portal.platform_writes.outcomes import refetching
from portal.sync.freshness import fetch_now
from portal.tenants.models import Membership, Role

DECIDER = Role.APPROVER
"""Who accepts, flags and assesses: that is the firm's word in an audit. Comments and requests are for those who work in it."""
KIND_OF: dict[type[Any], str] = {
    Engagement: ENGAGEMENT,
    InformationRequest: REQUEST,
    EvidenceItem: EVIDENCE,
    EngagementControl: CONTROL,
}
LABEL_OF = {REQUEST: "information request", EVIDENCE: "evidence", CONTROL: "control"}


def check(member: Membership, role: Role = Role.ANALYST) -> None:
    if not member.may(role):
        raise PermissionDenied


def auditor_of(member: Membership) -> str:
    """Return the address by which the platform knows who decides or comments: the member's own."""
    return member.user.email


def ids_of(row: Any) -> tuple[str, str]:
    """Return the ids in the address of an object: its audit's and its own."""
    return row.engagement.platform_id, row.platform_id


def about[T](row: Any, call: Callable[[], T]) -> T:
    """Make calls about an audit or one object of it. Raises Gone where the platform does not have it or what belongs to it.

    Whenever it is not known what became of a write, or our copy was wrong about it, the object is looked at again.
    """
    with refetching(lambda: read_again(row), gone=Gone):
        return call()


def read_again(row: Any) -> None:
    """Have an object fetched now: the mirror shows the truth as soon as it is known. A control comes with its audit.

    Of an audit everything is read that it consists of: something may have been added.
    """
    marks = {(KIND_OF[type(row)], row.platform_id)}
    if isinstance(row, Engagement):
        marks.add((PARTS, row.platform_id))
    if isinstance(row, EngagementControl):
        marks.add((PARTS, row.engagement.platform_id))
    fetch_now(*marks)


def note(row: Any, verb: str, said: str, *, member: Membership, **details: str) -> None:
    """Record what somebody did with an audit or an object of it, and have the open pages follow. In the caller's transaction.

    The words of a comment never stand there: they may name people, and audit rows stay.
    """
    kind = KIND_OF[type(row)]
    summary = f"{said} {_named(row)}."
    record(f"{kind}.{verb}", target=(kind, row.platform_id), summary=summary, actor=member.user, details=details)
    touch_areas(AREA)


def _named(row: Any) -> str:
    if isinstance(row, Engagement):
        return f"the audit “{str(row)[:150]}”"
    return f"the {LABEL_OF[KIND_OF[type(row)]]} “{str(row)[:150]}” of the audit “{str(row.engagement)[:100]}”"
