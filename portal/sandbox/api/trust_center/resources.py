"""Documents of the Trust Center and their categories (platform-api 4.5.5)."""

from portal.sandbox.api.handlers import creating, deleting, reading, updating
from portal.sandbox.api.lists import everything
from portal.sandbox.api.media import keep_file, serving
from portal.sandbox.api.route import Call, Form, Route
from portal.sandbox.api.trust_center.denormalization import rewrite
from portal.sandbox.api.trust_center.ordering import in_order, keep_order
from portal.sandbox.api.trust_center.settings import PATH as TRUST_CENTER
from portal.sandbox.kinds.showcase import NAMED
from portal.sandbox.schemas import BOOLEAN, FORM_BOOLEAN, NAME, STRING, array, closed, reference, unpaged
from portal.sandbox.store import Json

KIND, CATEGORIES = "resources", "resource-categories"
FORM = Form(schema=closed(required=["title", "isPublic"], title=NAME, isPublic=FORM_BOOLEAN, description=STRING))
PATCH = closed(title=NAME, isPublic=BOOLEAN, description=STRING)
NAMING = closed(required=["name"], name=NAME)
ORDER = closed(required=["categoryIds"], categoryIds=array(reference(CATEGORIES)))


def file_facts(call: Call) -> Json:
    assert call.file is not None  # noqa: S101 - the form requires it
    return {
        "fileName": call.file.filename,
        "isPublic": call.body["isPublic"] == "true",
        "mimeType": call.file.mimetype or "application/octet-stream",
    }


def keep(call: Call, resource: Json) -> None:
    keep_file(call, resource["id"])


def categories(call: Call) -> list[Json]:
    return in_order(call, CATEGORIES, call.sandbox.objects.all(call.tenant.id, CATEGORIES, oldest_first=True))


def reorder(call: Call) -> Json:
    keep_order(call, CATEGORIES, categories(call), body_key="categoryIds")
    return listed(call)


def listed(call: Call) -> Json:
    return {"results": categories(call)}


def leave_uncategorised(call: Call, category: Json) -> None:
    """Deleting a category leaves its resources without one."""

    def without(resource: Json) -> Json:
        return resource | {"categoryId": None} if resource["categoryId"] == category["id"] else resource

    rewrite(call, "knowledge-resources", without)


PATH = f"{TRUST_CENTER}/resources"
ONE = f"{PATH}/<resource_id>"
CATEGORY_PATH = f"{TRUST_CENTER}/resource-categories"
ONE_CATEGORY = f"{CATEGORY_PATH}/<resource_category_id>"
ALL_CATEGORIES = unpaged(NAMED)
ROUTES = (
    Route("GET", PATH, everything(KIND)),
    Route("POST", PATH, creating(KIND, fill=file_facts, then=keep), form=FORM, status=201),
    Route("GET", ONE, reading(KIND)),
    Route("PATCH", ONE, updating(KIND), body=PATCH),
    Route("DELETE", ONE, deleting(KIND), status=204),
    Route("GET", f"{ONE}/media", serving()),
    Route("GET", CATEGORY_PATH, listed, answer=ALL_CATEGORIES),
    Route("POST", CATEGORY_PATH, creating(CATEGORIES), body=NAMING),
    Route("PUT", f"{CATEGORY_PATH}/order", reorder, body=ORDER, answer=ALL_CATEGORIES),
    Route("PATCH", ONE_CATEGORY, updating(CATEGORIES), body=NAMING),
    Route("DELETE", ONE_CATEGORY, deleting(CATEGORIES, then=leave_uncategorised), status=204),
)
