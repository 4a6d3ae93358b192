"""What waits, over all desks."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Subquery
from django.utils import timezone

from portal.access_requests.kinds import REQUEST
from portal.access_requests.models import AccessRequest
from portal.connections.models import Connection, Region
from portal.connections.selectors import Usage, usage
from portal.connections.services.platform import api_url
from portal.lib.bounded_count import BoundedCount
from portal.questionnaires.mirror import QUESTIONNAIRE
from portal.questionnaires.models import Questionnaire
from portal.sync.models import Run
from portal.sync.readiness import Readiness, all_runs, readiness_of
from portal.tenants.models import Membership, Tenant
from portal.tenants.scope import all_tenants
from portal.work_items.models import WorkItem
from portal.work_items.selectors import MAX_COUNTED, Count

WHY = "how a person's tenants are stands side by side; each query names them"
COPIED = (QUESTIONNAIRE, REQUEST)
NONE = Count(0)
SILENT_FEED = "silent_feed"
"""The kind of work that the inbox makes of a feed that has fallen silent."""


@dataclass(frozen=True)
class Figures:
    """What stands beside a tenant in the portfolio, counted as far as a person can take it in."""

    needed: Count = NONE
    """What waits for the team, over all desks, as its Today counts it."""
    overdue: Count = NONE
    due_this_week: Count = NONE
    waiting_requests: Count = NONE
    oldest_request_at: datetime | None = None
    is_silent: bool = False
    """Its feed of events says nothing, although it used to."""


@dataclass(frozen=True)
class Copies:
    """What the figures of a tenant stand on (guarantee R3)."""

    questionnaires: Readiness
    requests: Readiness

    @property
    def was_connected(self) -> bool:
        return self.questionnaires.was_connected

    @property
    def least_known(self) -> Readiness:
        """The one to go by when both are counted together."""
        return self.questionnaires if self.requests.is_known else self.requests

    @property
    def are_current(self) -> bool:
        return self.questionnaires.is_current and self.requests.is_current


@dataclass(frozen=True)
class TenantLine:
    """One tenant in the portfolio."""

    membership: Membership
    connection: Connection | None
    figures: Figures
    copies: Copies

    @property
    def urgency(self) -> tuple[int, int, int, int]:
        """Sorts the worst first: a lost grant, then what cannot be known, then what is late, then what waits."""
        needs_reconnection = self.connection is not None and self.connection.state == "needs_reconnection"
        is_blind = needs_reconnection or (self.copies.was_connected and not self.copies.are_current)
        return (-int(needs_reconnection), -int(is_blind), -self.figures.overdue.number, -self.figures.needed.number)


def figures_of(tenant_ids: Collection[int], *, user_id: int, now: datetime) -> dict[int, Figures]:
    """Count what waits in each of these tenants, in one query. Only within the scope of all tenants."""
    items = WorkItem.objects.filter(tenant=OuterRef("pk")).visible(now)
    needed = items.awake_for(user_id, now).filter(is_with_others=False)
    due = Questionnaire.objects.filter(tenant=OuterRef("pk")).present().due("week", now=now)
    waiting = AccessRequest.objects.filter(tenant=OuterRef("pk")).waiting()
    rows = Tenant.objects.filter(pk__in=tenant_ids).annotate(
        needed=BoundedCount(needed, MAX_COUNTED + 1),
        overdue=BoundedCount(needed.filter(due_sort__lt=now), MAX_COUNTED + 1),
        due_this_week=BoundedCount(due, MAX_COUNTED + 1),
        waiting_requests=BoundedCount(waiting, MAX_COUNTED + 1),
        oldest_request_at=Subquery(waiting.order_by("created_at").values("created_at")[:1]),
        is_silent=Exists(items.filter(kind=SILENT_FEED)),
    )
    counts = ("needed", "overdue", "due_this_week", "waiting_requests")
    return {
        row["pk"]: Figures(
            **{name: Count(row[name]) for name in counts},
            oldest_request_at=row["oldest_request_at"],
            is_silent=row["is_silent"],
        )
        for row in rows.values("pk", *counts, "oldest_request_at", "is_silent")
    }


def copies(connection: Connection | None) -> Copies:
    """Return what the figures of the tenant in scope stand on."""
    return _copies(connection, all_runs())


def _copies(connection: Connection | None, read: Iterable[Run]) -> Copies:
    runs = {run.kind: run for run in read}
    questionnaires, requests = ([runs[kind]] if kind in runs else [] for kind in COPIED)
    return Copies(
        readiness_of(connection, questionnaires, (QUESTIONNAIRE,)),
        readiness_of(connection, requests, (REQUEST,), needs_trust_center=True),
    )


def budgets(lines: Iterable[TenantLine]) -> dict[str, Usage]:
    """Return how much is used of each token endpoint that these tenants share with everybody here, by its host."""
    connections = [line.connection for line in lines if line.connection and not line.connection.is_own_application]
    urls = sorted({api_url(connection.region) for connection in connections})
    return {url.partition("://")[2]: usage(url, [region for region in Region if api_url(region) == url]) for url in urls}


def portfolio(memberships: Collection[Membership], *, user_id: int) -> list[TenantLine]:
    """Return a person's tenants, the one that needs them most first: in three queries, however many there are."""
    ids, now = [each.tenant_id for each in memberships], timezone.now()
    runs: dict[int, list[Run]] = defaultdict(list)
    with all_tenants(WHY):
        found = figures_of(ids, user_id=user_id, now=now)
        connections = {each.tenant_id: each for each in Connection.objects.filter(tenant__in=ids)}
        for run in Run.objects.filter(tenant__in=ids, kind__in=COPIED).defer("cursor", "trail", "unseen"):
            runs[run.tenant_id].append(run)
    lines = []
    for each in memberships:
        connection = connections.get(each.tenant_id)
        copies = _copies(connection, runs[each.tenant_id])
        lines.append(TenantLine(each, connection, found.get(each.tenant_id, Figures()), copies))
    return sorted(lines, key=lambda line: (*line.urgency, line.membership.tenant.name.lower()))
