"""Documents and their links (platform-api 4.11)."""

import re

from flask import Response

from portal.sandbox.api import media
from portal.sandbox.api.compliance import links
from portal.sandbox.api.compliance.owners import SET_OWNER
from portal.sandbox.api.compliance.scopes import LISTERS, READERS, WRITERS
from portal.sandbox.api.errors import unprocessable
from portal.sandbox.api.filters import any_of
from portal.sandbox.api.handlers import creating, deleting, reading, saved, updating
from portal.sandbox.api.lists import brief, chosen, listing, showing
from portal.sandbox.api.route import Call, Route
from portal.sandbox.api.signing import lasting_url
from portal.sandbox.kinds.compliance.controls import CONTROL
from portal.sandbox.kinds.compliance.documents import CADENCES, DOCUMENT, FINE, NEEDED, REMINDERS, STATUSES
from portal.sandbox.objects import equal
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.schemas import BOOLEAN, MAYBE_MOMENT, MAYBE_STRING, NAME, STRING, closed, one_of
from portal.sandbox.store import Json

PATH, KIND, FOLDER = "/documents", "documents", "documents"
CREATE = closed(
    required=["title", "description", "timeSensitivity", "cadence", "reminderWindow", "isSensitive"],
    title=NAME,
    description=STRING,
    timeSensitivity=one_of("MOST_RECENT", "MAX_RECENT", "DURING_AUDIT_WINDOW"),
    cadence=one_of(*CADENCES),
    reminderWindow=one_of(*REMINDERS),
    isSensitive=BOOLEAN,
)
LINK = closed(
    required=["url", "title"],
    url={"type": "string", "format": "uri"},
    title=NAME,
    description=MAYBE_STRING,
    effectiveDate=MAYBE_MOMENT,
)


def custom(call: Call) -> Json:
    """Make what a new document has besides what was sent. Its id is readable (platform-api 1.2)."""
    cadence, reminder = (CADENCES.index(call.body[name]) for name in ("cadence", "reminderWindow"))
    if reminder >= cadence and reminder > 0:
        raise unprocessable("The reminder window must be smaller than the cadence")
    return {
        "id": unused_slug(call, call.body["title"]),
        "category": "Custom",
        "uploadStatus": NEEDED,
        "renewalCadence": call.body["cadence"],
    }


def addressed(call: Call, document: Json) -> Json:
    return document | {"url": lasting_url(call, FOLDER, document["id"])}


def shown_briefly(call: Call, document: Json) -> Json:
    return brief(addressed(call, document), DOCUMENT)


def page_of(sandbox: Sandbox, tenant_id: str, document_id: str) -> Response:
    """Give what stands at the address of a document. Raises Missing."""
    return media.file_of(sandbox, tenant_id, sandbox.objects.get(tenant_id, KIND, document_id))


def described(call: Call) -> Json:
    """A link without a description has an empty one."""
    return {"description": call.body.get("description") or ""}


def unused_slug(call: Call, title: str) -> str:
    """Write a title as an id, with a number behind it where others have it already."""
    slug = "-".join(re.findall(r"[a-z0-9]+", title.lower())) or "document"
    number = 1
    name = slug
    while call.sandbox.objects.all(call.tenant.id, KIND, where=[equal("id", name)], limit=1):
        number += 1
        name = f"{slug}-{number}"
    return name


def forget(call: Call, document: Json) -> None:
    links.forget(call, links.DOCUMENT, document["id"])


def controls_of(call: Call) -> list[Json]:
    where = [links.mapped_to(links.DOCUMENT, [call.object["id"]])]
    return call.sandbox.objects.all(call.tenant.id, "controls", where=where)


def as_owner(call: Call) -> Json:
    return {"ownerId": call.body["userId"]}


def submit(call: Call) -> None:
    """Send the collected evidence: the document is in order."""
    saved(call, KIND, call.object | {"uploadStatus": FINE, "uploadStatusDate": call.now})


ONE = f"{PATH}/<document_id>"
FILTERS = (
    links.through_framework("frameworkMatchesAny", links.DOCUMENT),
    any_of("statusMatchesAny", "uploadStatus", allowed=STATUSES),
)
MADE = showing(creating(KIND, fill=custom), shown_briefly, shape=DOCUMENT)
OWNED = showing(updating(KIND, fill=as_owner), shown_briefly, shape=DOCUMENT)
ROUTES = (
    Route("GET", PATH, showing(listing(KIND, filters=FILTERS, shape=DOCUMENT), addressed), scopes=LISTERS),
    Route("POST", PATH, MADE, body=CREATE, status=201, scopes=WRITERS, refusals=(422,)),
    Route("GET", ONE, showing(reading(KIND), addressed), scopes=READERS),
    Route("DELETE", ONE, deleting(KIND, then=forget), status=204, scopes=WRITERS),
    Route("GET", f"{ONE}/controls", chosen(controls_of, shape=CONTROL), scopes=READERS),
    Route("GET", f"{ONE}/links", listing("links"), scopes=READERS),
    Route("POST", f"{ONE}/links", creating("links", fill=described), body=LINK, status=201, scopes=WRITERS),
    Route("DELETE", f"{ONE}/links/<link_id>", deleting("links"), status=204, scopes=WRITERS),
    Route("POST", f"{ONE}/set-owner", OWNED, body=SET_OWNER, scopes=WRITERS),
    Route("POST", f"{ONE}/submit", submit, status=204, scopes=WRITERS),
)
