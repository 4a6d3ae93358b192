"""What happens to information requests and evidence of audits: the tables of specification 3.2 and 3.3."""

from portal.sandbox.kinds.audits.evidence import ACCEPTED, INITIALIZED, NA, NOT_READY
from portal.sandbox.kinds.audits.evidence import FLAGGED as EVIDENCE_FLAGGED
from portal.sandbox.kinds.audits.evidence import READY as EVIDENCE_READY
from portal.sandbox.kinds.audits.information_requests import APPROVED, FLAGGED, NEEDED, READY
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.store import Json
from portal.sandbox.values import moment, new_id

REQUESTS, REQUEST_EVIDENCE, ACTIVITY = "information-requests", "request-evidence", "request-activity"
EVIDENCE = "audit-evidence"
SUBMIT, TAKE_BACK, APPROVE, FLAG = "submit", "take back", "approve", "flag"
REQUEST_STEPS = {
    (SUBMIT, NEEDED): READY,
    (APPROVE, READY): APPROVED,
    (FLAG, READY): FLAGGED,
    (TAKE_BACK, READY): NEEDED,
}
"""Where a trigger leads from a status. What is not here cannot happen."""
PROVIDE, ADDRESS, LOSE, REPLACE, BEGIN = "provide", "address", "lose", "replace files", "begin"
TRANSITIONS = ("ACCEPT", "FLAG", "MARK_NA", "MARK_APPLICABLE", "READY_FOR_AUDIT")
"""What an auditor may send (platform-api 5.5)."""
EVIDENCE_STEPS = {
    (PROVIDE, NOT_READY): EVIDENCE_READY,
    ("ACCEPT", EVIDENCE_READY): ACCEPTED,
    ("FLAG", EVIDENCE_READY): EVIDENCE_FLAGGED,
    (ADDRESS, EVIDENCE_FLAGGED): EVIDENCE_READY,
    (LOSE, EVIDENCE_READY): NOT_READY,
    # Other files under the same status: the event tells of equal statuses.
    (REPLACE, EVIDENCE_READY): EVIDENCE_READY,
    # What starts an item is internal, and never delivered.
    (BEGIN, INITIALIZED): NOT_READY,
    # The specification does not show from where these lead; an auditor can send them.
    **{("MARK_NA", status): NA for status in (INITIALIZED, NOT_READY, EVIDENCE_READY, ACCEPTED, EVIDENCE_FLAGGED)},
    ("MARK_APPLICABLE", NA): NOT_READY,
    **{("READY_FOR_AUDIT", status): EVIDENCE_READY for status in (NOT_READY, ACCEPTED, EVIDENCE_FLAGGED)},
}


class Impossible(Exception):
    """The status does not allow it."""

    def __init__(self, trigger: str, status: str) -> None:
        super().__init__(f"{trigger} is not possible in status {status}")


def in_event(status: str) -> str:
    """Spell a status of evidence as events do."""
    return status.upper().replace(" ", "_")


def move_request(
    sandbox: Sandbox, tenant_id: str, request: Json, trigger: str, *, email: str | None = None, reason: str | None = None
) -> Json:  # fmt: skip
    """Change the status of an information request, log it and fire the event. Raises Impossible."""
    old = request["approvalStatus"]
    new = REQUEST_STEPS.get((trigger, old))
    if new is None:
        raise Impossible(trigger, old)
    moved = request | {"approvalStatus": new, "modificationDate": moment(sandbox.clock.now())}
    sandbox.objects.save(tenant_id, REQUESTS, moved)
    facts = {"email": email, "oldStatus": old, "newStatus": new, "reason": reason}
    log(sandbox, tenant_id, request["id"], "STATUS_CHANGED", **facts)
    named = named_request(sandbox, tenant_id, request["id"]) | {"oldStatus": old, "newStatus": new}
    sandbox.emit(tenant_id, "v1.information-request.status-changed", {"informationRequest": named})
    return moved


