"""Keeping the items equal to what the desks say, and what each person wants to see of them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Exists, Min, OuterRef
from django.utils import timezone

from portal.lib.outages import if_writable
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Tenant
from portal.tenants.scope import all_tenants, current_tenant_id
from portal.tenants.turns import serve_in_turn
from portal.work_items.kinds import EVERY, Item, Kind, kind_named, kinds
from portal.work_items.models import ALWAYS, AREA, NEVER, Change, Pass, Snooze, Visit, WorkItem
from portal.work_items.selectors import Line, lines_of
from portal.work_items.signals import overdue, send_news

BATCH = 500
AT_ONCE = 200
"""So many changes are worked off while a page is made; the task does the others."""
EACH_COMPARISON = timedelta(hours=24)
OLD_NEWS = timedelta(hours=1)
"""What was due longer ago has not become overdue just now, even if nobody has looked since."""
MAX_TOLD = 100
AWAY = timedelta(minutes=30)
"""Who has not looked for so long had left."""
SIGHT = timedelta(minutes=5)
"""An open page need not write down each time that it was looked at."""
STORED = (
    *("due_sort", "visible_from", "visible_until", "owner_id", "is_taken", "asked_by_id", "is_with_others", "role"),
    "arrived_at",
)
TURNING = ("is_near", "turns_at")


def catch_up(most: int = AT_ONCE, *, may_wait: bool = False) -> bool:
    """Work off what has changed in the tenant in scope; True when there is more, or somebody else is at it.

    A page takes the newest changes, which are its reader's own, and does not wait. The task takes the oldest, and also those
    that concern every object of a kind.
    """
    changes = Change.objects.order_by("id") if may_wait else Change.objects.filter(object_id__gt=0).order_by("-id")
    if not changes.exists():
        return False
    _ensure_pass()
    with transaction.atomic():
        if not _lock(may_wait=may_wait):
            return True
        found = list(changes.values_list("id", "kind", "object_id")[:most])
        # Removed before the desks are asked: a write that they do not show yet has a change of its own.
        Change.objects.filter(id__in=[key for key, _, _ in found]).delete()
        ids: dict[str, set[int]] = defaultdict(set)
        for _, name, object_id in found:
            ids[name].add(object_id)
        changed = [_refresh(kind, ids[kind.name]) for kind in kinds() if kind.name in ids]
        if any(changed):
            touch_areas(AREA)
    return len(found) == most or any(object_id <= 0 for _, _, object_id in found)


@if_writable()
def catch_up_for_page() -> None:
    """Work off the newest changes before a page shows the work; during an outage it shows what was worked off before."""
    catch_up()


def work_off_changes(*, seconds: float = TASK_TIME_BUDGET_SECONDS) -> None:
    """Work off what has changed in every tenant, as far as the time goes; what is left stands in its rows.

    Turn by turn, so that a tenant with many changes does not keep the others waiting.
    """
    with all_tenants("changes are found over all tenants"):
        # A tenant that was removed leaves its last changes behind.
        Change.objects.exclude(tenant__in=Tenant.objects.all()).delete()
        oldest_first = Change.objects.order_by().values("tenant_id").annotate(oldest=Min("id")).order_by("oldest")
        turns = list(oldest_first.values_list("tenant_id"))

    def work_off() -> None:
        if catch_up(BATCH, may_wait=True):
            # Its next turn comes behind those of the others.
            turns.append((current_tenant_id(),))

    serve_in_turn(turns, work_off, what="working off changes", seconds=seconds)


def _ensure_pass() -> None:
    if not Pass.objects.exists():
        Pass.objects.bulk_create([Pass(tenant_id=current_tenant_id())], ignore_conflicts=True)


def _lock(*, may_wait: bool) -> bool:
    rows = Pass.objects.all()
    if connection.features.has_select_for_update_skip_locked and not may_wait:
        return rows.select_for_update(skip_locked=True).first() is not None
    return rows.select_for_update().first() is not None


def _refresh(kind: Kind, object_ids: set[int]) -> bool:
    wanted = {each for each in object_ids if each > 0}
    if every := object_ids - wanted:
        wanted |= _next_of_every(kind, after=-max(every))
    return bool(wanted) and _store(kind, wanted)


def _next_of_every(kind: Kind, *, after: int) -> set[int]:
    """Return the next objects of a kind, in the order of their keys. A change of its own keeps how far this has come."""
    keys = list(kind.objects().filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)[:BATCH])
    if len(keys) == BATCH:
        Change.objects.create(tenant_id=current_tenant_id(), kind=kind.name, object_id=-keys[-1])
    return set(keys)


def compare_all() -> None:
    """Have every item of the tenant in scope made anew from what its desk says, and remove those that no desk knows."""
    _ensure_pass()
    # Before it is done: one that never comes to its end keeps no other tenant waiting.
    Pass.objects.update(compared_at=timezone.now())
    Change.objects.bulk_create(
        [Change(tenant_id=current_tenant_id(), kind=kind.name, object_id=int(EVERY)) for kind in kinds()]
    )
    with transaction.atomic():
        _lock(may_wait=True)
        stray = WorkItem.objects.exclude(kind__in=[kind.name for kind in kinds()])
        # Not "not among": PostgreSQL would read the whole list anew for each row once it is longer than its memory.
        gone = [
            WorkItem.objects.filter(~Exists(kind.objects().order_by().filter(pk=OuterRef("object_id"))), kind=kind.name)
            for kind in kinds()
        ]
        if sum(rows.delete()[0] for rows in (stray, *gone)):
            touch_areas(AREA)


def _store(kind: Kind, object_ids: set[int]) -> bool:
    now = timezone.now()
    items = kind.build(object_ids)
    known = {row.object_id: row for row in WorkItem.objects.filter(kind=kind.name, object_id__in=object_ids)}
    rows = []
    for object_id, item in sorted(items.items()):
        row, old = _row(kind, object_id, item), known.get(object_id)
        row.set_near(now)
        if old and all(getattr(old, each) == getattr(row, each) for each in (*STORED[:-1], *TURNING)):
            continue
        row.arrived_at = old.arrived_at if old and _is_with_the_same(old, row) else now
        rows.append(row)
    gone = [row.pk for object_id, row in known.items() if object_id not in items]
    WorkItem.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["tenant", "kind", "object_id"],
        update_fields=[each.removesuffix("_id") for each in (*STORED, *TURNING)],
    )
    if gone:
        WorkItem.objects.filter(pk__in=gone).delete()
    send_news(kind, [Line(row, kind, items[row.object_id]) for row in rows if row.arrived_at == now], at=now)
    return bool(rows or gone)


def _is_with_the_same(old: WorkItem, row: WorkItem) -> bool:
    """Say whether it is no news to anybody; who waits for it cannot do it, such as a second approval."""
    has_come = old.is_ahead and not row.is_ahead
    return not has_come and all(
        getattr(old, each) == getattr(row, each) for each in ("owner_id", "asked_by_id", "is_with_others")
    )


def _row(kind: Kind, object_id: int, item: Item) -> WorkItem:
    return WorkItem(
        kind=kind.name,
        object_id=object_id,
        due_sort=item.due_at or NEVER,
        visible_from=item.visible_from or ALWAYS,
        visible_until=item.visible_until or NEVER,
        owner_id=item.owner_id,
        is_taken=bool(item.owner_id or item.owner_name),
        asked_by_id=item.asked_by_id,
        is_with_others=item.is_with_others,
        role=item.role,
    )


def turn_items(now: datetime) -> None:
    """Note which items of the tenant in scope have come near, and whose time has passed; tell of those whose time has come."""
    _ensure_pass()
    while _turn_batch(now) == BATCH:
        pass


def _turn_batch(now: datetime) -> int:
    with transaction.atomic():
        # Against the changes that are worked off meanwhile: they write the same rows.
        _lock(may_wait=True)
        rows = list(WorkItem.objects.filter(turns_at__lte=now).order_by("turns_at")[:BATCH])
        ahead = [row for row in rows if row.is_ahead]
        for row in rows:
            row.set_near(now)
        WorkItem.objects.bulk_update(rows, TURNING)
        come = lines_of([row for row in ahead if not row.is_ahead])
        for kind in kinds():
            send_news(kind, [line for line in come if line.kind is kind], at=now)
    return len(rows)


def note_overdue(now: datetime) -> None:
    """Tell of what has become overdue in the tenant in scope since the last look; the first look tells of nothing."""
    _ensure_pass()
    with transaction.atomic():
        _lock(may_wait=True)
        last = Pass.objects.values_list("overdue_until", flat=True).get()
        if last is not None and last >= now:
            return
        Pass.objects.update(overdue_until=now)
        since = max(last, now - OLD_NEWS) if last else now
        rows = WorkItem.objects.visible(now).filter(is_with_others=False, due_sort__gt=since, due_sort__lte=now)
        rows = rows.exclude(kind__in=[kind.name for kind in kinds() if kind.is_told_by_desk])
        if lines := lines_of(list(rows.order_by("due_sort", "id")[:MAX_TOLD])):
            overdue.send(WorkItem, lines=lines, at=now)


def snooze(item: WorkItem, *, user_id: int, until: datetime) -> None:
    """Keep an item out of one person's sight until then."""
    with transaction.atomic():
        Snooze.objects.update_or_create(item=item, user_id=user_id, defaults={"until": until})
        touch_areas(AREA)


