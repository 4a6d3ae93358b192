"""Does Today stay as quick in a tenant with a million items, most of which are far away, as in one with a thousand?"""

from datetime import timedelta

from django.utils import timezone

from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope
from portal.work_items.models import WorkItem
from tests.bench.pages import Site, compare, tenant_with_client

FEW, MANY = 1_000, 1_000_000
NEAR_ONES = 200
"""Something to do now, in both tenants; the others have their time in the years to come, as the days of contracts do."""
BATCH = 5_000


def print_today() -> None:
    print(f"\nToday, with {NEAR_ONES} items to do, of {FEW:,} against {MANY:,}:")
    compare(*(_pages(count) for count in (FEW, MANY)))


def _pages(count: int) -> Site:
    tenant, client = tenant_with_client(f"Today of {count}")
    make_items(tenant, count)
    root = f"/t/{tenant.slug}/"
    queries = {
        "Today": "",
        "Today, the team": "?whose=team",
        "Today, overdue": "?tab=overdue",
        "Today, waiting": "?tab=waiting",
    }
    return client, {name: (f"{root}{query}", {}) for name, query in queries.items()}


def make_items(tenant: Tenant, count: int, *, near: int = NEAR_ONES) -> None:
    """Give a tenant work items, of which `near` have their time around now."""
    with tenant_scope(tenant.pk):
        for start in range(0, count, BATCH):
            WorkItem.objects.bulk_create(
                [_item(number, count, is_near=number < near) for number in range(start, min(start + BATCH, count))]
            )


def _item(number: int, count: int, *, is_near: bool) -> WorkItem:
    now = timezone.now()
    due_at = now + timedelta(days=number % 40 - 20 if is_near else 60 + number * 3000 // count)
    row = WorkItem(kind="bench", object_id=number, due_sort=due_at, arrived_at=now)
    if not is_near:
        row.visible_from = due_at - timedelta(days=30)
    row.set_near(now)
    return row
