"""Evidence of an audit: its status, files and comments (specification 3.3, 4.7, platform-api 4.13)."""

from uuid import uuid4

from flask import Response

from portal.sandbox import files
from portal.sandbox.api.audits.audits import AUDIT_PATH
from portal.sandbox.api.audits.common import COMMENT, SINCE_CHANGE, changed_since, commenting, possible, route
from portal.sandbox.api.errors import unprocessable
from portal.sandbox.api.handlers import check_alive, reading
from portal.sandbox.api.lists import listing, showing
from portal.sandbox.api.route import Call
from portal.sandbox.api.signing import signed_url
from portal.sandbox.changes import audits as changes
from portal.sandbox.changes.audit_comments import ON_EVIDENCE
from portal.sandbox.kinds.audits import evidence as kinds
from portal.sandbox.limits import AUDITOR_COMMENTS, AUDITOR_LISTED, EVIDENCE_URLS
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.schemas import BOOLEAN, NAME, STRING, array, closed, one_of, reference
from portal.sandbox.store import Json
from portal.sandbox.values import new_id

KIND, CONTROLS, REQUESTS, FILES = "audit-evidence", "audit-controls", "custom-evidence-requests", "evidence-urls"
FOLDER, URL_SECONDS = "evidence", 3600
STATUS_UPDATE = closed(
    required=["auditorEmail", "stateTransition"], auditorEmail=NAME, stateTransition=one_of(*changes.TRANSITIONS)
) | {"additionalProperties": True}
UPDATE = closed(statusUpdate=STATUS_UPDATE)
CUSTOM = closed(
    required=["controlIds", "title", "description", "cadence", "reminderWindow", "isRestricted", "auditorEmail"],
    controlIds=array(reference(CONTROLS)),
    title=NAME,
    description=STRING,
    cadence=one_of(*kinds.RECURRENCES),
    reminderWindow=one_of(*kinds.RECURRENCES),
    isRestricted=BOOLEAN,
    auditorEmail=NAME,
)


def update(call: Call) -> Json:
    check_alive(call, KIND)
    if "statusUpdate" not in call.body:
        return call.object
    transition = call.body["statusUpdate"]["stateTransition"]
    return possible(lambda: changes.move_evidence(call.sandbox, call.tenant.id, call.object, transition))


def ask(call: Call) -> Json:
    """Ask the customer for evidence of a kind that the audit does not have; it then stands among the evidence."""
    controls = [control_of(call, control_id) for control_id in call.body["controlIds"]]
    names = ("controlIds", "title", "description", "cadence", "reminderWindow", "isRestricted")
    request: Json = {"id": new_id()} | {name: call.body[name] for name in names}
    call.sandbox.objects.add(call.tenant.id, REQUESTS, request, parent_id=call.object["id"])
    evidence = {
        "id": new_id(),
        "externalId": str(uuid4()),
        "status": kinds.NOT_READY,
        "name": call.body["title"],
        "description": call.body["description"],
        "evidenceType": "Evidence Request",
        "evidenceId": request["id"],
        "testStatus": None,
        "relatedControls": [{"name": control["name"], "sectionNames": []} for control in controls],
        "creationDate": call.now,
        "statusUpdatedDate": call.now,
        "deletionDate": None,
    }
    changes.bring_into_scope(call.sandbox, call.tenant.id, call.object["id"], evidence)
    return request


def control_of(call: Call, control_id: str) -> Json:
    """Return a control of this audit. Raises a 422 for any other."""
    if call.sandbox.objects.parent_of(call.tenant.id, CONTROLS, control_id) != call.object["id"]:
        raise unprocessable()
    return call.sandbox.objects.get(call.tenant.id, CONTROLS, control_id)


def signed(call: Call, file: Json) -> Json:
    """Give a file its address, which is good for an hour."""
    expires = int(call.sandbox.clock.seconds()) + URL_SECONDS
    return file | {"url": signed_url(call, FOLDER, file["id"], expires=expires)}


def file_of(sandbox: Sandbox, tenant_id: str, file_id: str) -> Response:
    """Give the file behind a pre-signed address. Raises Missing."""
    return Response(files.pdf(sandbox.objects.get(tenant_id, FILES, file_id)["filename"]), mimetype=files.PDF_TYPE)


PATH = f"{AUDIT_PATH}/evidence"
ONE = f"{PATH}/<audit_evidence_id>"
COMMENTS = f"{ONE}/comments"
CHANGED = changed_since("creationDate", "statusUpdatedDate", "deletionDate")
ROUTES = (
    route("GET", PATH, listing(KIND, filters=[CHANGED])),
    route("POST", f"{PATH}/custom-evidence-requests", ask, body=CUSTOM, answer=kinds.CUSTOM_REQUEST),
    route("GET", ONE, reading(KIND)),
    route("PATCH", ONE, update, body=UPDATE, answer=kinds.EVIDENCE, refusals=(422,), bucket=AUDITOR_LISTED),
    route("GET", f"{ONE}/urls", showing(listing(FILES), signed), bucket=EVIDENCE_URLS),
    route("GET", COMMENTS, listing("evidence-comments", filters=[SINCE_CHANGE])),
    route("POST", COMMENTS, commenting(ON_EVIDENCE), body=COMMENT, answer=kinds.COMMENT, bucket=AUDITOR_COMMENTS),
    route("GET", f"{COMMENTS}/<evidence_comment_id>", reading("evidence-comments")),
)
