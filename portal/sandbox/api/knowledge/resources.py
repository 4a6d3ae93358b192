"""The knowledge base: files and pages that answers are made from (platform-api 4.4.1)."""

from datetime import timedelta

from flask import Response

from portal.sandbox.api import media
from portal.sandbox.api.errors import Invalid
from portal.sandbox.api.filters import any_of, containing, tagged
from portal.sandbox.api.handlers import blank, deleting, known, saved
from portal.sandbox.api.knowledge.upkeep import DATES, OWNER, VERIFY, kept, verify
from portal.sandbox.api.lists import chosen, clauses, latest_first
from portal.sandbox.api.route import Call, Form, Route
from portal.sandbox.api.signing import signed_url
from portal.sandbox.kinds.knowledge import (
    DOWNLOAD_PERMISSIONS,
    FILE,
    PAGE_VISIBILITIES,
    PUBLIC,
    REQUEST_ACCESS,
    RESOURCE,
    URL,
    VISIBILITIES,
)
from portal.sandbox.objects import Missing
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.schemas import BOOLEAN, FORM_BOOLEAN, MOMENT, NAME, STRING, TAGS, closed, nullable, one_of, text
from portal.sandbox.store import Json

KIND, FOLDER = "knowledge-resources", "knowledge"
URL_SECONDS = 3600
REVIEW_CADENCE = timedelta(days=365)
"""How far ahead a look at a resource moves its end of validity: a setting of the tenant that no call shows."""
CATEGORISED = {FILE: (REQUEST_ACCESS, PUBLIC), URL: (PUBLIC,)}
"""Only resources that visitors can see have a category of the Trust Center (specification 2.5)."""
FILTERS = (
    containing("q", "title"),
    any_of("typeMatchesAny", "type", allowed=(FILE, URL)),
    *DATES,
    tagged("matchesTags", is_grouped=True),
)
COMMON: Json = {"title": NAME, "tags": TAGS}
FILE_COMMON: Json = {
    "customerVisibility": one_of(*VISIBILITIES),
    "downloadPermission": one_of(*DOWNLOAD_PERMISSIONS),
}
PAGE_COMMON: Json = {
    "customerVisibility": one_of(*PAGE_VISIBILITIES),
    "includeSubPages": BOOLEAN,
    "isUsedInQuestionnaires": BOOLEAN,
    "categoryId": nullable(STRING),
}
DOCUMENT_FORM = Form(
    schema=closed(
        required=["title"],
        **COMMON,
        **FILE_COMMON,
        description=STRING,
        ownerAssignment=OWNER,
        isUsedInQuestionnaires=FORM_BOOLEAN,
        expirationDate=MOMENT,
        categoryId=STRING,
    ),
    json_parts=("ownerAssignment", "tags"),
)
CLEARED: Json = {
    "description": nullable(STRING),
    "ownerAssignment": nullable(OWNER),
    "expirationDate": nullable(MOMENT),
}
DOCUMENT_PATCH = closed(**COMMON, **FILE_COMMON, **CLEARED, isUsedInQuestionnaires=BOOLEAN, categoryId=nullable(STRING))
PAGE_BODY = closed(
    required=["title", "url"],
    **COMMON,
    **PAGE_COMMON,
    url=text(format="uri"),
    description=STRING,
    ownerAssignment=OWNER,
    expirationDate=MOMENT,
)
PAGE_PATCH = closed(**COMMON, **PAGE_COMMON, **CLEARED)


def find(call: Call) -> list[Json]:
    found = call.sandbox.objects.all(call.tenant.id, KIND, where=clauses(FILTERS, call.query))
    return [shown(call, resource) for resource in latest_first(found, "lastUpdated")]


def read(call: Call) -> Json:
    return shown(call, call.object)


def shown(call: Call, resource: Json) -> Json:
    """Give a file its address, which is good for an hour."""
    if resource["type"] == URL:
        return resource
    expires = int(call.sandbox.clock.seconds()) + URL_SECONDS
    return resource | {"fileUrl": signed_url(call, FOLDER, resource["id"], expires=expires)}