def wake(item: WorkItem, *, user_id: int) -> None:
    """Show a snoozed item again."""
    with transaction.atomic():
        Snooze.objects.filter(item=item, user=user_id).delete()
        touch_areas(AREA)


def left_at(user_id: int, now: datetime) -> datetime | None:
    """Return when this person had left the work of the tenant before they came now; None the first time."""
    visit = Visit.objects.filter(user=user_id).first()
    if visit is None:
        return None
    return visit.seen_at if visit.seen_at < now - AWAY else visit.left_at


@if_writable()
def note_visit(user_id: int, now: datetime) -> None:
    """Write down that somebody looks at the work."""
    visit = Visit.objects.filter(user=user_id).first()
    if visit is None:
        Visit.objects.bulk_create([Visit(user_id=user_id, seen_at=now)], ignore_conflicts=True)
    elif visit.seen_at < now - SIGHT:
        if visit.seen_at < now - AWAY:
            visit.left_at = visit.seen_at
        visit.seen_at = now
        visit.save(update_fields=["seen_at", "left_at"])


def act(item: WorkItem, action: str, *, member: Membership, choice: dict[str, str]) -> str:
    """Do something about an item through its desk's service, and say what was done. Raises LookupError where it cannot be."""
    kind = kind_named(item.kind)
    known = kind.build([item.object_id]).get(item.object_id) if kind else None
    if kind is None or known is None or action not in known.actions:
        raise LookupError(action)
    return kind.actions[action].run(item.object_id, member, choice)


