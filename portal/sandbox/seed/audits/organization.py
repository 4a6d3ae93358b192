"""Makes what an auditor sees of the audited organization (platform-api 4.13)."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random

from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.names import company
from portal.sandbox.seed.shapes import Batch, Json, ago, moment, new_id

CODES = ("CC6.1", "CC6.2", "CC7.1", "CC7.4", "A1.2")
INTEGRATIONS = (
    ("Cloud Harbour", ["ACCESS", "INVENTORY"], ["CLOUD_PROVIDER"]),
    ("Gatehouse Identity", ["ACCESS", "COMPUTERS", "SSO"], ["IDENTITY_PROVIDER"]),
    ("Codeloft", ["ACCESS", "TASK_TRACKING"], ["VERSION_CONTROL_SYSTEM", "TASK_TRACKER"]),
)
ISSUES = ("Review of one change is missing", "Access of a leaver was removed late", "Restore was not tried in time")
TITLES = ("Refuse expired sessions", "Rotate the signing key", "Log failed sign-ins", "Limit uploads")
SOURCES = ("github", "gitlab", "bitbucket", "azuredevops")
GROUPS = ("Engineering", "People", "Sales")
SERVICES = ("Cloud Harbour", "Codeloft", "Payroll Pier")


def build_organization(cast: Cast, audit: Json) -> Iterator[Batch]:
    """Walk the organization as one audit shows it, and the six deprecated lists."""
    content = cast.content(f"organization {audit['displayName']}")
    identifiers = cast.identifiers(f"organization {audit['displayName']}")
    groups = [with_id(identifiers, name=name, personnelCount=4) for name in GROUPS]
    for kind, bodies in {
        "framework-codes": [with_id(identifiers, code=code, framework=audit["framework"]) for code in CODES],
        "audit-integrations": [
            with_id(identifiers, displayName=name, tags=tags, categories=categories, isConnected=True)
            for name, tags, categories in INTEGRATIONS
        ],
        "organization-information": [information(cast, audit, identifiers)],
        "organization-notifications": [notifications(cast, audit, identifiers)],
        "code-changes": [code_change(cast, number, content, identifiers) for number in range(len(TITLES))],
        "personnel-groups": groups,
        "personnel-people": people(cast, groups, identifiers),
        "personnel-computers": computers(cast, identifiers),
        "account-services": [with_id(identifiers, name=name, status="CONNECTED", accountCount=8) for name in SERVICES],
        "managed-vendors": vendors(cast, identifiers),
        "monitored-computers": computers(cast, identifiers),
        "audit-people": people(cast, groups, identifiers),
        "audit-vendors": vendors(cast, identifiers),
        **weaknesses(cast, identifiers),
    }.items():
        yield kind, audit["id"], bodies
    yield from snapshots(cast, audit, content, identifiers)


def with_id(identifiers: Random, **fields: object) -> Json:
    return {"id": new_id(identifiers), **fields}


def information(cast: Cast, audit: Json, identifiers: Random) -> Json:
    name = audit["customerOrganizationName"]
    website = f"https://{cast.users[0]['email'].split('@')[1]}/"
    return with_id(identifiers, name=name, displayName=None, websiteUrl=website, description=f"{name} offers software.")


def notifications(cast: Cast, audit: Json, identifiers: Random) -> Json:
    recipients = [cast.users[0]["email"]]
    return with_id(
        identifiers, isEmailEnabled=True, isChatEnabled=False, recipients=recipients, updatedDate=audit["creationDate"]
    )


def code_change(cast: Cast, number: int, content: Random, identifiers: Random) -> Json:
    opened = ago(cast.now, content, days=(10, 80))
    return with_id(
        identifiers,
        title=TITLES[number],
        identifier=f"#{100 + number}",
        repository="product/server",
        source=SOURCES[number],
        openedDate=moment(opened),
        closedDate=None if number == 0 else moment(opened + timedelta(days=2)),
    )


def people(cast: Cast, groups: list[Json], identifiers: Random) -> list[Json]:
    return [
        with_id(
            identifiers,
            name=user["displayName"],
            email=user["email"],
            status="CURRENT" if user["isActive"] else "FORMER",
            jobTitle=None,
            groupIds=[groups[number % len(groups)]["id"]],
            startDate=moment(cast.now - timedelta(days=400 + number)),
        )
        for number, user in enumerate(cast.users)
    ]


def computers(cast: Cast, identifiers: Random) -> list[Json]:
    return [
        with_id(
            identifiers,
            name=f"laptop-{number}",
            serialNumber=f"SN-{4000 + number}",
            status="OK" if number else "NEEDS_ATTENTION",
            owner=user["email"],
            lastCheckDate=moment(cast.now - timedelta(hours=number + 1)),
        )
        for number, user in enumerate(cast.users[:4])
    ]


def vendors(cast: Cast, identifiers: Random) -> list[Json]:
    levels = ("CRITICAL", "HIGH", "MEDIUM", "LOW")
    return [
        with_id(
            identifiers,
            name=company(number + 30).name,
            status="MANAGED" if number else "ARCHIVED",
            inherentRiskLevel=levels[number],
            category=None,
            lastReviewDate=moment(cast.now - timedelta(days=90 + number)),
        )
        for number in range(4)
    ]


def weaknesses(cast: Cast, identifiers: Random) -> dict[str, list[Json]]:
    """Make assets, their vulnerabilities, and how those were remediated."""
    detected, fixed = moment(cast.now - timedelta(days=40)), moment(cast.now - timedelta(days=30))
    assets = [with_id(identifiers, name=f"server-{number}", assetType="SERVER") for number in range(1, 4)]
    found = [
        with_id(
            identifiers, name=f"Outdated library {number}", severity="HIGH", assetId=asset["id"],
            firstDetectedDate=detected, remediateByDate=fixed,
        )
        for number, asset in enumerate(assets, start=1)
    ]  # fmt: skip
    remediations = [
        with_id(identifiers, vulnerabilityId=each["id"], severity="HIGH", detectedDate=detected, remediationDate=fixed)
        for each in found
    ]
    return {"vulnerable-assets": assets, "vulnerabilities": found, "vulnerability-remediations": remediations}


def snapshots(cast: Cast, audit: Json, content: Random, identifiers: Random) -> Iterator[Batch]:
    """Walk the snapshots of issues and of risks; the newest is still to be reviewed."""

    def three() -> list[Json]:
        statuses = ("APPROVED", "APPROVED", "PENDING_REVIEW")
        at = audit["auditStartDate"]
        return [
            with_id(identifiers, name=f"Snapshot {number}", status=status, creationDate=at)
            for number, status in enumerate(statuses, start=1)
        ]

    issues, risks = three(), three()
    yield "issue-snapshots", audit["id"], issues
    items: list[Json] = []
    for title in ISSUES:
        detected = ago(cast.now, content, days=(20, 90))
        item = with_id(
            identifiers,
            snapshotId=issues[-1]["id"],
            title=title,
            description=None,
            status="OPEN",
            severity="MEDIUM",
            createdAt=moment(detected + timedelta(days=content.uniform(0, 9))),
            lastModifiedAt=moment(detected + timedelta(days=content.uniform(9, 19))),
            detectedAt=moment(detected),
            approvalProgress=None if items else {"approvedCount": 1, "totalApprovers": 2},
        )
        items.append(item)
    yield "issue-items", audit["id"], items
    yield "risk-snapshots", audit["id"], risks
    yield "snapshot-risks", risks[-1]["id"], [
        with_id(identifiers, riskId=f"R-{number}", description=title, likelihood=number, impact=3, treatment="MITIGATE")
        for number, title in enumerate(ISSUES, start=1)
    ]  # fmt: skip