def create_document(call: Call) -> Json:
    sent = dict(call.body)
    if "isUsedInQuestionnaires" in sent:
        sent["isUsedInQuestionnaires"] = sent["isUsedInQuestionnaires"] == "true"
    category = sent.get("categoryId")
    may_have = sent.get("customerVisibility") in CATEGORISED[FILE]
    if not may_have or not call.sandbox.objects.has(call.tenant.id, "resource-categories", str(category)):
        # On creation what does not fit is left out; only a change is refused.
        sent["categoryId"] = None
    document = made(call, FILE, sent | {"downloadPermission": sent.get("downloadPermission")})
    media.keep_file(call, document["id"])
    return shown(call, document)


def create_page(call: Call) -> Json:
    page = made(call, URL, {"includeSubPages": None} | call.body)
    check_category(page)
    return page


def made(call: Call, resource_type: str, sent: Json) -> Json:
    resource = blank(RESOURCE, now=call.now) | known(sent, RESOURCE) | kept(call) | {"type": resource_type}
    return call.sandbox.objects.add(call.tenant.id, KIND, resource)


def update_document(call: Call) -> Json:
    return shown(call, update(call, FILE))


def update_page(call: Call) -> Json:
    return update(call, URL)


def update(call: Call, resource_type: str) -> Json:
    check_type(call, resource_type)
    changed = call.object | known(call.body, RESOURCE) | kept(call)
    check_category(changed)
    return saved(call, KIND, changed)


def check_category(resource: Json) -> None:
    """Refuse a category for what visitors cannot see."""
    if resource["categoryId"] is not None and resource["customerVisibility"] not in CATEGORISED[resource["type"]]:
        raise Invalid.at("body.categoryId", "a resource with this visibility has no category", value=resource["categoryId"])


def check_type(call: Call, resource_type: str) -> None:
    """Let a file be changed as a file and a page as a page only."""
    if call.object["type"] != resource_type:
        raise Missing(KIND, call.object["id"])


def replace_file(call: Call) -> Json:
    check_type(call, FILE)
    media.keep_file(call, call.object["id"])
    return shown(call, saved(call, KIND, call.object))


def file_of(sandbox: Sandbox, tenant_id: str, resource_id: str) -> Response:
    """Give the file behind a pre-signed address. Raises Missing."""
    return media.file_of(sandbox, tenant_id, sandbox.objects.get(tenant_id, KIND, resource_id))


PATH = "/knowledge-base/resources"
ONE = f"{PATH}/<knowledge_resource_id>"
DOCUMENTS, PAGES = f"{PATH}/documents", f"{PATH}/webpages"
ROUTES = (
    Route("GET", PATH, chosen(find, shape=RESOURCE, filters=FILTERS)),
    Route("GET", ONE, read, answer=RESOURCE),
    Route("DELETE", ONE, deleting(KIND), status=204),
    Route(
        "POST",
        f"{ONE}/verify",
        lambda call: shown(call, verify(call, KIND, cadence=REVIEW_CADENCE)),
        body=VERIFY,
        may_omit_body=True,
        answer=RESOURCE,
    ),
    Route("POST", DOCUMENTS, create_document, form=DOCUMENT_FORM, answer=RESOURCE),
    Route("PATCH", f"{DOCUMENTS}/<knowledge_resource_id>", update_document, body=DOCUMENT_PATCH, answer=RESOURCE),
    Route(
        "POST",
        f"{DOCUMENTS}/<knowledge_resource_id>/upload",
        replace_file,
        form=Form(schema=closed()),
        answer=RESOURCE,
    ),
    Route("POST", PAGES, create_page, body=PAGE_BODY, answer=RESOURCE),
    Route("PATCH", f"{PAGES}/<knowledge_resource_id>", update_page, body=PAGE_PATCH, answer=RESOURCE),
)
