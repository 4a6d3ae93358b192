"""What waits, over all desks."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from portal.access_requests.kinds import REQUEST
from portal.access_requests.selectors import waiting_figures
from portal.connections.models import Connection, Region
from portal.connections.selectors import Usage, usage
from portal.connections.services import connection_of_tenant
from portal.connections.services.platform import api_url
from portal.questionnaires.mirror import QUESTIONNAIRE
from portal.questionnaires.models import Questionnaire
from portal.sync.models import Run
from portal.sync.readiness import Readiness, readiness_of
from portal.tenants.models import Membership
from portal.tenants.scope import tenant_scope
from portal.work_items.models import WorkItem
from portal.work_items.selectors import OVERDUE, Count, Queue, count
from portal.work_items.services import catch_up

SILENT_FEED = "silent_feed"
"""The kind of work that the inbox makes of a feed that has fallen silent."""


@dataclass(frozen=True)
class Figures:
    """The numbers of single desks beside a tenant in the portfolio."""

    due_this_week: int
    waiting_requests: int
    oldest_request_at: datetime | None


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
    overdue: Count
    needed: Count
    """What waits for the team, over all desks, as its Today counts it."""
    is_silent: bool
    """Its feed of events says nothing, although it used to."""

    @property
    def urgency(self) -> tuple[int, int, int, int]:
        """Sorts the worst first: a lost grant, then what cannot be known, then what is late, then what waits."""
        needs_reconnection = self.connection is not None and self.connection.state == "needs_reconnection"
        is_blind = needs_reconnection or (self.copies.was_connected and not self.copies.are_current)
        return (-int(needs_reconnection), -int(is_blind), -self.overdue.number, -self.needed.number)


def figures(now: datetime) -> Figures:
    """Count what waits in the tenant in scope."""
    questionnaires = Questionnaire.objects.present()
    week = questionnaires.open().filter(due_sort__gte=now, due_sort__lt=now + timedelta(days=7)).count()
    waiting = waiting_figures()
    return Figures(week, waiting.number, waiting.oldest_at)


def copies(connection: Connection | None) -> Copies:
    """Return what the figures of the tenant in scope stand on."""
    runs = {run.kind: run for run in Run.objects.filter(kind__in=(QUESTIONNAIRE, REQUEST))}
    questionnaires, requests = ([runs[kind]] if kind in runs else [] for kind in (QUESTIONNAIRE, REQUEST))
    return Copies(
        readiness_of(connection, questionnaires, (QUESTIONNAIRE,)),
        readiness_of(connection, requests, (REQUEST,), needs_trust_center=True),
    )


def budgets(lines: Iterable[TenantLine]) -> dict[str, Usage]:
    """Return how much is used of each token endpoint that these tenants share with everybody here, by its host."""
    connections = [line.connection for line in lines if line.connection and not line.connection.is_own_application]
    urls = sorted({api_url(connection.region) for connection in connections})
    return {url.partition("://")[2]: usage(url, [region for region in Region if api_url(region) == url]) for url in urls}


def portfolio(memberships: Iterable[Membership]) -> list[TenantLine]:
    """Return a person's tenants, the one that needs them most first."""
    now = timezone.now()
    lines = []
    for membership in memberships:
        with tenant_scope(membership.tenant_id):
            catch_up()
            queue, connection = Queue(member=membership, now=now, is_team=True), connection_of_tenant()
            overdue, needed = count(queue.section(OVERDUE)), count(queue.needed())
            is_silent = WorkItem.objects.filter(kind=SILENT_FEED).visible(now).exists()
            line = TenantLine(membership, connection, figures(now), copies(connection), overdue, needed, is_silent)
            lines.append(line)
    return sorted(lines, key=lambda line: (*line.urgency, line.membership.tenant.name.lower()))
