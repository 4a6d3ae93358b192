"""What the six deprecated lists of older audits show (specification 4.7)."""

from portal.sandbox.kinds import inventory, people, vendors
from portal.sandbox.kinds.audits.organization import part
from portal.sandbox.kinds.kind import Kind
from portal.sandbox.schemas import STRING, extended, without

PERSON = extended(people.PERSON, userId=STRING)
"""Everybody whom an auditor sees here has an account."""
VENDOR = without(vendors.VENDOR, "latestDecision", "linkedTaskTrackerTaskProcurementRequest")
COMPUTERS, PEOPLE, VENDORS = "audit-computers", "audit-people", "audit-vendors"
VULNERABILITIES, REMEDIATIONS, ASSETS = "audit-vulnerabilities", "audit-remediations", "audit-assets"
KINDS: tuple[Kind, ...] = (
    part(COMPUTERS, "Computer", inventory.COMPUTER),
    part(PEOPLE, "Person", PERSON),
    part(VENDORS, "Vendor", VENDOR),
    part(VULNERABILITIES, "Vulnerability", inventory.VULNERABILITY),
    part(REMEDIATIONS, "Remediation", inventory.REMEDIATION),
    part(ASSETS, "Asset", inventory.ASSET),
)
