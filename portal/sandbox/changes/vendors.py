"""How a vendor is decided about (specification 3.4, platform-api 4.7)."""

from portal.sandbox.kinds.vendors import REVIEWS, VENDORS
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.store import Json
from portal.sandbox.values import moment

EVENT = "v1.vendor.decision.created"


def decide(sandbox: Sandbox, tenant_id: str, vendor_id: str, *, status: str, comments: str | None = None) -> str:
    """Decide about a vendor: its newest security review ends with that. Return the event's hook-id. Raises Missing."""
    vendor, now = sandbox.objects.get(tenant_id, VENDORS, vendor_id), moment(sandbox.clock.now())
    decision: Json = {"status": status, "lastUpdatedAt": now}
    reviews = sandbox.objects.all(tenant_id, REVIEWS, parent_id=vendor_id, limit=1)
    for review in reviews:
        ended = {"decision": decision, "decisionNotes": comments, "completionDate": now}
        sandbox.objects.save(tenant_id, REVIEWS, review | ended)
    completed = {"lastSecurityReviewCompletionDate": now} if reviews else {}
    sandbox.objects.save(tenant_id, VENDORS, vendor | {"latestDecision": decision} | completed)
    told = decision | ({"comments": comments} if comments is not None else {})
    return sandbox.emit(tenant_id, EVENT, {"vendor": {"id": vendor_id, "decision": told}})
