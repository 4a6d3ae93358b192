"""What does comparing a whole list with the platform cost for each object: bringing it over, and finding nothing new?"""

from dataclasses import replace
from typing import Any, cast

from portal.people.mirror import MIRRORS
from portal.platform_api import Page, Platform
from portal.platform_api.models.people import Person
from portal.sync.mirrors import Mirror
from portal.sync.models import Run, RunState
from portal.sync.services import reconcile, start_reconcile
from portal.tenants.scope import tenant_scope
from tests.bench.medians import per_second
from tests.bench.world import make_tenant

FEW, MANY = 1_000, 50_000
PAGE_SIZE = 100
"""As the platform gives them."""


def print_comparison() -> None:
    print(f"\nComparing the people of a tenant, {FEW:,} against {MANY:,}, without the time of the calls:")
    for count in (FEW, MANY):
        tenant, _ = make_tenant(f"Comparison of {count}")
        with tenant_scope(tenant.pk):
            for name in ("all new", "nothing new"):
                seconds = 1 / per_second(lambda count=count: _compare(_people(count), count), count=1)
                print(f"  {count:>6,} people, {name:<12} {seconds:.2f} s, {seconds / count * 1000:.2f} ms for each")


def _compare(mirror: Mirror, count: int) -> None:
    start_reconcile([mirror])
    while not reconcile([mirror], cast(Platform, None)):
        pass
    run = Run.objects.get(kind=mirror.kind)
    assert (run.state, run.seen) == (RunState.DONE, count)


def _people(count: int) -> Mirror:
    """Return the mirror of the people, of whom the platform lists so many."""

    def page(_: Platform, cursor: str | None) -> Page[Any]:
        first = int(cursor or 0)
        last = min(first + PAGE_SIZE, count)
        return Page([_person(number) for number in range(first, last)], str(last) if last < count else None)

    return replace(MIRRORS[0], page=page)


def _person(number: int) -> Person:
    return Person.read(
        {
            "id": f"{number:024x}",
            "emailAddress": f"p{number}@bench.example",
            "name": {"display": f"Person {number}"},
            "employment": {"status": "CURRENT", "jobTitle": "Engineer"},
            "groupIds": [],
        }
    )
