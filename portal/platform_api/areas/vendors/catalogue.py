"""What vendors are assessed by, and vendors that were found in use (platform-api 4.7)."""

from collections.abc import Iterator

from portal.platform_api.endpoints import SEED, Area, endpoint, paged
from portal.platform_api.models.vendors import AssessmentType, DiscoveredAccount, DiscoveredVendor, RiskAttribute, Vendor

SCOPE = "svc-api.vendors"


class AssessmentTypes(Area):
    """Types of vendor assessments."""

    name = "vendor_assessment_types"
    root = "/vendor-assessment-types"
    scope = SCOPE

    @paged(origin=SEED)
    def all(self, *, status: str | None = None) -> Iterator[AssessmentType]:
        """Walk all types, or those that are `ACTIVE` or `ARCHIVED`."""

    @endpoint("GET", "/{assessment_type_id}", origin=SEED)
    def get(self, assessment_type_id: str) -> AssessmentType:
        """Fetch one type."""


class RiskAttributes(Area):
    """What makes a vendor risky."""

    name = "vendor_risk_attributes"
    root = "/vendor-risk-attributes"
    scope = SCOPE

    @paged()
    def all(self) -> Iterator[RiskAttribute]:
        """Walk all risk attributes."""


class DiscoveredVendors(Area):
    """Vendors that were found in use."""

    name = "discovered_vendors"
    root = "/discovered-vendors"
    scope = SCOPE

    @paged(names={"in_scope": "scope"})
    def all(self, *, in_scope: str | None = None) -> Iterator[DiscoveredVendor]:
        """Walk those in `NEEDS_REVIEW`, or those that are `IGNORED` or `REJECTED`."""

    @paged("/{discovered_vendor_id}/accounts")
    def accounts(self, discovered_vendor_id: str) -> Iterator[DiscoveredAccount]:
        """Walk the accounts that people have there."""

    @endpoint("POST", "/{discovered_vendor_id}/add-to-managed")
    def add_to_managed(self, discovered_vendor_id: str) -> Vendor:
        """Make a managed vendor of it."""
