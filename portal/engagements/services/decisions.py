"""The firm's word about information requests and evidence, on the platform (specification 3.2, 3.3)."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from portal.connections.services import Urgency, client_for
from portal.engagements.errors import AlreadyDecided
from portal.engagements.models import EvidenceItem, InformationRequest
from portal.engagements.models.choices import (
    ACCEPTED,
    AUDITOR_APPROVED,
    AUDITOR_FLAGGED,
    FLAGGED,
    NA,
    NOT_READY_FOR_AUDIT,
    READY_FOR_AUDIT,
)
from portal.engagements.services.store_details import store_object
from portal.engagements.services.writes import DECIDER, about, auditor_of, check, ids_of, note
from portal.platform_api.areas.audits.information_requests import InformationRequests
from portal.platform_api.models import audits as remote
from portal.platform_writes.outcomes import write_and_verify
from portal.tenants.models import Membership


@dataclass(frozen=True)
class Step:
    """One thing an auditor may do with evidence: from which statuses it leads on, and how one knows that it was done."""

    label: str
    said: str
    begins_at: frozenset[str]
    is_done: Callable[[str], bool]


def _leads_to(status: str) -> Callable[[str], bool]:
    return lambda found: found == status


EVIDENCE_STEPS = {
    "ACCEPT": Step("Accept", "Accepted", frozenset({READY_FOR_AUDIT}), _leads_to(ACCEPTED)),
    "FLAG": Step("Flag", "Flagged", frozenset({READY_FOR_AUDIT}), _leads_to(FLAGGED)),
    "READY_FOR_AUDIT": Step(
        "Mark ready for audit",
        "Marked as ready for audit:",
        frozenset({NOT_READY_FOR_AUDIT, ACCEPTED, FLAGGED}),
        _leads_to(READY_FOR_AUDIT),
    ),
    "MARK_NA": Step(
        "Mark not applicable",
        "Marked as not applicable:",
        frozenset({NOT_READY_FOR_AUDIT, READY_FOR_AUDIT, ACCEPTED, FLAGGED}),
        _leads_to(NA),
    ),
    # To which status this leads, the specification does not show (3.3).
    "MARK_APPLICABLE": Step("Mark applicable", "Marked as applicable:", frozenset({NA}), lambda found: found != NA),
}
"""By what the platform calls them (platform-api 5.5)."""


def steps_for(item: EvidenceItem) -> dict[str, Step]:
    """Return what can be done with evidence in its status; nothing in one that nobody here knows."""
    return {key: step for key, step in EVIDENCE_STEPS.items() if item.status in step.begins_at}


def accept_request(row: InformationRequest, *, member: Membership) -> None:
    """Approve what the customer submitted. Raises like `_decide`."""

    def write(requests: InformationRequests) -> None:
        requests.accept_evidence(*ids_of(row), auditor_email=auditor_of(member))

    _decide(row, AUDITOR_APPROVED, write, "accept", "Approved", member=member)


def flag_request(row: InformationRequest, reason: str, *, member: Membership) -> None:
    """Refuse what the customer submitted, and say why. Raises like `_decide`."""

    def write(requests: InformationRequests) -> None:
        requests.flag_evidence(*ids_of(row), auditor_email=auditor_of(member), reason=reason)

    _decide(row, AUDITOR_FLAGGED, write, "flag", "Flagged", member=member)


def _decide(
    row: InformationRequest,
    wanted: str,
    write: Callable[[InformationRequests], object],
    verb: str,
    said: str,
    *,
    member: Membership,
) -> None:
    """Decide about a request that is ready for audit.

    Raises PermissionDenied, AlreadyDecided, Gone, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member, DECIDER)
    if row.status != READY_FOR_AUDIT:
        raise AlreadyDecided
    requests, asked_at = client_for(Urgency.PERSON).audits.information_requests, timezone.now()

    def send() -> remote.InformationRequest:
        return write_and_verify(
            write=lambda: write(requests),
            fetch=lambda: requests.get(*ids_of(row)),
            is_done=lambda found: found.approval_status == wanted,
            must_show=True,
        )

    found = about(row, send)
    with transaction.atomic():
        store_object(row, found, asked_at=asked_at)
        note(row, verb, said, member=member)


def move_evidence(item: EvidenceItem, step_key: str, *, member: Membership) -> None:
    """Take a step with evidence.

    Raises PermissionDenied, AlreadyDecided, Gone, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member, DECIDER)
    step = steps_for(item).get(step_key)
    if step is None:
        raise AlreadyDecided
    evidence, asked_at = client_for(Urgency.PERSON).audits.evidence, timezone.now()
    update = {"auditorEmail": auditor_of(member), "stateTransition": step_key}

    def send() -> remote.AuditEvidence:
        return write_and_verify(
            write=lambda: evidence.update(*ids_of(item), update),
            fetch=lambda: evidence.get(*ids_of(item)),
            is_done=lambda found: step.is_done(found.status),
            must_show=True,
        )

    found = about(item, send)
    with transaction.atomic():
        store_object(item, found, asked_at=asked_at)
        note(item, step_key.lower(), step.said, member=member)
