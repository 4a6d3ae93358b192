"""Files that were uploaded for objects, and those made for objects that never had one."""

from flask import Response

from portal.sandbox import files
from portal.sandbox.api.route import Call, Operation
from portal.sandbox.policies import IN_WORD, policies
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
    """Give the file of an object, or one with its title and, for what the sandbox begins with, its text."""
    content, mimetype = sandbox.objects.upload_of(tenant_id, body["id"]) or made_file(body["title"])
    return Response(content, mimetype=mimetype)


def made_file(title: str) -> tuple[bytes, str]:
    paragraphs = policies().get(title, ())
    if title in IN_WORD:
        return files.document(((text,) for text in paragraphs), title=title), files.DOCX_TYPE
    return files.pdf(title, paragraphs), files.PDF_TYPE


def keep_file(call: Call, object_id: str) -> str:
    """Keep the file of a multipart body as the file of an object; return its media type."""
    assert call.file is not None  # noqa: S101 - the form requires it
    mimetype = call.file.mimetype or OCTETS
    call.sandbox.objects.keep_upload(call.tenant.id, object_id, content=call.file.read(), mimetype=mimetype)
    return mimetype
