"""Audits themselves and the firm's auditors (specification 4.7, platform-api 4.13)."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from portal.platform_api.areas.audits.controls import Controls
from portal.platform_api.areas.audits.evidence import EvidenceItems
from portal.platform_api.areas.audits.information_requests import InformationRequests
from portal.platform_api.areas.audits.legacy import Legacy
from portal.platform_api.areas.audits.organization import Organization
from portal.platform_api.areas.audits.personnel import ManagedVendors, Personnel
from portal.platform_api.areas.audits.snapshots import Issues, Risks
from portal.platform_api.buckets import AUDITOR, AUDITOR_LISTED, AUDITOR_WRITES
from portal.platform_api.endpoints import SEED, Area, endpoint, paged
from portal.platform_api.models.audited_organization import FrameworkCode
from portal.platform_api.models.audits import Audit, Auditor, Comment


class Auditors(Area):
    """People of the auditor firm."""

    name = "auditors"
    root = "/auditors"
    scope = "auditor-api.auditor"

    @endpoint("POST", bucket=AUDITOR_WRITES)
    def create(self, *, email: str, given_name: str, family_name: str) -> Auditor:
        """Add an auditor."""


class Audits(Area):
    """Engagements of the auditor firm."""

    name = "audits"
    root = "/audits"
    scope = "auditor-api.audit"
    controls: Controls
    evidence: EvidenceItems
    information_requests: InformationRequests
    organization: Organization
    issues: Issues
    risks: Risks
    personnel: Personnel
    managed_vendors: ManagedVendors
    legacy: Legacy

    @paged(bucket=AUDITOR)
    def all(
        self, *, changed_since_date: datetime | None = None, is_active_audit: bool | None = None
    ) -> Iterator[Audit]:  # fmt: skip
        """Walk the audits, or those that changed, or those that go on."""

    @endpoint("GET", "/{audit_id}", bucket=AUDITOR)
    def get(self, audit_id: str) -> Audit:
        """Fetch one audit."""

    @endpoint("POST", "/duplicate", origin=SEED, bucket=AUDITOR_WRITES)
    def duplicate(
        self,
        source_audit_id: str,
        *,
        display_name: str,
        audit_start_date: datetime,
        audit_end_date: datetime,
        early_access_starts_at: datetime,
        allow_auditor_emails: Sequence[str],
    ) -> Audit:
        """Copy an audit with its information requests into a new engagement. Every call makes another one."""

    @paged("/{audit_id}/comments", bucket=AUDITOR)
    def comments(self, audit_id: str, *, changed_since_date: datetime | None = None) -> Iterator[Comment]:
        """Walk the comments on all evidence of an audit."""

    @endpoint("GET", "/{audit_id}/framework-codes", bucket=AUDITOR_LISTED)
    def framework_codes(self, audit_id: str) -> list[FrameworkCode]:
        """List the codes of the frameworks that are audited."""

    @endpoint("POST", "/{audit_id}/share-information-request-list", bucket=AUDITOR_LISTED)
    def share_information_requests(self, audit_id: str) -> None:
        """Show the information requests to the customer; until then they are drafts."""
