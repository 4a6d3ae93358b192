"""Risk scenarios (platform-api 4.9)."""

from portal.sandbox.api.errors import unprocessable
from portal.sandbox.api.handlers import creating, reading, updating
from portal.sandbox.api.lists import choice, chosen, clauses
from portal.sandbox.api.risks.filters import FILTERS, ORDER_BY, ORDER_DIRECTION
from portal.sandbox.api.route import Call, Route
from portal.sandbox.kinds.risks import CIA, RISK_SCENARIO, RISK_TYPES, SCENARIOS, TREATMENTS
from portal.sandbox.objects import equal
from portal.sandbox.schemas import (
    BOOLEAN,
    CUSTOM_FIELDS,
    IDS,
    MAYBE_STRING,
    MOMENT,
    NAME,
    STRING,
    array,
    closed,
    nullable,
    one_of,
)
from portal.sandbox.store import Json

SCORE = nullable({"type": "integer", "minimum": 1})
FIELDS: Json = {
    "riskId": NAME,
    "description": NAME,
    "detailedDescription": MAYBE_STRING,
    "isSensitive": nullable(BOOLEAN),
    "likelihood": SCORE,
    "impact": SCORE,
    "residualLikelihood": SCORE,
    "residualImpact": SCORE,
    "categories": IDS,
    "ciaCategories": array(one_of(*CIA)),
    "treatment": nullable(one_of(*TREATMENTS)),
    "owner": nullable(NAME),
    "note": MAYBE_STRING,
    "riskRegister": NAME,
    "customFields": CUSTOM_FIELDS,
    "requiredApprovers": IDS,
    "type": one_of(*RISK_TYPES),
    "identificationDate": MOMENT,
}
CREATE = closed(required=["description", "riskRegister"], **FIELDS)
"""The register is not documented as required, but nothing is created without it (platform-api 4.9)."""
PATCH = closed(**FIELDS, isArchived=BOOLEAN)


def find(call: Call) -> list[Json]:
    """Find what passes the filters, in the order of creation or of the description."""
    where = clauses(FILTERS, call.query)
    found = call.sandbox.objects.all(call.tenant.id, SCENARIOS, where=where, oldest_first=True)
    if choice(call.query, "orderBy", ORDER_BY) == "description":
        found.sort(key=lambda scenario: str(scenario["description"]).casefold())
    return found[::-1] if choice(call.query, "orderDirection", ORDER_DIRECTION) == "desc" else found


def first_facts(call: Call) -> Json:
    """Check the owner, and name a scenario that was sent without a name of its own."""
    known_owner(call)
    number = len(call.sandbox.objects.all(call.tenant.id, SCENARIOS)) + 1
    return {} if "riskId" in call.body else {"riskId": f"RISK-{number:03d}"}


def known_owner(call: Call) -> Json:
    """Refuse an owner whose e-mail address no user has."""
    email = call.body.get("owner")
    if email and not call.sandbox.objects.all(call.tenant.id, "users", where=[equal("email", email)], limit=1):
        raise unprocessable()
    return {}


def submitted(call: Call) -> Json:
    return {"reviewStatus": "PENDING_APPROVAL"}


def taken_back(call: Call) -> Json:
    return {"reviewStatus": "AWAITING_SUBMISSION"}


PATH = "/risk-scenarios"
ONE = f"{PATH}/<risk_scenario_id>"
SUBMIT = closed(comment=STRING)
ROUTES = (
    Route("GET", PATH, chosen(find, shape=RISK_SCENARIO, filters=FILTERS)),
    Route("POST", PATH, creating(SCENARIOS, fill=first_facts), body=CREATE, refusals=(422,)),
    Route("GET", ONE, reading(SCENARIOS)),
    Route("PATCH", ONE, updating(SCENARIOS, fill=known_owner), body=PATCH, refusals=(422,)),
    Route("POST", f"{ONE}/submit-for-approval", updating(SCENARIOS, fill=submitted), body=SUBMIT, may_omit_body=True),
    Route("POST", f"{ONE}/cancel-approval-request", updating(SCENARIOS, fill=taken_back)),
)
