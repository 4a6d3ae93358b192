"""How an audit is copied into a new engagement (specification 2.5, 4.7)."""

from portal.sandbox.changes.audits import REQUESTS, log
from portal.sandbox.kinds.audits.controls import in_scope
from portal.sandbox.kinds.audits.information_requests import NEEDED
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.store import Json
from portal.sandbox.values import moment, new_id

CONTROLS, METADATA = "audit-controls", "auditorRequestListMetadata"
COPIED_AS_THEY_ARE = ("framework-codes", "organization-information", "organization-notifications")


def duplicate(sandbox: Sandbox, tenant_id: str, source: Json, *, terms: Json) -> Json:
    """Copy an audit with its controls and information requests; both start anew there."""
    now = moment(sandbox.clock.now())
    segments = {segment["id"]: segment | {"id": new_id()} for segment in source["segments"]}
    audit = source | {
        "id": new_id(),
        "segments": [*segments.values()],
        "deletionDate": None,
        "creationDate": now,
        "modificationDate": now,
        "completionDate": None,
        **({METADATA: {"requestsSharedWithCustomer": None}} if METADATA in source else {}),
        **terms,
    }
    sandbox.objects.add(tenant_id, "audits", audit)
    for kind in COPIED_AS_THEY_ARE:
        copy(sandbox, tenant_id, kind, source["id"], audit["id"])
    controls = copy(sandbox, tenant_id, CONTROLS, source["id"], audit["id"], creationDate=now, **in_scope(audit))
    for request in alive_requests(sandbox, tenant_id, source["id"]):
        copied = request | {
            "id": new_id(),
            "approvalStatus": NEEDED,
            "segmentIds": [segments[segment_id]["id"] for segment_id in request["segmentIds"]],
            "additionalControlIds": [controls[control_id] for control_id in request["additionalControlIds"]],
            "creationDate": now,
            "modificationDate": now,
        }
        sandbox.objects.add(tenant_id, REQUESTS, copied, parent_id=audit["id"])
        origin = {"sourceInformationRequestId": request["id"], "sourceAuditId": source["id"]}
        log(sandbox, tenant_id, copied["id"], "DUPLICATED", **origin)
    return audit


def alive_requests(sandbox: Sandbox, tenant_id: str, audit_id: str) -> list[Json]:
    found = sandbox.objects.all(tenant_id, REQUESTS, parent_id=audit_id, oldest_first=True)
    return [request for request in found if request["deletionDate"] is None]


def copy(sandbox: Sandbox, tenant_id: str, kind: str, source_id: str, audit_id: str, **changes: object) -> dict[str, str]:
    """Copy what belongs to an audit; return the new id of each by its old one."""
    ids: dict[str, str] = {}
    for body in sandbox.objects.all(tenant_id, kind, parent_id=source_id, oldest_first=True):
        ids[body["id"]] = new_id()
        sandbox.objects.add(tenant_id, kind, body | {"id": ids[body["id"]], **changes}, parent_id=audit_id)
    return ids
