"""How a tenant's events come in: what the page sums up. Every count has an end: a million rows cost what a thousand cost."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from portal.inbox.models import Delivery, DeliveryState, Endpoint, Rhythm
from portal.page_refresh.services import area_version, cached_by_version
from portal.sync.models import MissedChange
from portal.sync.selectors import missed_changes, missed_report

MAX_COUNTED = 1000
"""Nobody acts differently on more; from there on the page says "1,000+"."""
ALARM_LASTS = timedelta(days=1)
"""After the last delivery that was refused for its old secret."""


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
            return f"The longest gap in the last 30 days was {hours / 24:.0f} days."
        if hours >= 2:
            return f"The longest gap in the last 30 days was {hours:.0f} hours."
        return "In the last 30 days, hardly an hour passed without one."


@dataclass(frozen=True)
class Recent:
    """What became of the latest deliveries, at most a thousand."""

    received: int
    processed: int
    ignored: int
    retried: int
    waiting: int
    failed: int

    @property
    def title(self) -> str:
        return f"Of the last {min(self.received, MAX_COUNTED):,} deliveries"

    @property
    def figures(self) -> list[tuple[str, str]]:
        names = ("processed", "ignored", "retried", "waiting", "failed")
        return [("Received, verified", f"{self.received:,}"), *((name.title(), f"{getattr(self, name):,}") for name in names)]


@dataclass(frozen=True)
class Feed:
    """How a tenant's events come in."""

    counts: dict[str, int]
    recent: Recent
    last_at: datetime | None
    has_secret: bool
    missed: int
    """Changes that the last comparisons found, and that have happened since there is a feed that should have told of them."""
    missed_report: list[MissedChange]
    silence: Silence | None
    late: list[Endpoint]

    @property
    def dead(self) -> int:
        return self.counts[DeliveryState.DEAD]

    def tabs(self) -> dict[str, str]:
        """Return the number of deliveries in each state, and of all under the empty text, as the tabs show them."""
        total = sum(self.counts.values())
        return {state: count_words(count) for state, count in {**self.counts, "": total}.items()}

    @property
    def missed_words(self) -> str:
        return f"Polling found {self.missed:,} change{'s' if self.missed > 1 else ''} the webhooks missed"

    @property
    def steps(self) -> list[dict[str, str]]:
        """The set-up as steps; the tick at the last one appears by itself."""
        done = 3 if self.last_at else 2 if self.has_secret else 0
        texts = (
            ("Register an address on the platform", "In its dashboard: Settings, Webhooks, Add endpoint."),
            ("Enter the signing secret here", "The dashboard shows it for each endpoint; it starts with whsec_."),
            ("First delivery received", "Events arrive automatically from now on.")
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


def first_delivery_at() -> datetime | None:
    """Return since when the tenant in scope has a feed; None while it has none."""
    return Delivery.objects.order_by("id").values_list("received_at", flat=True).first()


def feed(endpoints: list[Endpoint]) -> Feed:
    """Sum up the deliveries of the tenant in scope."""
    first_at = first_delivery_at()
    return Feed(
        counts={state.value: counted(Delivery.objects.filter(state=state)) for state in DeliveryState},
        recent=recent(),
        last_at=last_delivery_at(),
        has_secret=any(endpoint.has_secret for endpoint in endpoints),
        missed=missed_changes(since=first_at) if first_at else 0,
        missed_report=missed_report(since=first_at) if first_at else [],
        silence=silence(),
        late=[endpoint for endpoint in endpoints if is_late(endpoint)],
    )


def recent() -> Recent:
    """Sum up the newest deliveries of the tenant in scope."""
    newest = Delivery.objects.order_by("-id").values("pk", "state", "attempts")[:MAX_COUNTED]
    return Recent(
        **newest.aggregate(
            received=Count("pk"),
            processed=Count("pk", filter=Q(state=DeliveryState.DONE)),
            ignored=Count("pk", filter=Q(state=DeliveryState.IGNORED)),
            retried=Count("pk", filter=Q(attempts__gt=1)),
            waiting=Count("pk", filter=Q(state=DeliveryState.PENDING)),
            failed=Count("pk", filter=Q(state=DeliveryState.DEAD)),
        )
    )


def counted(rows: QuerySet[Any]) -> int:
    """Count rows, up to one more than anybody wants to know."""
    return rows.order_by()[: MAX_COUNTED + 1].count()


def count_words(count: int) -> str:
    return f"{min(count, MAX_COUNTED):,}{'+' if count > MAX_COUNTED else ''}"


def is_late(endpoint: Endpoint) -> bool:
    """Say whether the platform still signs with a secret whose time has ended."""
    return endpoint.late_at is not None and endpoint.late_at > timezone.now() - ALARM_LASTS


def silence() -> Silence | None:
    """Return the silence of the tenant's feed; None while it speaks, or while its rhythm is not known."""
    [rhythm] = cached_by_version("inbox", "silence", lambda: [Rhythm.objects.exclude(silent_since=None).first()])
    if rhythm is None or rhythm.silent_since is None:
        return None
    return Silence(rhythm.silent_since, rhythm.longest_pause)


def attention_count() -> int:
    """Count what a person has to look at: deliveries that failed for good, a silent feed, an old secret that is refused.

    Kept: the navigation of every page asks. A refused secret is forgotten with the time, so that each minute counts anew.
    """
    return cached_by_version("inbox", f"attention:{timezone.now():%H%M}", _attention_count)


def _attention_count() -> int:
    dead = counted(Delivery.objects.filter(state=DeliveryState.DEAD))
    late = Endpoint.objects.filter(late_at__gt=timezone.now() - ALARM_LASTS).count()
    return dead + Rhythm.objects.exclude(silent_since=None).count() + late


def feed_version() -> str:
    """Return the version of a page that shows deliveries. Receiving raises no live number, it would slow the answer down."""
    latest = Delivery.objects.values_list("pk", flat=True).first() or 0
    waiting = counted(Delivery.objects.filter(state=DeliveryState.PENDING))
    return f"{area_version('inbox', 'sync')}-{latest}-{waiting}"
