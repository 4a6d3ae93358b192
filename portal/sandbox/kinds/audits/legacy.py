"""What the six deprecated lists of older audits show (specification 4.7)."""

from portal.sandbox.kinds.audits.organization import COMPUTER, PERSON, VENDOR, part
from portal.sandbox.kinds.kind import Kind
from portal.sandbox.schemas import MAYBE_MOMENT, MAYBE_STRING, MOMENT, STRING, record

VULNERABILITY = record(
    id=STRING, name=STRING, severity=STRING, assetId=MAYBE_STRING, firstDetectedDate=MOMENT, remediateByDate=MAYBE_MOMENT
)
REMEDIATION = record(id=STRING, vulnerabilityId=STRING, severity=STRING, detectedDate=MOMENT, remediationDate=MAYBE_MOMENT)
ASSET = record(id=STRING, name=STRING, assetType=STRING)
KINDS: tuple[Kind, ...] = (
    part("monitored-computers", "Computer", COMPUTER),
    part("audit-people", "Person", PERSON),
    part("audit-vendors", "Vendor", VENDOR),
    part("vulnerabilities", "Vulnerability", VULNERABILITY),
    part("vulnerability-remediations", "Remediation", REMEDIATION),
    part("vulnerable-assets", "Asset", ASSET),
)