type Named = Mapping[tuple[int, str], int]
"""Members by their tenant and folded name."""
type Members = Set[tuple[int, int | None]]
"""Pairs of a tenant and a member of it."""


def members_named(names: Iterable[tuple[int, str]]) -> Named:
    """Find the members whom the platform calls so in a tenant. The two sides share only a name: it has to fit exactly one."""
    wanted = {(tenant_id, folded) for tenant_id, name in names if (folded := _folded(name))}
    found: dict[tuple[int, str], set[int]] = defaultdict(set)
    if wanted:
        members = Membership.objects.filter(tenant__in={tenant_id for tenant_id, _ in wanted}, user__is_active=True)
        for tenant_id, user_id, name in members.values_list("tenant_id", "user_id", "user__name"):
            if (key := (tenant_id, _folded(name))) in wanted:
                found[key].add(user_id)
    return {key: next(iter(ids)) for key, ids in found.items() if len(ids) == 1}


def members_among(people: Iterable[tuple[int, int | None]]) -> Members:
    """Return those of these people, each named with a tenant, who are members there and can sign in."""
    wanted = {pair for pair in people if pair[1] is not None}
    tenants, users = {pair[0] for pair in wanted}, {pair[1] for pair in wanted}
    members = Membership.objects.filter(tenant__in=tenants, user__is_active=True, user__in=users)
    return set(members.values_list("tenant_id", "user_id")) & wanted if wanted else set()


def _folded(name: str) -> str:
    return name.strip().casefold()


def owner_of(members: Named, tenant_id: int, name: str) -> int | None:
    """Return the member of this name, as `members_named` has found them."""
    return members.get((tenant_id, _folded(name)))
