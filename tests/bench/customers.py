"""Do the pages about customers stay as quick with twenty thousand of them as with two hundred?"""

from datetime import datetime, timedelta
from uuid import uuid4

from django.utils import timezone

from portal.access_requests.models import NEVER, AccessRequest, Viewer
from portal.accounts.models import Account, Part
from portal.contracts.models import Contract
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope
from tests.bench.pages import PIECE, Site, compare, tenant_with_client

FEW, MANY = 200, 20_000
BATCH = 1000
OF_EACH = 2
"""Viewers, requests and contracts of every customer: what the desks count for the fifty of a page."""
MERGED_AT = 50
"""Of each hundred customers the one at this place has a duplicate: the one behind it."""
UNMATCHED = 40
"""Viewers of unknown domains, however many customers there are."""


def print_customers() -> None:
    print(f"\nThe customers of a tenant, {FEW} against {MANY:,}:")
    compare(*(_pages(count) for count in (FEW, MANY)))


def _pages(count: int) -> Site:
    tenant, client = tenant_with_client(f"Customers of {count}")
    make_customers(tenant, count)
    root = f"/t/{tenant.slug}/customers/"
    queries = {
        "customers": "",
        "customers, a search": "?q=company",
        "customers, a rare word": f"?q=company{count - 1}.test",
        "customers, no such word": "?q=nobody",
        "customers, NDA signed": "?nda=signed",
        "customers, by itself": "?approval=on",
        "customers, gone": "?presence=gone",
        "customers, merged ones": "?parts=merged",
        "one customer": f"{count // 2:024x}/",
        "one of two accounts": f"{MERGED_AT:024x}/",
        "duplicates": "duplicates/",
        "people to match": "people/",
    }
    pages = {name: (f"{root}{query}", {}) for name, query in queries.items()}
    return client, pages | {"customers that poll": (root, PIECE)}


def make_customers(tenant: Tenant, count: int) -> None:
    now = timezone.now()
    with tenant_scope(tenant.pk):
        for start in range(0, count, BATCH):
            numbers = range(start, min(start + BATCH, count))
            Account.objects.bulk_create([_account(number, now) for number in numbers])
            Part.objects.bulk_create([part for number in numbers if number % 100 == MERGED_AT for part in _parts(number)])
            each = [(number, one) for number in numbers for one in range(OF_EACH)]
            Viewer.objects.bulk_create([_viewer(number, one, now, f"{number:024x}") for number, one in each])
            AccessRequest.objects.bulk_create([_request(number, one, now) for number, one in each])
            Contract.objects.bulk_create([_contract(number, one, now) for number, one in each])
        Viewer.objects.bulk_create([_viewer(count + number // 4, number, now, "") for number in range(UNMATCHED)])


def _account(number: int, now: datetime) -> Account:
    """One of fifty is gone, one of three has no NDA yet, one of ten is approved by the platform itself."""
    name, domain = f"Company {number * 7919 % 100_003}", f"company{number}.test"
    return Account(
        platform_id=f"{number:024x}",
        name=name,
        name_sort=name.casefold(),
        domain=domain,
        nda_status=("SIGNED", "NOT_REQUIRED", "INCOMPLETE")[number % 3],
        approves_itself=number % 10 == 0,
        search=f"{name} {domain}".casefold(),
        created_at=now - timedelta(hours=number),
        # About as long as the platform's own.
        payload={"id": f"{number:024x}", "name": name, "emailDomain": domain, "customFields": [{"label": "x" * 40}] * 10},
        gone_at=now if number % 50 == 0 else None,
    )


def _parts(number: int) -> list[Part]:
    customer = uuid4()
    return [Part(customer=customer, account_id=f"{number + at:024x}", is_main=at == 0) for at in (0, 1)]


def _person(number: int, one: int, now: datetime) -> dict[str, object]:
    domain = f"company{number}.test"
    email = f"person{one}@{domain}"
    at = now - timedelta(hours=number % 9000, minutes=one)
    person = {"email": email, "folded_email": email, "name": f"Person {one}", "domain": domain, "search": email}
    return person | {
        "platform_id": f"{number:020x}{one:04x}",
        "access_level": "FULL_ACCESS",
        "created_at": at,
        "updated_at": at,
    }


def _viewer(number: int, one: int, now: datetime, account_id: str) -> Viewer:
    return Viewer(**_person(number, one, now), expires_sort=NEVER, account_id=account_id)


def _request(number: int, one: int, now: datetime) -> AccessRequest:
    return AccessRequest(**_person(number, one, now), outcome=("APPROVED", "PENDING")[number % 400 == 0])


def _contract(number: int, one: int, now: datetime) -> Contract:
    return Contract(platform_id=f"{number:020x}{one:04x}", name="MSA", account_id=f"{number:024x}", created_at=now)
