"""Evidence of information requests: deleted pieces stay readable (specification 4.7, platform-api 4.13)."""

from portal.sandbox.api.audits.common import SINCE_CHANGE, route
from portal.sandbox.api.audits.information_requests import ONE as REQUEST
from portal.sandbox.api.filters import any_of
from portal.sandbox.api.handlers import reading
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Call
from portal.sandbox.kinds.audits.information_requests import EVIDENCE_TYPES, TEST_SNAPSHOT
from portal.sandbox.objects import Missing
from portal.sandbox.store import Json

PATH, KIND, SNAPSHOTS = f"{REQUEST}/evidence", "request-evidence", "test-snapshots"
ONE = f"{PATH}/<request_evidence_id>"
FILTERS = (SINCE_CHANGE, any_of("evidenceTypeMatchesAny", "evidenceType", allowed=EVIDENCE_TYPES))


def snapshot(call: Call) -> Json:
    """Answer the details of a test snapshot; other evidence has none."""
    evidence_id = call.object["id"]
    found = call.sandbox.objects.all(call.tenant.id, SNAPSHOTS, parent_id=evidence_id, limit=1)
    if not found:
        raise Missing(SNAPSHOTS, evidence_id)
    return found[0]


ROUTES = (
    route("GET", PATH, listing(KIND, filters=FILTERS)),
    route("GET", ONE, reading(KIND)),
    route("GET", f"{ONE}/test-snapshot", snapshot, answer=TEST_SNAPSHOT),
)
