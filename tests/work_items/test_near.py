"""Only items whose time is near are looked through: most of a tenant's contracts, commitments and documents end in years."""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
import time_machine
from django.db import connection

from portal.tenants.scope import tenant_scope
from portal.work_items.models import ALWAYS, NEAR, NEVER, WorkItem
from portal.work_items.services import turn_items
from portal.work_items.tasks import sweep_near_items

pytestmark = pytest.mark.both
START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def make(number: int, *, visible_from: datetime = ALWAYS, visible_until: datetime = NEVER) -> WorkItem:
    row = WorkItem(
        kind="contract_notice", object_id=number, visible_from=visible_from, visible_until=visible_until, arrived_at=START
    )
    row.set_near(START)
    return row


def shown(now: datetime) -> set[int]:
    return set(WorkItem.objects.visible(now).values_list("object_id", flat=True))


def wanted(now: datetime) -> set[int]:
    rows = WorkItem.objects.filter(visible_from__lte=now, visible_until__gt=now)
    return set(rows.values_list("object_id", flat=True))


def test_whatever_the_times_and_however_late_the_sweep_each_item_is_shown_in_its_time(scoped):
    random = Random(23)
    moments = [ALWAYS, NEVER, *(START + timedelta(hours=random.randint(-100, 400)) for _ in range(30))]
    rows = [make(n, visible_from=random.choice(moments), visible_until=random.choice(moments)) for n in range(300)]
    WorkItem.objects.bulk_create(rows)
    now = START
    while now < START + timedelta(hours=500):
        assert shown(now) == wanted(now), now
        # The sweep before this one was at most as long ago as an item is near before its time.
        late = timedelta(seconds=random.randint(1, int(NEAR.total_seconds())))
        assert shown(now + late) == wanted(now + late), (now, late)
        now += late
        turn_items(now)


def test_what_is_far_or_over_stands_in_no_index_of_the_pages(scoped):
    day = timedelta(days=1)
    rows = [
        make(1),
        make(2, visible_from=START + 400 * day),
        make(3, visible_until=START - day),
        make(4, visible_from=START - day, visible_until=START + day),
    ]
    WorkItem.objects.bulk_create(rows)
    assert {row.object_id for row in WorkItem.objects.filter(is_near=True)} == {1, 4}
    for days, ahead in ((399, {2}), (400, set())):
        with time_machine.travel(START + days * day, tick=False):
            sweep_near_items()
        assert {row.object_id for row in WorkItem.objects.filter(is_near=True)} == {1, 2}
        assert {row.object_id for row in WorkItem.objects.all() if row.is_ahead} == ahead
    assert not WorkItem.objects.filter(turns_at__isnull=False).exists()


def test_the_sweep_turns_the_items_of_every_tenant_in_batches(acme, globex, monkeypatch):
    monkeypatch.setattr("portal.work_items.services.BATCH", 3)
    for tenant in (acme, globex):
        with tenant_scope(tenant.pk):
            WorkItem.objects.bulk_create([make(n, visible_from=START + timedelta(days=9)) for n in range(7)])
    with time_machine.travel(START + timedelta(days=8), tick=False):
        sweep_near_items()
    for tenant in (acme, globex):
        with tenant_scope(tenant.pk):
            assert WorkItem.objects.filter(is_near=True).count() == 7


def test_the_list_of_the_team_reads_an_index_without_those_that_are_far(scoped):
    far = [make(n, visible_from=START + timedelta(days=500)) for n in range(2000)]
    WorkItem.objects.bulk_create([*far, make(2000)])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE work_items_workitem")
    rows = WorkItem.objects.visible(START).filter(is_with_others=False).order_by("due_sort", "id")[:10]
    assert "near_items_" in rows.explain()
