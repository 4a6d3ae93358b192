"""Requests for access to the Trust Center (platform-api 4.5.2)."""

from portal.sandbox.api.handlers import reading
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Call, Route
from portal.sandbox.api.trust_center.settings import PATH as TRUST_CENTER
from portal.sandbox.changes import access_requests as changes
from portal.sandbox.changes.access_requests import HISTORICAL, OPEN
from portal.sandbox.kinds.trust_center import LEVEL
from portal.sandbox.schemas import BOOLEAN, MOMENT, STRING, array, closed, reference
from portal.sandbox.values import normalised

RESOURCES = array(reference("resources"))
APPROVAL = closed(expirationDate=MOMENT, isNdaRequired=BOOLEAN, resourceIds=RESOURCES, accessLevel=LEVEL)


def approve(call: Call) -> None:
    changes.approve(
        call.sandbox,
        call.tenant,
        call.object["id"],
        expiration_date=normalised(call.body.get("expirationDate")),
        is_nda_required=call.body.get("isNdaRequired", True),
        resource_ids=call.body.get("resourceIds"),
        access_level=call.body.get("accessLevel"),
    )


def deny(call: Call) -> None:
    changes.deny(call.sandbox, call.tenant, call.object["id"], reason=call.body.get("reason"))


PATH = f"{TRUST_CENTER}/access-requests"
ONE = f"{PATH}/<request_id>"
ROUTES = (
    Route("GET", PATH, listing(OPEN)),
    Route("GET", ONE, reading(OPEN)),
    Route("POST", f"{ONE}/approve", approve, body=APPROVAL, status=204),
    Route("POST", f"{ONE}/deny", deny, body=closed(reason=STRING), may_omit_body=True, status=204),
    Route("GET", f"{TRUST_CENTER}/historical-access-requests", listing(HISTORICAL)),
)
