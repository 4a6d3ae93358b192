"""The audited organization (specification 4.7, platform-api 4.13)."""

from collections.abc import Iterator
from typing import Unpack

from portal.platform_api.bodies.audits import CodeChangeFilters, IntegrationFilters
from portal.platform_api.buckets import AUDITOR
from portal.platform_api.endpoints import SEED, Area, endpoint, paged
from portal.platform_api.models.audited_organization import (
    AuditIntegration,
    CodeChange,
    OrganizationInformation,
    OrganizationNotifications,
)


class Organization(Area):
    """The organization that is audited, its systems and its code."""

    name = "audits.organization"
    root = "/audits/{audit_id}"
    scope = "auditor-api.audit"

    @endpoint("GET", "/organization/information", origin=SEED, bucket=AUDITOR)
    def information(self, audit_id: str) -> OrganizationInformation:
        """Fetch what the organization says of itself."""

    @endpoint("GET", "/organization/notifications", origin=SEED, bucket=AUDITOR)
    def notifications(self, audit_id: str) -> OrganizationNotifications:
        """Fetch how the organization is notified."""

    @paged("/integrations", origin=SEED, bucket=AUDITOR)
    def integrations(self, audit_id: str, **filters: Unpack[IntegrationFilters]) -> Iterator[AuditIntegration]:
        """Walk the systems that are connected for the audit."""

    @paged("/assets/code-changes", origin=SEED, bucket=AUDITOR)
    def code_changes(self, audit_id: str, **filters: Unpack[CodeChangeFilters]) -> Iterator[CodeChange]:
        """Walk the changes of code."""
