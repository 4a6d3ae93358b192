"""The storage behind pre-signed addresses."""

import hmac
from collections.abc import Callable

from flask import Blueprint, Response, current_app, request

from portal.sandbox.api.audits import evidence
from portal.sandbox.api.compliance import checks, documents, uploads
from portal.sandbox.api.customer_trust import exports
from portal.sandbox.api.knowledge import resources
from portal.sandbox.api.signing import signature_of
from portal.sandbox.api.vendors import documents as vendor_documents
from portal.sandbox.objects import Missing
from portal.sandbox.sandbox import Sandbox

FOLDERS: dict[str, Callable[[Sandbox, str, str], Response]] = {
    exports.FOLDER: exports.file_of,
    resources.FOLDER: resources.file_of,
    documents.FOLDER: documents.page_of,
    uploads.FOLDER: uploads.file_of,
    checks.FOLDER: checks.file_of,
    vendor_documents.FOLDER: vendor_documents.file_of,
    evidence.FOLDER: evidence.file_of,
}
"""Who writes the files of a folder; called with the sandbox, the tenant's id and the object's id. They raise Missing."""

downloads = Blueprint("downloads", __name__)


@downloads.get("/files/<folder>/<tenant_id>/<id:object_id>")
def download(folder: str, tenant_id: str, object_id: str) -> Response:
    """Give the file to whoever has the signed address. Storage refuses requests that also carry a bearer token."""
    sandbox: Sandbox = current_app.extensions["sandbox"]
    if "Authorization" in request.headers:
        return refused(400, "Only one auth mechanism allowed")
    expires = request.args.get("expires", "")
    signature = request.args.get("signature", "")
    if not (expires.isascii() and expires.isdigit() and len(expires) < 12):
        return refused(403, "Access denied")
    right = signature_of(sandbox, f"files/{folder}/{tenant_id}/{object_id}", int(expires))
    if not hmac.compare_digest(right.encode(), signature.encode()):
        return refused(403, "Access denied")
    if int(expires) <= sandbox.clock.seconds():
        return refused(403, "Request has expired")
    try:
        return FOLDERS[folder](sandbox, tenant_id, object_id)
    except Missing:
        return refused(404, "Not found")


def refused(status: int, message: str) -> Response:
    return Response(f"<Error><Message>{message}</Message></Error>", status=status, mimetype="application/xml")
