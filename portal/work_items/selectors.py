"""Whose work is shown in which order: the sections of Today, and what the badge beside it counts."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Self

from django.db.models import Q
from django.utils import timezone

from portal.lib.counts import count_together
from portal.lib.keyset import KeysetPage, keyset_page
from portal.page_refresh.services import cached_by_version
from portal.tenants.models import Membership
from portal.tenants.scope import ALL_TENANTS, scope, tenant_scope
from portal.work_items.kinds import Item, Kind, kind_named, kinds
from portal.work_items.models import AREA, WorkItem, WorkItemQuerySet

OVERDUE, TODAY, WAITING, OTHERS, NEW = "overdue", "today", "waiting", "others", "new"
SNOOZED = "snoozed"
MINE, TEAM = "mine", "team"
SECTIONS = (OVERDUE, TODAY, WAITING, OTHERS, NEW)
ORDER = ("due_sort", "id")
MAX_COUNTED = 1000
"""Counting stops here: a page costs the same however many there are."""


@dataclass(frozen=True)
class Count:
    """How many there are, as far as they were counted."""

    number: int
    limit: int = field(default_factory=lambda: MAX_COUNTED)
    """Any number above it stands for this many and more."""

    def __str__(self) -> str:
        return f"{self.limit:,}+" if self.number > self.limit else f"{self.number:,}"

    def __bool__(self) -> bool:
        return self.number > 0

    def __add__(self, other: Self) -> "Count":
        return Count(self.number + other.number, self.limit)


@dataclass(frozen=True)
class Line:
    """One row of the list: the item with what its desk says of it now."""

    row: WorkItem
    kind: Kind
    item: Item
    is_new: bool = False


def lines_of(rows: Sequence[WorkItem]) -> list[Line]:
    """Ask the desks what these rows say now; one that has ended this moment is left out.

    In the scope of one tenant, or of all where the rows are of several: each desk is asked once, however many those are.
    """
    said: dict[str, dict[int, Item]] = {}
    for name in {row.kind for row in rows}:
        if kind := kind_named(name):
            said[name] = _said(kind, [row for row in rows if row.kind == name])
    lines = []
    for row in rows:
        kind, item = kind_named(row.kind), said.get(row.kind, {}).get(row.object_id)
        if kind and item:
            lines.append(Line(row, kind, item))
    return lines


def _said(kind: Kind, rows: Sequence[WorkItem]) -> dict[int, Item]:
    if not kind.is_asked_by_tenant or scope() != ALL_TENANTS:
        return kind.build([row.object_id for row in rows])
    said: dict[int, Item] = {}
    for tenant_id in {row.tenant_id for row in rows}:
        with tenant_scope(tenant_id):
            said |= kind.build([row.object_id for row in rows if row.tenant_id == tenant_id])
    return said


@dataclass(frozen=True, kw_only=True)
class Queue:
    """The work of a tenant as one person looks at it."""

    member: Membership
    now: datetime
    is_team: bool = False
    desk: str = ""
    left_at: datetime | None = None

    def rows(self) -> WorkItemQuerySet:
        """Everything in the list: nobody else counts differently."""
        return self._narrow(WorkItem.objects.visible(self.now).awake_for(self.member.user_id, self.now))

    def snoozed(self) -> WorkItemQuerySet:
        """What this person does not want to see for a while."""
        return self._narrow(WorkItem.objects.visible(self.now).snoozed_by(self.member.user_id, self.now))

    def _narrow(self, rows: WorkItemQuerySet) -> WorkItemQuerySet:
        user_id = self.member.user_id
        if not self.is_team:
            rows = rows.of_member(user_id, self.member.role)
        if self.desk:
            rows = rows.filter(kind__in=[kind.name for kind in kinds() if kind.desk == self.desk])
        return rows

    @property
    def _is_with_others(self) -> Q:
        """Somebody outside has it; in one's own list also what another member has to do first."""
        waits = Q(is_with_others=True)
        if not self.is_team:
            waits |= Q(asked_by=self.member.user_id) & (Q(owner=None) | ~Q(owner=self.member.user_id))
        return waits

    def section(self, name: str) -> WorkItemQuerySet:
        if name == SNOOZED:
            return self.snoozed()
        if name == OTHERS:
            return self.rows().filter(self._is_with_others)
        rows, tomorrow = self.needed(), self._tomorrow
        if name == OVERDUE:
            return rows.filter(due_sort__lt=self.now)
        if name == TODAY:
            return rows.filter(due_sort__gte=self.now, due_sort__lt=tomorrow)
        later = rows.filter(due_sort__gte=tomorrow)
        if self.left_at is None:
            return later if name == WAITING else later.none()
        if name == NEW:
            return later.filter(Q(arrived_at__gt=self.left_at) | Q(visible_from__gt=self.left_at))
        return later.filter(arrived_at__lte=self.left_at, visible_from__lte=self.left_at)

    def _is_new(self, row: WorkItem) -> bool:
        """Say whether it came, or its time did, since this person left: as the section `new`."""
        return self.left_at is not None and max(row.arrived_at, row.visible_from) > self.left_at

    def needed(self) -> WorkItemQuerySet:
        """What waits for this person, or for the team: this is what the badge counts."""
        rows = self.rows().filter(is_with_others=False)
        if self.is_team:
            return rows
        user_id = self.member.user_id
        return rows.filter(Q(asked_by=None) | ~Q(asked_by=user_id) | Q(owner=user_id))

    @property
    def _tomorrow(self) -> datetime:
        """Midnight where the reader is."""
        midnight = timezone.localtime(self.now).replace(hour=0, minute=0, second=0, microsecond=0)
        return midnight + timedelta(days=1)

    def counts(self) -> dict[str, Count]:
        """Count each section, what is snoozed, and both lists as a whole, in one query."""
        parts = {name: self.section(name) for name in (*SECTIONS, SNOOZED)}
        lists = {name: replace(self, is_team=name == TEAM).rows() for name in (MINE, TEAM)}
        numbers = count_together(parts | lists, limit=MAX_COUNTED + 1)
        return {name: Count(number) for name, number in numbers.items()}

    def page(self, name: str, cursor: str | None, *, size: int) -> KeysetPage[WorkItem]:
        return keyset_page(self.section(name), order_by=ORDER, cursor=cursor, size=size)

    def lines(self, rows: Sequence[WorkItem]) -> list[Line]:
        """Ask the desks what these rows say now; one that has ended this moment is left out."""
        lines = lines_of(rows)
        return [replace(line, is_new=self._is_new(line.row)) for line in lines]


def count(rows: WorkItemQuerySet) -> Count:
    return Count(rows.order_by()[: MAX_COUNTED + 1].count())


def needed_count(member: Membership) -> Count:
    """Count what waits for this person: the badge, and the first figure of Today."""
    now = timezone.now()
    queue = Queue(member=member, now=now)
    return cached_by_version(AREA, f"needed:{member.user_id}:{member.role}:{now:%H%M}", lambda: count(queue.needed()))
