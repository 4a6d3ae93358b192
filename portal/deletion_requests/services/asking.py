"""What a person does: ask for an erasure, ask again, give up."""

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.connections.services import Urgency, client_for
from portal.deletion_requests.addresses import fingerprint, mask, without_address
from portal.deletion_requests.models import CLOSABLE, REPEATABLE, DeletionRequest, State
from portal.deletion_requests.services.pursuing import pursue, write_down
from portal.tenants.models import Membership, Role


class AlreadyOpen(Exception):
    """There is a request about this address that has not come to its end; it is the one to go on with."""

    def __init__(self, row: DeletionRequest) -> None:
        super().__init__(row.reference)
        self.row = row


class BeingSent(Exception):
    """Somebody else has just sent it, or it has come to its end meanwhile."""


def submit(email: str, *, reference: str, note: str = "", member: Membership) -> DeletionRequest:
    """Ask the platform to erase a person and erase the portal's own copies. Raises NotConnected, AlreadyOpen.

    The same reference again, from a form that was sent twice, gives the request that came of it the first time.
    """
    check(member)
    client_for(Urgency.PERSON)  # not connected: better said before a request exists than kept in one
    row = _keep(email, reference=reference, note=note, member=member)
    pursue(row, urgency=Urgency.PERSON)
    return DeletionRequest.objects.get(pk=row.pk)


def _keep(email: str, *, reference: str, note: str, member: Membership) -> DeletionRequest:
    """Store the request before anything is sent: from here on it cannot be lost."""
    email_hash = fingerprint(email)
    try:
        with transaction.atomic():
            row = DeletionRequest.objects.create(
                reference=reference,
                email=email.strip(),
                email_hash=email_hash,
                masked_email=mask(email),
                note=without_address(note, email)[:300],
                requested_by=member.user,
                requested_by_name=str(member.user)[:120],
            )
            write_down(row, "submit", f"Asked to erase {row}.", {"note": row.note}, actor=member.user)
            return row
    except IntegrityError:
        twin = DeletionRequest.objects.filter(reference=reference, email_hash=email_hash).first()
        if twin:
            return twin
        other = DeletionRequest.objects.open().filter(email_hash=email_hash).first()
        if other:
            raise AlreadyOpen(other) from None
        raise


def ask_again(row: DeletionRequest, *, member: Membership) -> DeletionRequest:
    """Send a request once more, now. Raises NotConnected, BeingSent."""
    check(member)
    client_for(Urgency.PERSON)
    if row.state not in REPEATABLE or not pursue(row, urgency=Urgency.PERSON, asked_by=member.user):
        raise BeingSent
    return DeletionRequest.objects.get(pk=row.pk)


@transaction.atomic
def close(row: DeletionRequest, *, member: Membership) -> DeletionRequest:
    """Give up a request that was refused or never left; nothing was erased. Forgets the address. Raises BeingSent."""
    check(member)
    row = DeletionRequest.objects.select_for_update().get(pk=row.pk)
    if row.state not in CLOSABLE or not row.is_free(timezone.now()):
        raise BeingSent
    row.state, row.closed_at, row.email = State.CLOSED, timezone.now(), ""
    row.save(update_fields=["state", "closed_at", "email"])
    write_down(row, "close", f"Closed the request to erase {row}; nothing was erased.", {}, actor=member.user)
    return row


def check(member: Membership) -> None:
    if not member.may(Role.APPROVER):
        raise PermissionDenied
