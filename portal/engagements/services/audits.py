"""What the firm does with a whole audit, and how it takes a request back (specification 4.7)."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from portal.connections.services import Urgency, client_for
from portal.engagements.errors import AlreadyThere
from portal.engagements.kinds import ENGAGEMENT
from portal.engagements.models import Engagement, InformationRequest
from portal.engagements.services.additions import add_once
from portal.engagements.services.store import store_engagement
from portal.engagements.services.store_details import store_object
from portal.engagements.services.writes import DECIDER, about, check, ids_of, note
from portal.platform_api.errors import NotFound
from portal.platform_api.models import audits as remote
from portal.platform_writes.outcomes import write_and_verify
from portal.tenants.models import Membership


@dataclass(frozen=True, kw_only=True)
class NewAudit:
    """A copy of an audit: what it is called, when it runs, and which of the firm's auditors work in it."""

    name: str
    starts_at: datetime
    ends_at: datetime
    early_access_at: datetime
    auditors: tuple[str, ...]


def share_requests(engagement: Engagement, *, member: Membership) -> None:
    """Show the information requests to the customer; until then they are drafts. Said twice, it is the same.

    Raises PermissionDenied, Gone, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member, DECIDER)
    audits, audit_id = client_for(Urgency.PERSON).audits, engagement.platform_id

    def send() -> remote.Audit:
        return write_and_verify(
            write=lambda: audits.share_information_requests(audit_id),
            fetch=lambda: audits.get(audit_id),
            is_done=lambda found: found.is_shared,
            of=(ENGAGEMENT, [audit_id]),
            must_show=True,
        )

    found = about(engagement, send)
    with transaction.atomic():
        store_engagement(found)
        note(engagement, "share", "Shared the information requests with the customer:", member=member)


def duplicate(engagement: Engagement, new: NewAudit, *, member: Membership) -> Engagement:
    """Copy an audit with its controls and information requests, which are read once the copy is opened.

    A name that no other audit has tells the copy apart.

    Raises PermissionDenied, AlreadyThere, Gone, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member, DECIDER)
    audits = client_for(Urgency.PERSON).audits
    if Engagement.objects.present().filter(name=new.name).exists():
        raise AlreadyThere
    found = add_once(
        engagement,
        write=lambda: audits.duplicate(
            engagement.platform_id,
            display_name=new.name,
            audit_start_date=new.starts_at,
            audit_end_date=new.ends_at,
            early_access_starts_at=new.early_access_at,
            allow_auditor_emails=new.auditors,
        ),
        fetch=lambda: [each for each in audits.all() if each.display_name == new.name and each.deletion_date is None],
        is_it=lambda found: (found.audit_start_date, found.audit_end_date) == (new.starts_at, new.ends_at),
    )
    with transaction.atomic():
        store_engagement(found)
        row = Engagement.objects.get(platform_id=found.id)
        note(row, "duplicate", f"Duplicated the audit “{str(engagement)[:100]}” as", member=member)
    return row


def delete_request(row: InformationRequest, *, member: Membership) -> None:
    """Take a request back. The platform keeps it, with its deletion date.

    Raises PermissionDenied, Gone, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member, DECIDER)
    requests, asked_at = client_for(Urgency.PERSON).audits.information_requests, timezone.now()

    def fetch() -> remote.InformationRequest | None:
        try:
            return requests.get(*ids_of(row))
        except NotFound:
            return None

    def is_deleted(found: remote.InformationRequest | None) -> bool:
        return found is None or found.deletion_date is not None

    def send() -> remote.InformationRequest | None:
        return write_and_verify(write=lambda: requests.delete(*ids_of(row)), fetch=fetch, is_done=is_deleted, must_show=True)

    found = about(row, send)
    with transaction.atomic():
        if found is None:
            InformationRequest.objects.filter(pk=row.pk, gone_at=None).update(gone_at=timezone.now())
        else:
            store_object(row, found, asked_at=asked_at)
        note(row, "delete", "Deleted", member=member)
