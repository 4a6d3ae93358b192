"""Documents of vendors and of their security reviews (platform-api 4.7)."""

from portal.sandbox.api.handlers import creating, deleting
from portal.sandbox.api.lists import listing
from portal.sandbox.api.media import OCTETS, keep_file
from portal.sandbox.api.route import Call, Form, Route
from portal.sandbox.api.vendors.vendors import ONE as VENDOR
from portal.sandbox.kinds.vendors import DOCUMENTS, REVIEW_DOCUMENTS
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
        "url": f"https://files.example/vendor-documents/{document_id}",
    }


def keep(call: Call, document: Json) -> None:
    keep_file(call, document["id"])


PATH = f"{VENDOR}/documents"
REVIEW_PATH = f"{VENDOR}/security-reviews/<security_review_id>/documents"
REVIEW_ONE = f"{REVIEW_PATH}/<security_review_document_id>"
ROUTES = (
    Route("GET", PATH, listing(DOCUMENTS)),
    Route("POST", PATH, creating(DOCUMENTS, fill=uploaded, then=keep), form=FORM),
    Route("GET", REVIEW_PATH, listing(REVIEW_DOCUMENTS)),
    Route("POST", REVIEW_PATH, creating(REVIEW_DOCUMENTS, fill=uploaded, then=keep), form=FORM),
    Route("DELETE", REVIEW_ONE, deleting(REVIEW_DOCUMENTS), status=204),
)