def log(sandbox: Sandbox, tenant_id: str, request_id: str, activity: str, **facts: str | None) -> None:
    """Add to the history of an information request."""
    nothing = dict.fromkeys(("email", "oldStatus", "newStatus", "reason", "sourceInformationRequestId", "sourceAuditId"))
    entry = {"id": new_id(), "type": activity} | nothing | facts | {"creationDate": moment(sandbox.clock.now())}
    sandbox.objects.add(tenant_id, ACTIVITY, entry, parent_id=request_id)


def named_request(sandbox: Sandbox, tenant_id: str, request_id: str) -> Json:
    return {"id": request_id, "auditId": sandbox.objects.parent_of(tenant_id, REQUESTS, request_id)}


def named_evidence(sandbox: Sandbox, tenant_id: str, evidence_id: str) -> Json:
    return {"id": evidence_id, "auditId": sandbox.objects.parent_of(tenant_id, EVIDENCE, evidence_id)}


def add_request_evidence(sandbox: Sandbox, tenant_id: str, request_id: str, *, name: str, evidence_type: str) -> Json:
    """Let the customer add a piece of evidence to an information request."""
    evidence: Json = {
        "id": new_id(),
        "evidenceType": evidence_type,
        "name": name,
        "description": None,
        "url": None,
        "creationDate": moment(sandbox.clock.now()),
        "modificationDate": None,
        "deletionDate": None,
    }
    sandbox.objects.add(tenant_id, REQUEST_EVIDENCE, evidence, parent_id=request_id)
    tell_of_evidence(sandbox, tenant_id, request_id, evidence["id"], "created")
    return evidence


def delete_request_evidence(sandbox: Sandbox, tenant_id: str, evidence: Json) -> None:
    """Let the customer take a piece of evidence away; it can still be read."""
    request_id = sandbox.objects.parent_of(tenant_id, REQUEST_EVIDENCE, evidence["id"]) or ""
    sandbox.objects.save(tenant_id, REQUEST_EVIDENCE, evidence | {"deletionDate": moment(sandbox.clock.now())})
    tell_of_evidence(sandbox, tenant_id, request_id, evidence["id"], "deleted")


def tell_of_evidence(sandbox: Sandbox, tenant_id: str, request_id: str, evidence_id: str, what: str) -> None:
    payload = {"informationRequest": named_request(sandbox, tenant_id, request_id), "evidence": {"id": evidence_id}}
    sandbox.emit(tenant_id, f"v1.information-request.evidence.{what}", payload)


def move_evidence(sandbox: Sandbox, tenant_id: str, evidence: Json, trigger: str) -> Json:
    """Change the status of an evidence item and fire the event, unless it would tell of INITIALIZED. Raises Impossible."""
    old = evidence["status"]
    new = EVIDENCE_STEPS.get((trigger, old))
    if new is None:
        raise Impossible(trigger, old)
    moved = evidence | {"status": new, "statusUpdatedDate": moment(sandbox.clock.now())}
    sandbox.objects.save(tenant_id, EVIDENCE, moved)
    if INITIALIZED not in {old, new}:
        named = named_evidence(sandbox, tenant_id, evidence["id"])
        payload = {"evidence": named | {"oldStatus": in_event(old), "newStatus": in_event(new)}}
        sandbox.emit(tenant_id, "v1.evidence.status-changed", payload)
    return moved


def bring_into_scope(sandbox: Sandbox, tenant_id: str, audit_id: str, evidence: Json) -> Json:
    """Add an evidence item to an audit, or bring one back that had left: it keeps its status (platform-api 3.4)."""
    if evidence.get("deletionDate"):
        evidence = sandbox.objects.save(tenant_id, EVIDENCE, evidence | {"deletionDate": None})
    else:
        sandbox.objects.add(tenant_id, EVIDENCE, evidence, parent_id=audit_id)
    sandbox.emit(tenant_id, "v1.evidence.created", {"evidence": {"id": evidence["id"], "auditId": audit_id}})
    return evidence


def take_out_of_scope(sandbox: Sandbox, tenant_id: str, evidence: Json) -> None:
    """Let an evidence item leave the audit; it can still be read."""
    sandbox.objects.save(tenant_id, EVIDENCE, evidence | {"deletionDate": moment(sandbox.clock.now())})
    sandbox.emit(tenant_id, "v1.evidence.deleted", {"evidence": named_evidence(sandbox, tenant_id, evidence["id"])})
