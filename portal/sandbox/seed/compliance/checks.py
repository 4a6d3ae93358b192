"""Makes tests with what they look at, and policies (platform-api 4.10)."""

from collections.abc import Iterator
from datetime import timedelta

from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.compliance.texts import POLICIES, TESTS
from portal.sandbox.seed.names import mail_name
from portal.sandbox.seed.shapes import Batch, Json, ago, moment, new_id, pick

REMEDIATION = {
    "OK": "PASS",
    "NEEDS_ATTENTION": "NEEDS_WORK",
    "IN_PROGRESS": "IN_PROGRESS",
    "DEACTIVATED": "DISABLED",
    "NOT_APPLICABLE": "NA",
    "INVALID": "INVALID",
}
"""How far a test's remediation is, by its status."""


def build_tests(cast: Cast) -> list[Json]:
    """Make the automated tests, which last ran within a day."""
    content = cast.content("tests")
    tests = []
    for name, category, integration, status in TESTS:
        owner = content.choice(cast.active_users)
        said = f"{name[0].lower()}{name[1:]}"
        ran = ago(cast.now, content, days=(0.01, 1))
        is_off, is_failing = status == "DEACTIVATED", status == "NEEDS_ATTENTION"
        test = {
            "id": mail_name(name),
            "name": name,
            "description": f"Verifies: {said}.",
            "failureDescription": f"Something was found of which this is not true: {said}.",
            "remediationDescription": "Look at what fails, change its settings, and wait for the next run.",
            "version": {"major": 1, "minor": len(name) % 4},
            "category": category,
            "status": status,
            "owner": {"id": owner["id"], "emailAddress": owner["email"], "displayName": owner["displayName"]},
            "integrations": [integration],
            "isInRollout": status == "INVALID",
            "lastTestRunDate": moment(ran),
            "latestFlipDate": moment(ran - timedelta(days=12)) if is_failing else None,
            "deactivatedStatusInfo": {
                "isDeactivated": is_off,
                "deactivatedReason": "Backups are kept elsewhere" if is_off else None,
                "lastUpdatedDate": moment(ran - timedelta(days=90)) if is_off else None,
            },
            "remediationStatusInfo": {
                "status": REMEDIATION[status],
                "soonestRemediateByDate": moment(cast.now + timedelta(days=9)) if is_failing else None,
                "itemCount": 1 if is_failing else 0,
            },
        }
        tests.append(test)
    return tests


def build_entities(cast: Cast, tests: list[Json]) -> Iterator[Batch]:
    """Make what each test looks at: one fails where the test needs attention, the others are in order."""
    content, identifiers = cast.content("entities"), cast.identifiers("entities")
    for test in tests:
        statuses = ["OK", "OK", {"NEEDS_ATTENTION": "FAILING", "DEACTIVATED": "DEACTIVATED"}.get(test["status"], "OK")]
        entities = []
        for number, status in enumerate(statuses, start=1):
            created = ago(cast.now, content, days=(30, 300))
            entity = {
                "id": new_id(identifiers),
                "displayName": f"{test['integrations'][0]}-{number:02d}",
                "responseType": "Account" if test["category"] == "Accounts access" else "Resource",
                "entityStatus": status,
                "deactivatedReason": "Not in production" if status == "DEACTIVATED" else None,
                "deactivatedUntilDate": None,
                "createdDate": moment(created),
                "lastUpdatedDate": moment(created + timedelta(days=20)),
            }
            entities.append(entity)
        yield "entities", test["id"], entities


def build_policies(cast: Cast) -> list[Json]:
    """Make the policies; one has never been approved, one waits for its renewal."""
    content, identifiers = cast.content("policies"), cast.identifiers("policies")
    policies = []
    for name in POLICIES:
        status = pick(content, (5, "APPROVED"), (1, "RENEW_SOON"), (1, "PENDING_APPROVAL"))
        if name == POLICIES[-1]:
            status = "DRAFT"
        slug = mail_name(name)
        is_approved = status != "DRAFT"
        version = {
            "versionId": new_id(identifiers),
            "documents": [{"language": "EN", "slugId": new_id(identifiers), "url": ""}],
        }
        policy = {
            "id": slug,
            "name": name,
            "description": f"The {name} as approved by management.",
            "status": "OK" if status in {"APPROVED", "RENEW_SOON"} else "NEEDS_REMEDIATION",
            "approvedAtDate": moment(ago(cast.now, content, days=(20, 360))) if is_approved else None,
            "latestVersion": {"status": status},
            "latestApprovedVersion": version if is_approved else None,
        }
        policies.append(policy)
    return policies
