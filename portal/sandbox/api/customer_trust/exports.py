"""Exports of questionnaires as files (platform-api 4.1.5)."""

from flask import Response

from portal.sandbox import files
from portal.sandbox.api.route import Call, Route
from portal.sandbox.api.signing import signed_url
from portal.sandbox.changes import exports as changes
from portal.sandbox.kinds.questionnaires import CSV, EXPORT, ORIGINAL
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.schemas import closed, one_of, text
from portal.sandbox.store import Json
from portal.sandbox.values import moment

URL_SECONDS = 24 * 3600
FOLDER = "exports"


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
    return export | {"downloadUrl": signed_url(call, FOLDER, export["id"], expires=expires), "expiresAt": moment(expires)}


def file_of(sandbox: Sandbox, tenant_id: str, export_id: str) -> Response:
    """Write the file of an export. Raises Missing."""
    export = sandbox.objects.get(tenant_id, changes.KIND, export_id)
    questionnaire_id = sandbox.objects.parent_of(tenant_id, changes.KIND, export_id) or ""
    questionnaire = sandbox.objects.get(tenant_id, "questionnaires", questionnaire_id)
    responses = sandbox.objects.all(tenant_id, "responses", parent_id=questionnaire_id, oldest_first=True)
    suffix = "csv" if export["format"] == CSV else files.SUFFIX_OF_TYPE[questionnaire["type"]]
    content, mimetype = files.written(responses, suffix=suffix, title=questionnaire["displayName"])
    disposition = f'attachment; filename="questionnaire-{questionnaire_id}.{suffix}"'
    return Response(content, mimetype=mimetype, headers={"Content-Disposition": disposition})


PATH = "/customer-trust/questionnaires/exports"
START = closed(required=["questionnaireId", "format"], questionnaireId=text(minLength=1), format=one_of(ORIGINAL, CSV))
ROUTES = (
    Route("POST", PATH, start, body=START, status=202, answer=EXPORT, refusals=(404,)),
    Route("GET", f"{PATH}/<export_id>", read, answer=EXPORT),
)
