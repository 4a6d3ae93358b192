"""Do the pages about viewers stay as quick with fifty thousand of them as with five hundred?"""

from datetime import datetime, timedelta

from django.utils import timezone

from portal.access_requests.models import NEVER, ContractState, Viewer
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope
from tests.bench.pages import PIECE, Site, compare, tenant_with_client

FEW, MANY = 500, 50_000
BATCH = 2000
OF_ONE_COMPANY = 100
"""However many there are: the pages about one company have as many rows to show."""


def print_viewers() -> None:
    print(f"\nThe viewers of a tenant, {FEW} against {MANY:,}:")
    compare(*(_pages(count) for count in (FEW, MANY)))


def _pages(count: int) -> Site:
    tenant, client = tenant_with_client(f"Viewers of {count}")
    make_viewers(tenant, count)
    root = f"/t/{tenant.slug}/access-requests/viewers/"
    month = f"{timezone.now() + timedelta(days=60):%Y-%m}"
    queries = {
        "register": "",
        "register, a search": "?q=person",
        "register, ends in 30 days": "?tab=expiring",
        "register, ended": "?tab=ended",
        "register, NDA pending": "?nda=pending",
        "register, quiet for long": "?seen=quiet-90",
        "register, one domain": "?tab=all&domain=company3.test",
        "register, one account": "?tab=all&account=account3",
        "one viewer": f"{count // 2:024x}/",
        "calendar": f"calendar/?month={month}",
        "review, NDA pending": "review/",
        "review, no activity": "review/?tab=quiet",
        "review, no contract": "review/?tab=contract",
        "review, other domain": "review/?tab=domain",
        "review, never ends": "review/?tab=never",
    }
    pages = {name: (f"{root}{query}", {}) for name, query in queries.items()}
    return client, pages | {"register that polls": (root, PIECE | {"HX-Target": "viewers"})}


def make_viewers(tenant: Tenant, count: int) -> None:
    now = timezone.now()
    with tenant_scope(tenant.pk):
        for start in range(0, count, BATCH):
            numbers = range(start, min(start + BATCH, count))
            Viewer.objects.bulk_create([_viewer(number, number // OF_ONE_COMPANY, now) for number in numbers])


def _viewer(number: int, company: int, now: datetime) -> Viewer:
    """One of five never ends, one of five has ended; the others end within half a year: also the few fill a page."""
    domain, created_at = f"company{company}.test", now - timedelta(hours=number * 17 % 9000)
    days = {0: None, 1: -1 - number % 300}.get(number % 5, number % 180)
    expires_at = None if days is None else now + timedelta(days=days, minutes=number % 60)
    return Viewer(
        platform_id=f"{number:024x}",
        email=f"person{number}@{domain}",
        folded_email=f"person{number}@{domain}",
        name=f"Person {number}",
        domain=domain,
        search=f"person {number} person{number}@{domain}",
        access_level="FULL_ACCESS",
        nda_provider=("", "ONE_CLICK", "DOCUSIGN")[number % 3],
        nda_satisfied_at=created_at if number % 4 else None,
        created_at=created_at,
        updated_at=created_at,
        expires_at=expires_at,
        expires_sort=expires_at or NEVER,
        account_id=f"account{company}" if number % 2 else "",
        contract=(ContractState.THERE, ContractState.NONE)[number % 3 == 0] if number % 2 else "",
        other_domain="other.test" if number % 7 == 0 else "",
        quiet_since=created_at,
        checked_at=now,
    )
