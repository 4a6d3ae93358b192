"""Files uploaded for documents (specification 2.3, 4.3, platform-api 4.11)."""

from flask import Response

from portal.sandbox.api import media
from portal.sandbox.api.compliance.documents import ONE as DOCUMENT
from portal.sandbox.api.compliance.scopes import READERS, UPLOADERS, WRITERS
from portal.sandbox.api.handlers import check_alive, creating, deleting
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Call, Form, Route
from portal.sandbox.schemas import MEDIA, MOMENT, STRING, closed
from portal.sandbox.store import Json
from portal.sandbox.values import new_id, normalised

PATH, KIND = f"{DOCUMENT}/uploads", "uploads"
ONE = f"{PATH}/<uploaded_file_id>"
TITLE = "Uploaded through the API"
"""The same for every file that comes this way; who sent it is not kept (platform-api 4.11)."""
FORM = Form(schema=closed(effectiveAtDate=MOMENT, description=STRING))


def received(call: Call) -> Json:
    """Make what an upload has of its file. A file that comes again is another upload."""
    assert call.file is not None  # noqa: S101 - the form requires it
    upload_id = new_id()
    return {
        "id": upload_id,
        "fileName": call.file.filename,
        "title": TITLE,
        "url": f"{call.host_url}v1/documents/{call.object['id']}/uploads/{upload_id}/media",
        "mimeType": media.keep_file(call, upload_id),
        "effectiveDate": normalised(call.body.get("effectiveAtDate")) or call.now,
    }


def serve(call: Call) -> Response:
    """Give the file, unless it was deleted."""
    check_alive(call, KIND)
    return media.serve(call)


ROUTES = (
    Route("GET", PATH, listing(KIND), scopes=READERS),
    Route("POST", PATH, creating(KIND, fill=received), form=FORM, status=201, scopes=UPLOADERS),
    Route("DELETE", ONE, deleting(KIND), status=204, scopes=WRITERS),
    Route("GET", f"{ONE}/media", serve, answer=MEDIA, scopes=READERS),
)
