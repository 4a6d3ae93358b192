"""Makes computers, and assets with their vulnerabilities and remediations (platform-api 4.13)."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random

from portal.sandbox.kinds.inventory import CHECKS
from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.shapes import Batch, Json, moment, new_id

SCANNER = "plumbline-scanner"
WATCHER = "gatehouse-identity"
SYSTEMS = (("macOS", "15.5"), ("windows", "11 24H2"), ("linux", None))
ASSETS = (
    ("billing-api", "SERVER"),
    ("mail-gateway", "SERVER"),
    ("registry/web", "CONTAINER_REPOSITORY"),
    ("product/server", "CODE_REPOSITORY"),
    ("laptop-3", "WORKSTATION"),
)
WEAKNESSES: tuple[tuple[str, str, str, str | None, float | None, int | None], ...] = (
    ("CVE-2026-10017", "COMMON", "CRITICAL", "openssl@3.0.2", 9.8, 14),
    ("CVE-2025-48211", "COMMON", "HIGH", "libxml2@2.9.13", 7.5, 30),
    ("Storage answers without a password", "CONFIGURATION", "HIGH", None, None, 30),
    ("CVE-2025-31774", "COMMON", "MEDIUM", "lodash@4.17.20", 5.3, 90),
    ("Outdated packages of the base image", "GROUPED", "LOW", "debian@12.1", None, None),
    ("CVE-2024-90211", "COMMON", "MEDIUM", "requests@2.30.0", 6.1, 90),
)
"""Name, type, severity, package, score, and the days in which it is to be remediated."""
COMPUTER_COUNT = 9


def build(cast: Cast) -> Iterator[Batch]:
    """Walk what the tenant has, the oldest first."""
    identifiers = cast.identifiers("inventory")
    yield "monitored-computers", None, build_computers(cast, identifiers)
    assets, found, remediations = build_weaknesses(cast, identifiers)
    yield "vulnerable-assets", None, assets
    own = [{"externalId": f"host-{number}", "fixedVersion": None} for number in range(len(found))]
    own[0]["fixedVersion"] = "3.0.17"
    own[-1]["externalId"] = None
    yield "vulnerabilities", None, [body | more for body, more in zip(found, own, strict=True)]
    yield "vulnerability-remediations", None, remediations


def build_computers(cast: Cast, identifiers: Random) -> list[Json]:
    """Make computers: each check fails somewhere, one was not seen for weeks, and nobody owns the last one."""
    computers = []
    for number in range(COMPUTER_COUNT):
        user = cast.users[number % len(cast.users)]
        owner = {"id": user["id"], "emailAddress": user["email"], "displayName": user["displayName"]}
        system, version = SYSTEMS[number % len(SYSTEMS)]
        failing = [*CHECKS.values()][number] if number < len(CHECKS) else ""
        is_last = number == COMPUTER_COUNT - 1
        computer = {
            "id": new_id(identifiers),
            "integrationId": WATCHER,
            "lastCheckDate": moment(cast.now - timedelta(days=20 if number == 4 else 0, hours=number + 1)),
            **{check: {"outcome": "FAIL" if check == failing else "PASS"} for check in CHECKS.values()},
            "operatingSystem": {"type": system, "version": version},
            "owner": None if is_last else owner,
            "serialNumber": f"SN-{4000 + number}",
            "udid": None if is_last else new_id(identifiers),
        }
        computers.append(computer)
    return computers


def build_weaknesses(cast: Cast, identifiers: Random) -> tuple[list[Json], list[Json], list[Json]]:
    """Make assets, what was found on them, and how far that is remediated: in time, too late, not yet."""
    assets = [build_asset(cast, name, asset_type, identifiers) for name, asset_type in ASSETS]
    found, remediations = [], []
    for number, facts in enumerate(WEAKNESSES):
        asset = assets[number % len(assets)]
        vulnerability = build_vulnerability(cast, number, *facts, asset=asset, identifiers=identifiers)
        found.append(vulnerability)
        remediations.append(build_remediation(cast, number, vulnerability, identifiers))
    return assets, found, remediations


def build_asset(cast: Cast, name: str, asset_type: str, identifiers: Random) -> Json:
    is_image = asset_type == "CONTAINER_REPOSITORY"
    is_machine = asset_type in {"SERVER", "WORKSTATION"}
    resource_id = new_id(identifiers)
    scanner = {
        "resourceId": resource_id,
        "integrationId": SCANNER,
        "imageDigest": f"sha256:{new_id(identifiers)}" if is_image else None,
        "imagePushedAtDate": moment(cast.now - timedelta(days=11)) if is_image else None,
        "imageTags": ["1.8.2", "stable"] if is_image else None,
        "assetTags": [{"key": "team", "value": "product"}],
        "parentAccountOrOrganization": "production",
        "biosUuid": new_id(identifiers) if is_machine else None,
        "ipv4s": ["192.0.2.17"] if is_machine else None,
        "ipv6s": None,
        "macAddresses": None,
        "hostnames": [name] if is_machine else None,
        "fqdns": None,
        "operatingSystems": ["linux"] if is_machine else None,
        "targetId": resource_id,
    }
    return {
        "id": new_id(identifiers),
        "name": name,
        "assetType": asset_type,
        "hasBeenScanned": True,
        "imageScanTag": "stable" if is_image else None,
        "scanners": [scanner],
    }


def build_vulnerability(
    cast: Cast, number: int, name: str, kind: str, severity: str, package: str | None, score: float | None,
    days: int | None, *, asset: Json, identifiers: Random,
) -> Json:  # fmt: skip
    detected = cast.now - timedelta(days=20 + 3 * number)
    deactivation = {
        "isVulnDeactivatedIndefinitely": True,
        "deactivatedUntilDate": None,
        "deactivationReason": "The function is not used.",
        "deactivatedOnDate": moment(cast.now - timedelta(days=6)),
        "deactivatedBy": cast.users[0]["id"],
    }
    return {
        "id": new_id(identifiers),
        "name": name,
        "description": f"Found on {asset['name']}.",
        "integrationId": SCANNER,
        "packageIdentifier": package,
        "vulnerabilityType": kind,
        "targetId": asset["id"],
        "firstDetectedDate": moment(detected),
        "sourceDetectedDate": moment(detected - timedelta(hours=5)),
        "lastDetectedDate": moment(cast.now - timedelta(hours=9)),
        "severity": severity,
        "cvssSeverityScore": score,
        "scannerScore": None,
        "isFixable": number % 2 == 0,
        "remediateByDate": None if days is None else moment(detected + timedelta(days=days)),
        "relatedVulns": [WEAKNESSES[1][0], WEAKNESSES[3][0]] if kind == "GROUPED" else [],
        "relatedUrls": [f"https://advisories.example/{number}"],
        "externalURL": f"https://scanner.example/findings/{number}",
        "scanSource": "agent",
        "deactivateMetadata": deactivation if number == 5 else None,
    }


def build_remediation(cast: Cast, number: int, vulnerability: Json, identifiers: Random) -> Json:
    detected = cast.now - timedelta(days=20 + 3 * number)
    days = (WEAKNESSES[number][-1] or 30) + (-2, 3)[number % 2]
    return {
        "id": new_id(identifiers),
        "vulnerabilityId": vulnerability["id"],
        "vulnerableAssetId": vulnerability["targetId"],
        "severity": vulnerability["severity"].lower(),
        "detectedDate": vulnerability["firstDetectedDate"],
        "slaDeadlineDate": vulnerability["remediateByDate"],
        "remediationDate": moment(detected + timedelta(days=days)) if number < 3 else None,
    }
