"""Customer-trust accounts (platform-api 4.1.7)."""

from portal.sandbox.api.errors import Invalid
from portal.sandbox.api.lists import containing, deleting, flagged, labelled, listing, reading
from portal.sandbox.api.route import Call, Route
from portal.sandbox.api.schemas import BOOLEAN, IDS, NAME, STRING, array, closed, nullable, one_of
from portal.sandbox.store import Json
from portal.sandbox.values import moment, new_id

PATH, KIND = "/customer-trust/accounts", "accounts"
CUSTOM_FIELDS = array(
    closed(required=["label", "value"], label=NAME, value={"anyOf": [STRING, IDS]}),
)
TAGS = array(closed(required=["categoryId", "tagIds"], categoryId=NAME, tagIds=IDS))
GRANT_OPTIONS = one_of("INCLUDE_EVERYTHING_REQUESTED", "INCLUDE_ONLY_CONFIGURED")
ACCESS_CONFIG = closed(
    required=["autoApprovalEnabled"],
    autoApprovalEnabled=BOOLEAN,
    grantAccessOption=nullable(GRANT_OPTIONS),
    tagsByCategory=TAGS,
)
CREATE = closed(
    required=["name", "emailDomain"],
    name=NAME,
    emailDomain=NAME,
    ndaDetails=closed(required=["markNdaNotRequired"], markNdaNotRequired=BOOLEAN),
    accessConfig=ACCESS_CONFIG,
    customFields=CUSTOM_FIELDS,
    tagsByCategory=TAGS,
)
PATCH = closed(name=NAME, emailDomain=NAME, customFields=CUSTOM_FIELDS, tagsByCategory=TAGS)


def create(call: Call) -> Json:
    body, now = call.body, moment(call.sandbox.clock.now())
    not_required = body.get("ndaDetails", {}).get("markNdaNotRequired", False)
    account = {
        "id": new_id(),
        "name": body["name"],
        "emailDomain": body["emailDomain"],
        "createdDate": now,
        "updatedDate": now,
        "ndaDetails": {"ndaStatus": "NOT_REQUIRED" if not_required else "INCOMPLETE", "ndaSatisfiedDate": None},
        "accessConfig": access_config(body.get("accessConfig")),
        "customFields": body.get("customFields", []),
        "tagsByCategory": body.get("tagsByCategory", []),
    }
    return call.sandbox.objects.add(call.tenant.id, KIND, account)


def access_config(sent: Json | None) -> Json | None:
    """Keep what was sent. Auto-approval does not work without saying what it grants."""
    if sent is None:
        return None
    option = sent.get("grantAccessOption")
    if sent["autoApprovalEnabled"] and option is None:
        raise Invalid.at("body.accessConfig.grantAccessOption", "'grantAccessOption' is required")
    return {"autoApprovalEnabled": sent["autoApprovalEnabled"], "grantAccessOption": option}


def update(call: Call) -> Json:
    account = call.sandbox.objects.get(call.tenant.id, KIND, call.ids["account_id"])
    changes = dict(call.body)
    if "tagsByCategory" in changes:
        changes["tagsByCategory"] = merged_tags(account["tagsByCategory"], changes["tagsByCategory"])
    account |= changes | {"updatedDate": moment(call.sandbox.clock.now())}
    return call.sandbox.objects.save(call.tenant.id, KIND, account)


def merged_tags(present: list[Json], sent: list[Json]) -> list[Json]:
    """Replace the tags category by category; an empty list clears its category."""
    by_category = {entry["categoryId"]: entry for entry in [*present, *sent]}
    return [entry for entry in by_category.values() if entry["tagIds"]]


ONE = f"{PATH}/<account_id>"
FILTERS = (
    containing("searchString", "name", "emailDomain"),
    flagged("isAutoApprovalEnabled", "accessConfig.autoApprovalEnabled"),
    labelled("customFieldsFilter", "customFields"),
)
ROUTES = (
    Route(method="GET", path=PATH, handler=listing(KIND, filters=FILTERS)),
    Route(method="POST", path=PATH, handler=create, body=CREATE),
    Route(method="GET", path=ONE, handler=reading(KIND, by="account_id")),
    Route(method="PATCH", path=ONE, handler=update, body=PATCH),
    Route(method="DELETE", path=ONE, handler=deleting(KIND, by="account_id"), status=204),
)
