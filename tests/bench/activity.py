"""Do the pages of Trust Center activity stay as quick with a million entries as with ten thousand?"""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from portal.lib.page_cache import cache
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope
from portal.trust_center_activity.models import Activity, Conversation, DailySum, Message, Subject, day_of
from portal.trust_center_activity.services.sums import CUTS
from tests.bench.pages import PIECE, Site, compare, tenant_with_client

FEW, MANY = (10_000, 500), (1_000_000, 50_000)
"""Entries of activity, and conversations."""
DAYS, BATCH = 365, 5000
PEOPLE_EACH = 10
DOMAINS = [f"company{number}.test" for number in range(400)] + [""] * 100
SUBJECTS = [f"resource:doc{number}" for number in range(12)] + [f"page:P{number}" for number in range(8)]
TYPES = ("PAGE_VIEW", "RESOURCE_VIEW", "RESOURCE_DOWNLOAD", "VIDEO_PLAY")
COUNTRIES = ("DE", "IE", "GB", "US", "AU", "FR", "")
QUESTIONS = ("Do you encrypt backups", "Is there a SOC 2 report", "Where is our data", "Do you support single sign-on")
ANSWER = "yes of course it is among the documents of this trust center and was checked this year"
COLUMNS = ("at", "event_type", "subject", "viewer_id", "email", "folded_email", "domain", "city", "country")
ENTRIES, SUMS = Activity._meta.db_table, DailySum._meta.db_table
WRITTEN = 100_000
"""So many different ones; with more of the same the sums only grow."""
NOW = timezone.now()

type Entry = tuple[Any, ...]


def print_activity() -> None:
    print(f"\nInterest of a tenant, {FEW[0]:,} entries and {FEW[1]} conversations against {MANY[0]:,} and {MANY[1]:,}:")
    few, many = (_pages(*numbers) for numbers in (FEW, MANY))
    compare(few, many)
    print("The same with nothing kept from the page before:")
    compare(*(_overviews(site) for site in (few, many)), first=cache.clear)


def _overviews(site: Site) -> Site:
    client, pages = site
    return client, {name: page for name, page in pages.items() if name.startswith("overview")}


def _pages(entries: int, conversations: int) -> Site:
    tenant, client = tenant_with_client(f"Interest of {entries}")
    with tenant_scope(tenant.pk):
        _fill_activity(tenant, entries)
        _fill_conversations(conversations)
    root = f"/t/{tenant.slug}/trust-center-activity/"
    queries = {
        "overview": "",
        "overview, a year": "?period=365",
        "overview, one country": "?country=DE",
        "overview, one document": "?subject=resource:doc3",
        "one company": "from/company7.test/",
        "list": "activity/",
        "list, one company": "activity/?domain=company7.test&period=365",
        "list, two filters": "activity/?domain=company7.test&event_type=VIDEO_PLAY&period=365",
        "conversations": "conversations/",
        "conversations, a search": "conversations/?q=backups",
        "conversations, a rare word": "conversations/?q=heliotrope",
    }
    pages = {name: (f"{root}{query}", {}) for name, query in queries.items()}
    return client, pages | {"charts that poll": (root, PIECE | {"HX-Target": "trust_center_activity"})}


def _fill_activity(tenant: Tenant, count: int) -> None:
    """Write some entries with their sums, and the others as copies of them: all without the ORM, which would take longest."""
    Subject.objects.bulk_create(Subject(key=key, title=key.title()) for key in SUBJECTS)
    written = min(count, WRITTEN)
    rows = [_entry(number, written) for number in range(written)]
    marks = ", ".join(["%s"] * len(COLUMNS))
    names, adapt = ", ".join(COLUMNS), connection.ops.adapt_datetimefield_value
    insert = f"INSERT INTO {ENTRIES} (tenant_id, payload, platform_id, {names}) VALUES (%s, '{{}}', %s, {marks})"  # noqa: S608
    copy = (
        f"INSERT INTO {ENTRIES} (tenant_id, payload, platform_id, {names}) "  # noqa: S608 - our own names
        f"SELECT tenant_id, payload, %s || platform_id, {names} FROM {ENTRIES} WHERE tenant_id = %s AND id <= %s"
    )
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.executemany(insert, [(tenant.pk, f"{number:024x}", adapt(row[0]), *row[1:]) for number, row in enumerate(rows)])
        last = Activity.objects.order_by("-pk").values_list("pk", flat=True)[0]
        for number in range(1, count // written):
            cursor.execute(copy, [f"copy {number} of ", tenant.pk, last])
        cursor.executemany(
            f"INSERT INTO {SUMS} (tenant_id, cut, key, day, part, number) VALUES (%s, %s, %s, %s, %s, %s)",  # noqa: S608
            [(tenant.pk, *cell, number * (count // written)) for cell, number in _sums(rows).items()],
        )
    assert Activity.objects.count() == count


def _sums(rows: list[Entry]) -> Counter[tuple[str, str, int, str]]:
    places = {name: place for place, name in enumerate(COLUMNS)}
    cuts = [(cut, places.get(narrow), places[side]) for cut, (narrow, side) in CUTS.items()]
    sums = Counter[tuple[str, str, int, str]]()
    for row in rows:
        day = day_of(row[0])
        sums.update((cut, "" if narrow is None else row[narrow], day, row[side]) for cut, narrow, side in cuts)
    return sums


def _entry(number: int, count: int) -> Entry:
    """Entries over a year. Each side goes round with a step of its own, so that all of them meet."""
    domain = DOMAINS[number * 7 % len(DOMAINS)]
    email = f"person{number // len(DOMAINS) % PEOPLE_EACH}@{domain}" if domain else ""
    return (
        NOW - timedelta(seconds=number * DAYS * 86400 / count),
        TYPES[number // 3 % len(TYPES)],
        SUBJECTS[number // 11 % len(SUBJECTS)],
        "",
        email,
        email,
        domain,
        "",
        COUNTRIES[number // 5 % len(COUNTRIES)],
    )


def _fill_conversations(count: int) -> None:
    now = timezone.now()
    for start in range(0, count, BATCH):
        rows = [_conversation(number, now) for number in range(start, min(start + BATCH, count))]
        made = Conversation.objects.bulk_create(rows)
        Message.objects.bulk_create(
            Message(conversation=row, platform_id=f"{row.platform_id}-{place}", place=place, role="USER", text="Hello")
            for row in made
            for place in range(2)
        )


def _conversation(number: int, now: datetime) -> Conversation:
    question = f"{QUESTIONS[number % len(QUESTIONS)]} number {number}"
    domain = DOMAINS[number % len(DOMAINS)]
    return Conversation(
        platform_id=f"{number:024x}",
        first_message=question,
        number_of_messages=2,
        domain=domain,
        email=f"person@{domain}" if domain else "",
        created_at=now - timedelta(minutes=number * 10),
        search=f" {question.casefold()} {ANSWER} ",
    )
