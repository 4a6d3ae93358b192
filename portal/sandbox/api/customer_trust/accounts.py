"""Customer-trust accounts (platform-api 4.1.7)."""

from portal.sandbox.api.errors import Invalid
from portal.sandbox.api.filters import containing, flagged, labelled
from portal.sandbox.api.handlers import creating, deleting, reading, updating
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Call, Route
from portal.sandbox.kinds.agreements import GRANT_OPTIONS
from portal.sandbox.schemas import BOOLEAN, CUSTOM_FIELDS, NAME, TAGS_BY_CATEGORY, closed, nullable
from portal.sandbox.store import Json

PATH, KIND = "/customer-trust/accounts", "accounts"
ACCESS_CONFIG = closed(
    required=["autoApprovalEnabled"],
    autoApprovalEnabled=BOOLEAN,
    grantAccessOption=nullable(GRANT_OPTIONS),
    tagsByCategory=TAGS_BY_CATEGORY,
)
CREATE = closed(
    required=["name", "emailDomain"],
    name=NAME,
    emailDomain=NAME,
    ndaDetails=closed(required=["markNdaNotRequired"], markNdaNotRequired=BOOLEAN),
    accessConfig=ACCESS_CONFIG,
    customFields=CUSTOM_FIELDS,
    tagsByCategory=TAGS_BY_CATEGORY,
)
PATCH = closed(name=NAME, emailDomain=NAME, customFields=CUSTOM_FIELDS, tagsByCategory=TAGS_BY_CATEGORY)


def first_terms(call: Call) -> Json:
    """Make the NDA and access settings of a new account."""
    not_required = call.body.get("ndaDetails", {}).get("markNdaNotRequired", False)
    return {
        "ndaDetails": {"ndaStatus": "NOT_REQUIRED" if not_required else "INCOMPLETE", "ndaSatisfiedDate": None},
        "accessConfig": access_config(call.body.get("accessConfig")),
    }


def access_config(sent: Json | None) -> Json | None:
    """Keep what was sent. Auto-approval does not work without saying what it grants."""
    if sent is None:
        return None
    option = sent.get("grantAccessOption")
    if sent["autoApprovalEnabled"] and option is None:
        raise Invalid.at("body.accessConfig.grantAccessOption", "'grantAccessOption' is required")
    return {"autoApprovalEnabled": sent["autoApprovalEnabled"], "grantAccessOption": option}


def changed_tags(call: Call) -> Json:
    if "tagsByCategory" not in call.body:
        return {}
    return {"tagsByCategory": merged_tags(call.object["tagsByCategory"], call.body["tagsByCategory"])}


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
    Route("GET", PATH, listing(KIND, filters=FILTERS)),
    Route("POST", PATH, creating(KIND, fill=first_terms), body=CREATE),
    Route("GET", ONE, reading(KIND)),
    Route("PATCH", ONE, updating(KIND, fill=changed_tags), body=PATCH),
    Route("DELETE", ONE, deleting(KIND), status=204),
)
