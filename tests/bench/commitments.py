"""Do the pages about commitments stay as quick with twenty thousand customers as with two hundred?"""

from datetime import datetime
from decimal import Decimal

from django.utils import timezone

from portal.accounts.models import Account
from portal.commitments.models import Commitment, Reading, Standard, Suggestion, Verdict
from portal.commitments.patterns import VERSION
from portal.contracts.models import Contract
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope
from tests.bench.pages import PIECE, Site, compare, tenant_with_client

FEW, MANY = 200, 20_000
BATCH = 1000
TERMS = (("breach-notice", 24, "hours"), ("deletion", 30, "days"), ("availability", 99, "percent"))
"""Promised to every customer; one of four is told of a breach within twelve hours, which is a deviation."""


def print_commitments() -> None:
    print(f"\nThe commitments of a tenant to {FEW} customers against {MANY:,}:")
    compare(*(_pages(count) for count in (FEW, MANY)))


def _pages(count: int) -> Site:
    tenant, client = tenant_with_client(f"Commitments to {count}")
    middle = make_commitments(tenant, count)
    root = f"/t/{tenant.slug}/commitments/"
    queries = {
        "matrix": "",
        "matrix, a search": "?q=company",
        "matrix, a rare word": f"?q=company{count - 1}.test",
        "matrix, deviations": "?shows=deviating",
        "matrix, with promises": "?shows=promised",
        "register": "register/",
        "register, a search": "register/?q=company",
        "register, a rare word": f"register/?q=7.{count - 1}x",
        "register, of a term": "register/?term=deletion",
        "register, deviations": "register/?verdict=harder",
        "register, of a customer": f"register/?account={count // 2:024x}",
        "register, ended": "register/?state=ended",
        "one commitment": f"{middle}/",
        "our standard": "standard/",
        "whose promise": "new/",
        "suggestions": "suggestions/",
        "suggestions, of a term": "suggestions/?term=deletion",
        "other answers": "answers/",
    }
    pages = {name: (f"{root}{query}", {}) for name, query in queries.items()}
    return client, pages | {"matrix that polls": (root, PIECE)}


def make_commitments(tenant: Tenant, count: int) -> int:
    """Make customers with a contract, three promises and a suggestion each; return the key of a promise in the middle."""
    now = timezone.now()
    with tenant_scope(tenant.pk):
        Standard.objects.create(term="breach-notice", amount=Decimal(24), unit="hours")
        for start in range(0, count, BATCH):
            numbers = range(start, min(start + BATCH, count))
            Account.objects.bulk_create([_account(number, now) for number in numbers])
            contracts = Contract.objects.bulk_create([_contract(number, now) for number in numbers])
            Reading.objects.bulk_create(
                [Reading(contract=each, read_at=now, patterns=VERSION, is_done=True) for each in contracts]
            )
            each = [(number, contract, term) for number, contract in zip(numbers, contracts, strict=True) for term in TERMS]
            Commitment.objects.bulk_create([_commitment(number, contract, *term, now=now) for number, contract, term in each])
            Suggestion.objects.bulk_create(
                [_suggestion(number, contract) for number, contract in zip(numbers, contracts, strict=True)]
            )
        return Commitment.objects.in_force().order_by("pk")[count // 2].pk


def _account(number: int, now: datetime) -> Account:
    name, domain = f"Company {number * 7919 % 100_003}", f"company{number}.test"
    return Account(
        platform_id=f"{number:024x}",
        name=name,
        name_sort=name.casefold(),
        domain=domain,
        search=f"{name} {domain}".casefold(),
        created_at=now,
    )


def _contract(number: int, now: datetime) -> Contract:
    return Contract(
        platform_id=f"c{number:023x}", name=f"MSA {number}", account_id=f"{number:024x}", created_at=now, read_at=now
    )


def _commitment(number: int, contract: Contract, term: str, amount: int, unit: str, *, now: datetime) -> Commitment:
    is_deviation = term == "breach-notice" and number % 4 == 0
    verdict = Verdict.HARDER if is_deviation else Verdict.EQUAL if term == "breach-notice" else Verdict.NONE
    return Commitment(
        account_id=f"{number:024x}",
        account_name=f"Company {number}",
        contract=contract,
        term=term,
        amount=Decimal(12 if is_deviation else amount),
        unit=unit,
        clause=f"7.{number}",
        page=3,
        quote="Provider shall do so. " * 10,
        created_by_name="Alice",
        ended_at=now if number % 50 == 1 else None,
        comparison=verdict,
        search=f"company {number} {term} 7.{number}x {'provider shall do so. ' * 10}",
    )


def _suggestion(number: int, contract: Contract) -> Suggestion:
    return Suggestion(
        contract=contract,
        fingerprint=f"{number:064x}",
        term=("deletion", "retention")[number % 2],
        amount=Decimal(30),
        unit="days",
        clause="9",
        page=4,
        quote="Provider shall delete all data within thirty days after termination. " * 3,
    )
