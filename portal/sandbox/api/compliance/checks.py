"""Tests, what they look at, and policies (platform-api 4.10)."""

from portal.sandbox.api.compliance import links
from portal.sandbox.api.filters import any_of, flagged
from portal.sandbox.api.handlers import reading, saved
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Call, Route
from portal.sandbox.kinds.compliance.checks import TEST_STATUSES
from portal.sandbox.schemas import MOMENT, NAME, closed
from portal.sandbox.values import normalised

TESTS = "/tests"
TEST = f"{TESTS}/<test_id>"
ENTITY = f"{TEST}/entities/<entity_id>"
FILTERS = (
    any_of("statusFilter", "status", allowed=TEST_STATUSES),
    links.through_framework("frameworkFilter", links.TEST),
    any_of("integrationFilter", "integrations"),
    links.of_control("controlFilter", links.TEST),
    any_of("ownerFilter", "owner.id"),
    any_of("categoryFilter", "category"),
    flagged("isInRollout", "isInRollout"),
)
DEACTIVATE = closed(required=["deactivateReason"], deactivateReason=NAME, deactivateUntilDate=MOMENT)


def deactivate(call: Call) -> None:
    until = normalised(call.body.get("deactivateUntilDate"))
    facts = {"entityStatus": "DEACTIVATED", "deactivatedReason": call.body["deactivateReason"], "deactivatedUntilDate": until}
    saved(call, "entities", call.object | facts | {"lastUpdatedDate": call.now})


def reactivate(call: Call) -> None:
    """Look at an entity again. It fails until the next run says otherwise."""
    facts = {"deactivatedReason": None, "deactivatedUntilDate": None, "lastUpdatedDate": call.now}
    status = "FAILING" if call.object["entityStatus"] == "DEACTIVATED" else call.object["entityStatus"]
    saved(call, "entities", call.object | facts | {"entityStatus": status})


ROUTES = (
    Route("GET", TESTS, listing("tests", filters=FILTERS)),
    Route("GET", TEST, reading("tests")),
    Route("GET", f"{TEST}/entities", listing("entities")),
    Route("POST", f"{ENTITY}/deactivate", deactivate, body=DEACTIVATE, status=204),
    Route("POST", f"{ENTITY}/reactivate", reactivate, status=204),
    Route("GET", "/policies", listing("policies")),
    Route("GET", "/policies/<policy_id>", reading("policies")),
)
