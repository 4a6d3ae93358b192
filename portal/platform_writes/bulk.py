"""What a desk says about its bulk runs; beginning them, trying their failures again, finding those with work to do."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.audit.services import record
from portal.lib.enqueue import enqueue_on_commit
from portal.page_refresh.services import touch_areas
from portal.platform_writes.models import ItemQuerySet, ItemState, Run, RunQuerySet
from portal.tenants.models import Membership, Role
from portal.tenants.scope import all_tenants

BATCH = 200
MAX_SWEPT = 500


@dataclass(frozen=True, kw_only=True)
class Bulk:
    """The bulk runs of one desk."""

    runs: type[Any]
    items: type[Any]
    """Its models: a `Run` and an `Item`."""
    task: str
    """Rung, with tenant and run, whenever there is work to do."""
    area: str
    """What open pages watch."""
    kind: str
    """How the history calls a run."""
    action: str
    """How the history calls its beginning; its end and its repetition add a word."""
    role: Role
    """What a person must be to have such changes made."""
    change: Callable[..., object]
    """Changes an item's object, with `member=`, `client=`, `checks_before_retry=`; calls `then` in its last transaction."""
    refusals: tuple[type[Exception], ...]
    """What `change` raises when the answer is a clear no."""
    error_message: Callable[[Exception, str], str]
    """Tell people why something did not work out in the tenant of a slug."""

    def all_runs(self) -> RunQuerySet[Any]:
        runs: RunQuerySet[Any] = self.runs.objects.all()
        return runs

    def all_items(self) -> ItemQuerySet[Any]:
        items: ItemQuerySet[Any] = self.items.objects.all()
        return items

    def items_of(self, run: Run) -> ItemQuerySet[Any]:
        return self.all_items().filter(run=run)

    def check(self, member: Membership) -> None:
        if not member.may(self.role):
            raise PermissionDenied


@transaction.atomic
def begin[R: Run](bulk: Bulk, run: R, items: Sequence[Any], *, member: Membership) -> R:
    """Write down that a change is to be made, and have a worker begin."""
    bulk.check(member)
    run.asked_by, run.asked_by_name = member.user, str(member.user)[:120]
    run.save()
    for item in items:
        item.run = run
    bulk.items.objects.bulk_create(items, batch_size=BATCH)
    _note(bulk, run, bulk.action, f"Started with {run.counted(len(items))}: {run}.", member)
    return run


class AnotherOnItsWay(Exception):
    """Of runs like this one there is one at a time, and another one has not ended."""


@transaction.atomic
def try_again(bulk: Bulk, run: Run, *, member: Membership) -> int:
    """Have only those tried again that were not changed; return how many. From now on this member is the one who asks.

    Raises PermissionDenied, AnotherOnItsWay.
    """
    bulk.check(member)
    run = bulk.all_runs().select_for_update().get(pk=run.pk)
    now = timezone.now()
    number = bulk.items_of(run).failed().update(state=ItemState.WAITING, attempts=0, due_at=now, description="")
    if number:
        run.asked_by, run.asked_by_name = member.user, str(member.user)[:120]
        run.finished_at, run.due_at = None, now
        try:
            with transaction.atomic():
                run.save(update_fields=["asked_by", "asked_by_name", "finished_at", "due_at"])
        except IntegrityError as error:
            raise AnotherOnItsWay from error
        _note(bulk, run, f"{bulk.action}_retry", f"Tried {run.counted(number)} again: {run}.", member)
    return number


def _note(bulk: Bulk, run: Run, action: str, summary: str, member: Membership) -> None:
    record(action, target=(bulk.kind, str(run.pk)), summary=summary, actor=member.user)
    touch_areas(bulk.area)
    enqueue_on_commit(bulk.task, run.tenant_id, run.pk)


def due_runs(bulk: Bulk) -> list[tuple[int, int]]:
    """Return tenant and key of the runs that a worker can go on with, the longest waiting first."""
    with all_tenants("the sweep goes on with the bulk runs of every tenant"):
        rows = bulk.all_runs().due(timezone.now()).order_by("due_at", "id")
        return list(rows.values_list("tenant_id", "pk")[:MAX_SWEPT])
