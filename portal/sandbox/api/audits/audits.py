"""Audits themselves, the firm's auditors, and what concerns a whole audit (platform-api 4.13)."""

from portal.sandbox.api.audits.common import SINCE_CHANGE, changed_since, route
from portal.sandbox.api.filters import flag
from portal.sandbox.api.handlers import creating, reading
from portal.sandbox.api.lists import chosen, clauses, everything, listing
from portal.sandbox.api.route import Call, Parameter, Query
from portal.sandbox.changes.duplication import duplicate
from portal.sandbox.kinds.audits.audits import AUDIT
from portal.sandbox.kinds.audits.evidence import COMMENT
from portal.sandbox.limits import AUDITOR_LISTED
from portal.sandbox.objects import Clause
from portal.sandbox.schemas import BOOLEAN, IDS, MOMENT, NAME, closed, reference
from portal.sandbox.store import Json
from portal.sandbox.values import normalised

PATH, KIND = "/audits", "audits"
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
    """Show the drafts of information requests to the customer: nothing that an auditor could see of it."""


CHANGED = changed_since("creationDate", "modificationDate", "deletionDate", "completionDate")
ROUTES = (
    route("GET", PATH, listing(KIND, filters=[CHANGED, IS_ACTIVE], most=MAX_PAGE_SIZE)),
    route("POST", f"{PATH}/duplicate", copy, body=DUPLICATE, status=201, answer=AUDIT),
    route("GET", AUDIT_PATH, reading(KIND)),
    route("POST", "/auditors", creating("auditors"), body=AUDITOR, scopes=("auditor-api.auditor:write",)),
    route("GET", f"{AUDIT_PATH}/comments", chosen(comments, shape=COMMENT, filters=[SINCE_CHANGE])),
    route("GET", f"{AUDIT_PATH}/framework-codes", everything("framework-codes"), bucket=AUDITOR_LISTED),
    route("POST", f"{AUDIT_PATH}/share-information-request-list", share, status=204, bucket=AUDITOR_LISTED),
)
