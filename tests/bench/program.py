"""Do the lists of the security program stay as quick with a large company's rows as with a hundred?"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from portal.documents.models import Document
from portal.engagements.models import Engagement, EngagementPart, PartKind
from portal.engagements.services.store_details import part_columns
from portal.people.models import Person
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope
from portal.vendors.models import Vendor
from tests.bench.pages import PIECE, Pages, Site, compare, tenant_with_client

FEW = 100
BATCH = 1000
STATUSES = ("MANAGED", "MANAGED", "IN_PROCUREMENT", "MANAGED", "ARCHIVED")
EMPLOYMENTS = ("CURRENT", "FORMER", "ON_LEAVE", "UPCOMING")
EVIDENCE = ("OK", "NEEDS_ATTENTION", "DUE_SOON", "OVERDUE")
ONE_IN = 2
"""Of the hundred as many have what a list is narrowed by as a page shows: it is not for its rows that a page takes longer."""


@dataclass(frozen=True)
class Program:
    """One list: its address, its rows, how many a large company has, and what is asked of it."""

    path: str
    count: int
    make: Callable[[int, datetime], Any]
    queries: dict[str, str]


def _rare(number: int) -> str:
    """Return the word that one row has, however many there are."""
    return "heliotrope" if number == FEW // 2 else ""


def _vendor(number: int, now: datetime) -> Vendor:
    name, due = f"Vendor {number * 7919 % 100_003}", now + timedelta(days=number % 400 - 100)
    return Vendor(
        platform_id=f"{number:024x}",
        name=name,
        name_sort=name.casefold(),
        status=STATUSES[number % len(STATUSES)],
        risk_sort=number % 5,
        review_due_at=due,
        review_due_sort=due,
        search=f"{name} v-{number} {_rare(number)}".casefold(),
    )


def _person(number: int, now: datetime) -> Person:
    name, due = f"Person {number * 7919 % 100_003}", now + timedelta(days=number % 400 - 100)
    return Person(
        platform_id=f"{number:024x}",
        name=name,
        name_sort=name.casefold(),
        email=f"p{number}@bench.example",
        folded_email=f"p{number}@bench.example",
        status=EMPLOYMENTS[number % 4],
        is_on_leave=number % ONE_IN == 0,
        has_open_tasks=number % ONE_IN == 0,
        has_overdue_tasks=number % ONE_IN == 0,
        tasks_due_sort=due,
        search=f"{name} p{number}@bench.example {_rare(number)}".casefold(),
    )


def _document(number: int, now: datetime) -> Document:
    title = f"Document {number * 7919 % 100_003}"
    return Document(
        platform_id=f"{number:024x}",
        title=title,
        title_sort=title.casefold(),
        category=f"Category {number % 20}",
        status=EVIDENCE[number % 4],
        owner_id=f"{number % ONE_IN:024x}",
        renew_on=(now + timedelta(days=number % 400 - 30)).date(),
        search=f"{title} d-{number} {_rare(number)}".casefold(),
    )


PROGRAMS = (
    Program(
        "vendors/",
        10_000,
        _vendor,
        {
            "vendors": "",
            "vendors, a search": "?q=vendor",
            "vendors, a rare word": "?q=heliotrope",
            "vendors, review overdue": "?review=overdue&sort=review",
            "vendors, by risk": "?tab=managed&sort=risk",
        },
    ),
    Program(
        "people/",
        50_000,
        _person,
        {
            "people": "",
            "people, a search": "?q=person",
            "people, a rare word": "?q=heliotrope",
            "people, tasks overdue": "?tasks=overdue&sort=due",
            "people, on leave": "?leave=now",
        },
    ),
    Program(
        "documents/",
        20_000,
        _document,
        {
            "documents": "",
            "documents, a search": "?q=document",
            "documents, a rare word": "?q=heliotrope",
            "documents, renewal due": "?tab=renewal&sort=renewal",
            "documents, of one owner": f"?owner={1:024x}",
        },
    ),
)
COMPUTERS = 20_000
"""What one audit may show of the audited organization."""


def print_program() -> None:
    for program in PROGRAMS:
        print(f"\n{program.path.strip('/').capitalize()} of a tenant, {FEW} against {program.count:,}:")
        compare(*(_site(program, count) for count in (FEW, program.count)))
    print(f"\nA list of an audited organization, {FEW} against {COMPUTERS:,}:")
    compare(*(_organization(count) for count in (FEW, COMPUTERS)))


def _site(program: Program, count: int) -> Site:
    tenant, client = tenant_with_client(f"{program.path} of {count}")
    now = timezone.now()
    _store(tenant, lambda number: program.make(number, now), count)
    root = f"/t/{tenant.slug}/{program.path}"
    pages: Pages = {name: (f"{root}{query}", {}) for name, query in program.queries.items()}
    return client, {**pages, f"{program.path.strip('/')} that poll": (root, PIECE)}


def _organization(count: int) -> Site:
    tenant, client = tenant_with_client(f"An audit of {count}")
    now = timezone.now()
    with tenant_scope(tenant.pk):
        audit = Engagement.objects.create(platform_id="a1", name="SOC 2", ends_sort=now)
    _store(tenant, lambda number: _computer(audit, number, now), count)
    root = f"/t/{tenant.slug}/audits/a1/organization/?list=computers"
    return client, {"computers": (root, {}), "computers, a rare word": (f"{root}&q=heliotrope", {})}


def _computer(audit: Engagement, number: int, now: datetime) -> EngagementPart:
    payload = {
        "id": f"c{number}",
        "deviceName": f"Laptop-{number} {_rare(number)}",
        "osPlatform": "linux",
        "screenlockEnabled": "PASS",
    }
    return EngagementPart(
        engagement=audit,
        kind=PartKind.COMPUTERS,
        parent_id=audit.platform_id,
        platform_id=f"c{number}",
        position=number,
        **part_columns(payload),
        read_at=now,
    )


def _store(tenant: Tenant, make: Callable[[int], Any], count: int) -> None:
    with tenant_scope(tenant.pk):
        for start in range(0, count, BATCH):
            rows = [make(number) for number in range(start, min(start + BATCH, count))]
            type(rows[0]).objects.bulk_create(rows)
