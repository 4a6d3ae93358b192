"""The lists of older audits, each deprecated (specification 4.7, 9)."""

from collections.abc import Iterator

from portal.platform_api.buckets import AUDITOR
from portal.platform_api.endpoints import SEED, Area, paged
from portal.platform_api.models.inventory import (
    MonitoredComputer,
    Vulnerability,
    VulnerabilityRemediation,
    VulnerableAsset,
)
from portal.platform_api.models.people import Person
from portal.platform_api.models.vendors import Vendor


class Legacy(Area):
    """What newer audits show under personnel and managed vendors."""

    name = "audits.legacy"
    root = "/audits/{audit_id}"
    scope = "auditor-api.audit"

    @paged("/monitored-computers", origin=SEED, bucket=AUDITOR, is_deprecated=True)
    def monitored_computers(self, audit_id: str) -> Iterator[MonitoredComputer]:
        """Walk the computers."""

    @paged("/people", origin=SEED, bucket=AUDITOR, is_deprecated=True)
    def people(self, audit_id: str) -> Iterator[Person]:
        """Walk the people."""

    @paged("/vendors", origin=SEED, bucket=AUDITOR, is_deprecated=True)
    def vendors(self, audit_id: str) -> Iterator[Vendor]:
        """Walk the vendors."""

    @paged("/vulnerabilities", origin=SEED, bucket=AUDITOR, is_deprecated=True)
    def vulnerabilities(self, audit_id: str) -> Iterator[Vulnerability]:
        """Walk the vulnerabilities."""

    @paged("/vulnerability-remediations", origin=SEED, bucket=AUDITOR, is_deprecated=True)
    def vulnerability_remediations(self, audit_id: str) -> Iterator[VulnerabilityRemediation]:
        """Walk the remediations."""

    @paged("/vulnerable-assets", origin=SEED, bucket=AUDITOR, is_deprecated=True)
    def vulnerable_assets(self, audit_id: str) -> Iterator[VulnerableAsset]:
        """Walk the assets that can be vulnerable."""
