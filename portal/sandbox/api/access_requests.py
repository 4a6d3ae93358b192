"""Requests for access to the Trust Center (platform-api 4.5.2)."""

from portal.sandbox.api.lists import listing, reading
from portal.sandbox.api.route import Call, Route
from portal.sandbox.api.schemas import BOOLEAN, IDS, MOMENT, STRING, closed, one_of
from portal.sandbox.api.trust_centers import PATH as TRUST_CENTER
from portal.sandbox.api.trust_centers import in_trust_center
from portal.sandbox.changes import access_requests as changes
from portal.sandbox.changes.access_requests import FULL, HISTORICAL, OPEN, PARTIAL
from portal.sandbox.values import normalised

APPROVAL = closed(expirationDate=MOMENT, isNdaRequired=BOOLEAN, resourceIds=IDS, accessLevel=one_of(FULL, PARTIAL))


def approve(call: Call) -> None:
    changes.approve(
        call.sandbox,
        call.tenant,
        call.ids["request_id"],
        expiration_date=normalised(call.body.get("expirationDate")),
        is_nda_required=call.body.get("isNdaRequired", True),
        resource_ids=call.body.get("resourceIds"),
        access_level=call.body.get("accessLevel"),
    )


def deny(call: Call) -> None:
    changes.deny(call.sandbox, call.tenant, call.ids["request_id"], reason=call.body.get("reason"))


PATH = f"{TRUST_CENTER}/access-requests"
ONE = f"{PATH}/<request_id>"
ROUTES = (
    Route(method="GET", path=PATH, handler=in_trust_center(listing(OPEN))),
    Route(method="GET", path=ONE, handler=in_trust_center(reading(OPEN, by="request_id"))),
    Route(method="POST", path=f"{ONE}/approve", handler=in_trust_center(approve), body=APPROVAL, status=204),
    Route(
        method="POST",
        path=f"{ONE}/deny",
        handler=in_trust_center(deny),
        body=closed(reason=STRING),
        may_omit_body=True,
        status=204,
    ),
    Route(method="GET", path=f"{TRUST_CENTER}/historical-access-requests", handler=in_trust_center(listing(HISTORICAL))),
)
