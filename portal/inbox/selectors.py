import json
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q
from django.utils import timezone

from portal.inbox.models import Delivery, DeliveryState, Endpoint
from portal.live.services import stamp
from portal.sync.selectors import missed_changes
from portal.tenants.scope import all_tenants

LONGEST_SHOWN = 20_000
"""Characters of a payload that a page shows; a signed one may be 256 KiB of anything."""
CONTROL = {code: f"\\x{code:02x}" for code in range(32) if chr(code) not in "\n\t"}


@dataclass(frozen=True)
class Feed:
    """How a tenant's events come in."""

    counts: dict[str, int]
    total: int
    last_at: datetime | None
    has_secret: bool
    missed: int

    @property
    def dead(self) -> int:
        return self.counts.get(DeliveryState.DEAD, 0)

    @property
    def missed_words(self) -> str:
        return f"Polling found {self.missed} change{'s' if self.missed > 1 else ''} that no event had told us of"

    @property
    def steps(self) -> list[dict[str, str]]:
        """The set-up as steps; the tick at the last one appears by itself."""
        done = 3 if self.last_at else 2 if self.has_secret else 0
        texts = (
            ("Register an address on the platform", "In its dashboard: Settings, Webhooks, Add endpoint."),
            ("Enter the signing secret here", "The dashboard shows it for each endpoint; it starts with whsec_."),
            ("The first delivery has arrived", "Events come in by themselves from now on.")
            if self.last_at
            else ("Send an example from the dashboard", "It appears here within seconds."),
        )
        states = ["done" if place < done else "now" if place == done else "todo" for place in range(len(texts))]
        return [
            {"state": state, "title": title, "detail": detail} for state, (title, detail) in zip(states, texts, strict=True)
        ]


def feed(endpoints: list[Endpoint]) -> Feed:
    """Sum up the deliveries of the tenant in scope."""
    counts = dict(Delivery.objects.order_by().values_list("state").annotate(Count("pk")))
    last_at = Delivery.objects.values_list("received_at", flat=True).first()
    return Feed(
        counts=counts,
        total=sum(counts.values()),
        last_at=last_at,
        has_secret=any(endpoint.has_secret for endpoint in endpoints),
        missed=missed_changes(),
    )


def feed_stamp() -> str:
    """Return the stamp of a page that shows deliveries. Receiving raises no live number, it would slow the answer down."""
    latest = Delivery.objects.values_list("pk", flat=True).first() or 0
    waiting = Delivery.objects.filter(state=DeliveryState.PENDING).count()
    return f"{stamp('inbox', 'sync')}-{latest}-{waiting}"


def search(text: str) -> Q:
    """Find deliveries by the id of the message or of the object, or by the type of the event."""
    text = text.strip().replace("\x00", "")[:200]
    if not text:
        return Q()
    return Q(hook_id__icontains=text) | Q(object_id__icontains=text) | Q(event_type__icontains=text)


def pretty(body: bytes) -> str:
    """Write a payload out for people. Whatever the bytes are, the answer is text that can be shown."""
    text = body.decode("utf-8", "backslashreplace")
    try:
        text = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        text = text.translate(CONTROL)
    # Halves of surrogate pairs are valid JSON but no valid text.
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "\n…"


def tenants_with_due_deliveries() -> list[int]:
    """Return the tenants whose deliveries wait for a worker, the longest waiting first."""
    with all_tenants("the sweep looks for every tenant's deliveries"):
        # Grouped: the hundred thousand rows of one tenant must not hide those of another (guarantee Q6).
        rows = Delivery.objects.due().order_by().values("tenant_id").annotate(first=Min("due_at")).order_by("first")
        return list(rows.values_list("tenant_id", flat=True))


def valid_secrets(endpoint: Endpoint) -> str:
    """Say in words which secrets an address accepts now."""
    if not endpoint.has_secret:
        return "No secret yet"
    return "Two secrets valid" if endpoint.accepts_previous(timezone.now()) else "Secret entered"
