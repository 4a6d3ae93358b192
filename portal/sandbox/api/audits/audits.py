"""Audits themselves, the firm's auditors, and what concerns a whole audit (platform-api 4.13)."""

from hashlib import sha256

from portal.sandbox.api.audits.common import SINCE_CHANGE, changed_since, route
from portal.sandbox.api.filters import flag
from portal.sandbox.api.handlers import reading, saved
from portal.sandbox.api.lists import chosen, clauses, everything, listing
from portal.sandbox.api.route import Call, Parameter, Query
from portal.sandbox.changes.access_requests import of_person
from portal.sandbox.changes.duplication import duplicate
from portal.sandbox.kinds.audits.audits import AUDIT
from portal.sandbox.kinds.audits.audits import AUDITOR as SHAPE
from portal.sandbox.kinds.audits.evidence import COMMENT
from portal.sandbox.limits import AUDITOR_LISTED
from portal.sandbox.objects import Clause, equal
from portal.sandbox.schemas import BOOLEAN, IDS, MOMENT, NAME, closed, reference
from portal.sandbox.store import Json
from portal.sandbox.values import new_id, normalised

PATH, KIND, AUDITORS = "/audits", "audits", "auditors"
METADATA = "auditorRequestListMetadata"
AUDIT_PATH = f"{PATH}/<audit_id>"
MAX_PAGE_SIZE = 200
DUPLICATE = closed(
    required=["sourceAuditId", "displayName", "auditStartDate", "auditEndDate", "earlyAccessStartsAt", "allowAuditorEmails"],
    sourceAuditId=reference(KIND),
    displayName=NAME,
    auditStartDate=MOMENT,
    auditEndDate=MOMENT,
    earlyAccessStartsAt=MOMENT,
    allowAuditorEmails=IDS,
)
AUDITOR = closed(required=["email", "givenName", "familyName"], email=NAME, givenName=NAME, familyName=NAME)
COMMENTS_OF_AUDIT = """parent_id IN (
    SELECT e.id FROM objects e WHERE e.tenant_id = objects.tenant_id AND e.kind = 'audit-evidence' AND e.parent_id = ?)"""


def read_activity(query: Query) -> Clause | None:
    """Keep audits that go on, or those that are over."""
    wanted = flag(query, "isActiveAudit")
    over = "ifnull(json_extract(body, '$.completionDate'), json_extract(body, '$.deletionDate'))"
    return None if wanted is None else Clause(sql=f"{over} IS {'NULL' if wanted else 'NOT NULL'}")


IS_ACTIVE = Parameter(name="isActiveAudit", schema=BOOLEAN, read=read_activity)


def copy(call: Call) -> Json:
    source = call.sandbox.objects.get(call.tenant.id, KIND, call.body["sourceAuditId"])
    dates = ("auditStartDate", "auditEndDate", "earlyAccessStartsAt")
    terms = {name: normalised(call.body[name]) for name in dates}
    terms |= {name: call.body[name] for name in ("displayName", "allowAuditorEmails")}
    return duplicate(call.sandbox, call.tenant.id, source, terms=terms)


def comments(call: Call) -> list[Json]:
    """Find the comments on all evidence of the audit, deleted ones too."""
    where = [Clause(sql=COMMENTS_OF_AUDIT, values=(call.object["id"],)), *clauses([SINCE_CHANGE], call.query)]
    return call.sandbox.objects.all(call.tenant.id, "evidence-comments", where=where)


def share(call: Call) -> None:
    """Show the drafts of information requests to the customer, where an audit is run by them."""
    if METADATA in call.object:
        saved(call, KIND, call.object | {METADATA: {"requestsSharedWithCustomer": call.now}})


def add_auditor(call: Call) -> Json:
    """Add somebody to the firm; who is there already, is answered as they are (auditor-api A2)."""
    firm = firm_of(call)
    where = [of_person(call.body["email"]), equal("organizationId", firm)]
    known = call.sandbox.objects.all(call.tenant.id, AUDITORS, where=where, limit=1)
    if known:
        return known[0]
    return call.sandbox.objects.add(call.tenant.id, AUDITORS, {"id": new_id(), "organizationId": firm} | call.body)


def firm_of(call: Call) -> str:
    """Name the audit firm, which is the same for all who call with its application."""
    return sha256(call.caller.application.client_id.encode()).hexdigest()[:24]


CHANGED = changed_since("creationDate", "modificationDate", "deletionDate", "completionDate")
ROUTES = (
    route("GET", PATH, listing(KIND, filters=[CHANGED, IS_ACTIVE], most=MAX_PAGE_SIZE)),
    route("POST", f"{PATH}/duplicate", copy, body=DUPLICATE, status=201, answer=AUDIT),
    route("GET", AUDIT_PATH, reading(KIND)),
    route("POST", "/auditors", add_auditor, body=AUDITOR, answer=SHAPE, scopes=("auditor-api.auditor:write",)),
    route("GET", f"{AUDIT_PATH}/comments", chosen(comments, shape=COMMENT, filters=[SINCE_CHANGE])),
    route("GET", f"{AUDIT_PATH}/framework-codes", everything("framework-codes"), bucket=AUDITOR_LISTED),
    route("POST", f"{AUDIT_PATH}/share-information-request-list", share, status=204, bucket=AUDITOR_LISTED),
)
