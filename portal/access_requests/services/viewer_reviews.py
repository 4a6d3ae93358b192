"""Letting an access be after a review, for a while and with a word; and who took the register as a file."""

from collections.abc import Collection
from datetime import datetime

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.timezone import localdate

from portal.access_requests.models import Viewer
from portal.access_requests.services.outcomes import AREA
from portal.audit.services import record
from portal.page_refresh.services import touch_areas
from portal.sync.copies import lock_in_order
from portal.tenants.models import Membership, Role
from portal.users.dates import stored


@transaction.atomic
def keep_viewers(viewers: Collection[int], *, until: datetime, word: str, member: Membership) -> int:
    """Hide viewers from the review until a day; return how many. The word stays with the person's row, not in the audit."""
    if not member.may(Role.APPROVER):
        raise PermissionDenied
    rows = Viewer.objects.present().filter(pk__in=viewers)
    lock_in_order(rows)
    ids = list(rows.values_list("platform_id", flat=True))
    rows.update(kept_until=until, kept_word=word, kept_by_name=str(member.user)[:120])
    for platform_id in ids:
        summary = f"Kept access after a review, until {stored(localdate(until))}."
        record("viewer.keep", target=("viewer", platform_id), summary=summary, actor=member.user)
    touch_areas(AREA)
    return len(ids)


def note_viewer_export(query: str, *, member: Membership, what: str = "viewers") -> None:
    """Write down who took the register, or a review, as a file."""
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    record(
        "viewer.export",
        target=("viewers", "list"),
        summary=f"Exported the {what} as CSV.",
        actor=member.user,
        # Not the filters themselves: a search is for a name or an address, more often than not.
        details={"is_filtered": bool(query)},
    )
