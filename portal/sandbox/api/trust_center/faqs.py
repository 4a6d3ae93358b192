"""Questions that the Trust Center answers, their categories, and subprocessors (platform-api 4.5.7, 4.5.8)."""

from portal.sandbox.api.handlers import creating, deleting, reading, updating
from portal.sandbox.api.lists import everything
from portal.sandbox.api.route import Call, Route
from portal.sandbox.api.trust_center.denormalization import rewrite
from portal.sandbox.api.trust_center.settings import PATH as TRUST_CENTER
from portal.sandbox.schemas import MAYBE_STRING, NAME, STRING, closed, nullable, reference
from portal.sandbox.store import Json

KIND, CATEGORIES, SUBPROCESSORS = "faqs", "faq-categories", "subprocessors"
FAQ = closed(required=["question", "answer"], question=NAME, answer=NAME, categoryId=nullable(reference(CATEGORIES)))
NAMING = closed(required=["name"], name=NAME)
SUBPROCESSOR = closed(required=["name"], name=NAME, url=STRING, description=STRING, location=STRING, purpose=STRING)
SUBPROCESSOR_PATCH = closed(description=MAYBE_STRING, location=MAYBE_STRING, purpose=MAYBE_STRING)


def category(call: Call) -> Json:
    """Make the category with its name; one that is not sent stays."""
    if "categoryId" not in call.body:
        return {}
    if call.body["categoryId"] is None:
        return {"category": None}
    return {"category": call.sandbox.objects.get(call.tenant.id, CATEGORIES, call.body["categoryId"])}


def follow(call: Call, changed: Json) -> None:
    recategorise(call, changed["id"], changed)


def leave(call: Call, deleted: Json) -> None:
    recategorise(call, deleted["id"], None)


def recategorise(call: Call, category_id: str, now: Json | None) -> None:
    def renewed(faq: Json) -> Json:
        return faq | {"category": now} if faq["category"] and faq["category"]["id"] == category_id else faq

    rewrite(call, KIND, renewed)


PATH = f"{TRUST_CENTER}/faqs"
ONE = f"{PATH}/<faq_id>"
CATEGORY_PATH = f"{TRUST_CENTER}/faq-categories"
ONE_CATEGORY = f"{CATEGORY_PATH}/<faq_category_id>"
SUBPROCESSOR_PATH = f"{TRUST_CENTER}/subprocessors"
ONE_SUBPROCESSOR = f"{SUBPROCESSOR_PATH}/<subprocessor_id>"
ROUTES = (
    Route("GET", PATH, everything(KIND, oldest_first=True)),
    Route("POST", PATH, creating(KIND, fill=category), body=FAQ, status=201),
    Route("GET", ONE, reading(KIND)),
    Route("PATCH", ONE, updating(KIND, fill=category), body=FAQ),
    Route("DELETE", ONE, deleting(KIND), status=204),
    Route("GET", CATEGORY_PATH, everything(CATEGORIES, oldest_first=True)),
    Route("POST", CATEGORY_PATH, creating(CATEGORIES), body=NAMING),
    Route("PATCH", ONE_CATEGORY, updating(CATEGORIES, then=follow), body=NAMING),
    Route("DELETE", ONE_CATEGORY, deleting(CATEGORIES, then=leave), status=204),
    Route("GET", SUBPROCESSOR_PATH, everything(SUBPROCESSORS, oldest_first=True)),
    Route("POST", SUBPROCESSOR_PATH, creating(SUBPROCESSORS), body=SUBPROCESSOR, status=201),
    Route("GET", ONE_SUBPROCESSOR, reading(SUBPROCESSORS)),
    Route("PATCH", ONE_SUBPROCESSOR, updating(SUBPROCESSORS), body=SUBPROCESSOR_PATCH),
    Route("DELETE", ONE_SUBPROCESSOR, deleting(SUBPROCESSORS), status=204),
)
