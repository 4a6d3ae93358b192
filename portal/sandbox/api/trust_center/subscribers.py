"""Who hears of updates: subscribers and their groups (platform-api 4.5.10)."""

from portal.sandbox.api.errors import conflict
from portal.sandbox.api.filters import equal_to
from portal.sandbox.api.handlers import creating, deleting, reading, updating
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Call, Route
from portal.sandbox.api.trust_center.denormalization import rewrite
from portal.sandbox.api.trust_center.settings import PATH as TRUST_CENTER
from portal.sandbox.changes.access_requests import of_person
from portal.sandbox.kinds.showcase import SUBSCRIBER
from portal.sandbox.schemas import BOOLEAN, NAME, array, closed, reference
from portal.sandbox.store import Json

KIND, GROUPS = "subscribers", "subscriber-groups"
CREATE = closed(
    required=["email"],
    email=NAME,
    customerTrustAccountId=reference("accounts"),
    shouldSkipEmailVerification=BOOLEAN,
)
CREATE_GROUP = closed(required=["name", "subscriberIds"], name=NAME, subscriberIds=array(reference(KIND)))
NAMING = closed(required=["name"], name=NAME)
SET_GROUPS = closed(required=["groupIds"], groupIds=array(reference(GROUPS)))


def verified(call: Call) -> Json:
    """Let a subscriber be verified at once if the caller says so. Raises a 409 for a known address."""
    if call.sandbox.objects.all(call.tenant.id, KIND, where=[of_person(call.body["email"])], limit=1):
        raise conflict("A subscriber with this email already exists")
    return {"isEmailVerified": call.body.get("shouldSkipEmailVerification", False)}


def set_groups(call: Call) -> Json:
    """Replace the groups of a subscriber, on both sides."""
    subscriber_id, wanted = call.object["id"], set(call.body["groupIds"])

    def renewed(group: Json) -> Json:
        others = [each for each in group["subscriberIds"] if each != subscriber_id]
        return group | {"subscriberIds": [*others, subscriber_id] if group["id"] in wanted else others}

    rewrite(call, GROUPS, renewed)
    show_groups(call, call.object)
    return call.sandbox.objects.get(call.tenant.id, KIND, subscriber_id)


def show_groups(call: Call, changed: Json) -> None:
    """Let every subscriber show the groups that it is in now."""
    groups = call.sandbox.objects.all(call.tenant.id, GROUPS, oldest_first=True)

    def renewed(subscriber: Json) -> Json:
        mine = [group for group in groups if subscriber["id"] in group["subscriberIds"]]
        return subscriber | {"groups": [{"id": group["id"], "name": group["name"]} for group in mine]}

    rewrite(call, KIND, renewed)


def leave_groups(call: Call, subscriber: Json) -> None:
    def renewed(group: Json) -> Json:
        return group | {"subscriberIds": [each for each in group["subscriberIds"] if each != subscriber["id"]]}

    rewrite(call, GROUPS, renewed)


PATH = f"{TRUST_CENTER}/subscribers"
ONE = f"{PATH}/<subscriber_id>"
GROUP_PATH = f"{TRUST_CENTER}/subscriber-groups"
ONE_GROUP = f"{GROUP_PATH}/<subscriber_group_id>"
FILTERS = (equal_to("customerTrustAccountId", "customerTrustAccountId"),)
ROUTES = (
    Route("GET", PATH, listing(KIND, filters=FILTERS)),
    Route("POST", PATH, creating(KIND, fill=verified), body=CREATE, status=201, refusals=(409,)),
    Route("GET", ONE, reading(KIND)),
    Route("DELETE", ONE, deleting(KIND, then=leave_groups), status=204),
    Route("PUT", f"{ONE}/groups", set_groups, body=SET_GROUPS, answer=SUBSCRIBER),
    Route("GET", GROUP_PATH, listing(GROUPS)),
    Route("POST", GROUP_PATH, creating(GROUPS, then=show_groups), body=CREATE_GROUP, status=201),
    Route("GET", ONE_GROUP, reading(GROUPS)),
    Route("PATCH", ONE_GROUP, updating(GROUPS, then=show_groups), body=NAMING),
    Route("DELETE", ONE_GROUP, deleting(GROUPS, then=show_groups), status=204),
)
