"""Tests, what they look at, and policies (platform-api 4.10)."""

from flask import Response

from portal.sandbox import files
from portal.sandbox.api.compliance import links
from portal.sandbox.api.filters import check_allowed, equal_to, flagged, having
from portal.sandbox.api.handlers import reading
from portal.sandbox.api.lists import brief, choice, listing, showing
from portal.sandbox.api.route import Call, Parameter, Query, Route
from portal.sandbox.api.signing import lasting_url
from portal.sandbox.changes import runs
from portal.sandbox.kinds.codes import CATEGORIES
from portal.sandbox.kinds.compliance.checks import DEACTIVATED, FAILING, TEST_STATUSES
from portal.sandbox.kinds.compliance.checks import ENTITY as ENTITY_SHAPE
from portal.sandbox.kinds.compliance.checks import TEST as TEST_SHAPE
from portal.sandbox.objects import Clause, equal
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.schemas import MOMENT, NAME, closed, one_of
from portal.sandbox.store import Json
from portal.sandbox.values import normalised

TESTS = "/tests"
TEST = f"{TESTS}/<test_id>"
ENTITY = f"{TEST}/entities/<entity_id>"


def of_category(query: Query) -> Clause | None:
    """Keep the tests of a category: the filter has it in capitals, the answer in words."""
    category = query.get(CATEGORY)
    if category is None:
        return None
    check_allowed(CATEGORY, [category], [*CATEGORIES])
    return equal("category", CATEGORIES[category])


CATEGORY = "categoryFilter"
FILTERS = (
    equal_to("statusFilter", "status", allowed=TEST_STATUSES),
    links.through_framework("frameworkFilter", links.TEST, is_single=True),
    having("integrationFilter", "integrations"),
    links.of_control("controlFilter", links.TEST, is_single=True),
    equal_to("ownerFilter", "owner.id"),
    Parameter(name=CATEGORY, schema=one_of(*CATEGORIES), read=of_category),
    flagged("isInRollout", "isInRollout"),
)


def of_status(query: Query) -> Clause | None:
    """Keep the entities that fail, or those that are deactivated if they are asked for."""
    return equal("entityStatus", choice(query, STATUS, STATUSES))


STATUS, STATUSES = "entityStatus", (FAILING, DEACTIVATED)
OF_STATUS = Parameter(name=STATUS, schema=one_of(*STATUSES) | {"default": FAILING}, read=of_status)
DEACTIVATE = closed(required=["deactivateReason"], deactivateReason=NAME, deactivateUntilDate=MOMENT)


def deactivate(call: Call) -> None:
    """Look at an entity no more, from the next run of the test on."""
    until = normalised(call.body.get("deactivateUntilDate"))
    facts = {"entityStatus": DEACTIVATED, "deactivatedReason": call.body["deactivateReason"], "deactivatedUntilDate": until}
    runs.plan(call.sandbox, call.tenant.id, call.object, facts=facts | {"lastUpdatedDate": call.now})


def reactivate(call: Call) -> None:
    """Look at an entity again from the next run on. It fails until that says otherwise."""
    status = FAILING if call.object["entityStatus"] == DEACTIVATED else call.object["entityStatus"]
    facts = {"entityStatus": status, "deactivatedReason": None, "deactivatedUntilDate": None}
    runs.plan(call.sandbox, call.tenant.id, call.object, facts=facts | {"lastUpdatedDate": call.now})


def readable(call: Call, policy: Json) -> Json:
    """Give the documents of a policy their address, which is good without a token."""
    version = policy["latestApprovedVersion"]
    if version is None:
        return policy
    url = lasting_url(call, FOLDER, policy["id"])
    return policy | {"latestApprovedVersion": version | {"documents": [each | {"url": url} for each in version["documents"]]}}


def file_of(sandbox: Sandbox, tenant_id: str, policy_id: str) -> Response:
    """Give the policy in force as a file. Raises Missing."""
    policy = sandbox.objects.get(tenant_id, "policies", policy_id)
    return Response(files.pdf(policy["name"]), mimetype=files.PDF_TYPE)


FOLDER = "policies"
BRIEF_TEST = showing(reading("tests"), lambda call, test: brief(test, TEST_SHAPE), shape=TEST_SHAPE)
ROUTES = (
    Route("GET", TESTS, listing("tests", filters=FILTERS, shape=TEST_SHAPE)),
    Route("GET", TEST, BRIEF_TEST),
    Route("GET", f"{TEST}/entities", listing("entities", filters=[OF_STATUS], shape=ENTITY_SHAPE)),
    Route("POST", f"{ENTITY}/deactivate", deactivate, body=DEACTIVATE, status=202),
    Route("POST", f"{ENTITY}/reactivate", reactivate, status=202),
    Route("GET", "/policies", showing(listing("policies"), readable)),
    Route("GET", "/policies/<policy_id>", showing(reading("policies"), readable)),
)
