"""Calls of vendors, their parts, and vendors that were found in use."""

from collections.abc import Callable
from typing import Any

from tests.platform_api.calls.core import LATER, UNKNOWN, document
from tests.platform_api.world import World


def part(world: World, kind: str) -> tuple[str, str]:
    """Return a vendor and something that belongs to it."""
    part_id = world.id_of(kind)
    return parent(world, kind, part_id), part_id


def parent(world: World, kind: str, part_id: str) -> str:
    return world.sandbox.objects.parent_of(world.tenant.id, kind, part_id) or ""


def review_document(world: World) -> tuple[str, str, str]:
    document_id = world.id_of("security-review-documents")
    review_id = parent(world, "security-review-documents", document_id)
    return parent(world, "security-reviews", review_id), review_id, document_id


FILE = {"filename": "report.pdf", "type": "SOC_2_REPORT"}
FINDING = {"content": "No second factor.", "risk_status": "REMEDIATE"}

CALLS: dict[str, Callable[[World], Any]] = {
    "vendors.all": lambda w: w.api.vendors.all.page(None, name_contains="a", status_matches_any=["MANAGED", "ARCHIVED"]),
    "vendors.create": lambda w: w.api.vendors.create(
        "Newcomer", category="Hosting", status="IN_PROCUREMENT", contract_start_date=LATER
    ),
    "vendors.get": lambda w: w.api.vendors.get(w.id_of("vendors")),
    "vendors.update": lambda w: w.api.vendors.update(
        w.id_of("vendors"),
        name="Renamed",
        contract_renewal_date=None,
        auth_details={"method": "SSO"},
        risk_attribute_ids=w.ids("vendor-risk-attributes"),
    ),
    "vendors.delete": lambda w: w.api.vendors.delete(w.id_of("vendors")),
    "vendors.set_status": lambda w: w.api.vendors.set_status(w.id_of("vendors"), "ARCHIVED"),
    "vendors.documents.all": lambda w: w.api.vendors.documents.all.page(None, w.id_of("vendors")),
    "vendors.documents.upload": lambda w: w.api.vendors.documents.upload(
        w.id_of("vendors"), document(), title="Report", **FILE
    ),
    "vendors.findings.all": lambda w: w.api.vendors.findings.all.page(
        None, part(w, "security-reviews")[0], security_review_id=w.id_of("security-reviews")
    ),
    "vendors.findings.create": lambda w: w.api.vendors.findings.create(
        w.id_of("vendors"), **FINDING, remediation={"state": "OPEN"}
    ),
    "vendors.findings.update": lambda w: w.api.vendors.findings.update(
        *part(w, "vendor-findings"), remediation={"state": "CLOSED"}
    ),
    "vendors.findings.delete": lambda w: w.api.vendors.findings.delete(*part(w, "vendor-findings")),
    "vendors.security_reviews.all": lambda w: w.api.vendors.security_reviews.all.page(None, w.id_of("vendors")),
    "vendors.security_reviews.get": lambda w: w.api.vendors.security_reviews.get(*part(w, "security-reviews")),
    "vendors.security_reviews.documents.all": lambda w: w.api.vendors.security_reviews.documents.all.page(
        None, *part(w, "security-reviews")
    ),
    "vendors.security_reviews.documents.upload": lambda w: w.api.vendors.security_reviews.documents.upload(
        *part(w, "security-reviews"), document(), description="Scanned.", **FILE
    ),
    "vendors.security_reviews.documents.delete": lambda w: w.api.vendors.security_reviews.documents.delete(*review_document(w)),
    "vendors.assessments.all": lambda w: w.api.vendors.assessments.all.page(
        None, w.id_of("vendors"), status_matches_any=["COMPLETED"]
    ),
    "vendors.assessments.get": lambda w: w.api.vendors.assessments.get(*part(w, "vendor-assessments")),
    "vendor_assessment_types.all": lambda w: w.api.vendor_assessment_types.all.page(None, status="ACTIVE"),
    "vendor_assessment_types.get": lambda w: w.api.vendor_assessment_types.get(w.id_of("vendor-assessment-types")),
    "vendor_risk_attributes.all": lambda w: w.api.vendor_risk_attributes.all.page(),
    "discovered_vendors.all": lambda w: w.api.discovered_vendors.all.page(None, in_scope="NEEDS_REVIEW"),
    "discovered_vendors.accounts": lambda w: w.api.discovered_vendors.accounts.page(None, w.id_of("discovered-vendors")),
    "discovered_vendors.add_to_managed": lambda w: w.api.discovered_vendors.add_to_managed(w.id_of("discovered-vendors")),
}

MISSING: dict[str, Callable[[World], Any]] = {
    "vendors.get": lambda w: w.api.vendors.get(UNKNOWN),
    "vendors.update": lambda w: w.api.vendors.update(UNKNOWN, name="Renamed"),
    "vendors.delete": lambda w: w.api.vendors.delete(UNKNOWN),
    "vendors.set_status": lambda w: w.api.vendors.set_status(UNKNOWN, "ARCHIVED"),
    "vendors.documents.all": lambda w: w.api.vendors.documents.all.page(None, UNKNOWN),
    "vendors.documents.upload": lambda w: w.api.vendors.documents.upload(UNKNOWN, document(), **FILE),
    "vendors.findings.all": lambda w: w.api.vendors.findings.all.page(None, UNKNOWN),
    "vendors.findings.create": lambda w: w.api.vendors.findings.create(UNKNOWN, **FINDING),
    "vendors.findings.update": lambda w: w.api.vendors.findings.update(w.id_of("vendors"), UNKNOWN, content="x"),
    "vendors.findings.delete": lambda w: w.api.vendors.findings.delete(w.id_of("vendors"), UNKNOWN),
    "vendors.security_reviews.all": lambda w: w.api.vendors.security_reviews.all.page(None, UNKNOWN),
    "vendors.security_reviews.get": lambda w: w.api.vendors.security_reviews.get(w.id_of("vendors"), UNKNOWN),
    "vendors.security_reviews.documents.all": lambda w: w.api.vendors.security_reviews.documents.all.page(
        None, w.id_of("vendors"), UNKNOWN
    ),
    "vendors.security_reviews.documents.upload": lambda w: w.api.vendors.security_reviews.documents.upload(
        w.id_of("vendors"), UNKNOWN, document(), **FILE
    ),
    "vendors.security_reviews.documents.delete": lambda w: w.api.vendors.security_reviews.documents.delete(
        *part(w, "security-reviews"), UNKNOWN
    ),
    "vendors.assessments.all": lambda w: w.api.vendors.assessments.all.page(None, UNKNOWN),
    "vendors.assessments.get": lambda w: w.api.vendors.assessments.get(w.id_of("vendors"), UNKNOWN),
    "vendor_assessment_types.get": lambda w: w.api.vendor_assessment_types.get(UNKNOWN),
    "discovered_vendors.accounts": lambda w: w.api.discovered_vendors.accounts.page(None, UNKNOWN),
    "discovered_vendors.add_to_managed": lambda w: w.api.discovered_vendors.add_to_managed(UNKNOWN),
}
