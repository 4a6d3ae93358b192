"""Evidence of an audit and comments on it (specification 3.3, 4.7, platform-api 4.13)."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from portal.platform_api.buckets import AUDITOR, AUDITOR_COMMENTS, AUDITOR_LISTED, AUDITOR_WRITES, EVIDENCE_URLS
from portal.platform_api.endpoints import SEED, Area, endpoint, paged
from portal.platform_api.models.audits import AuditEvidence, Comment, CustomEvidenceRequest, EvidenceUrl


class EvidenceComments(Area):
    """Comments on evidence."""

    name = "audits.evidence.comments"
    root = "/audits/{audit_id}/evidence/{evidence_id}/comments"
    scope = "auditor-api.audit"

    @paged(bucket=AUDITOR)
    def all(self, audit_id: str, evidence_id: str, *, changed_since_date: datetime | None = None) -> Iterator[Comment]:
        """Walk the comments."""

    @endpoint("POST", bucket=AUDITOR_COMMENTS)
    def create(self, audit_id: str, evidence_id: str, *, text: str, email: str, creation_date: datetime) -> Comment:
        """Comment in the name of an auditor."""

    @endpoint("GET", "/{comment_id}", origin=SEED, bucket=AUDITOR)
    def get(self, audit_id: str, evidence_id: str, comment_id: str) -> Comment:
        """Fetch one comment, a deleted one too."""


class EvidenceItems(Area):
    """What the customer shows to the auditors."""

    name = "audits.evidence"
    root = "/audits/{audit_id}/evidence"
    scope = "auditor-api.audit"
    comments: EvidenceComments

    @paged(bucket=AUDITOR)
    def all(self, audit_id: str, *, changed_since_date: datetime | None = None) -> Iterator[AuditEvidence]:
        """Walk the evidence, or what changed. Events from before the access started are never sent: begin with this."""

    @endpoint("GET", "/{evidence_id}", origin=SEED, bucket=AUDITOR)
    def get(self, audit_id: str, evidence_id: str) -> AuditEvidence:
        """Fetch one item, one that left the scope too."""

    @endpoint("PATCH", "/{evidence_id}", bucket=AUDITOR_LISTED)
    def update(self, audit_id: str, evidence_id: str, status_update: Mapping[str, str]) -> AuditEvidence:
        """Move it: `auditorEmail`, and a `stateTransition` of ACCEPT, FLAG, MARK_NA, MARK_APPLICABLE, READY_FOR_AUDIT."""

    @paged("/{evidence_id}/urls", bucket=EVIDENCE_URLS)
    def urls(self, audit_id: str, evidence_id: str) -> Iterator[EvidenceUrl]:
        """Walk the addresses of its files."""

    @endpoint("POST", "/custom-evidence-requests", bucket=AUDITOR_WRITES)
    def ask(
        self,
        audit_id: str,
        *,
        control_ids: Sequence[str],
        title: str,
        description: str,
        cadence: str,
        reminder_window: str,
        is_restricted: bool,
        auditor_email: str,
    ) -> CustomEvidenceRequest:
        """Ask for evidence that the audit does not have; it then stands in the list of evidence."""
