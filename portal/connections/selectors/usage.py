"""How much of the shared token budget is used, and who waits for it. Numbers only: no tenant sees another's name here."""

import time
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from django.db.models import Count, Min
from django.utils import timezone

from portal.connections.models import State, Suspension, TokenEndpoint, TokenRequest
from portal.connections.policy import CALLS_PER_WINDOW, WINDOW_SECONDS, Urgency
from portal.lib.clock import age_of
from portal.tenants.scope import all_tenants

HOUR, HOURS = 3600, 24
A_DAYS_CALLS = CALLS_PER_WINDOW * HOURS * HOUR / WINDOW_SECONDS
BUSY_PERCENT = 80
"""From here on the operator should know: past the budget nothing schedules the problem away."""


@dataclass(frozen=True)
class Line:
    """Those who wait with one urgency: how many tenants, how much work, since when the oldest of it."""

    urgency: Urgency
    tenants: int
    since: datetime | None


@dataclass(frozen=True)
class Usage:
    """The use of one token endpoint."""

    used: int
    of: int
    closed_for: float
    in_a_day: int
    lines: list[Line]

    @property
    def percent_of_a_day(self) -> int:
        """How much of what a whole day can carry was used."""
        return round(100 * self.in_a_day / A_DAYS_CALLS)

    @property
    def is_busy(self) -> bool:
        return self.percent_of_a_day >= BUSY_PERCENT

    @property
    def oldest(self) -> datetime | None:
        return min((line.since for line in self.lines if line.since), default=None)

    @property
    def minutes_of_backlog(self) -> int:
        """How long the budget needs for all who wait."""
        return ceil(sum(line.tenants for line in self.lines) * WINDOW_SECONDS / CALLS_PER_WINDOW / 60)

    @property
    def hours_of_backlog(self) -> int:
        return round(self.minutes_of_backlog / 60)


def usage(url: str, regions: Collection[str]) -> Usage:
    """Return the use of the token endpoint at an address, which serves these regions."""
    endpoint = TokenEndpoint.objects.filter(url=url).first() or TokenEndpoint(url=url)
    since = int(time.time()) // HOUR - HOURS
    return Usage(
        used=sum(age < WINDOW_SECONDS for age in ages(endpoint)),
        of=CALLS_PER_WINDOW,
        closed_for=closed_for(endpoint),
        in_a_day=sum(count for hour, count in endpoint.hours.items() if int(hour) > since),
        lines=_lines(regions),
    )


def ages(endpoint: TokenEndpoint) -> list[float]:
    """Return how many seconds ago each call was made."""
    return [max(0.0, age_of(call)) for call in endpoint.calls]


def closed_for(endpoint: TokenEndpoint) -> float:
    """Return for how many seconds more a 429 keeps everybody from calling."""
    if not endpoint.closed_at:
        return 0.0
    return max(0.0, endpoint.closed_for - max(0.0, age_of(endpoint.closed_at)))


def _lines(regions: Collection[str]) -> list[Line]:
    with all_tenants("who waits for the shared budget can only be counted over all"):
        requests = TokenRequest.objects.filter(connection__region__in=regions, connection__state=State.ACTIVE)
        rows = requests.order_by().values("urgency").annotate(tenants=Count("pk"), first=Min("since"))
        lines = [Line(Urgency(row["urgency"]), row["tenants"], row["first"]) for row in rows]
        ending = Suspension.objects.filter(confirmed_at=None, region__in=regions, due_at__lte=timezone.now())
        found = ending.aggregate(count=Count("pk"), first=Min("created_at"))
    if found["count"]:
        lines.append(Line(Urgency.SUSPENSION, found["count"], found["first"]))
    return sorted(lines, key=lambda line: line.urgency)
