"""What waits, over all desks."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q
from django.utils import timezone

from portal.access_requests.kinds import REQUEST
from portal.access_requests.models import AccessRequest
from portal.access_requests.selectors import waiting_figures
from portal.connections.models import Connection
from portal.connections.services import connection_of_tenant
from portal.deletion_requests.legal_clock import SOON
from portal.deletion_requests.models import DeletionRequest
from portal.questionnaires.mirror import QUESTIONNAIRE
from portal.questionnaires.models import Questionnaire
from portal.questionnaires.stages import OTHER, STAGES, stage_of
from portal.sync.models import Run
from portal.sync.readiness import Readiness, readiness_of
from portal.tenants.models import Membership
from portal.tenants.scope import tenant_scope
from portal.users.models import User

ROWS = 8


@dataclass(frozen=True)
class Figures:
    """The numbers on top of today, or beside a tenant in the portfolio."""

    overdue: int
    due_this_week: int
    open_questionnaires: int
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
        return (-int(needs_reconnection), -int(is_blind), -self.figures.overdue, -self.figures.waiting_requests)


def figures(now: datetime) -> Figures:
    """Count what waits in the tenant in scope."""
    questionnaires = Questionnaire.objects.present()
    counts = questionnaires.open().aggregate(
        open=Count("id"),
        overdue=Count("id", filter=Q(due_sort__lt=now)),
        week=Count("id", filter=Q(due_sort__gte=now, due_sort__lt=now + timedelta(days=7))),
    )
    waiting = waiting_figures()
    return Figures(counts["overdue"], counts["week"], counts["open"], waiting.number, waiting.oldest_at)


def copies(connection: Connection | None) -> Copies:
    """Return what the figures of the tenant in scope stand on."""
    runs = {run.kind: run for run in Run.objects.filter(kind__in=(QUESTIONNAIRE, REQUEST))}
    questionnaires, requests = ([runs[kind]] if kind in runs else [] for kind in (QUESTIONNAIRE, REQUEST))
    return Copies(
        readiness_of(connection, questionnaires, (QUESTIONNAIRE,)),
        readiness_of(connection, requests, (REQUEST,), needs_trust_center=True),
    )


def due_next() -> list[Questionnaire]:
    """Return the open questionnaires with the nearest dates, late ones first."""
    return list(Questionnaire.objects.present().open().filter(due_at__isnull=False).order_by("due_sort", "id")[:ROWS])


def waiting_requests() -> list[AccessRequest]:
    """Return the access requests that have waited longest."""
    return list(AccessRequest.objects.waiting().order_by("created_at", "id")[:ROWS])


def deletions_due() -> list[DeletionRequest]:
    """Return the deletion requests whose last day is near or over, the latest first."""
    today = timezone.localdate()
    open_ones = DeletionRequest.objects.defer("email").open().filter(deadline_on__lte=today + SOON)
    return list(open_ones.order_by("deadline_on", "id")[:ROWS])


def stages() -> list[tuple[str, int, str]]:
    """Return how many questionnaires stand in each stage: label, count, tone."""
    counts: dict[str, int] = {}
    for status, count in Questionnaire.objects.present().values_list("status").annotate(Count("id")).order_by():
        key = stage_of(status).key
        counts[key] = counts.get(key, 0) + count
    return [(stage.label, counts[stage.key], stage.tone) for stage in (*STAGES, OTHER) if counts.get(stage.key)]


def portfolio(user: User) -> list[TenantLine]:
    """Return a person's tenants, the one that needs them most first."""
    now = timezone.now()
    lines = []
    for membership in Membership.objects.filter(user=user).select_related("tenant"):
        with tenant_scope(membership.tenant_id):
            connection = connection_of_tenant()
            lines.append(TenantLine(membership, connection, figures(now), copies(connection)))
    return sorted(lines, key=lambda line: (*line.urgency, line.membership.tenant.name.lower()))
