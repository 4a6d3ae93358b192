"""Controls of an audit, their comments and assessments (specification 4.7, platform-api 4.13)."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Unpack

from portal.platform_api.bodies.audits import CustomControlExtras
from portal.platform_api.buckets import AUDITOR, AUDITOR_WRITES
from portal.platform_api.endpoints import SEED, Area, endpoint, paged
from portal.platform_api.models.audits import AuditControl, Comment, InformationRequest


class ControlComments(Area):
    """Comments on a control; deleted ones vanish from the list."""

    name = "audits.controls.comments"
    root = "/audits/{audit_id}/controls/{control_id}/comments"
    scope = "auditor-api.audit"

    @paged(bucket=AUDITOR)
    def all(self, audit_id: str, control_id: str, *, changed_since_date: datetime | None = None) -> Iterator[Comment]:
        """Walk the comments."""

    @endpoint("POST", origin=SEED, bucket=AUDITOR_WRITES)
    def create(self, audit_id: str, control_id: str, *, text: str, email: str, creation_date: datetime) -> Comment:
        """Comment in the name of an auditor."""

    @endpoint("PATCH", "/{comment_id}", origin=SEED, bucket=AUDITOR_WRITES)
    def update(self, audit_id: str, control_id: str, comment_id: str, *, text: str, email: str) -> Comment:
        """Write a comment anew. Raises NotFound once it is deleted."""

    @endpoint("DELETE", "/{comment_id}", origin=SEED, bucket=AUDITOR_WRITES)
    def delete(self, audit_id: str, control_id: str, comment_id: str, *, email: str) -> None:
        """Delete a comment."""


class Controls(Area):
    """Controls in the scope of an audit."""

    name = "audits.controls"
    root = "/audits/{audit_id}/controls"
    scope = "auditor-api.audit"
    comments: ControlComments

    @paged(origin=SEED, bucket=AUDITOR)
    def all(self, audit_id: str, *, external_id_matches_any: Sequence[str] | None = None) -> Iterator[AuditControl]:
        """Walk the controls with their assessments per segment."""

    @endpoint("POST", "/custom-controls", bucket=AUDITOR_WRITES)
    def create(
        self,
        audit_id: str,
        *,
        external_id: str,
        name: str | None,
        description: str,
        effective_date: datetime,
        category: str,
        **extras: Unpack[CustomControlExtras],
    ) -> AuditControl:
        """Add a control of the audit's own."""

    @paged("/{control_id}/information-requests", bucket=AUDITOR)
    def information_requests(self, audit_id: str, control_id: str) -> Iterator[InformationRequest]:
        """Walk the information requests that concern a control."""

    @endpoint("PUT", "/{control_id}/assessment", origin=SEED, bucket=AUDITOR_WRITES)
    def assess(
        self,
        audit_id: str,
        control_id: str,
        *,
        assessment_state: str,
        justification: str,
        auditor_email: str,
        segment_id: str = ...,
    ) -> AuditControl:
        """Record an assessment and why, for one segment where it is named."""
