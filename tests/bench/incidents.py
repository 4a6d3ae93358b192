"""Do the pages of an incident stay as quick with many customers in its plan, and what does making a plan cost?"""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

from django.utils import timezone

from portal.accounts.models import Account
from portal.commitments.models import Commitment, Standard, Term
from portal.incidents.models import Incident
from portal.incidents.services import IncidentFacts, open_incident
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope
from tests.bench.medians import per_second
from tests.bench.pages import PIECE, Site, compare, tenant_with_client
from tests.support.members import find_member

FEW, MANY = 60, 2_000
SMALL, LARGE = 200, 20_000
BATCH = 1000
PROMISES = (("24", "hours"), ("72", "hours"), ("2", "business-days"), (None, ""))
ZONES = ("", "Australia/Sydney", "America/New_York")


def print_incidents() -> None:
    print(f"\nOne incident, {FEW} customers to tell against {MANY:,}:")
    compare(*(_pages(count) for count in (FEW, MANY)))
    print(f"Making a plan, {SMALL} customers against {LARGE:,}:")
    for count in (SMALL, LARGE):
        seconds = 1 / per_second(_planning(count), count=1)
        print(f"  {count:>6,} customers: {seconds:.2f} s, {seconds / count * 1000:.2f} ms for each")


def _pages(count: int) -> Site:
    tenant, client = tenant_with_client(f"Incident of {count}")
    incident = _open(tenant, count)
    root = f"/t/{tenant.slug}/incidents/"
    plan = f"{root}{incident.pk}/"
    with tenant_scope(tenant.pk):
        notice = incident.notices.order_by("pk")[count // 2].pk
    pages = {
        "incidents": root,
        "a plan": plan,
        "a plan, a search": f"{plan}?q=company",
        "a plan, to tell": f"{plan}?tab=to-tell",
        "a plan, late": f"{plan}?tab=late",
        "one customer of it": f"{plan}notices/{notice}/",
        "its log": f"{plan}log/",
    }
    return client, {name: (path, {}) for name, path in pages.items()} | {"a plan that polls": (plan, PIECE)}


def _planning(count: int) -> Callable[[], object]:
    tenant, _ = tenant_with_client(f"Plan of {count}")
    make_customers(tenant, count)
    return lambda: _incident(tenant)


def _open(tenant: Tenant, count: int) -> Incident:
    make_customers(tenant, count)
    return _incident(tenant)


def _incident(tenant: Tenant) -> Incident:
    member = find_member(tenant=tenant)
    noticed_at = timezone.now() - timedelta(hours=30)
    facts = IncidentFacts(name="Bench", noticed_at=noticed_at, kinds=["personal"], concerns_all=True)
    with tenant_scope(tenant.pk):
        return open_incident(facts, member=member)


def make_customers(tenant: Tenant, count: int) -> None:
    """Customers, two of three with a promise, some with two."""
    with tenant_scope(tenant.pk):
        Standard.objects.create(term=Term.BREACH_NOTICE, amount=Decimal(72), unit="hours")
        for start in range(0, count, BATCH):
            numbers = range(start, min(start + BATCH, count))
            Account.objects.bulk_create([_account(number) for number in numbers])
            Commitment.objects.bulk_create(
                [_promise(number, one) for number in numbers for one in range(2) if number % 3 > one]
            )


def _account(number: int) -> Account:
    name, domain = f"Company {number * 7919 % 100_003}", f"company{number}.test"
    key, search = f"{number:024x}", f"{name} {domain}".casefold()
    return Account(platform_id=key, name=name, name_sort=name.casefold(), domain=domain, search=search)


def _promise(number: int, one: int) -> Commitment:
    amount, unit = PROMISES[(number + one) % len(PROMISES)]
    return Commitment(
        account_id=f"{number:024x}",
        term=Term.BREACH_NOTICE,
        amount=Decimal(amount) if amount else None,
        unit=unit,
        words="" if amount else "without undue delay",
        zone=ZONES[number % len(ZONES)],
        clause="8.2",
        notify=f"security@company{number}.test",
        created_by_name="Ben Bench",
    )
