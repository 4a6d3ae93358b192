"""What the customer does in an audit, and what colleagues comment in the platform's own application."""

from portal.sandbox.api.errors import Refusal
from portal.sandbox.changes import audit_comments, audits
from portal.sandbox.changes.audit_comments import ON_CONTROL, ON_EVIDENCE, ON_REQUEST, Family
from portal.sandbox.control.choice import Happening, chosen
from portal.sandbox.kinds.audits.evidence import FLAGGED, NOT_READY
from portal.sandbox.kinds.audits.evidence import READY as EVIDENCE_READY
from portal.sandbox.kinds.audits.information_requests import NEEDED, READY
from portal.sandbox.objects import Clause
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.store import Json
from portal.sandbox.tenants import Tenant
from portal.sandbox.values import moment, new_id

ALIVE = Clause(sql="json_extract(body, '$.deletionDate') IS NULL")
CUSTOMER = "customer@tenant.example"
REQUEST_TRIGGERS = {NEEDED: audits.SUBMIT, READY: audits.TAKE_BACK}
"""What a customer can do with a request in a status."""
EVIDENCE_TRIGGERS = {NOT_READY: audits.PROVIDE, FLAGGED: audits.ADDRESS, EVIDENCE_READY: audits.REPLACE}


def one_of(field: str, statuses: dict[str, str]) -> Clause:
    marks = ", ".join("?" * len(statuses))
    return Clause(sql=f"json_extract(body, '$.{field}') IN ({marks})", values=tuple(statuses))


def change_request(sandbox: Sandbox, tenant: Tenant, object_id: str | None) -> None:
    """Submit a request, or take it back when it was submitted."""
    workable = one_of("approvalStatus", REQUEST_TRIGGERS)
    request = chosen(sandbox, tenant, audits.REQUESTS, object_id, ALIVE, workable)
    trigger = REQUEST_TRIGGERS.get(request["approvalStatus"])
    if trigger is None:
        raise Refusal(409, "A customer can do nothing with this request")
    audits.move_request(sandbox, tenant.id, request, trigger, email=CUSTOMER)


def add_request_evidence(sandbox: Sandbox, tenant: Tenant, object_id: str | None) -> None:
    request = chosen(sandbox, tenant, audits.REQUESTS, object_id, ALIVE)
    audits.add_request_evidence(sandbox, tenant.id, request["id"], name="policy.pdf", evidence_type="UPLOADED_DOCUMENT")


def delete_request_evidence(sandbox: Sandbox, tenant: Tenant, object_id: str | None) -> None:
    evidence = alive(chosen(sandbox, tenant, audits.REQUEST_EVIDENCE, object_id, ALIVE))
    audits.delete_request_evidence(sandbox, tenant.id, evidence)


def change_evidence(sandbox: Sandbox, tenant: Tenant, object_id: str | None) -> None:
    """Provide evidence, address what was flagged, or bring in other files; a test that was fine begins to fail."""
    workable = one_of("status", EVIDENCE_TRIGGERS)
    evidence = chosen(sandbox, tenant, audits.EVIDENCE, object_id, ALIVE, workable)
    trigger = EVIDENCE_TRIGGERS.get(evidence["status"])
    if trigger is None:
        raise Refusal(409, "A customer can do nothing with this evidence")
    if trigger == audits.REPLACE and evidence["evidenceType"] == "Test":
        trigger = audits.LOSE
    audits.move_evidence(sandbox, tenant.id, evidence, trigger)


def bring_evidence(sandbox: Sandbox, tenant: Tenant, object_id: str | None) -> None:
    """Bring the named item back into scope, or another one into the newest audit."""
    if object_id is not None:
        evidence = sandbox.objects.get(tenant.id, audits.EVIDENCE, object_id)
        if evidence["deletionDate"] is None:
            raise Refusal(409, "This evidence is in scope")
        audit_id = sandbox.objects.parent_of(tenant.id, audits.EVIDENCE, object_id) or ""
    else:
        audit_id, evidence = chosen(sandbox, tenant, "audits", None)["id"], another_item(sandbox)
    audits.bring_into_scope(sandbox, tenant.id, audit_id, evidence)


def another_item(sandbox: Sandbox) -> Json:
    evidence_id, now = new_id(), moment(sandbox.clock.now())
    return {
        "id": evidence_id,
        "externalId": f"E-{evidence_id[-6:]}",
        "status": NOT_READY,
        "name": "Vendor inventory",
        "description": None,
        "evidenceType": "Evidence Request",
        "evidenceId": new_id(),
        "testStatus": None,
        "relatedControls": [],
        "creationDate": now,
        "statusUpdatedDate": now,
        "deletionDate": None,
    }


def take_evidence(sandbox: Sandbox, tenant: Tenant, object_id: str | None) -> None:
    audits.take_out_of_scope(sandbox, tenant.id, alive(chosen(sandbox, tenant, audits.EVIDENCE, object_id, ALIVE)))


def alive(found: Json) -> Json:
    if found["deletionDate"]:
        raise Refusal(409, "It is deleted already")
    return found


def commented(family: Family) -> Happening:
    def happen(sandbox: Sandbox, tenant: Tenant, object_id: str | None) -> None:
        owner = chosen(sandbox, tenant, family.owner_kind, object_id)
        audit_comments.add(sandbox, tenant.id, family, owner["id"], text="Please have a look.", email=CUSTOMER)

    return happen


def recommented(family: Family) -> Happening:
    def happen(sandbox: Sandbox, tenant: Tenant, object_id: str | None) -> None:
        comment = alive(chosen(sandbox, tenant, family.kind, object_id, ALIVE))
        audit_comments.change(sandbox, tenant.id, family, comment, text=f"{comment['text']} (edited)")

    return happen


def uncommented(family: Family) -> Happening:
    def happen(sandbox: Sandbox, tenant: Tenant, object_id: str | None) -> None:
        comment = alive(chosen(sandbox, tenant, family.kind, object_id, ALIVE))
        audit_comments.delete(sandbox, tenant.id, family, comment)

    return happen


AUDIT_HAPPENINGS: dict[str, Happening] = {
    "v1.information-request.status-changed": change_request,
    "v1.information-request.evidence.created": add_request_evidence,
    "v1.information-request.evidence.deleted": delete_request_evidence,
    "v1.evidence.status-changed": change_evidence,
    "v1.evidence.created": bring_evidence,
    "v1.evidence.deleted": take_evidence,
}
for each in (ON_REQUEST, ON_EVIDENCE, ON_CONTROL):
    AUDIT_HAPPENINGS |= {
        f"{each.event}.created": commented(each),
        f"{each.event}.updated": recommented(each),
        f"{each.event}.deleted": uncommented(each),
    }
