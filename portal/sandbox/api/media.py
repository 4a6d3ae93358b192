"""Files that were uploaded for objects, and the PDF of those that never had one."""

from flask import Response

from portal.sandbox import files
from portal.sandbox.api.route import Call, Operation
from portal.sandbox.schemas import MEDIA

OCTETS = "application/octet-stream"


def serving() -> Operation:
    """Make the operation that gives the file of the object the path names, in its own type."""
    return Operation(run=serve, answer=MEDIA)


def serve(call: Call) -> Response:
    upload = call.sandbox.objects.upload_of(call.tenant.id, call.object["id"])
    if upload is not None:
        content, mimetype = upload
        return Response(content, mimetype=mimetype)
    return Response(files.pdf(call.object["title"]), mimetype=files.PDF_TYPE)


def keep_file(call: Call, object_id: str) -> str:
    """Keep the file of a multipart body as the file of an object; return its media type."""
    assert call.file is not None  # noqa: S101 - the form requires it
    mimetype = call.file.mimetype or OCTETS
    call.sandbox.objects.keep_upload(call.tenant.id, object_id, content=call.file.read(), mimetype=mimetype)
    return mimetype
