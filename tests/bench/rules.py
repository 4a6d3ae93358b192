"""What do the rules cost for each waiting request, however many wait: their verdicts, and what a change would decide?"""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.utils import timezone

from portal.access_requests.models import AccessRequest
from portal.access_requests.rule_effects import added_effects
from portal.access_requests.rulebook import RuleBook
from portal.access_requests.services.rule_verdicts import apply_rules
from portal.access_requests.services.store import person_columns
from portal.tenants.scope import tenant_scope
from tests.access_requests.rules import put, rule
from tests.bench.medians import per_second
from tests.bench.world import make_tenant

FEW, MANY = 1_000, 100_000
BATCH = 2_000
DOMAINS = 1_000
RULES = 20
LAST = "id-Others"


def print_rules() -> None:
    print(f"\nThe rules of a tenant, {RULES} of them, {FEW:,} waiting requests against {MANY:,}:")
    for count in (FEW, MANY):
        tenant, _ = make_tenant(f"Rules of {count}")
        with tenant_scope(tenant.pk):
            _make_requests(count)
            book = put(
                *(rule(f"Domain {number}", domains=(_domain(number),)) for number in range(RULES - 1)),
                rule("Others", account="unmatched"),
            )
            _print("giving all their verdicts", lambda book=book: _apply(book), count)
            _print("what turning one on decides", lambda book=book: added_effects(book, book.automatic(LAST)), count)


def _print(name: str, work: Callable[[], object], count: int) -> None:
    seconds = 1 / per_second(work, count=1)
    print(f"  {count:>7,} requests  {name:<28} {seconds:.2f} s, {seconds / count * 1_000_000:.0f} µs for each")


def _apply(book: RuleBook) -> None:
    while apply_rules(book):
        pass


def _make_requests(count: int) -> None:
    now = timezone.now()
    for start in range(0, count, BATCH):
        numbers = range(start, min(start + BATCH, count))
        AccessRequest.objects.bulk_create([_request(number, now) for number in numbers])


def _request(number: int, now: datetime) -> AccessRequest:
    at = now - timedelta(minutes=number)
    return AccessRequest(
        platform_id=f"{number:024x}",
        **person_columns(f"person{number}@{_domain(number)}", f"Person {number}", ""),
        access_level="FULL_ACCESS",
        created_at=at,
        updated_at=at,
    )


def _domain(number: int) -> str:
    return f"company{number % DOMAINS}.example"
