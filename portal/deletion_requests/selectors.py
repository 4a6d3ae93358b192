"""What the pages of the desk show, over several rows and models."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from portal.audit.services import history
from portal.comments import activity as comments
from portal.connections.services import connection_of_tenant
from portal.deletion_requests.addresses import fingerprint, mask
from portal.deletion_requests.models import (
    CLOSABLE,
    REPEATABLE,
    DeletionRequest,
    DeskSettings,
    Identity,
    IntakeLink,
    SecondLook,
)
from portal.page_refresh.services import cached_by_version
from portal.tenants import personal_data
from portal.tenants.erased_people import erasures
from portal.tenants.models import ErasedIdentifier, Membership, Role
from portal.tenants.scope import all_tenants, current_tenant_id

BATCH = 100
EARLIER_SHOWN = 5
ICONS = {
    **comments.ICONS,
    "deletion_request.submit": ("send", "info"),
    "deletion_request.ask_again": ("rotate-ccw", "info"),
    "deletion_request.refuse": ("x", "bad"),
    "deletion_request.erase": ("eraser", "good"),
    "deletion_request.close": ("circle-slash", "muted"),
    "deletion_request.receive": ("inbox", "info"),
    "deletion_request.identity_confirmed": ("user-check", "good"),
    "deletion_request.identity_failed": ("user-x", "bad"),
    "deletion_request.identity_unchecked": ("user", "muted"),
    "deletion_request.second_look": ("search-check", "info"),
}


def desk_settings() -> DeskSettings:
    """Return what the tenant has set, or the usual settings as a row that was never stored."""
    return DeskSettings.objects.first() or DeskSettings()


def intake_link() -> IntakeLink | None:
    return IntakeLink.objects.alive().first()


def attention_count() -> int:
    """Count the requests that somebody has to look at. Kept: the navigation of every page asks."""
    today = timezone.localdate()
    rows = DeletionRequest.objects.needing_attention(today)
    return cached_by_version("deletion_requests", f"attention:{today}", lambda: rows.count())


def due_deletion_requests() -> list[tuple[int, int]]:
    """Return tenant and key of the requests that are due, the longest waiting first."""
    with all_tenants("the sweep goes on with the requests of every tenant"):
        due = DeletionRequest.objects.due(timezone.now()).order_by("due_at")
        return list(due.values_list("tenant_id", "pk")[:BATCH])


def tenants_to_look_again() -> list[int]:
    """Return the tenants that have to look whether somebody came back, the longest waiting first."""
    with all_tenants("the sweep looks for every tenant"):
        due = SecondLook.objects.due(timezone.now()).order_by("due_at").values_list("tenant_id", flat=True)
        return list(dict.fromkeys(due[:BATCH]))


def is_connected() -> bool:
    connection = connection_of_tenant()
    return connection is not None and connection.is_active


@dataclass(frozen=True)
class Preview:
    """What is known about an address before anything is done."""

    masked_email: str
    holdings: dict[str, int]
    nothing: list[str]
    """The kinds of rows in which there is nothing about it."""
    signs_in: bool
    """A member of this tenant has it too: their login is no copy of anything on the platform, and stays."""
    earlier: list[DeletionRequest]
    open_request: DeletionRequest | None

    @property
    def total(self) -> int:
        return sum(self.holdings.values())


def preview(email: str) -> Preview:
    """Say what would be erased here, and which requests about the same address there have been."""
    rows = list(DeletionRequest.objects.filter(email_hash=fingerprint(email))[:EARLIER_SHOWN])
    holdings = personal_data.count(email)
    return Preview(
        masked_email=mask(email),
        holdings=holdings,
        nothing=[kind for kind in personal_data.kinds() if kind not in holdings],
        signs_in=Membership.objects.filter(tenant_id=current_tenant_id(), user__email__iexact=email.strip()).exists(),
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
        title = "No answer from the platform; it may have erased the data."
        events.append({"title": title, "text": "", "at": row.uncertain_at, "icon": "clock-alert", "tone": "warn"})
    if row.confirmed_at:
        title = "The platform confirmed the erasure."
        events.append({"title": title, "text": "", "at": row.confirmed_at, "icon": "circle-check", "tone": "good"})
    return sorted(events, key=lambda event: event["at"], reverse=True)


def still_listed(rows: Iterable[DeletionRequest]) -> set[str]:
    """Return the hashes of those erased people whom the platform still lists."""
    known = erasures(row.email_hash for row in rows if row.is_erased)
    return {email_hash for email_hash, each in known.items() if each.listed_at}


def erasure_of(row: DeletionRequest) -> ErasedIdentifier | None:
    """Return what is known of a person since they were erased; None while they are not."""
    return erasures([row.email_hash]).get(row.email_hash) if row.is_erased else None


def certificate(row: DeletionRequest, membership: Membership) -> dict[str, Any]:
    """What the page of one request shows."""
    now = timezone.now()
    is_free, is_approver = row.is_free(now), membership.may(Role.APPROVER)
    return {
        "row": row,
        "found": sorted(row.found.items()),
        "erased": sorted(row.erased.items()),
        "erasure": erasure_of(row),
        "looks": list(row.second_looks.all()),
        "events": events_of(row),
        "next_at": row.due_at if row.due_at > now else None,
        "may_check": row.is_received and membership.may(Role.ANALYST),
        "may_ask_again": is_approver and is_free and row.state in REPEATABLE,
        "may_close": is_approver and is_free and row.state in CLOSABLE,
        "is_connected": is_connected(),
    }


def before_sending(row: DeletionRequest, membership: Membership) -> dict[str, Any]:
    """What the page shows where somebody decides whether a request is sent."""
    is_approver = membership.may(Role.APPROVER)
    return {
        "row": row,
        "preview": preview(row.email),
        "is_approver": is_approver,
        "is_connected": is_connected(),
        "may_send": is_approver and is_connected() and row.identity == Identity.CONFIRMED,
    }
