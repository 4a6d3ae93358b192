"""Comments on information requests, evidence and controls of audits, with their events (specification 6.2)."""

from dataclasses import dataclass

from portal.sandbox.changes.access_requests import of_person
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.store import Json
from portal.sandbox.values import moment, new_id


@dataclass(frozen=True, kw_only=True)
class Family:
    """One kind of comments."""

    kind: str
    owner_kind: str
    owner_field: str
    """The field of a comment that names what it is on."""
    subject: str
    """The key of an event's payload that names it."""
    event: str
    names_author: bool = False
    """Whether a comment tells the name of its author beside the address."""


ON_REQUEST = Family(
    kind="request-comments",
    owner_kind="information-requests",
    owner_field="informationRequestId",
    subject="informationRequest",
    event="v1.information-request.comment",
)
ON_EVIDENCE = Family(
    kind="evidence-comments",
    owner_kind="audit-evidence",
    owner_field="auditEvidenceId",
    subject="evidence",
    event="v1.evidence.comment",
    names_author=True,
)
ON_CONTROL = Family(
    kind="audit-control-comments",
    owner_kind="audit-controls",
    owner_field="controlId",
    subject="control",
    event="v1.control.comment",
)


def add(
    sandbox: Sandbox, tenant_id: str, family: Family, owner_id: str, *, text: str, email: str, at: str | None = None
) -> Json:  # fmt: skip
    """Comment on something."""
    comment: Json = {
        "id": new_id(),
        family.owner_field: owner_id,
        "text": text,
        "email": email,
        "creationDate": at or moment(sandbox.clock.now()),
        "modificationDate": None,
        "deletionDate": None,
    }
    if family.names_author:
        comment["authorName"] = name_of(sandbox, tenant_id, email)
    sandbox.objects.add(tenant_id, family.kind, comment, parent_id=owner_id)
    tell(sandbox, tenant_id, family, comment, "created")
    return comment


def name_of(sandbox: Sandbox, tenant_id: str, email: str) -> str | None:
    """Name an auditor of the firm; None for an address that nobody has."""
    known = sandbox.objects.all(tenant_id, "auditors", where=[of_person(email)], limit=1)
    return f"{known[0]['givenName']} {known[0]['familyName']}" if known else None


def change(sandbox: Sandbox, tenant_id: str, family: Family, comment: Json, *, text: str) -> Json:
    """Write a comment anew."""
    return write(sandbox, tenant_id, family, comment | {"text": text, "modificationDate": now(sandbox)}, "updated")


def delete(sandbox: Sandbox, tenant_id: str, family: Family, comment: Json) -> Json:
    """Mark a comment as deleted."""
    return write(sandbox, tenant_id, family, comment | {"deletionDate": now(sandbox)}, "deleted")


def write(sandbox: Sandbox, tenant_id: str, family: Family, comment: Json, what: str) -> Json:
    sandbox.objects.save(tenant_id, family.kind, comment)
    tell(sandbox, tenant_id, family, comment, what)
    return comment


def tell(sandbox: Sandbox, tenant_id: str, family: Family, comment: Json, what: str) -> None:
    owner_id = comment[family.owner_field]
    audit_id = sandbox.objects.parent_of(tenant_id, family.owner_kind, owner_id)
    payload = {family.subject: {"id": owner_id, "auditId": audit_id}, "comment": {"id": comment["id"]}}
    sandbox.emit(tenant_id, f"{family.event}.{what}", payload)


def now(sandbox: Sandbox) -> str:
    return moment(sandbox.clock.now())
