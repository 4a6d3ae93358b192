"""Evidence of an audit: its status, files and comments (specification 3.3, 4.7, platform-api 4.13)."""

from portal.sandbox.api.audits.audits import AUDIT_PATH
from portal.sandbox.api.audits.common import COMMENT, SINCE_CHANGE, changed_since, commenting, possible, route
from portal.sandbox.api.handlers import check_alive, reading
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Call
from portal.sandbox.changes import audits as changes
from portal.sandbox.changes.audit_comments import ON_EVIDENCE
from portal.sandbox.kinds.audits import evidence as kinds
from portal.sandbox.kinds.compliance.documents import CADENCES, REMINDERS
from portal.sandbox.limits import AUDITOR_COMMENTS, AUDITOR_LISTED, EVIDENCE_URLS
from portal.sandbox.schemas import BOOLEAN, NAME, STRING, array, closed, one_of, reference
from portal.sandbox.store import Json
from portal.sandbox.values import new_id

KIND = "audit-evidence"
STATUS_UPDATE = closed(
    required=["auditorEmail", "stateTransition"], auditorEmail=NAME, stateTransition=one_of(*changes.TRANSITIONS)
)
UPDATE = closed(required=["statusUpdate"], statusUpdate=STATUS_UPDATE)
CUSTOM = closed(
    required=["controlIds", "title", "description", "cadence", "reminderWindow", "isRestricted", "auditorEmail"],
    controlIds=array(reference("audit-controls")),
    title=NAME,
    description=STRING,
    cadence=one_of(*CADENCES),
    reminderWindow=one_of(*REMINDERS),
    isRestricted=BOOLEAN,
    auditorEmail=NAME,
)


def update(call: Call) -> Json:
    check_alive(call, KIND)
    transition = call.body["statusUpdate"]["stateTransition"]
    return possible(lambda: changes.move_evidence(call.sandbox, call.tenant.id, call.object, transition))


def ask(call: Call) -> Json:
    """Ask the customer for evidence of a kind that the audit does not have."""
    controls = [call.sandbox.objects.get(call.tenant.id, "audit-controls", each) for each in call.body["controlIds"]]
    evidence_id = new_id()
    evidence = {
        "id": evidence_id,
        "externalId": f"CUSTOM-{evidence_id[-6:]}",
        "status": kinds.NOT_READY,
        "name": call.body["title"],
        "description": call.body["description"],
        "evidenceType": "Evidence Request",
        "evidenceId": new_id(),
        "testStatus": None,
        "relatedControls": [{"name": control["name"], "sectionNames": []} for control in controls],
        "creationDate": call.now,
        "statusUpdatedDate": call.now,
        "deletionDate": None,
    }
    return changes.bring_into_scope(call.sandbox, call.tenant.id, call.object["id"], evidence)


PATH = f"{AUDIT_PATH}/evidence"
ONE = f"{PATH}/<audit_evidence_id>"
COMMENTS = f"{ONE}/comments"
CHANGED = changed_since("creationDate", "statusUpdatedDate", "deletionDate")
ROUTES = (
    route("GET", PATH, listing(KIND, filters=[CHANGED])),
    route("POST", f"{PATH}/custom-evidence-requests", ask, body=CUSTOM, answer=kinds.EVIDENCE),
    route("GET", ONE, reading(KIND)),
    route("PATCH", ONE, update, body=UPDATE, answer=kinds.EVIDENCE, refusals=(422,), bucket=AUDITOR_LISTED),
    route("GET", f"{ONE}/urls", listing("evidence-urls"), bucket=EVIDENCE_URLS),
    route("GET", COMMENTS, listing("evidence-comments", filters=[SINCE_CHANGE])),
    route("POST", COMMENTS, commenting(ON_EVIDENCE), body=COMMENT, answer=kinds.COMMENT, bucket=AUDITOR_COMMENTS),
    route("GET", f"{COMMENTS}/<evidence_comment_id>", reading("evidence-comments")),
)
