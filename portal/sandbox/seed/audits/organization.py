"""Makes what an auditor sees of the audited organization (platform-api 4.13)."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random

from portal.sandbox.seed.audits import legacy, personnel
from portal.sandbox.seed.audits.legacy import with_id
from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.shapes import Batch, Json, ago, moment

CODES = ("CC6.1", "CC6.2", "CC7.1", "CC7.4", "A1.2")
INTEGRATIONS = (
    ("Cloud Harbour", ["ACCESS", "INVENTORY"], ["CLOUD_PROVIDER"]),
    ("Gatehouse Identity", ["ACCESS", "COMPUTERS", "SSO"], ["IDENTITY_PROVIDER"]),
    ("Codeloft", ["ACCESS", "TASK_TRACKING"], ["VERSION_CONTROL_SYSTEM", "TASK_TRACKER"]),
)
ISSUES = ("Review of one change is missing", "Access of a leaver was removed late", "Restore was not tried in time")
TITLES = ("Refuse expired sessions", "Rotate the signing key", "Log failed sign-ins", "Limit uploads")
SOURCES = ("github", "gitlab", "bitbucket", "azuredevops")


def build_organization(cast: Cast, audit: Json) -> Iterator[Batch]:
    """Walk the organization as one audit shows it, and the six deprecated lists."""
    content = cast.content(f"organization {audit['displayName']}")
    identifiers = cast.identifiers(f"organization {audit['displayName']}")
    for kind, bodies in {
        "framework-codes": [with_id(identifiers, code=code, framework=audit["framework"]) for code in CODES],
        "audit-integrations": [integration(name, tags, categories, identifiers) for name, tags, categories in INTEGRATIONS],
        "organization-information": [information(audit, identifiers)],
        "organization-notifications": [notifications(cast, identifiers)],
        "code-changes": [code_change(cast, number, content, identifiers) for number in range(len(TITLES))],
    }.items():
        yield kind, audit["id"], bodies
    yield from personnel.build(cast, audit, identifiers)
    yield from legacy.build(cast, audit, content, identifiers)
    yield from issues(cast, audit, content, identifiers)
    yield from risks(cast, audit, identifiers)


def integration(name: str, tags: list[str], categories: list[str], identifiers: Random) -> Json:
    return with_id(
        identifiers,
        name=name,
        tags=[in_words(tag) for tag in tags],
        categories=[in_words(category) for category in categories],
        tagCodes=tags,
        categoryCodes=categories,
    )


def in_words(code: str) -> str:
    return code.replace("_", " ").capitalize()


def information(audit: Json, identifiers: Random) -> Json:
    return with_id(
        identifiers,
        displayName=audit["customerDisplayName"],
        legalName=None,
        incorporation=None,
        url=f"https://{audit['customerOrganizationName']}/",
        mailingAddress=None,
        telephone=None,
        companyLogo=None,
    )


def notifications(cast: Cast, identifiers: Random) -> Json:
    address = cast.users[0]["email"]
    told = with_id(identifiers, address=address, cadence="DAILY", unsubSettingsKey="audits", toggleIsSubscribed=True)
    return with_id(
        identifiers,
        preferredTimeZone="Europe/Berlin",
        employeeDigestFrequency="WEEKLY",
        subscribedChannelTypes=["EMAIL"],
        externalNotifications=[told],
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


def times_of_snapshots(cast: Cast) -> list[datetime]:
    """Return when three snapshots were taken, the newest last."""
    return [cast.now - timedelta(days=days) for days in (90, 60, 30)]


def issues(cast: Cast, audit: Json, content: Random, identifiers: Random) -> Iterator[Batch]:
    """Walk three snapshots of issues; the newest has some."""
    snapshots = [
        with_id(identifiers, title=f"Snapshot {number}", description=None, createdAt=moment(at))
        for number, at in enumerate(times_of_snapshots(cast), start=1)
    ]
    yield "issue-snapshots", audit["id"], snapshots
    items: list[Json] = []
    for number, title in enumerate(ISSUES, start=1):
        detected = ago(cast.now, content, days=(20, 90))
        item = with_id(
            identifiers,
            readableIssueId=f"ISSUE-{number}",
            issueId=with_id(identifiers)["id"],
            snapshotId=snapshots[-1]["id"],
            title=title,
            description=None,
            dueDate=moment(detected + timedelta(days=120)) if items else None,
            status="IN_PROGRESS",
            createdAt=moment(detected + timedelta(days=content.uniform(0, 9))),
            lastModifiedAt=moment(detected + timedelta(days=content.uniform(9, 19))),
            detectedAt=moment(detected),
            approvalProgress=None if items else {"approvedCount": 1, "totalApprovers": 2},
        )
        items.append(item)
    yield "issue-items", audit["id"], items


def risks(cast: Cast, audit: Json, identifiers: Random) -> Iterator[Batch]:
    """Walk three snapshots of risks; the newest has some."""
    snapshots = [with_id(identifiers, createdAt=moment(at)) for at in times_of_snapshots(cast)]
    yield "risk-snapshots", audit["id"], snapshots
    yield "snapshot-risks", snapshots[-1]["id"], [
        with_id(
            identifiers,
            riskId=f"R-{number}",
            riskScenario=title,
            likelihood=number,
            impact=3,
            inherentRisk=number * 3,
            residualRisk=number,
            treatment="MITIGATE",
            treatmentStatus="IN_PROGRESS",
            reviewStatus="APPROVED",
            owner={"displayName": cast.users[0]["displayName"], "imageUrl": None},
            categories=["Operations"],
            ciaCategories=["CONFIDENTIALITY"],
            linkedControlIds=[],
            identified=audit["auditStartDate"],
        )
        for number, title in enumerate(ISSUES, start=1)
    ]  # fmt: skip
