"""Whether the one who asks is the one whose address it is: who found out, how, and what follows from it."""

from datetime import date

from django.db import transaction
from django.utils import timezone

from portal.deletion_requests.addresses import without_address
from portal.deletion_requests.models import DeletionRequest, Identity, State
from portal.deletion_requests.services.intake import MAX_TEXT_LENGTH, check_may_take_in
from portal.deletion_requests.services.request_audit import record_change
from portal.tenants.models import Membership

WRITTEN = ["identity", "identity_on", "identity_note", "identity_by_name", "state", "closed_at", "email", "problem"]


class NotWaiting(Exception):
    """It was sent or closed meanwhile: what is noted now would change nothing anymore."""


@transaction.atomic
def note_identity(row: DeletionRequest, *, outcome: str, note: str, checked_on: date, member: Membership) -> DeletionRequest:
    """Keep what came of the check. If it failed the request is closed and nothing is erased. Raises NotWaiting."""
    check_may_take_in(member)
    row = DeletionRequest.objects.select_for_update().get(pk=row.pk)
    if row.state != State.RECEIVED:
        raise NotWaiting
    row.identity, row.identity_on = outcome, checked_on
    row.identity_note, row.identity_by_name = without_address(note, row.email)[:MAX_TEXT_LENGTH], str(member.user)[:120]
    if outcome == Identity.FAILED:
        row.state, row.closed_at, row.email = State.CLOSED, timezone.now(), ""
        row.problem = f"The identity could not be confirmed: {row.identity_note}"[:MAX_TEXT_LENGTH]
    row.save(update_fields=WRITTEN)
    details = {"note": row.identity_note, "checked_on": checked_on.isoformat()}
    if outcome == Identity.FAILED:
        summary = f"Closed the request to erase {row}: the identity was not confirmed. Nothing was erased."
    else:
        summary = f"Recorded the identity of {row} as {row.get_identity_display().lower()}."
    record_change(row, f"identity_{outcome}", summary, details, actor=member.user)
    return row
