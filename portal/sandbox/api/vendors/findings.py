"""What was found about a vendor (platform-api 4.7)."""

from portal.sandbox.api.errors import unprocessable
from portal.sandbox.api.filters import equal_to
from portal.sandbox.api.handlers import creating, deleting, updating
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Call, Route
from portal.sandbox.api.vendors.vendors import ONE as VENDOR
from portal.sandbox.kinds.vendors import DOCUMENTS, FINDINGS, REVIEW_DOCUMENTS, REVIEWS, RISK_STATUSES
from portal.sandbox.objects import equal
from portal.sandbox.schemas import NAME, STRING, closed, one_of, reference
from portal.sandbox.store import Json

FIELDS: Json = {
    "content": NAME,
    "riskStatus": one_of(*RISK_STATUSES),
    "remediation": closed(state=one_of("OPEN", "CLOSED"), requirementNotes=STRING),
}
CREATE = closed(required=["content", "riskStatus"], **FIELDS, securityReviewId=reference(REVIEWS), documentId=NAME)
PATCH = closed(**FIELDS)


def stored(call: Call) -> Json:
    """Complete what was sent. The document may be one of the vendor or one of a review."""
    document_id, remediation = call.body.get("documentId"), call.body.get("remediation")
    if document_id is not None and not any(is_known(call, kind, document_id) for kind in (DOCUMENTS, REVIEW_DOCUMENTS)):
        raise unprocessable()
    made: Json = {"vendorId": call.found["vendor_id"]["id"]}
    if remediation is None:
        return made
    known = (call.object.get("remediation") or {}) if "vendor_finding_id" in call.found else {}
    return made | {"remediation": {"state": "OPEN", "requirementNotes": None} | known | remediation}


def is_known(call: Call, kind: str, object_id: str) -> bool:
    return bool(call.sandbox.objects.all(call.tenant.id, kind, where=[equal("id", object_id)], limit=1))


PATH = f"{VENDOR}/findings"
ONE = f"{PATH}/<vendor_finding_id>"
FILTERS = (equal_to("securityReviewId", "securityReviewId"), equal_to("documentId", "documentId"))
ROUTES = (
    Route("GET", PATH, listing(FINDINGS, filters=FILTERS)),
    Route("POST", PATH, creating(FINDINGS, fill=stored), body=CREATE),
    Route("PATCH", ONE, updating(FINDINGS, fill=stored), body=PATCH),
    Route("DELETE", ONE, deleting(FINDINGS), status=204),
)
