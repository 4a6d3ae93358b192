"""Taking a request in: by hand, from a file, by the public link. Nothing is sent yet."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction

from portal.deletion_requests.addresses import fingerprint, mask, without_address
from portal.deletion_requests.legal_clock import last_day, regulation_label
from portal.deletion_requests.models import DeletionRequest, Intake, State, new_reference
from portal.deletion_requests.services.request_audit import record_change
from portal.tenants.models import Membership, Role

MAX_TEXT_LENGTH = 300
BY_LINK = "Public page"


class AlreadyOpen(Exception):
    """There is a request about this address that has not come to its end; it is the one to go on with."""

    def __init__(self, row: DeletionRequest) -> None:
        super().__init__(row.reference)
        self.row = row


@dataclass(frozen=True, kw_only=True)
class NewRequest:
    """What somebody asked for, when, and which clock runs for it."""

    email: str
    received_on: date
    regulation: str
    own_days: int | None = None
    note: str = ""
    intake: str = Intake.FORM

    @property
    def clock_words(self) -> str:
        return regulation_label(self.regulation, self.own_days)

    @property
    def deadline_on(self) -> date:
        return last_day(self.received_on, self.regulation, self.own_days)

    @property
    def columns(self) -> dict[str, object]:
        """What the row of such a request holds from its beginning."""
        return {
            "email": self.email.strip(),
            "email_hash": fingerprint(self.email),
            "masked_email": mask(self.email),
            "note": without_address(self.note, self.email)[:MAX_TEXT_LENGTH],
            "intake": self.intake,
            "regulation": self.regulation,
            "own_days": self.own_days,
            "received_on": self.received_on,
            "deadline_on": self.deadline_on,
        }


def receive(new: NewRequest, *, reference: str = "", member: Membership | None) -> DeletionRequest:
    """Take a request in; without a member it came by the public link. Raises AlreadyOpen.

    The same reference again, from a form that was sent twice, gives the request that came of it the first time.
    """
    if member is not None:
        check_may_take_in(member)
    author = str(member.user) if member else BY_LINK
    columns = new.columns | {
        "state": State.RECEIVED,
        "requested_by": member.user if member else None,
        "requested_by_name": author[:120],
    }
    row, is_new = keep(columns, reference=reference or new_reference())
    if is_new:
        with_what = {"note": row.note, "regulation": row.regulation, "received_on": row.received_on.isoformat()}
        record_change(row, "receive", f"Entered the request to erase {row}.", with_what, actor=member.user if member else None)
    return row


@transaction.atomic
def receive_many(requests: Sequence[NewRequest], *, member: Membership) -> list[DeletionRequest]:
    """Take in the requests of a file, all or none. Those that were opened by somebody else meanwhile are left out."""
    check_may_take_in(member)
    rows = []
    for new in requests:
        with suppress(AlreadyOpen):
            rows.append(receive(new, member=member))
    return rows


def keep(columns: dict[str, object], *, reference: str) -> tuple[DeletionRequest, bool]:
    """Store a request before anything is done with it; False when the same form had brought it before. Raises AlreadyOpen."""
    try:
        with transaction.atomic():
            row = DeletionRequest.objects.create(reference=reference, search=searched(reference, columns), **columns)
            # This is the new request that an erasure in vain was waiting for.
            DeletionRequest.objects.filter(email_hash=row.email_hash, came_back=True).update(came_back=False)
            return row, True
    except IntegrityError:
        same = DeletionRequest.objects.filter(email_hash=columns["email_hash"])
        twin = same.filter(reference=reference).first()
        if twin:
            return twin, False
        other = same.open().first()
        if other:
            raise AlreadyOpen(other) from None
        raise


def searched(reference: str, columns: Mapping[str, object]) -> str:
    """Return what the search looks at, folded: nothing that is to be forgotten once the person is erased."""
    return f"{reference} {columns['masked_email']} {columns.get('note', '')}".casefold()


def check_may_take_in(member: Membership) -> None:
    if not member.may(Role.ANALYST):
        raise PermissionDenied
