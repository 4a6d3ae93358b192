"""What the firm adds to an audit: information requests, requests for evidence, controls of its own (platform-api 4.13).

The platform would make another one with each call. So each bears something that its audit has once, a number or a name, and is
looked for by that before it is sent.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from portal.connections.services import Urgency, client_for
from portal.engagements.errors import AlreadyThere
from portal.engagements.models import Engagement, EngagementControl, EvidenceItem, InformationRequest
from portal.engagements.services.payloads import cleaned
from portal.engagements.services.store_lists import (
    Columns,
    control_columns,
    evidence_columns,
    request_columns,
    save_row,
)
from portal.engagements.services.writes import about, auditor_of, check, note
from portal.lib.storable import storable_text
from portal.platform_api.errors import Conflict
from portal.platform_api.models.remote import Listed
from portal.platform_writes.outcomes import write_and_verify
from portal.tenants.models import Membership


@dataclass(frozen=True, kw_only=True)
class NewRequest:
    """An information request. `unique_id` is the firm's own number, which the audit has once."""

    unique_id: str
    title: str
    type: str
    description: str = ""
    cadence: str = ""
    due_at: datetime | None = None
    control_ids: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class NewEvidenceRequest:
    """A request for evidence that the audit does not have. `cadence` and `reminder` are durations in the platform's words."""

    title: str
    description: str
    cadence: str
    reminder: str
    is_restricted: bool
    control_ids: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class NewControl:
    """A control of the audit's own, in the scope of each of its segments."""

    external_id: str
    name: str
    description: str
    effective_at: datetime
    domain: str


def add_request(engagement: Engagement, new: NewRequest, *, member: Membership) -> InformationRequest:
    """Ask the customer for something.

    Raises PermissionDenied, AlreadyThere for a number that another request of the audit has, Gone, OutcomeUnknown, NotConnected
    or a PlatformError.
    """
    check(member)
    requests, audit_id, asked_at = (
        client_for(Urgency.PERSON).audits.information_requests,
        engagement.platform_id,
        timezone.now(),
    )
    if InformationRequest.objects.present().filter(engagement=engagement, unique_id=new.unique_id).exists():
        raise AlreadyThere
    found = add_once(
        engagement,
        write=lambda: requests.create(
            audit_id,
            unique_id=new.unique_id,
            title=new.title,
            request_type=new.type,
            # Deprecated, but still asked for (platform-api 4.13).
            framework_codes=(),
            description=new.description or None,
            cadence=new.cadence or None,
            due_date=new.due_at,
            additional_control_ids=new.control_ids,
        ),
        fetch=lambda: [
            each for each in requests.all(audit_id) if each.unique_id == new.unique_id and each.deletion_date is None
        ],
        is_it=lambda found: (storable_text(found.title), found.request_type) == (new.title, new.type),
    )
    row: InformationRequest = _keep(engagement, InformationRequest, found, request_columns, asked_at, member)
    return row


def ask_for_evidence(engagement: Engagement, new: NewEvidenceRequest, *, member: Membership) -> EvidenceItem:
    """Ask the customer for evidence, which then stands in the audit by its title. Raises like `add_request`."""
    check(member)
    evidence, audit_id, asked_at = client_for(Urgency.PERSON).audits.evidence, engagement.platform_id, timezone.now()
    if EvidenceItem.objects.present().filter(engagement=engagement, name=new.title).exists():
        raise AlreadyThere
    found = add_once(
        engagement,
        write=lambda: evidence.ask(
            audit_id,
            control_ids=new.control_ids,
            title=new.title,
            description=new.description,
            cadence=new.cadence,
            reminder_window=new.reminder,
            is_restricted=new.is_restricted,
            auditor_email=auditor_of(member),
        ),
        fetch=lambda: [each for each in evidence.all(audit_id) if each.name == new.title and each.deletion_date is None],
        is_it=lambda found: storable_text(found.description or "") == new.description,
    )
    row: EvidenceItem = _keep(engagement, EvidenceItem, found, evidence_columns, asked_at, member)
    return row


def add_control(engagement: Engagement, new: NewControl, *, member: Membership) -> EngagementControl:
    """Add a control of the audit's own. Raises like `add_request`."""
    check(member)
    controls, audit_id, asked_at = client_for(Urgency.PERSON).audits.controls, engagement.platform_id, timezone.now()
    if EngagementControl.objects.filter(engagement=engagement, payload__externalId=new.external_id).exists():
        raise AlreadyThere
    found = add_once(
        engagement,
        write=lambda: controls.create(
            audit_id,
            external_id=new.external_id,
            name=new.name,
            description=new.description,
            effective_date=new.effective_at,
            category=new.domain,
        ),
        fetch=lambda: [
            each
            for each in controls.all(audit_id, external_id_matches_any=[new.external_id])
            if each.external_id == new.external_id
        ],
        is_it=lambda found: storable_text(found.name) == new.name,
    )
    row: EngagementControl = _keep(engagement, EngagementControl, found, control_columns, asked_at, member)
    return row


def add_once[T: Listed](
    engagement: Engagement, *, write: Callable[[], object], fetch: Callable[[], list[T]], is_it: Callable[[T], bool]
) -> T:
    """Add something unless it is there already, and return it as the platform has it.

    `fetch` finds what bears its number or name, and `is_it` says whether that is what was sent before without an answer.
    Raises AlreadyThere when it is another one, and what `about` raises.
    """

    def send() -> T:
        found = fetch()
        if found and not is_it(found[0]):
            raise AlreadyThere
        try:
            found = found or write_and_verify(write=write, fetch=fetch, is_done=bool, must_show=True)
        except Conflict as error:
            raise AlreadyThere from error
        return found[0]

    return about(engagement, send)


@transaction.atomic
def _keep(
    engagement: Engagement, model: type[Any], found: Listed, columns_of: Columns, asked_at: datetime, member: Membership
) -> Any:
    """Make a row of what was added. A worker may have been faster: an event tells of evidence."""
    locked = Engagement.objects.select_for_update().get(pk=engagement.pk)
    rows = model.objects.filter(engagement=locked)
    known = rows.filter(platform_id=found.id).first()
    columns = columns_of(type(found).read(cleaned(found.raw)))
    # At the end, until the list of the audit is read again.
    place = {} if known else {"position": rows.count()}
    save_row(known, model, locked, found.id, columns | place, asked_at)
    row = rows.select_related("engagement").get(platform_id=found.id)
    note(row, "add", "Added", member=member)
    return row
