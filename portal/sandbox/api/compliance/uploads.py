"""Files uploaded for documents (specification 2.3, 4.3, platform-api 4.11)."""

from flask import Response

from portal.sandbox.api import media
from portal.sandbox.api.compliance.documents import ONE as DOCUMENT
from portal.sandbox.api.compliance.scopes import READERS, UPLOADERS, WRITERS
from portal.sandbox.api.handlers import check_alive, creating, deleting
from portal.sandbox.api.lists import listing, showing
from portal.sandbox.api.route import Call, Form, Route
from portal.sandbox.api.signing import lasting_url
from portal.sandbox.objects import Missing
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.schemas import MEDIA, MOMENT, STRING, closed
from portal.sandbox.store import Json
from portal.sandbox.values import new_id, normalised

PATH, KIND, FOLDER = f"{DOCUMENT}/uploads", "uploads", "uploads"
ONE = f"{PATH}/<uploaded_file_id>"
TITLE = "Uploaded through the API"
"""The same for every file that comes this way."""
FORM = Form(schema=closed(effectiveAtDate=MOMENT, description=STRING))


def received(call: Call) -> Json:
    """Make what an upload has of its file. A file that comes again is another upload."""
    assert call.file is not None  # noqa: S101 - the form requires it
    upload_id = new_id()
    return {
        "id": upload_id,
        "fileName": call.file.filename,
        "title": TITLE,
        "mimeType": media.keep_file(call, upload_id),
        "uploadedBy": {"type": "APPLICATION", "id": call.caller.application.client_id},
        "effectiveDate": normalised(call.body.get("effectiveAtDate")) or call.now,
    }


def addressed(call: Call, upload: Json) -> Json:
    return upload | {"url": lasting_url(call, FOLDER, upload["id"])}


def file_of(sandbox: Sandbox, tenant_id: str, upload_id: str) -> Response:
    """Give the file behind an upload's address. Raises Missing, also for a deleted one."""
    upload = sandbox.objects.get(tenant_id, KIND, upload_id)
    if upload["deletionDate"]:
        raise Missing(KIND, upload_id)
    return media.file_of(sandbox, tenant_id, upload)


def serve(call: Call) -> Response:
    """Give the file, unless it was deleted."""
    check_alive(call, KIND)
    return media.serve(call)


ROUTES = (
    Route("GET", PATH, showing(listing(KIND), addressed), scopes=READERS),
    Route("POST", PATH, showing(creating(KIND, fill=received), addressed), form=FORM, status=201, scopes=UPLOADERS),
    Route("DELETE", ONE, deleting(KIND), status=204, scopes=WRITERS),
    Route("GET", f"{ONE}/media", serve, answer=MEDIA, scopes=READERS),
)
