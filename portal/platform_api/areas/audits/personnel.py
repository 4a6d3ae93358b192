"""People, computers, accounts and vendors of the audited organization (platform-api 4.13)."""

from collections.abc import Iterator, Sequence
from typing import Unpack

from portal.platform_api.bodies.audits import PersonFilters, VendorFilters
from portal.platform_api.buckets import AUDITOR
from portal.platform_api.endpoints import SEED, Area, paged
from portal.platform_api.models.audited_organization import (
    AccountService,
    AuditGroup,
    AuditPerson,
    Computer,
    ManagedVendor,
    ServiceAccount,
)


class Personnel(Area):
    """The people of the organization and what they use."""

    name = "audits.personnel"
    root = "/audits/{audit_id}/personnel"
    scope = "auditor-api.audit"

    @paged("/people", bucket=AUDITOR)
    def people(self, audit_id: str, **filters: Unpack[PersonFilters]) -> Iterator[AuditPerson]:
        """Walk the people, or those that pass every filter."""

    @paged("/computers", origin=SEED, bucket=AUDITOR)
    def computers(
        self, audit_id: str, *, search: str | None = None, monitored_by_matches_any: Sequence[str] | None = None
    ) -> Iterator[Computer]:
        """Walk the computers, or those that pass every filter."""

    @paged("/groups", bucket=AUDITOR)
    def groups(self, audit_id: str, *, search: str | None = None) -> Iterator[AuditGroup]:
        """Walk the groups."""

    @paged("/account-access/services", bucket=AUDITOR)
    def services(self, audit_id: str, *, search: str | None = None) -> Iterator[AccountService]:
        """Walk the services in which people have accounts."""

    @paged("/account-access/services/{service_id}", bucket=AUDITOR)
    def accounts(self, audit_id: str, service_id: str) -> Iterator[ServiceAccount]:
        """Walk the accounts in one service."""


class ManagedVendors(Area):
    """The vendors of the organization."""

    name = "audits.managed_vendors"
    root = "/audits/{audit_id}/managed-vendors"
    scope = "auditor-api.audit"

    @paged(bucket=AUDITOR)
    def all(self, audit_id: str, **filters: Unpack[VendorFilters]) -> Iterator[ManagedVendor]:
        """Walk the vendors, or those that pass every filter."""
