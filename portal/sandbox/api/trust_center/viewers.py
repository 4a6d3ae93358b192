"""People with access to the Trust Center (platform-api 4.5.3)."""

from portal.sandbox.api.errors import conflict
from portal.sandbox.api.handlers import reading, saved, succeeding
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Call, Route
from portal.sandbox.api.trust_center.settings import PATH as TRUST_CENTER
from portal.sandbox.changes.access_requests import PENDING_NDA, VIEWERS, grant, viewer_of
from portal.sandbox.kinds.trust_center import LEVEL, VIEWER
from portal.sandbox.schemas import BOOLEAN, MOMENT, NAME, STRING, array, closed, nullable, reference
from portal.sandbox.store import Json
from portal.sandbox.switches import CONFLICT_FOR_VIEWERS
from portal.sandbox.values import normalised

RESOURCES, ACCOUNT = array(reference("resources")), reference("accounts")
CREATE = closed(
    required=["email", "name", "companyName", "isNdaRequired", "accessLevel"],
    email=NAME,
    name=STRING,
    companyName=STRING,
    isNdaRequired=BOOLEAN,
    accessLevel=LEVEL,
    expirationDate=MOMENT,
    resourceIds=RESOURCES,
    customerTrustAccountId=ACCOUNT,
)
PATCH = closed(
    isNdaRequired=BOOLEAN,
    accessLevel=LEVEL,
    expirationDate=nullable(MOMENT),
    resourceIds=RESOURCES,
    customerTrustAccountId=nullable(ACCOUNT),
)


def create(call: Call) -> Json:
    known = viewer_of(call.sandbox, call.tenant.id, call.body["email"])
    if known is not None and call.sandbox.switches[CONFLICT_FOR_VIEWERS]:
        raise conflict("A viewer with this email already exists")
    if known is not None:
        return known
    granted = granted_by(call) | {"ndaInfo": PENDING_NDA if call.body["isNdaRequired"] else None}
    return grant(call.sandbox, call.tenant.id, person=call.body, granted=granted)


def update(call: Call) -> Json:
    viewer = call.object
    if "isNdaRequired" in call.body:
        viewer["ndaInfo"] = (viewer["ndaInfo"] or PENDING_NDA) if call.body["isNdaRequired"] else None
    return saved(call, VIEWERS, viewer | granted_by(call))


def granted_by(call: Call) -> Json:
    """Pick the fields that a viewer has as they were sent."""
    names = ("accessLevel", "resourceIds", "customerTrustAccountId", "expirationDate")
    granted = {name: call.body[name] for name in names if name in call.body}
    if "expirationDate" in granted:
        granted["expirationDate"] = normalised(granted["expirationDate"])
    return granted


def delete(call: Call) -> None:
    """Take the access away. The listing shows removed viewers unless it is told not to (platform-api U17)."""
    call.sandbox.objects.remove(call.tenant.id, VIEWERS, call.object["id"])


PATH = f"{TRUST_CENTER}/viewers"
ONE = f"{PATH}/<viewer_id>"
ROUTES = (
    Route("GET", PATH, listing(VIEWERS, is_removed_shown=True)),
    Route("POST", PATH, create, body=CREATE, answer=VIEWER, refusals=(409,)),
    Route("GET", ONE, reading(VIEWERS)),
    Route("PATCH", ONE, update, body=PATCH, answer=VIEWER),
    Route("DELETE", ONE, delete, status=204),
    Route("POST", f"{ONE}/send-invite-reminder", succeeding(lambda call: None)),
)
