"""People with access to the Trust Center (platform-api 4.5.3)."""

from portal.sandbox.api.errors import conflict
from portal.sandbox.api.lists import listing, reading
from portal.sandbox.api.people import check_account
from portal.sandbox.api.route import Call, Route
from portal.sandbox.api.schemas import BOOLEAN, IDS, MOMENT, NAME, STRING, closed, nullable, one_of
from portal.sandbox.api.trust_centers import PATH as TRUST_CENTER
from portal.sandbox.api.trust_centers import in_trust_center
from portal.sandbox.changes.access_requests import FULL, PARTIAL, PENDING_NDA, VIEWERS, grant, viewer_of
from portal.sandbox.store import Json
from portal.sandbox.values import moment, normalised

LEVEL = one_of(FULL, PARTIAL)
CREATE = closed(
    required=["email", "name", "companyName", "isNdaRequired", "accessLevel"],
    email=NAME,
    name=STRING,
    companyName=STRING,
    isNdaRequired=BOOLEAN,
    accessLevel=LEVEL,
    expirationDate=MOMENT,
    resourceIds=IDS,
    customerTrustAccountId=STRING,
)
PATCH = closed(
    isNdaRequired=BOOLEAN,
    accessLevel=LEVEL,
    expirationDate=nullable(MOMENT),
    resourceIds=nullable(IDS),
    customerTrustAccountId=nullable(STRING),
)


def create(call: Call) -> Json:
    if viewer_of(call.sandbox, call.tenant.id, call.body["email"]) is not None:
        raise conflict("A viewer with this email already exists")
    granted = granted_by(call) | {"ndaInfo": PENDING_NDA if call.body["isNdaRequired"] else None}
    return grant(call.sandbox, call.tenant.id, person=call.body, granted=granted)


def update(call: Call) -> Json:
    viewer = read(call)
    if "isNdaRequired" in call.body:
        viewer["ndaInfo"] = (viewer["ndaInfo"] or PENDING_NDA) if call.body["isNdaRequired"] else None
    viewer |= granted_by(call) | {"updatedDate": moment(call.sandbox.clock.now())}
    return call.sandbox.objects.save(call.tenant.id, VIEWERS, viewer)


def granted_by(call: Call) -> Json:
    """Pick the fields that a viewer has as they were sent. Raises Missing for unknown resources."""
    check_account(call, call.body.get("customerTrustAccountId"))
    for resource_id in call.body.get("resourceIds") or ():
        call.sandbox.objects.get(call.tenant.id, "resources", resource_id)
    names = ("accessLevel", "resourceIds", "customerTrustAccountId", "expirationDate")
    granted = {name: call.body[name] for name in names if name in call.body}
    if "expirationDate" in granted:
        granted["expirationDate"] = normalised(granted["expirationDate"])
    return granted


def read(call: Call) -> Json:
    return call.sandbox.objects.get(call.tenant.id, VIEWERS, call.ids["viewer_id"])


def delete(call: Call) -> None:
    """Take the access away. The listing shows removed viewers unless it is told not to (platform-api U17)."""
    call.sandbox.objects.remove(call.tenant.id, VIEWERS, call.ids["viewer_id"])


def remind(call: Call) -> Json:
    read(call)
    return {"isSuccessful": True}


PATH = f"{TRUST_CENTER}/viewers"
ONE = f"{PATH}/<viewer_id>"
ROUTES = (
    Route(method="GET", path=PATH, handler=in_trust_center(listing(VIEWERS, is_removed_shown=True))),
    Route(method="POST", path=PATH, handler=in_trust_center(create), body=CREATE),
    Route(method="GET", path=ONE, handler=in_trust_center(reading(VIEWERS, by="viewer_id"))),
    Route(method="PATCH", path=ONE, handler=in_trust_center(update), body=PATCH),
    Route(method="DELETE", path=ONE, handler=in_trust_center(delete), status=204),
    Route(method="POST", path=f"{ONE}/send-invite-reminder", handler=in_trust_center(remind)),
)
