"""Exports of questionnaires and their pre-signed downloads (platform-api 4.1.5)."""

import hmac
import secrets
from hashlib import sha256

from flask import Blueprint, Response, current_app, request

from portal.sandbox import files
from portal.sandbox.api.route import Call, Route
from portal.sandbox.changes import exports as changes
from portal.sandbox.kinds.questionnaires import CSV, EXPORT, ORIGINAL
from portal.sandbox.objects import Missing
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.schemas import closed, one_of, text
from portal.sandbox.store import Json
from portal.sandbox.values import moment

URL_SECONDS = 24 * 3600
KEY_SETTING = "download_key"

downloads = Blueprint("downloads", __name__)


def start(call: Call) -> Json:
    return changes.start(
        call.sandbox, call.tenant.id, questionnaire_id=call.body["questionnaireId"], export_format=call.body["format"]
    )


def read(call: Call) -> Json:
    """Answer an export; every time it is asked for, a completed one gets a fresh address (platform-api 7.7)."""
    export = call.object
    if export["status"] != "completed":
        return export
    expires = int(call.sandbox.clock.seconds()) + URL_SECONDS
    path = f"files/exports/{call.tenant.id}/{export['id']}"
    signature = signature_of(call.sandbox, path, expires)
    url = f"{call.host_url}{path}?expires={expires}&signature={signature}"
    return export | {"downloadUrl": url, "expiresAt": moment(expires)}


def signature_of(sandbox: Sandbox, path: str, expires: int) -> str:
    key = sandbox.store.setting(KEY_SETTING, None)
    if key is None:
        key = secrets.token_hex(32)
        sandbox.store.set_setting(KEY_SETTING, key)
    return hmac.new(str(key).encode(), f"{path}?{expires}".encode(), sha256).hexdigest()


@downloads.get("/files/exports/<tenant_id>/<export_id>")
def download(tenant_id: str, export_id: str) -> Response:
    """Give the file to whoever has the signed address. Storage refuses requests that also carry a bearer token."""
    sandbox: Sandbox = current_app.extensions["sandbox"]
    if "Authorization" in request.headers:
        return refused(400, "Only one auth mechanism allowed")
    expires = request.args.get("expires", "")
    signature = request.args.get("signature", "")
    if not (expires.isascii() and expires.isdigit() and len(expires) < 12):
        return refused(403, "Access denied")
    right = signature_of(sandbox, f"files/exports/{tenant_id}/{export_id}", int(expires))
    if not hmac.compare_digest(right.encode(), signature.encode()):
        return refused(403, "Access denied")
    if int(expires) <= sandbox.clock.seconds():
        return refused(403, "Request has expired")
    return file_of(sandbox, tenant_id, export_id)


def file_of(sandbox: Sandbox, tenant_id: str, export_id: str) -> Response:
    try:
        export = sandbox.objects.get(tenant_id, changes.KIND, export_id)
        questionnaire_id = sandbox.objects.parent_of(tenant_id, changes.KIND, export_id) or ""
        questionnaire = sandbox.objects.get(tenant_id, "questionnaires", questionnaire_id)
    except Missing:
        return refused(404, "Not found")
    responses = sandbox.objects.all(tenant_id, "responses", parent_id=questionnaire_id, oldest_first=True)
    suffix = "csv" if export["format"] == CSV else files.SUFFIX_OF_TYPE[questionnaire["type"]]
    content, mimetype = files.written(responses, suffix=suffix, title=questionnaire["displayName"])
    disposition = f'attachment; filename="questionnaire-{questionnaire_id}.{suffix}"'
    return Response(content, mimetype=mimetype, headers={"Content-Disposition": disposition})


def refused(status: int, message: str) -> Response:
    return Response(f"<Error><Message>{message}</Message></Error>", status=status, mimetype="application/xml")


PATH = "/customer-trust/questionnaires/exports"
START = closed(required=["questionnaireId", "format"], questionnaireId=text(minLength=1), format=one_of(ORIGINAL, CSV))
ROUTES = (
    Route("POST", PATH, start, body=START, status=202, answer=EXPORT, refusals=(404,)),
    Route("GET", f"{PATH}/<export_id>", read, answer=EXPORT),
)
