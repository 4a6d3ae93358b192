"""Computers, and assets with their vulnerabilities: the tenant's own, and what an audit shows (platform-api 4.13)."""

from portal.sandbox.kinds.compliance.controls import OWNER
from portal.sandbox.kinds.kind import Kind
from portal.sandbox.schemas import (
    BOOLEAN,
    IDS,
    MAYBE_MOMENT,
    MAYBE_STRING,
    MOMENT,
    NUMBER,
    STRING,
    array,
    extended,
    nullable,
    one_of,
    record,
)

SEVERITIES = ("CRITICAL", "HIGH", "MEDIUM", "LOW")
ASSET_TYPES = (
    *("SERVER", "SERVERLESS_FUNCTION", "CONTAINER", "CONTAINER_REPOSITORY", "CONTAINER_REPOSITORY_IMAGE"),
    *("CODE_REPOSITORY", "MANIFEST_FILE", "WORKSTATION", "OTHER"),
)
CHECKS = {
    "PWM_NOT_INSTALLED": "passwordManager",
    "HD_NOT_ENCRYPTED": "diskEncryption",
    "AV_NOT_INSTALLED": "antivirusInstallation",
    "SCREENLOCK_NOT_CONFIGURED": "screenlock",
}
"""What the list of computers can be asked for, and the check that has failed then."""
STALE = "LAST_CHECK_OVER_14_DAYS"
CHECK = record(outcome=one_of("PASS", "FAIL", "IN_PROGRESS", "NA"))
COMPUTER = record(
    id=STRING,
    integrationId=STRING,
    lastCheckDate=MAYBE_MOMENT,
    **dict.fromkeys(CHECKS.values(), CHECK),
    operatingSystem=nullable(record(type=one_of("macOS", "linux", "windows"), version=MAYBE_STRING)),
    owner=nullable(OWNER),
    serialNumber=MAYBE_STRING,
    udid=MAYBE_STRING,
)
DEACTIVATION = record(
    isVulnDeactivatedIndefinitely=BOOLEAN,
    deactivatedUntilDate=MAYBE_MOMENT,
    deactivationReason=STRING,
    deactivatedOnDate=MOMENT,
    deactivatedBy=STRING,
)
VULNERABILITY = record(
    id=STRING,
    name=STRING,
    description=STRING,
    integrationId=STRING,
    packageIdentifier=MAYBE_STRING,
    vulnerabilityType=one_of("CONFIGURATION", "COMMON", "GROUPED"),
    targetId=STRING,
    firstDetectedDate=MOMENT,
    sourceDetectedDate=MAYBE_MOMENT,
    lastDetectedDate=MAYBE_MOMENT,
    severity=one_of(*SEVERITIES),
    cvssSeverityScore=nullable(NUMBER),
    scannerScore=nullable(NUMBER),
    isFixable=BOOLEAN,
    remediateByDate=MAYBE_MOMENT,
    relatedVulns=IDS,
    relatedUrls=IDS,
    externalURL=STRING,
    deactivateMetadata=nullable(DEACTIVATION),
    optional={"scanSource": STRING},
)
OWN_VULNERABILITY = extended(VULNERABILITY, externalId=MAYBE_STRING, fixedVersion=MAYBE_STRING)
"""As the tenant itself sees one."""
REMEDIATION = record(
    id=STRING,
    vulnerabilityId=STRING,
    vulnerableAssetId=STRING,
    severity=STRING,
    detectedDate=MAYBE_MOMENT,
    slaDeadlineDate=MAYBE_MOMENT,
    remediationDate=MAYBE_MOMENT,
)
"""The severity is in lower case here."""
KEPT_REMEDIATION = extended(REMEDIATION, optional={"slaViolationComment": STRING})
"""With what was said about a deadline that was missed; nothing published tells it."""
SCANNER = record(
    resourceId=STRING,
    integrationId=STRING,
    imageDigest=MAYBE_STRING,
    imagePushedAtDate=MAYBE_MOMENT,
    imageTags=nullable(IDS),
    assetTags=nullable(array(record(key=STRING, value=STRING))),
    parentAccountOrOrganization=MAYBE_STRING,
    biosUuid=MAYBE_STRING,
    **dict.fromkeys(("ipv4s", "ipv6s", "macAddresses", "hostnames", "fqdns", "operatingSystems"), nullable(IDS)),
    targetId=MAYBE_STRING,
)
ASSET = record(
    id=STRING,
    name=STRING,
    assetType=one_of(*ASSET_TYPES),
    hasBeenScanned=BOOLEAN,
    imageScanTag=MAYBE_STRING,
    scanners=array(SCANNER),
)
COMPUTERS, VULNERABILITIES = "monitored-computers", "vulnerabilities"
REMEDIATIONS, ASSETS = "vulnerability-remediations", "vulnerable-assets"
KINDS = (
    Kind(name=COMPUTERS, title="Monitored computer", shape=COMPUTER, by="computer_id"),
    Kind(name=VULNERABILITIES, title="Vulnerability", shape=OWN_VULNERABILITY, by="vulnerability_id"),
    Kind(name=REMEDIATIONS, title="Vulnerability remediation", shape=KEPT_REMEDIATION),
    Kind(name=ASSETS, title="Vulnerable asset", shape=ASSET, by="vulnerable_asset_id"),
)
