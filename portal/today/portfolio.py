"""The work of all tenants of one person as one queue: worst first, each row acting in its own tenant and by the role there."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from zlib import crc32

from django.db.models import Max, Q
from django.utils import timezone

from portal.access_requests.models import Decision
from portal.access_requests.services import undo_all
from portal.lib.counts import count_together
from portal.lib.keyset import keyset_page
from portal.page_refresh.models import Area
from portal.page_refresh.services import PageVersion, own_version
from portal.tenants.models import Membership, Role, Tenant
from portal.tenants.scope import all_tenants, tenant_scope
from portal.today.filters import PortfolioFilters
from portal.today.work import LABELS, TONES, Row, Scheduled, count_scheduled, rows_of
from portal.work_items.kinds import kinds
from portal.work_items.models import UNASSIGNED, Change, WorkItem, WorkItemQuerySet
from portal.work_items.search import with_words
from portal.work_items.selectors import MAX_COUNTED, ORDER, OTHERS, OVERDUE, TODAY, Count, lines_of
from portal.work_items.services import catch_up_for_page

WHY = "one person's tenants stand in one queue; each query names them"
ROWS_OF_PAGE = 30
MAX_CAUGHT_UP = 3
"""In so many tenants changes are worked off while a page is made, at thirty queries each. The task is there within seconds."""
LATER = "later"


@dataclass(frozen=True)
class TenantRow:
    """One row of the queue, and whose it is."""

    tenant: Tenant
    row: Row
    group: str
    """The heading above it, where it is another one than before."""
    tone: str
    number: Count | None


@dataclass(frozen=True)
class PortfolioPage:
    """One page of the queue."""

    rows: list[TenantRow]
    counts: dict[str, Count]
    next_cursor: str | None
    previous_cursor: str | None


@dataclass(frozen=True, kw_only=True)
class PortfolioQueue:
    """The work of several tenants as one person looks at it."""

    memberships: Mapping[int, Membership]
    """By the key of the tenant."""
    user_id: int
    now: datetime
    filters: PortfolioFilters

    @cached_property
    def _words(self) -> Q:
        """What the words of the search narrow to: items about something that has them, and tenants that are called so."""
        wanted = self.filters.q.casefold().split()
        named = [key for key, each in self.memberships.items() if all(word in str(each.tenant).casefold() for word in wanted)]
        return Q(tenant__in=named) | with_words(self.filters.q, self.memberships.keys())

    def _rows(self) -> WorkItemQuerySet:
        """Everything that the filters show. Only within the scope of all tenants; the tenants are named here."""
        shown = [each for each in self.memberships.values() if self.filters.tenant in ("", each.tenant.slug)]
        rows: WorkItemQuerySet = WorkItem.objects.filter(tenant__in=[each.tenant_id for each in shown])
        rows = rows.visible(self.now).awake_for(self.user_id, self.now)
        if self.filters.is_mine:
            rows = rows.filter(Q(owner=self.user_id) | Q(asked_by=self.user_id) | _free_to_take(shown))
        if self.filters.q:
            rows = rows.filter(self._words)
        if self.filters.desk:
            rows = rows.filter(kind__in=[kind.name for kind in kinds() if kind.desk == self.filters.desk])
        return rows

    def _section(self, name: str) -> WorkItemQuerySet:
        rows = self._rows()
        waits = Q(is_with_others=True)
        if self.filters.is_mine:
            waits |= Q(asked_by=self.user_id) & (Q(owner=None) | ~Q(owner=self.user_id))
        # The column by itself as well: what stands behind a NOT is looked up in no index of SQLite.
        rows = rows.filter(waits) if name == OTHERS else rows.filter(is_with_others=False).exclude(waits)
        if name == OVERDUE:
            return rows.filter(due_sort__lt=self.now)
        if name == TODAY:
            return rows.filter(due_sort__gte=self.now, due_sort__lt=self._tomorrow)
        return rows

    @property
    def _tomorrow(self) -> datetime:
        midnight = timezone.localtime(self.now).replace(hour=0, minute=0, second=0, microsecond=0)
        return midnight + timedelta(days=1)

    def page(self, cursor: str | None) -> PortfolioPage:
        """Read one page in as many queries as it has kinds, however many items and tenants there are."""
        with all_tenants(WHY):
            parts = {name: self._section(name) for name in ("", OVERDUE, TODAY, OTHERS)}
            counts = {name: Count(number) for name, number in count_together(parts, limit=MAX_COUNTED + 1).items()}
            page = keyset_page(self._section(self.filters.tab), order_by=ORDER, cursor=cursor, size=ROWS_OF_PAGE)
            shown = rows_of(lines_of(page.rows), self.memberships)
        return PortfolioPage(self._grouped(shown, counts), counts, page.next_cursor, page.previous_cursor)

    def _grouped(self, rows: Iterable[Row], counts: Mapping[str, Count]) -> list[TenantRow]:
        found, before = [], ""
        for row in rows:
            item = row.line.row
            name = OTHERS if self.filters.tab == OTHERS else self._group_of(item)
            label = {OTHERS: LABELS[OTHERS], LATER: "Later or no date"}.get(name) or LABELS[name]
            tenant = self.memberships[item.tenant_id].tenant
            found.append(TenantRow(tenant, row, label if name != before else "", TONES.get(name, ""), counts.get(name)))
            before = name
        return found

    def _group_of(self, item: WorkItem) -> str:
        if item.due_sort < self.now:
            return OVERDUE
        return TODAY if item.due_sort < self._tomorrow else LATER


def queue_of(memberships: Iterable[Membership], *, user_id: int, filters: PortfolioFilters) -> PortfolioQueue:
    """Make the queue of these tenants; one that is not among them is no filter."""
    by_tenant = {each.tenant_id: each for each in memberships}
    if filters.tenant not in {each.tenant.slug for each in by_tenant.values()}:
        filters = replace(filters, tenant="")
    return PortfolioQueue(memberships=by_tenant, user_id=user_id, now=timezone.now(), filters=filters)


def catch_up_all(memberships: Iterable[Membership]) -> None:
    """Work off what has changed in those tenants where something has that a page works off.

    Those with the newest changes, which are the reader's own; the task does the others.
    """
    ids = {each.tenant_id for each in memberships}
    with all_tenants(WHY):
        changes = Change.objects.filter(tenant__in=ids, object_id__gt=0).order_by()
        newest_first = changes.values("tenant_id").annotate(newest=Max("id")).order_by("-newest")
        behind = list(newest_first.values_list("tenant_id", flat=True)[:MAX_CAUGHT_UP])
    for tenant_id in behind:
        with tenant_scope(tenant_id):
            catch_up_for_page()


def version_of(memberships: Iterable[Membership], areas: Sequence[str]) -> PageVersion:
    """Return the version of what these tenants show, in one query."""
    ids = sorted(each.tenant_id for each in memberships)
    with all_tenants(WHY):
        rows = Area.objects.filter(tenant__in=ids, name__in=areas).order_by("tenant", "name")
        versions = list(rows.values_list("tenant_id", "name", "version"))
    return own_version(f"{crc32(repr((ids, versions)).encode()):x}", *areas)


def scheduled_everywhere(memberships: Iterable[Membership], *, user_id: int) -> Scheduled | None:
    """Return what this person can still undo in any of these tenants; None: nothing."""
    ids = [each.tenant_id for each in memberships]
    with all_tenants(WHY):
        return count_scheduled(Decision.objects.scheduled().of(user_id).filter(tenant__in=ids))


def undo_everywhere(memberships: Iterable[Membership], *, user_id: int) -> int:
    """Take back what this person decided or confirmed, where it has not left, in each tenant with some by the role there."""
    by_tenant = {each.tenant_id: each for each in memberships if each.may(Role.APPROVER)}
    with all_tenants(WHY):
        own = Decision.objects.scheduled().of(user_id).filter(tenant__in=by_tenant)
        found = list(own.order_by().values_list("tenant_id", flat=True).distinct())
    undone = 0
    for tenant_id in found:
        with tenant_scope(tenant_id):
            undone += undo_all(by_tenant[tenant_id])
            # Here, for all of them: the page that follows does it for a few.
            catch_up_for_page()
    return undone


def _free_to_take(memberships: Iterable[Membership]) -> Q:
    """What nobody has and this person's role in its tenant reaches."""
    by_role: dict[int, list[int]] = defaultdict(list)
    for each in memberships:
        by_role[each.role].append(each.tenant_id)
    free = Q(pk=None)
    for role, ids in by_role.items():
        free |= UNASSIGNED & Q(tenant__in=ids, role__lte=role)
    return free
