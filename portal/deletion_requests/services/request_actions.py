"""What a person does: have a request sent, ask again, give up."""

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.connections.services import Urgency, client_for
from portal.deletion_requests.addresses import without_address
from portal.deletion_requests.models import CLOSABLE, REPEATABLE, DeletionRequest, Identity, State
from portal.deletion_requests.services.erasure import process_request
from portal.deletion_requests.services.intake import MAX_TEXT_LENGTH, NewRequest, keep
from portal.deletion_requests.services.request_audit import record_change
from portal.tenants import personal_data
from portal.tenants.models import Membership, Role


class BeingSent(Exception):
    """Somebody else has just sent it, or it has come to its end meanwhile."""


class IdentityOpen(Exception):
    """Nobody has noted yet that the person who asks is the one whose address it is."""


def submit(new: NewRequest, *, reference: str, identity_note: str, member: Membership) -> DeletionRequest:
    """Take a request in and send it at once. Raises NotConnected, AlreadyOpen.

    The same reference again, from a form that was sent twice, gives the request that came of it the first time.
    """
    check(member)
    client_for(Urgency.PERSON)  # not connected: better said before a request exists than kept in one
    name = str(member.user)[:120]
    columns = new.columns | {
        "requested_by": member.user,
        "requested_by_name": name,
        "identity": Identity.CONFIRMED,
        "identity_note": without_address(identity_note, new.email)[:MAX_TEXT_LENGTH],
        "identity_by_name": name,
        "identity_on": timezone.localdate(),
        "sent_by": member.user,
        "sent_by_name": name,
        "sent_at": timezone.now(),
    }
    with transaction.atomic():
        row, is_new = keep(columns | {"found": personal_data.count(new.email)}, reference=reference)
        if is_new:
            record_change(row, "submit", f"Asked to erase {row}.", {"note": row.note, "found": row.found}, actor=member.user)
    process_request(row, urgency=Urgency.PERSON)
    return DeletionRequest.objects.get(pk=row.pk)


def send(row: DeletionRequest, *, member: Membership) -> DeletionRequest:
    """Send a request that was taken in, and erase the portal's copies. Raises NotConnected, IdentityOpen, BeingSent."""
    check(member)
    client_for(Urgency.PERSON)
    with transaction.atomic():
        row = DeletionRequest.objects.select_for_update().get(pk=row.pk)
        if row.state != State.RECEIVED:
            raise BeingSent
        if row.identity != Identity.CONFIRMED:
            raise IdentityOpen
        row.state, row.due_at, row.found = State.SENDING, timezone.now(), personal_data.count(row.email)
        row.sent_by, row.sent_by_name, row.sent_at = member.user, str(member.user)[:120], row.due_at
        row.save(update_fields=["state", "due_at", "found", "sent_by", "sent_by_name", "sent_at"])
        record_change(row, "submit", f"Asked to erase {row}.", {"note": row.note, "found": row.found}, actor=member.user)
    process_request(row, urgency=Urgency.PERSON)
    return DeletionRequest.objects.get(pk=row.pk)


def ask_again(row: DeletionRequest, *, member: Membership) -> DeletionRequest:
    """Send a request once more, now. Raises NotConnected, BeingSent."""
    check(member)
    client_for(Urgency.PERSON)
    if row.state not in REPEATABLE or not process_request(row, urgency=Urgency.PERSON, asked_by=member.user):
        raise BeingSent
    return DeletionRequest.objects.get(pk=row.pk)


@transaction.atomic
def close(row: DeletionRequest, *, member: Membership) -> DeletionRequest:
    """Give up a request that was refused or never left; nothing was erased here. Forgets the address. Raises BeingSent.

    An answer may have been lost before the refusal: then nobody says that the platform has erased nothing.
    """
    check(member)
    row = DeletionRequest.objects.select_for_update().get(pk=row.pk)
    if row.state not in CLOSABLE or not row.is_free(timezone.now()):
        raise BeingSent
    row.state, row.closed_at, row.email = State.CLOSED, timezone.now(), ""
    row.save(update_fields=["state", "closed_at", "email"])
    erased = "nothing was erased here" if row.is_in_doubt else "nothing was erased"
    details = {"is_in_doubt": row.is_in_doubt}
    record_change(row, "close", f"Closed the request to erase {row}; {erased}.", details, actor=member.user)
    return row


def check(member: Membership) -> None:
    if not member.may(Role.APPROVER):
        raise PermissionDenied
