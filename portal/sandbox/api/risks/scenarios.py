"""Risk scenarios (platform-api 4.9, management-api 3.16)."""

from itertools import count

from portal.sandbox.api.errors import Invalid, unprocessable
from portal.sandbox.api.handlers import creating, reading, updating
from portal.sandbox.api.lists import choice, chosen, clauses, showing
from portal.sandbox.api.risks.filters import FILTERS, ORDER_BY
from portal.sandbox.api.route import Call, Operation, Route
from portal.sandbox.api.wordings import required
from portal.sandbox.kinds.risks import CIA, RISK_SCENARIO, RISK_TYPES, SCENARIOS, TREATMENTS
from portal.sandbox.objects import equal
from portal.sandbox.schemas import (
    BOOLEAN,
    CUSTOM_FIELDS,
    IDS,
    INTEGER,
    MOMENT,
    NAME,
    STRING,
    array,
    closed,
    nullable,
    one_of,
    text,
)
from portal.sandbox.store import Json

FIELDS: Json = {
    "detailedDescription": text(maxLength=10_000),
    "isSensitive": BOOLEAN,
    **dict.fromkeys(("likelihood", "impact", "residualLikelihood", "residualImpact"), INTEGER),
    "categories": IDS,
    "ciaCategories": array(one_of(*CIA)),
    "treatment": one_of(*TREATMENTS),
    "note": STRING,
    "riskRegister": NAME,
    "customFields": CUSTOM_FIELDS,
    "type": one_of(*RISK_TYPES),
    "identificationDate": MOMENT,
}
CREATE = closed(required=["description"], description=NAME, riskId=NAME, owner=NAME, **FIELDS)
PATCH = closed(description=NAME, owner=nullable(NAME), **FIELDS)
ENTERPRISE = RISK_TYPES[1]


def find(call: Call) -> list[Json]:
    """Find what passes the filters, in the order of creation or of the description."""
    where = clauses(FILTERS, call.query)
    found = call.sandbox.objects.all(call.tenant.id, SCENARIOS, where=where, oldest_first=True)
    if choice(call.query, "orderBy", ORDER_BY) == "description":
        found.sort(key=lambda scenario: str(scenario["description"]).casefold())
    return [shown(call, scenario) for scenario in found]


def shown(call: Call, scenario: Json) -> Json:
    return {"riskId" if name == "id" else name: value for name, value in scenario.items()}


def answering(operation: Operation) -> Operation:
    return showing(operation, shown, shape=RISK_SCENARIO)


def first_facts(call: Call) -> Json:
    """Check the owner and the register, and name a scenario that was sent without a name of its own."""
    known_owner(call)
    check_register(call)
    risk_id = call.body.get("riskId") or unused_id(call)
    if call.sandbox.objects.has(call.tenant.id, SCENARIOS, risk_id):
        raise unprocessable("A risk scenario with this riskId already exists")
    return {"id": risk_id}


def unused_id(call: Call) -> str:
    numbers = count(len(call.sandbox.objects.all(call.tenant.id, SCENARIOS)) + 1)
    names = (f"RISK-{number:03d}" for number in numbers)
    return next(name for name in names if not call.sandbox.objects.has(call.tenant.id, SCENARIOS, name))


def check_register(call: Call) -> None:
    """Refuse a scenario without a register (platform-api 4.9: not documented, but so), and an enterprise risk in one."""
    is_enterprise = call.body.get("type") == ENTERPRISE
    if is_enterprise and "riskRegister" in call.body:
        raise unprocessable("An enterprise risk has no register")
    if not is_enterprise and "riskRegister" not in call.body:
        raise Invalid.at("body.riskRegister", required("riskRegister"))


def changed_facts(call: Call) -> Json:
    """Check the owner. The type stands in the description of the platform, and is refused all the same."""
    if "type" in call.body:
        raise unprocessable("The type of a risk scenario cannot be changed")
    return known_owner(call)


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
    Route("POST", PATH, answering(creating(SCENARIOS, fill=first_facts)), body=CREATE, refusals=(422,)),
    Route("GET", ONE, answering(reading(SCENARIOS))),
    Route("PATCH", ONE, answering(updating(SCENARIOS, fill=changed_facts)), body=PATCH, refusals=(422,)),
    Route("POST", f"{ONE}/submit-for-approval", answering(updating(SCENARIOS, fill=submitted)), body=SUBMIT),
    Route("POST", f"{ONE}/cancel-approval-request", answering(updating(SCENARIOS, fill=taken_back))),
)
