"""Is an operator of forty tenants, with a million items in them, served as quickly as one of two?"""

from django.test import Client
from django.utils import timezone

from portal.notifications.kinds import DUE
from portal.notifications.models import Notification
from portal.tenants.models import Tenant
from portal.tenants.scope import all_tenants, tenant_scope
from portal.tenants.services import create_tenant
from portal.users.models import User
from portal.work_items.models import Change
from portal.work_items.services import work_off_changes
from tests.bench.pages import PIECE, Site, compare
from tests.bench.today import BATCH, NEAR_ONES, make_items
from tests.bench.world import make_questionnaires, make_user

FEW, MANY = (2, 1_000), (40, 1_000_000)
"""The tenants, and the work items and notifications of all of them together."""
FEW_QUESTIONNAIRES, MANY_QUESTIONNAIRES = 100, 100_000
UNREAD_ONES = 20
"""Of all tenants together, in both: it is not for what is shown that a page takes longer."""


def print_portfolio() -> None:
    sizes = [f"{tenants} tenants with {rows:,} items and notifications" for tenants, rows in (FEW, MANY)]
    print(f"\nAll tenants of one operator, {sizes[0]} and {FEW_QUESTIONNAIRES} questionnaires")
    print(f"against {sizes[1]} and {MANY_QUESTIONNAIRES:,} questionnaires:")
    sites = _site(*FEW, FEW_QUESTIONNAIRES), _site(*MANY, MANY_QUESTIONNAIRES)
    _work_off()
    compare(*sites)


def _work_off() -> None:
    """Do what the task does every ten seconds: each questionnaire that was made is a change."""
    with all_tenants("the bench looks at the changes of all its tenants"):
        while Change.objects.exists():
            work_off_changes()


def _site(tenant_count: int, rows: int, questionnaires: int) -> Site:
    operator = make_user()
    tenants = [create_tenant(f"{number} of {tenant_count} tenants", owner=operator) for number in range(tenant_count)]
    for tenant in tenants:
        make_items(tenant, rows // tenant_count, near=NEAR_ONES // tenant_count)
        make_questionnaires(tenant, questionnaires // tenant_count)
        _tell(tenant, operator, rows // tenant_count, unread=UNREAD_ONES // tenant_count)
    client = Client()
    client.force_login(operator)
    return client, {**_everywhere(), **_of_one(tenants[0])}


def _everywhere() -> dict[str, tuple[str, dict[str, str]]]:
    return {
        "portfolio": ("/portfolio/", {}),
        "portfolio, mine": ("/portfolio/?whose=mine", {}),
        "portfolio, overdue": ("/portfolio/?tab=overdue", {}),
        "portfolio, waiting": ("/portfolio/?tab=waiting", {}),
        "search, tenants": ("/search/?q=tenants", PIECE),
        "search, a common word": ("/search/?q=vendor", PIECE),
        "search, nothing": ("/search/?q=nobody+has+this", PIECE),
        "bell": ("/notifications/bell/", PIECE),
        "bell, its number": ("/notifications/unread/", PIECE),
        "notifications": ("/notifications/", {}),
    }


def _of_one(tenant: Tenant) -> dict[str, tuple[str, dict[str, str]]]:
    root = f"/t/{tenant.slug}/"
    return {"Today of one of them": (root, {}), "its bell": (f"{root}notifications/bell/", PIECE)}


def _tell(tenant: Tenant, user: User, count: int, *, unread: int) -> None:
    """Have told somebody something as often."""
    with tenant_scope(tenant.pk):
        for start in range(0, count, BATCH):
            numbers = range(start, min(start + BATCH, count))
            Notification.objects.bulk_create([_notification(user, number, is_read=number >= unread) for number in numbers])


def _notification(user: User, number: int, *, is_read: bool) -> Notification:
    return Notification(
        user=user,
        kind=DUE.name,
        key=f"bench:{number}",
        title=f"Vendor assessment {number} is due",
        path="/",
        in_bell=True,
        read_at=timezone.now() if is_read else None,
    )
