"""Documents of vendors and of their security reviews (platform-api 4.7)."""

from flask import Response

from portal.sandbox.api.handlers import creating, deleting
from portal.sandbox.api.lists import listing, showing
from portal.sandbox.api.media import OCTETS, keep_file
from portal.sandbox.api.media import file_of as file_for
from portal.sandbox.api.route import Call, Form, Route
from portal.sandbox.api.signing import lasting_url
from portal.sandbox.api.vendors.vendors import ONE as VENDOR
from portal.sandbox.kinds.vendors import DOCUMENTS, REVIEW_DOCUMENTS
from portal.sandbox.objects import Missing
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.schemas import NAME, STRING, closed
from portal.sandbox.store import Json
from portal.sandbox.values import new_id

FORM = Form(schema=closed(required=["type"], type=NAME, title=STRING, description=STRING))


def uploaded(call: Call) -> Json:
    """Make what a document has of its file and of who sent it."""
    assert call.file is not None  # noqa: S101 - the form requires it
    document_id = new_id()
    return {
        "id": document_id,
        "fileName": call.file.filename,
        "title": call.body.get("title") or call.file.filename,
        "mimeType": call.file.mimetype or OCTETS,
        "uploadedBy": {"type": "APPLICATION", "id": call.caller.application.client_id},
    }


def addressed(call: Call, document: Json) -> Json:
    return document | {"url": lasting_url(call, FOLDER, document["id"])}


def file_of(sandbox: Sandbox, tenant_id: str, document_id: str) -> Response:
    """Give the file behind a document's address. Raises Missing."""
    kind = DOCUMENTS if sandbox.objects.has(tenant_id, DOCUMENTS, document_id) else REVIEW_DOCUMENTS
    document = sandbox.objects.get(tenant_id, kind, document_id)
    if document["deletionDate"]:
        raise Missing(kind, document_id)
    return file_for(sandbox, tenant_id, document)


def keep(call: Call, document: Json) -> None:
    keep_file(call, document["id"])


FOLDER = "vendor-documents"
PATH = f"{VENDOR}/documents"
REVIEW_PATH = f"{VENDOR}/security-reviews/<security_review_id>/documents"
REVIEW_ONE = f"{REVIEW_PATH}/<security_review_document_id>"
ROUTES = (
    Route("GET", PATH, showing(listing(DOCUMENTS), addressed)),
    Route("POST", PATH, showing(creating(DOCUMENTS, fill=uploaded, then=keep), addressed), form=FORM),
    Route("GET", REVIEW_PATH, showing(listing(REVIEW_DOCUMENTS), addressed)),
    Route("POST", REVIEW_PATH, showing(creating(REVIEW_DOCUMENTS, fill=uploaded, then=keep), addressed), form=FORM),
    Route("DELETE", REVIEW_ONE, deleting(REVIEW_DOCUMENTS), status=204),
)
