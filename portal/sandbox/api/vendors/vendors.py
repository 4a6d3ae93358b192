"""Vendors themselves (platform-api 4.7)."""

from portal.sandbox.api.filters import any_of, containing
from portal.sandbox.api.handlers import creating, deleting, reading, updating
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Call, Form, Route
from portal.sandbox.kinds.vendors import ATTRIBUTES, AUTH_DETAILS, AUTH_METHODS, MAYBE_INTEGER, RISK_LEVELS, STATUSES, VENDORS
from portal.sandbox.schemas import (
    BOOLEAN,
    CUSTOM_FIELDS,
    IDS,
    MAYBE_BOOLEAN,
    MAYBE_STRING,
    MOMENT,
    NAME,
    NUMBER,
    array,
    closed,
    nullable,
    one_of,
    reference,
    text,
)
from portal.sandbox.store import Json

VENDOR_NAME = text(minLength=1, maxLength=2000)
LONG, OWNER, DATE = nullable(text(maxLength=2000)), nullable(reference("users")), nullable(MOMENT)
STATUS = one_of(*STATUSES)
FIELDS: Json = {
    "websiteUrl": LONG,
    "accountManagerName": LONG,
    "accountManagerEmail": nullable(text(maxLength=100)),
    "servicesProvided": MAYBE_STRING,
    "additionalNotes": LONG,
    "securityOwnerUserId": OWNER,
    "businessOwnerUserId": OWNER,
    "contractStartDate": DATE,
    "contractRenewalDate": DATE,
    "contractTerminationDate": DATE,
    "contractAmount": nullable(closed(required=["amount", "currency"], amount=NUMBER, currency=NAME)),
    "isVisibleToAuditors": nullable(BOOLEAN),
    "category": nullable(NAME),
    "authDetails": nullable(
        closed(
            passwordMinimumLength=MAYBE_INTEGER,
            passwordRequiresSymbol=MAYBE_BOOLEAN,
            passwordRequiresNumber=MAYBE_BOOLEAN,
            passwordMFA=MAYBE_BOOLEAN,
            method=nullable(one_of(*AUTH_METHODS)),
        )
    ),
    "status": STATUS,
    "inherentRiskLevel": one_of(*RISK_LEVELS),
    "residualRiskLevel": one_of(*RISK_LEVELS),
    "vendorHeadquarters": nullable(text(pattern="^[A-Z]{3}$")),
    "customFields": nullable(CUSTOM_FIELDS),
    "frameworkScope": closed(required=["scopeType"], scopeType=one_of("ALL", "PARTIAL", "NONE"), frameworkIds=IDS),
}
CREATE = closed(required=["name"], name=VENDOR_NAME, **FIELDS)
PATCH = closed(name=VENDOR_NAME, **FIELDS, riskAttributeIds=array(reference(ATTRIBUTES)))
SET_STATUS = Form(schema=closed(required=["status"], status=STATUS), file="")


def stored(call: Call) -> Json:
    """Turn what is answered in another form than it is sent in."""
    made: Json = {}
    if "category" in call.body:
        category = call.body["category"]
        made["category"] = None if category is None else {"displayName": category}
    if call.body.get("authDetails") is not None:
        made["authDetails"] = dict.fromkeys(AUTH_DETAILS["properties"]) | call.body["authDetails"]
    return made


def changed(call: Call) -> Json:
    """The status can be sent, but only set-status changes it (platform-api 4.7)."""
    return stored(call) | {"status": call.object["status"]}


PATH = "/vendors"
ONE = f"{PATH}/<vendor_id>"
FILTERS = (containing("name", "name"), any_of("statusMatchesAny", "status", allowed=STATUSES))
ROUTES = (
    Route("GET", PATH, listing(VENDORS, filters=FILTERS)),
    Route("POST", PATH, creating(VENDORS, fill=stored), body=CREATE),
    Route("GET", ONE, reading(VENDORS)),
    Route("PATCH", ONE, updating(VENDORS, fill=changed), body=PATCH),
    Route("DELETE", ONE, deleting(VENDORS), status=204),
    Route("POST", f"{ONE}/set-status", updating(VENDORS), form=SET_STATUS),
)
