"""Calls of what an auditor sees of an organization."""

from collections.abc import Callable
from typing import Any

from tests.platform_api.calls.audits import audit, chain
from tests.platform_api.calls.compliance import UNKNOWN
from tests.platform_api.world import World


def service(world: World) -> tuple[str, str]:
    audit_id, service_id = chain(world, "account-services")
    return audit_id, service_id


def risk_snapshot(world: World) -> tuple[str, str]:
    audit_id, snapshot_id = chain(world, "risk-snapshots")
    return audit_id, snapshot_id


CALLS: dict[str, Callable[[World], Any]] = {
    "audits.organization.information": lambda w: w.api.audits.organization.information(audit(w)),
    "audits.organization.notifications": lambda w: w.api.audits.organization.notifications(audit(w)),
    "audits.organization.integrations": lambda w: w.api.audits.organization.integrations.page(
        None, audit(w), tags_matches_any=["ACCESS", "SSO"], categories_matches_any=["IDENTITY_PROVIDER"]
    ),
    "audits.organization.code_changes": lambda w: w.api.audits.organization.code_changes.page(
        None, audit(w), sources_matches_any=["github", "gitlab"]
    ),
    "audits.issues.all": lambda w: w.api.audits.issues.all.page(None, audit(w), order_by="detectedAt"),
    "audits.issues.snapshots": lambda w: w.api.audits.issues.snapshots.page(None, audit(w)),
    "audits.risks.snapshots": lambda w: w.api.audits.risks.snapshots.page(None, audit(w)),
    "audits.risks.all": lambda w: w.api.audits.risks.all.page(None, *risk_snapshot(w)),
    "audits.personnel.people": lambda w: w.api.audits.personnel.people.page(None, audit(w), status="CURRENTLY_EMPLOYED"),
    "audits.personnel.computers": lambda w: w.api.audits.personnel.computers.page(None, audit(w)),
    "audits.personnel.groups": lambda w: w.api.audits.personnel.groups.page(None, audit(w)),
    "audits.personnel.services": lambda w: w.api.audits.personnel.services.page(None, audit(w)),
    "audits.personnel.accounts": lambda w: w.api.audits.personnel.accounts.page(None, *service(w)),
    "audits.managed_vendors.all": lambda w: w.api.audits.managed_vendors.all.page(
        None, audit(w), vendor_statuses_matches_any=["ACTIVE"], inherent_risk_matches_any=["HIGH", "LOW"]
    ),
    "audits.legacy.monitored_computers": lambda w: w.api.audits.legacy.monitored_computers.page(None, audit(w)),
    "audits.legacy.people": lambda w: w.api.audits.legacy.people.page(None, audit(w)),
    "audits.legacy.vendors": lambda w: w.api.audits.legacy.vendors.page(None, audit(w)),
    "audits.legacy.vulnerabilities": lambda w: w.api.audits.legacy.vulnerabilities.page(None, audit(w)),
    "audits.legacy.vulnerability_remediations": lambda w: w.api.audits.legacy.vulnerability_remediations.page(None, audit(w)),
    "audits.legacy.vulnerable_assets": lambda w: w.api.audits.legacy.vulnerable_assets.page(None, audit(w)),
}

MISSING: dict[str, Callable[[World], Any]] = {
    "audits.organization.information": lambda w: w.api.audits.organization.information(UNKNOWN),
    "audits.personnel.accounts": lambda w: w.api.audits.personnel.accounts.page(None, audit(w), UNKNOWN),
    "audits.risks.all": lambda w: w.api.audits.risks.all.page(None, audit(w), UNKNOWN),
    "audits.legacy.people": lambda w: w.api.audits.legacy.people.page(None, UNKNOWN),
}
