"""Categories of the controls that the Trust Center shows (platform-api 4.5.6)."""

from portal.sandbox.api.errors import Invalid
from portal.sandbox.api.handlers import creating, deleting, reading, updating
from portal.sandbox.api.route import Call, Route
from portal.sandbox.api.trust_center.controls import CATEGORIES, KIND, shown_controls, with_categories
from portal.sandbox.api.trust_center.denormalization import rewrite
from portal.sandbox.api.trust_center.ordering import check_complete, in_order, keep_order, store_order
from portal.sandbox.api.trust_center.settings import PATH as TRUST_CENTER
from portal.sandbox.kinds.showcase import CONTROL_CATEGORY
from portal.sandbox.kinds.trust_center import VISIBILITY_MODES
from portal.sandbox.schemas import NAME, array, closed, nullable, one_of, reference, unpaged
from portal.sandbox.store import Json

CREATE = closed(required=["name"], name=NAME)
PATCH = closed(name=NAME, visibility=one_of("PUBLIC", "SHAREABLE"), statusVisibilityOverride=nullable(VISIBILITY_MODES))
MEMBERS = closed(
    required=["controlsToAdd", "controlsToRemove"],
    controlsToAdd=array(reference(KIND)),
    controlsToRemove=array(reference(KIND)),
)
ORDER = closed(required=["orderedCategoryIds"], orderedCategoryIds=array(reference(CATEGORIES)))
CONTROL_ORDER = closed(required=["orderedControlIds"], orderedControlIds=array(reference(KIND)))


def find(call: Call) -> list[Json]:
    return in_order(call, CATEGORIES, call.sandbox.objects.all(call.tenant.id, CATEGORIES, oldest_first=True))


def reorder(call: Call) -> Json:
    keep_order(call, CATEGORIES, find(call), body_key="orderedCategoryIds")
    return listed(call)


def listed(call: Call) -> Json:
    return {"results": find(call)}


def follow(call: Call, category: Json) -> None:
    """Let the controls of a changed category show it as it is now."""

    def renewed(control: Json) -> Json:
        shown = [category if each["id"] == category["id"] else each for each in control["categories"]]
        return control | {"categories": shown}

    rewrite(call, KIND, renewed)


def leave(call: Call, category: Json) -> None:
    """Take the controls of a deleted category out of the Trust Center, unless they stand in another one."""

    def left(control: Json) -> Json | None:
        rest = without(control, category["id"])
        return rest if rest["categories"] or not control["categories"] else None

    rewrite(call, KIND, left)


def without(control: Json, category_id: str) -> Json:
    return control | {"categories": [each for each in control["categories"] if each["id"] != category_id]}


def change_members(call: Call) -> Json:
    """Put controls into a category and take others out."""
    both = set(call.body["controlsToAdd"]) & set(call.body["controlsToRemove"])
    if both:
        raise Invalid.at("body.controlsToRemove", "a control cannot be added and removed at once", value=sorted(both))
    for control_id in call.body["controlsToAdd"]:
        control = call.sandbox.objects.get(call.tenant.id, KIND, control_id)
        call.sandbox.objects.save(call.tenant.id, KIND, with_categories(control, [call.object]))
    for control_id in call.body["controlsToRemove"]:
        control = call.sandbox.objects.get(call.tenant.id, KIND, control_id)
        call.sandbox.objects.save(call.tenant.id, KIND, without(control, call.object["id"]))
    return call.object


def reorder_members(call: Call) -> Json:
    """Let the members of a category stand in their places in another order; the other controls stay where they are."""
    category_id = call.object["id"]
    is_member = {each["id"]: category_id in {held["id"] for held in each["categories"]} for each in shown_controls(call)}
    wanted = check_complete(call, [each for each in is_member if is_member[each]], body_key="orderedControlIds")
    members = iter(wanted)
    store_order(call, KIND, [next(members) if is_member[each] else each for each in is_member])
    return call.object


PATH = f"{TRUST_CENTER}/control-categories"
ONE = f"{PATH}/<control_category_id>"
ALL = unpaged(CONTROL_CATEGORY)
ROUTES = (
    Route("GET", PATH, listed, answer=ALL),
    Route("POST", PATH, creating(CATEGORIES), body=CREATE),
    Route("PUT", f"{PATH}/order", reorder, body=ORDER, answer=ALL),
    Route("GET", ONE, reading(CATEGORIES)),
    Route("PATCH", ONE, updating(CATEGORIES, then=follow), body=PATCH),
    Route("DELETE", ONE, deleting(CATEGORIES, then=leave), status=204),
    Route("PATCH", f"{ONE}/controls", change_members, body=MEMBERS, answer=CONTROL_CATEGORY),
    Route("PUT", f"{ONE}/controls/order", reorder_members, body=CONTROL_ORDER, answer=CONTROL_CATEGORY),
)
