"""Do the pages about contracts stay as quick with twenty thousand of them as with two hundred?"""

from datetime import date, datetime, timedelta

from django.utils import timezone

from portal.contracts.models import FAR, NO_DATE, Contract, ContractPage, Terms
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope
from tests.bench.pages import PIECE, Site, compare, tenant_with_client

FEW, MANY = 200, 20_000
BATCH = 1000
PRESSING = 60
PAGES = 3
"""Read of every contract."""
WORDS = "The supplier shall notify the customer of a breach within {hours} hours. Clause {number} of agreement {number}. "


def print_contracts() -> None:
    print(f"\nThe contracts of a tenant, {FEW} against {MANY:,}:")
    compare(*(_pages(count) for count in (FEW, MANY)))


def _pages(count: int) -> Site:
    tenant, client = tenant_with_client(f"Contracts of {count}")
    make_contracts(tenant, count)
    root, middle = f"/t/{tenant.slug}/contracts/", f"{count // 2:024x}"
    queries = {
        "contracts": "",
        "contracts, a search": "?q=agreement",
        "contracts, a rare word": f"?q=clm-{count - 1}",
        "contracts, in the text": "?q=breach&place=text",
        "contracts, rare in the text": f"?q=clause+{count - 7}&place=text",
        "contracts, not in the text": "?q=nobody&place=text",
        "contracts, ending soon": "?ends=30",
        "contracts, notice due": "?ends=notice&sort=notice",
        "contracts, no end known": "?ends=none",
        "contracts, mine": "?owner=me",
        "contracts, no customer": "?account=none",
        "contracts, by end": "?sort=ends",
        "calendar": "calendar/",
        "uploads": "queue/",
        "one contract": f"{middle}/",
        "its text": f"{middle}/text/?q=breach",
    }
    pages = {name: (f"{root}{query}", {}) for name, query in queries.items()}
    return client, pages | {"contracts that poll": (root, PIECE)}


def make_contracts(tenant: Tenant, count: int) -> None:
    now, today = timezone.now(), timezone.localdate()
    with tenant_scope(tenant.pk):
        for start in range(0, count, BATCH):
            numbers = range(start, min(start + BATCH, count))
            rows = Contract.objects.bulk_create([_contract(number, now, today, count) for number in numbers])
            noted = [row for row in rows if row.ends_sort != FAR]
            Terms.objects.bulk_create([_terms(row) for row in noted])
            pages = [_page(row, number, page) for number, row in zip(numbers, rows, strict=True) for page in range(PAGES)]
            ContractPage.objects.bulk_create(pages)


def _contract(number: int, now: datetime, today: date, count: int) -> Contract:
    """One of three has no end; a page of them ends in these weeks, however many there are, and the others over the years."""
    name = f"Agreement {number * 7919 % 100_003}.pdf"
    ends = today + timedelta(days=5 + number % 25 if number < PRESSING else 200 + number * 3650 // count)
    if number % 3 == 0 and number >= PRESSING:
        ends = FAR
    return Contract(
        platform_id=f"{number:024x}",
        name=name,
        external_id=f"CLM-{number}",
        account_id="" if number % 3 == 0 else f"{number % 500:024x}",
        executed_sort=NO_DATE,
        created_at=now - timedelta(hours=number),
        ends_sort=ends,
        notice_sort=ends if ends == FAR else ends - timedelta(days=5),
        read_at=now,
        search=f"{name} clm-{number}".casefold(),
        payload={"id": f"{number:024x}", "name": name},
    )


def _terms(row: Contract) -> Terms:
    return Terms(
        contract=row,
        platform_id=row.platform_id,
        contract_name=row.name,
        ends_on=row.ends_sort,
        turns_on=row.ends_sort,
        notice_on=row.notice_sort,
        notice_number=5,
        notice_unit="days",
        version=1,
    )


def _page(row: Contract, number: int, page: int) -> ContractPage:
    text = WORDS.format(hours=24 + number % 3 * 24, number=number) * 20
    return ContractPage(contract=row, number=page + 1, text=text, search=text.casefold())
