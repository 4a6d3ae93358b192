"""Tag categories with their tags, and where they are used (platform-api 4.3)."""

from portal.sandbox.api.errors import Invalid
from portal.sandbox.api.filters import values_of
from portal.sandbox.api.route import Call, Operation, Parameter, Route
from portal.sandbox.api.wordings import none_of
from portal.sandbox.kinds.knowledge import CONTEXTS, TAG, TAG_CATEGORY, WRITABLE_CONTEXTS
from portal.sandbox.objects import Clause
from portal.sandbox.schemas import array, closed, one_of, record, unpaged
from portal.sandbox.store import Json

KIND, CONTEXT = "tag-categories", "product-contexts"
MATCHES = Parameter(name="productContextIdsMatchesAny", schema=array(one_of(*CONTEXTS)))


def find(call: Call) -> Json:
    """Answer all categories, or those that are on for one of the contexts: a category does not tell its contexts."""
    wanted = values_of(call.query, MATCHES.name, CONTEXTS)
    found = call.sandbox.objects.all(call.tenant.id, KIND, oldest_first=True)
    if wanted:
        found = [category for category in found if set(wanted) & contexts_of(call, category["id"])]
    return {"results": found}


def contexts_of(call: Call, category_id: str) -> set[str]:
    rows = call.sandbox.objects.all(call.tenant.id, CONTEXT, parent_id=category_id)
    return {row["id"].rpartition(":")[2] for row in rows}


def read(call: Call) -> Json:
    tags = call.sandbox.objects.all(call.tenant.id, "tags", parent_id=call.object["id"], oldest_first=True)
    return {"category": call.object, "tags": tags}


def switch_on(call: Call) -> None:
    """Enable a category for a context; once more changes nothing."""
    category_id, context = call.object["id"], call.body["productContextId"]
    if context not in contexts_of(call, category_id):
        call.sandbox.objects.add(call.tenant.id, CONTEXT, {"id": f"{category_id}:{context}"}, parent_id=category_id)


def switch_off(call: Call) -> None:
    """Disable a category for a context; once more changes nothing."""
    context = call.ids["product_context_id"]
    if context not in WRITABLE_CONTEXTS:
        raise Invalid.at("productContextId", none_of(WRITABLE_CONTEXTS), value=context)
    row = Clause(sql="id = ?", values=(f"{call.object['id']}:{context}",))
    call.sandbox.objects.delete_where(call.tenant.id, CONTEXT, row)


PATH = "/customer-trust/tag-categories"
ONE = f"{PATH}/<tag_category_id>"
ON = closed(required=["productContextId"], productContextId=one_of(*WRITABLE_CONTEXTS))
ROUTES = (
    Route("GET", PATH, Operation(run=find, answer=unpaged(TAG_CATEGORY), parameters=[MATCHES])),
    Route("GET", ONE, read, answer=record(category=TAG_CATEGORY, tags=array(TAG))),
    Route("POST", f"{ONE}/product-contexts", switch_on, body=ON, status=204),
    Route("DELETE", f"{ONE}/product-contexts/<product_context_id>", switch_off, status=204, refusals=(400,)),
)
