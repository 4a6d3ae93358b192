"""Vendors themselves (platform-api 4.7)."""

from portal.sandbox.api.filters import any_of, containing
from portal.sandbox.api.handlers import creating, deleting, reading, updating
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Call, Form, Route
from portal.sandbox.kinds.codes import COUNTRIES, CURRENCIES
from portal.sandbox.kinds.vendors import ATTRIBUTES, AUTH_DETAILS, AUTH_METHODS, RISK_LEVELS, STATUSES, VENDORS
from portal.sandbox.schemas import (
    BOOLEAN,
    CUSTOM_FIELDS,
    IDS,
    MAYBE_STRING,
    MOMENT,
    NAME,
    NUMBER,
    STRING,
    array,
    closed,
    nullable,
    one_of,
    reference,
    text,
)
from portal.sandbox.store import Json

VENDOR_NAME = text(minLength=1, maxLength=2000)
LONG, OWNER, DATE = text(maxLength=2000), reference("users"), MOMENT
STATUS, UNSCORED = one_of(*STATUSES), RISK_LEVELS[0]
NOT_NULL: Json = {
    "accountManagerEmail": text(maxLength=100),
    "isVisibleToAuditors": BOOLEAN,
    "category": NAME,
    "customFields": CUSTOM_FIELDS,
    "status": STATUS,
    "residualRiskLevel": one_of(*RISK_LEVELS),
    "frameworkScope": closed(required=["scopeType"], scopeType=one_of("ALL", "PARTIAL", "NONE"), frameworkIds=IDS),
}
"""What no change clears."""
CLEARABLE: Json = {
    "websiteUrl": LONG,
    "accountManagerName": LONG,
    "servicesProvided": STRING,
    "securityOwnerUserId": OWNER,
    "businessOwnerUserId": OWNER,
    "contractStartDate": DATE,
    "contractRenewalDate": DATE,
    "contractTerminationDate": DATE,
    "contractAmount": closed(required=["amount", "currency"], amount=NUMBER, currency=one_of(*CURRENCIES)),
    "vendorHeadquarters": one_of(*COUNTRIES),
    "inherentRiskLevel": one_of(*RISK_LEVELS),
}
"""What null clears in a change; a new vendor simply goes without. Without an inherent risk the platform scores it."""
DETAILS: Json = {
    "passwordMinimumLength": NUMBER,
    "passwordRequiresSymbol": BOOLEAN,
    "passwordRequiresNumber": BOOLEAN,
    "passwordMFA": BOOLEAN,
}
METHOD = one_of(*AUTH_METHODS)
CREATE = closed(
    required=["name"],
    name=VENDOR_NAME,
    additionalNotes=LONG,
    authDetails=closed(**DETAILS, method=METHOD),
    **NOT_NULL,
    **CLEARABLE,
)
CLEARED: Json = {name: nullable(schema) for name, schema in CLEARABLE.items()}
PATCH = closed(
    name=VENDOR_NAME,
    additionalNotes=MAYBE_STRING,
    authDetails=closed(**DETAILS, method=nullable(METHOD)),
    riskAttributeIds=array(reference(ATTRIBUTES)),
    **NOT_NULL,
    **CLEARED,
)
SET_STATUS = Form(schema=closed(required=["status"], status=STATUS), file="")


def stored(call: Call) -> Json:
    """Turn what is answered in another form than it is sent in."""
    made: Json = {}
    if "category" in call.body:
        made["category"] = {"displayName": call.body["category"]}
    if "authDetails" in call.body:
        made["authDetails"] = dict.fromkeys(AUTH_DETAILS["properties"]) | call.body["authDetails"]
    if "inherentRiskLevel" in call.body:
        level = call.body["inherentRiskLevel"]
        made |= {"inherentRiskLevel": level or UNSCORED, "isRiskAutoScored": level is None}
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
