"""Makes tests with what they look at, policies, and integrations with their resources (platform-api 4.10)."""

from collections.abc import Iterator
from datetime import timedelta

from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.compliance.texts import INTEGRATIONS, POLICIES, TESTS
from portal.sandbox.seed.names import mail_name
from portal.sandbox.seed.shapes import Batch, Json, ago, moment, new_id, pick


def build_tests(cast: Cast) -> list[Json]:
    """Make the automated tests, which last ran within a day."""
    content = cast.content("tests")
    tests = []
    for name, category, integration, status in TESTS:
        owner = content.choice(cast.active_users)
        test = {
            "id": mail_name(name),
            "name": name,
            "description": f"Verifies: {name[0].lower()}{name[1:]}.",
            "category": category,
            "status": status,
            "owner": {"id": owner["id"], "emailAddress": owner["email"], "displayName": owner["displayName"]},
            "integrations": [integration],
            "isInRollout": status == "INVALID",
            "lastTestRunDate": moment(ago(cast.now, content, days=(0.01, 1))),
        }
        tests.append(test)
    return tests


def build_entities(cast: Cast, tests: list[Json]) -> Iterator[Batch]:
    """Make what each test looks at: one fails where the test needs attention."""
    content, identifiers = cast.content("entities"), cast.identifiers("entities")
    for test in tests:
        statuses = ["OK", "OK", {"NEEDS_ATTENTION": "FAILING", "DEACTIVATED": "DEACTIVATED"}.get(test["status"], "OK")]
        entities = []
        for number, status in enumerate(statuses, start=1):
            created = ago(cast.now, content, days=(30, 300))
            entity = {
                "id": new_id(identifiers),
                "displayName": f"{test['integrations'][0]}-{number:02d}",
                "entityStatus": status,
                "deactivatedReason": "Not in production" if status == "DEACTIVATED" else None,
                "deactivatedUntilDate": None,
                "creationDate": moment(created),
                "lastUpdatedDate": moment(created + timedelta(days=20)),
            }
            entities.append(entity)
        yield "entities", test["id"], entities


def build_policies(cast: Cast) -> list[Json]:
    """Make the policies; one has never been approved, one waits for its renewal."""
    content = cast.content("policies")
    policies = []
    for name in POLICIES:
        status = pick(content, (5, "APPROVED"), (1, "RENEW_SOON"), (1, "PENDING_APPROVAL"))
        if name == POLICIES[-1]:
            status = "DRAFT"
        slug = mail_name(name)
        is_approved = status != "DRAFT"
        document = {"language": "en", "slugId": slug, "url": f"https://app.platform.example/policies/{slug}"}
        policy = {
            "id": slug,
            "name": name,
            "description": f"The {name} as approved by management.",
            "status": "OK" if status in {"APPROVED", "RENEW_SOON"} else "NEEDS_REMEDIATION",
            "approvedAtDate": moment(ago(cast.now, content, days=(20, 360))) if is_approved else None,
            "latestVersion": {"status": status},
            "latestApprovedVersion": {"documents": [document]} if is_approved else None,
        }
        policies.append(policy)
    return policies


def build_integrations(cast: Cast) -> Iterator[Batch]:
    """Make the integrations with three kinds of resources each. One connection is broken."""
    content, identifiers = cast.content("integrations"), cast.identifiers("integrations")
    integrations: list[Json] = []
    kinds: list[Batch] = []
    for key, name, resource_kinds in INTEGRATIONS:
        error = "The credentials were refused" if key == INTEGRATIONS[-1][0] else None
        connection = {"id": new_id(identifiers), "isDisabled": False, "connectionErrorMessage": error}
        integrations.append({"id": key, "displayName": name, "resourceKinds": [*resource_kinds], "connections": [connection]})
        found = [{"id": kind, "displayName": kind, "numResources": 3} for kind in resource_kinds]
        kinds.append(("resource-kinds", key, found))
        for kind in resource_kinds:
            resources = [
                {
                    "id": new_id(identifiers),
                    "displayName": f"{kind}-{number}",
                    "description": None,
                    "owner": content.choice(cast.active_users)["email"],
                    "isInScope": number != 3,
                    "creationDate": moment(ago(cast.now, content, days=(10, 400))),
                }
                for number in range(1, 4)
            ]
            kinds.append(("integration-resources", kind, resources))
    yield "integrations", None, integrations
    yield from kinds
