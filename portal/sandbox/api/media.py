"""Files that were uploaded for objects, and the PDF of those that never had one."""

from flask import Response

from portal.sandbox import files
from portal.sandbox.api.route import Call, Operation
from portal.sandbox.policies import policies
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.schemas import MEDIA
from portal.sandbox.store import Json

OCTETS = "application/octet-stream"


def serving() -> Operation:
    """Make the operation that gives the file of the object the path names, in its own type."""
    return Operation(run=serve, answer=MEDIA)


def serve(call: Call) -> Response:
    return file_of(call.sandbox, call.tenant.id, call.object)


def file_of(sandbox: Sandbox, tenant_id: str, body: Json) -> Response:
    """Give the file of an object, or a PDF with its title and, for what the sandbox begins with, its text."""
    upload = sandbox.objects.upload_of(tenant_id, body["id"])
    if upload is None:
        return Response(files.pdf(body["title"], policies().get(body["title"], ())), mimetype=files.PDF_TYPE)
    content, mimetype = upload
    return Response(content, mimetype=mimetype)


def keep_file(call: Call, object_id: str) -> str:
    """Keep the file of a multipart body as the file of an object; return its media type."""
    assert call.file is not None  # noqa: S101 - the form requires it
    mimetype = call.file.mimetype or OCTETS
    call.sandbox.objects.keep_upload(call.tenant.id, object_id, content=call.file.read(), mimetype=mimetype)
    return mimetype
