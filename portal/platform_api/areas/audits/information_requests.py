"""Information requests with evidence, comments and history (specification 3.2, 4.7, platform-api 4.13)."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Unpack

from portal.platform_api.bodies.audits import RequestChanges, RequestFields
from portal.platform_api.buckets import AUDITOR, AUDITOR_COMMENTS, AUDITOR_LISTED, AUDITOR_WRITES
from portal.platform_api.endpoints import SEED, Area, endpoint, paged
from portal.platform_api.models.audits import (
    Comment,
    InformationRequest,
    RequestActivity,
    RequestEvidence,
    TestSnapshot,
)

ROOT = "/audits/{audit_id}/information-requests"


class RequestComments(Area):
    """Comments on an information request. Deleted ones stay, with a deletion date."""

    name = "audits.information_requests.comments"
    root = ROOT + "/{request_id}/comments"
    scope = "auditor-api.audit"

    @paged(origin=SEED, bucket=AUDITOR)
    def all(self, audit_id: str, request_id: str, *, changed_since_date: datetime | None = None) -> Iterator[Comment]:
        """Walk the comments, deleted ones too."""

    @endpoint("POST", origin=SEED, bucket=AUDITOR_WRITES)
    def create(self, audit_id: str, request_id: str, *, text: str, email: str, creation_date: datetime) -> Comment:
        """Comment in the name of an auditor."""

    @endpoint("GET", "/{comment_id}", origin=SEED, bucket=AUDITOR)
    def get(self, audit_id: str, request_id: str, comment_id: str) -> Comment:
        """Fetch one comment, a deleted one too."""

    @endpoint("PATCH", "/{comment_id}", origin=SEED, bucket=AUDITOR_COMMENTS)
    def update(self, audit_id: str, request_id: str, comment_id: str, *, text: str, email: str) -> Comment:
        """Write a comment anew. Raises NotFound once it is deleted."""

    @endpoint("DELETE", "/{comment_id}", origin=SEED, bucket=AUDITOR_COMMENTS)
    def delete(self, audit_id: str, request_id: str, comment_id: str, *, email: str) -> None:
        """Delete a comment. Raises NotFound when it is deleted already."""


class RequestEvidenceItems(Area):
    """Evidence for an information request. Deleted pieces stay, with a deletion date."""

    name = "audits.information_requests.evidence"
    root = ROOT + "/{request_id}/evidence"
    scope = "auditor-api.audit"

    @paged(origin=SEED, bucket=AUDITOR)
    def all(
        self,
        audit_id: str,
        request_id: str,
        *,
        changed_since_date: datetime | None = None,
        evidence_type_matches_any: Sequence[str] | None = None,
    ) -> Iterator[RequestEvidence]:
        """Walk the evidence, or what passes every filter."""

    @endpoint("GET", "/{evidence_id}", origin=SEED, bucket=AUDITOR)
    def get(self, audit_id: str, request_id: str, evidence_id: str) -> RequestEvidence:
        """Fetch one piece, a deleted one too."""

    @endpoint("GET", "/{evidence_id}/test-snapshot", bucket=AUDITOR)
    def test_snapshot(self, audit_id: str, request_id: str, evidence_id: str) -> TestSnapshot:
        """Fetch the details of a test snapshot. Raises NotFound for other evidence."""


class InformationRequests(Area):
    """What the auditors ask of the customer."""

    name = "audits.information_requests"
    root = ROOT
    scope = "auditor-api.audit"
    comments: RequestComments
    evidence: RequestEvidenceItems

    @paged(bucket=AUDITOR)
    def all(
        self,
        audit_id: str,
        *,
        changed_since_date: datetime | None = None,
        segment_ids_matches_any: Sequence[str] | None = None,
    ) -> Iterator[InformationRequest]:
        """Walk the requests, or those that pass every filter; deleted ones have a deletion date."""

    @endpoint("POST", bucket=AUDITOR_WRITES)
    def create(
        self,
        audit_id: str,
        *,
        unique_id: str,
        title: str,
        request_type: str,
        framework_codes: Sequence[str],
        **fields: Unpack[RequestFields],
    ) -> InformationRequest:
        """Ask for something. Raises Conflict when the audit has this uniqueId already."""

    @endpoint("GET", "/{request_id}", bucket=AUDITOR)
    def get(self, audit_id: str, request_id: str) -> InformationRequest:
        """Fetch one request."""

    @endpoint("PATCH", "/{request_id}", bucket=AUDITOR_WRITES)
    def update(self, audit_id: str, request_id: str, **changes: Unpack[RequestChanges]) -> InformationRequest:
        """Change what is named; None clears."""

    @endpoint("DELETE", "/{request_id}", bucket=AUDITOR_LISTED)
    def delete(self, audit_id: str, request_id: str) -> None:
        """Take a request back."""

    @endpoint("POST", "/{request_id}/accept-evidence", bucket=AUDITOR_WRITES)
    def accept_evidence(self, audit_id: str, request_id: str, *, auditor_email: str) -> InformationRequest:
        """Approve what the customer submitted."""

    @endpoint("POST", "/{request_id}/flag-evidence", bucket=AUDITOR_WRITES)
    def flag_evidence(self, audit_id: str, request_id: str, *, auditor_email: str, reason: str) -> InformationRequest:
        """Refuse what the customer submitted."""

    @paged("/{request_id}/activity", bucket=AUDITOR)
    def activity(
        self, audit_id: str, request_id: str, *, changed_since_date: datetime | None = None
    ) -> Iterator[RequestActivity]:
        """Walk the history of a request."""
