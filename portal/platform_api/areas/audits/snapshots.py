"""Issues and risks as they were at one moment (specification 4.7, platform-api 4.13)."""

from collections.abc import Iterator
from typing import Unpack

from portal.platform_api.bodies.audits import IssueFilters
from portal.platform_api.buckets import AUDITOR
from portal.platform_api.endpoints import SEED, Area, paged
from portal.platform_api.models.audited_organization import IssueItem, Snapshot, SnapshotRisk


class Issues(Area):
    """Issues in snapshots."""

    name = "audits.issues"
    root = "/audits/{audit_id}/issues"
    scope = "auditor-api.audit"

    @paged("/items", origin=SEED, bucket=AUDITOR)
    def all(self, audit_id: str, **filters: Unpack[IssueFilters]) -> Iterator[IssueItem]:
        """Walk the issues, or those that pass every filter."""

    @paged("/snapshots", bucket=AUDITOR)
    def snapshots(self, audit_id: str) -> Iterator[Snapshot]:
        """Walk the snapshots."""


class Risks(Area):
    """Risks in snapshots."""

    name = "audits.risks"
    root = "/audits/{audit_id}/risks"
    scope = "auditor-api.audit"

    @paged("/snapshots", bucket=AUDITOR)
    def snapshots(self, audit_id: str) -> Iterator[Snapshot]:
        """Walk the snapshots."""

    @paged("/{snapshot_id}", bucket=AUDITOR)
    def all(self, audit_id: str, snapshot_id: str) -> Iterator[SnapshotRisk]:
        """Walk the risks of one snapshot."""
