"""What the pages of the desk show, over several rows and models."""

from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from portal.audit.services import history
from portal.connections.services import connection_of_tenant
from portal.deletion_requests.addresses import fingerprint, mask
from portal.deletion_requests.models import CLOSABLE, REPEATABLE, DeletionRequest
from portal.tenants import personal_data
from portal.tenants.scope import all_tenants

BATCH = 100
EARLIER_SHOWN = 5
ICONS = {
    "deletion_request.submit": ("send", "info"),
    "deletion_request.ask_again": ("rotate-ccw", "info"),
    "deletion_request.refuse": ("x", "bad"),
    "deletion_request.erase": ("eraser", "good"),
    "deletion_request.close": ("circle-slash", "muted"),
}


def attention_count() -> int:
    """Count the requests that are uncertain or refused."""
    return DeletionRequest.objects.needing_attention().count()


def due_deletion_requests() -> list[tuple[int, int]]:
    """Return tenant and key of the requests that are due, the longest waiting first."""
    with all_tenants("the sweep goes on with the requests of every tenant"):
        due = DeletionRequest.objects.due(timezone.now()).order_by("due_at")
        return list(due.values_list("tenant_id", "pk")[:BATCH])


def is_connected() -> bool:
    connection = connection_of_tenant()
    return connection is not None and connection.is_active


@dataclass(frozen=True)
class Preview:
    """What is known about an address before anything is done."""

    masked_email: str
    holdings: dict[str, int]
    earlier: list[DeletionRequest]
    open_request: DeletionRequest | None

    @property
    def total(self) -> int:
        return sum(self.holdings.values())


def preview(email: str) -> Preview:
    """Say what would be erased here, and which requests about the same address there have been."""
    rows = list(DeletionRequest.objects.filter(email_hash=fingerprint(email))[:EARLIER_SHOWN])
    return Preview(
        masked_email=mask(email),
        holdings=personal_data.count(email),
        earlier=[row for row in rows if not row.is_open],
        open_request=next((row for row in rows if row.is_open), None),
    )


def events_of(row: DeletionRequest) -> list[dict[str, Any]]:
    """What happened to a request, newest first."""
    events = []
    for entry in history("deletion_request", row.reference):
        icon, tone = ICONS.get(entry.action, ("circle-dot", "muted"))
        text = str(entry.details.get("answer", ""))
        events.append({"title": f"{entry.who}: {entry.summary}", "text": text, "at": entry.at, "icon": icon, "tone": tone})
    if row.uncertain_at:
        title = "No answer from the platform; it may have done it."
        events.append({"title": title, "text": "", "at": row.uncertain_at, "icon": "clock-alert", "tone": "warn"})
    if row.confirmed_at:
        title = "The platform confirmed the erasure."
        events.append({"title": title, "text": "", "at": row.confirmed_at, "icon": "circle-check", "tone": "good"})
    return sorted(events, key=lambda event: event["at"], reverse=True)


def certificate(row: DeletionRequest, *, is_approver: bool) -> dict[str, Any]:
    """What the page of one request shows."""
    now = timezone.now()
    is_free = row.is_free(now)
    return {
        "row": row,
        "erased": sorted(row.erased.items()),
        "events": events_of(row),
        "next_at": row.due_at if row.due_at > now else None,
        "may_ask_again": is_approver and is_free and row.state in REPEATABLE,
        "may_close": is_approver and is_free and row.state in CLOSABLE,
        "is_connected": is_connected(),
    }
