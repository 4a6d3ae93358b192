"""Controls that the Trust Center shows (specification 2.2, 4.2, platform-api 4.5.6)."""

from collections.abc import Callable

from portal.sandbox.api.handlers import deleting
from portal.sandbox.api.lists import brief, chosen
from portal.sandbox.api.route import Call, Operation, Route
from portal.sandbox.api.trust_center.ordering import in_order
from portal.sandbox.api.trust_center.settings import PATH as TRUST_CENTER
from portal.sandbox.kinds.showcase import CONTROL
from portal.sandbox.schemas import NAME, array, closed, reference, unpaged
from portal.sandbox.store import Json

KIND, CATEGORIES = "trust-center-controls", "control-categories"
ADD = closed(required=["controlId", "categoryIds"], controlId=NAME, categoryIds=array(reference(CATEGORIES), minItems=1))
TAG = closed(
    required=["controlIds", "tagCategory", "tags"],
    controlIds=array(reference(KIND), minItems=1, maxItems=100),
    tagCategory=reference("tag-categories"),
    tags=array(reference("tags")),
)
type Change = Callable[[list[Json], list[Json]], list[Json]]
"""Makes the new tags of a control out of the present ones and those that were named."""


def shown_controls(call: Call) -> list[Json]:
    return in_order(call, KIND, call.sandbox.objects.all(call.tenant.id, KIND, oldest_first=True))


def add(call: Call) -> Json:
    """Show a control in categories; one that is shown already is in these categories too."""
    control_id = call.body["controlId"]
    wanted = [call.sandbox.objects.get(call.tenant.id, CATEGORIES, each) for each in call.body["categoryIds"]]
    if call.sandbox.objects.has(call.tenant.id, KIND, control_id):
        control = call.sandbox.objects.get(call.tenant.id, KIND, control_id)
        return shown(call.sandbox.objects.save(call.tenant.id, KIND, with_categories(control, wanted)))
    control = {"id": control_id, **words_of(call, control_id), "categories": []}
    return shown(call.sandbox.objects.add(call.tenant.id, KIND, with_categories(control, wanted)))


def read(call: Call) -> Json:
    return shown(call.object)


def shown(control: Json) -> Json:
    """Leave the tags out: they can be set, and nothing published tells them."""
    return brief(control, CONTROL)


def words_of(call: Call, control_id: str) -> Json:
    """Take name and description from the control itself, so far as the tenant has it."""
    if not call.sandbox.objects.has(call.tenant.id, "controls", control_id):
        return {"name": control_id, "description": ""}
    control = call.sandbox.objects.get(call.tenant.id, "controls", control_id)
    return {"name": control["name"], "description": control["description"]}


def with_categories(control: Json, more: list[Json]) -> Json:
    by_id = {category["id"]: category for category in [*control["categories"], *more]}
    return control | {"categories": [*by_id.values()]}


def tag(call: Call) -> Json:
    return retagged(call, lambda present, named: [*present, *(each for each in named if each not in present)])


def untag(call: Call) -> Json:
    return retagged(call, lambda present, named: [each for each in present if each not in named])


def retagged(call: Call, change: Change) -> Json:
    """Change the tags of several controls; answer them as they are now."""
    named = [{"categoryId": call.body["tagCategory"], "tagId": tag_id} for tag_id in call.body["tags"]]
    controls = [call.sandbox.objects.get(call.tenant.id, KIND, each) for each in dict.fromkeys(call.body["controlIds"])]
    changed = [control | {"tags": change(control.get("tags", []), named)} for control in controls]
    return {"results": [shown(call.sandbox.objects.save(call.tenant.id, KIND, control)) for control in changed]}


PATH = f"{TRUST_CENTER}/controls"
ONE = f"{PATH}/<trust_center_control_id>"
ROUTES = (
    Route("GET", PATH, chosen(shown_controls, shape=CONTROL)),
    Route("POST", PATH, add, body=ADD, answer=CONTROL),
    Route("POST", f"{PATH}/tags", Operation(run=tag, answer=unpaged(CONTROL)), body=TAG),
    Route("DELETE", f"{PATH}/tags", Operation(run=untag, answer=unpaged(CONTROL)), body=TAG),
    Route("GET", ONE, read, answer=CONTROL),
    Route("DELETE", ONE, deleting(KIND), status=204),
)
