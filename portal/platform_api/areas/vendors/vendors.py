"""Vendors with their documents, findings, security reviews and assessments (specification 4.7, platform-api 4.7)."""

from collections.abc import Iterator, Sequence
from typing import BinaryIO, Unpack

from portal.platform_api.areas.vendors.catalogue import SCOPE
from portal.platform_api.bodies.vendors import DocumentFacts, FindingChanges, FindingParts, VendorChanges, VendorFields
from portal.platform_api.endpoints import SEED, Area, endpoint, paged
from portal.platform_api.models.vendors import Assessment, Finding, SecurityReview, Vendor, VendorDocument

ROOT = "/vendors/{vendor_id}"


class Documents(Area):
    """The documents of one vendor."""

    name = "vendors.documents"
    root = ROOT + "/documents"
    scope = SCOPE

    @paged()
    def all(self, vendor_id: str) -> Iterator[VendorDocument]:
        """Walk all documents."""

    @endpoint("POST", is_form=True)
    def upload(
        self, vendor_id: str, file: BinaryIO, *, filename: str, type: str, **facts: Unpack[DocumentFacts]  # noqa: A002
    ) -> VendorDocument:  # fmt: skip
        """Add a document of a type."""


class Findings(Area):
    """What was found about one vendor."""

    name = "vendors.findings"
    root = ROOT + "/findings"
    scope = SCOPE

    @paged()
    def all(
        self, vendor_id: str, *, security_review_id: str | None = None, document_id: str | None = None
    ) -> Iterator[Finding]:
        """Walk all findings, or those of a review or a document."""

    @endpoint("POST")
    def create(self, vendor_id: str, *, content: str, risk_status: str, **parts: Unpack[FindingParts]) -> Finding:
        """Write a finding down; its risk is `ACCEPT`, `REMEDIATE` or `NONE`."""

    @endpoint("PATCH", "/{finding_id}")
    def update(self, vendor_id: str, finding_id: str, **changes: Unpack[FindingChanges]) -> Finding:
        """Change what is named."""

    @endpoint("DELETE", "/{finding_id}")
    def delete(self, vendor_id: str, finding_id: str) -> None:
        """Delete a finding."""


class ReviewDocuments(Area):
    """The documents of one security review."""

    name = "vendors.security_reviews.documents"
    root = ROOT + "/security-reviews/{security_review_id}/documents"
    scope = SCOPE

    @paged()
    def all(self, vendor_id: str, security_review_id: str) -> Iterator[VendorDocument]:
        """Walk all documents."""

    @endpoint("POST", is_form=True)
    def upload(
        self,
        vendor_id: str,
        security_review_id: str,
        file: BinaryIO,
        *,
        filename: str,
        type: str,  # noqa: A002 - the platform's word
        **facts: Unpack[DocumentFacts],
    ) -> VendorDocument:
        """Add a document of a type."""

    @endpoint("DELETE", "/{document_id}")
    def delete(self, vendor_id: str, security_review_id: str, document_id: str) -> None:
        """Delete a document."""


class SecurityReviews(Area):
    """The security reviews of one vendor."""

    name = "vendors.security_reviews"
    root = ROOT + "/security-reviews"
    scope = SCOPE
    documents: ReviewDocuments

    @paged(origin=SEED)
    def all(self, vendor_id: str) -> Iterator[SecurityReview]:
        """Walk all reviews."""

    @endpoint("GET", "/{security_review_id}")
    def get(self, vendor_id: str, security_review_id: str) -> SecurityReview:
        """Fetch one review."""


class Assessments(Area):
    """The assessments of one vendor."""

    name = "vendors.assessments"
    root = ROOT + "/assessments"
    scope = SCOPE

    @paged(origin=SEED)
    def all(
        self,
        vendor_id: str,
        *,
        type_id_matches_any: Sequence[str] | None = None,
        status_matches_any: Sequence[str] | None = None,
    ) -> Iterator[Assessment]:
        """Walk all assessments, or those that pass every filter."""

    @endpoint("GET", "/{assessment_id}", origin=SEED)
    def get(self, vendor_id: str, assessment_id: str) -> Assessment:
        """Fetch one assessment."""


class Vendors(Area):
    """Vendors of the tenant."""

    name = "vendors"
    root = "/vendors"
    scope = SCOPE
    documents: Documents
    findings: Findings
    security_reviews: SecurityReviews
    assessments: Assessments

    @paged(names={"name_contains": "name"})
    def all(
        self, *, name_contains: str | None = None, status_matches_any: Sequence[str] | None = None
    ) -> Iterator[Vendor]:  # fmt: skip
        """Walk all vendors, or those that pass every filter."""

    @endpoint("POST")
    def create(self, name: str, **fields: Unpack[VendorFields]) -> Vendor:
        """Create a vendor."""

    @endpoint("GET", "/{vendor_id}")
    def get(self, vendor_id: str) -> Vendor:
        """Fetch one vendor."""

    @endpoint("PATCH", "/{vendor_id}")
    def update(self, vendor_id: str, **changes: Unpack[VendorChanges]) -> Vendor:
        """Change what is named; None clears. The status is left alone: `set_status` changes it."""

    @endpoint("DELETE", "/{vendor_id}")
    def delete(self, vendor_id: str) -> None:
        """Delete a vendor with its parts."""

    @endpoint("POST", "/{vendor_id}/set-status", is_form=True)
    def set_status(self, vendor_id: str, status: str) -> Vendor:
        """Make a vendor MANAGED, ARCHIVED or IN_PROCUREMENT."""
