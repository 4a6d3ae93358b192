import json
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min, Q
from django.utils import timezone

from portal.inbox.models import Delivery, DeliveryState, Endpoint, Rhythm
from portal.live.services import stamp
from portal.sync.models import StaleMark
from portal.sync.selectors import missed_changes
from portal.tenants.scope import all_tenants

LONGEST_SHOWN = 20_000
"""Characters of a payload that a page shows; a signed one may be 256 KiB of anything."""
CONTROL = {code: f"\\x{code:02x}" for code in range(32) if chr(code) not in "\n\t"}


@dataclass(frozen=True)
class Silence:
    """A feed that says nothing for longer than the tenant's own rhythm explains."""

    since: datetime
    longest_pause: timedelta

    @property
    def measure(self) -> str:
        """Say in words what the tenant's rhythm is."""
        hours = self.longest_pause.total_seconds() / 3600
        if hours >= 48:
            return f"The longest pause of the last 30 days was {hours / 24:.0f} days."
        if hours >= 2:
            return f"The longest pause of the last 30 days was {hours:.0f} hours."
        return "In the last 30 days there was hardly an hour without one."


@dataclass(frozen=True)
class Feed:
    """How a tenant's events come in."""

    counts: dict[str, int]
    total: int
    last_at: datetime | None
    has_secret: bool
    missed: int
    silence: Silence | None

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


def last_delivery_at() -> datetime | None:
    """Return when the tenant in scope was last told of something."""
    return Delivery.objects.values_list("received_at", flat=True).first()


def feed(endpoints: list[Endpoint]) -> Feed:
    """Sum up the deliveries of the tenant in scope."""
    counts = dict(Delivery.objects.order_by().values_list("state").annotate(Count("pk")))
    return Feed(
        counts=counts,
        total=sum(counts.values()),
        last_at=last_delivery_at(),
        has_secret=any(endpoint.has_secret for endpoint in endpoints),
        missed=missed_changes(),
        silence=silence(),
    )


def silence() -> Silence | None:
    """Return the silence of the tenant's feed; None while it speaks, or while its rhythm is not known."""
    rhythm = Rhythm.objects.exclude(silent_since=None).first()
    if rhythm is None or rhythm.silent_since is None:
        return None
    longest = max((length for _, length in rhythm.pauses), default=0.0)
    return Silence(rhythm.silent_since, timedelta(seconds=longest))


def attention_count() -> int:
    """Count what a person has to look at: deliveries that failed for good, and a silent feed."""
    dead = Delivery.objects.filter(state=DeliveryState.DEAD).count()
    return dead + Rhythm.objects.exclude(silent_since=None).count()


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


def chain(delivery: Delivery) -> list[dict[str, str]]:
    """Return the way of a delivery as steps: received, understood, marked, fetched. Each says what came of it."""
    secret = "the secret before the current one" if delivery.secret_index else "the current secret"
    received = {"state": "done", "title": "Received and verified", "detail": f"At “{delivery.endpoint}”, signed with {secret}."}
    if delivery.state in (DeliveryState.PENDING, DeliveryState.DEAD):
        failed = {"state": "now", "title": str(delivery), "detail": delivery.words}
        return [received, failed]
    understood = {"state": "done", "title": f"Understood as {delivery}", "detail": _stated(delivery)}
    if delivery.state == DeliveryState.IGNORED or not delivery.object_id:
        return [received, understood]
    return [received, understood, _fetched(delivery)]


def _stated(delivery: Delivery) -> str:
    if delivery.state == DeliveryState.IGNORED:
        return delivery.outcome
    if not delivery.object_id:
        return "It names no object."
    return f"What it states was applied at once; {delivery.object_id} was marked to be fetched."


def _fetched(delivery: Delivery) -> dict[str, str]:
    if delivery.outcome:
        return {"state": "done", "title": "Asked the platform", "detail": delivery.outcome}
    waiting = StaleMark.objects.waiting().filter(object_id=delivery.object_id).first()
    if waiting is None:
        return {"state": "done", "title": "Asked the platform", "detail": "Fetched together with other news of it."}
    return {"state": "now", "title": "To be fetched", "detail": waiting.last_error or "It is next in line."}


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
