"""Do pages stay as quick with many rows as with few? Queries must be equal, server time nearly so."""

from collections.abc import Callable, Mapping

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from portal.questionnaires.models import Questionnaire
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope
from tests.bench.medians import medians_in_turns, processor_seconds
from tests.bench.world import make_questionnaires, make_responses, make_tenant

FEW, MANY = 100, 100_000
SHORT, LONG = 300, 5_000
PIECE = {"HX-Request": "true"}

type Pages = Mapping[str, tuple[str, Mapping[str, str]]]
"""Name -> address and headers."""
type Site = tuple[Client, Pages]
"""Who asks, and for what."""


def print_pages() -> None:
    print(f"\nThe questionnaires of a tenant, {FEW} rows against {MANY:,}:")
    compare(*(_list_pages(count) for count in (FEW, MANY)))
    print(f"One questionnaire, {SHORT} questions against {LONG:,}:")
    compare(*(_desk_pages(count) for count in (SHORT, LONG)))


def compare(few: Site, many: Site, *, first: Callable[[], object] = lambda: None) -> None:
    """Print how long each page takes with few rows and with many. `first` is done ahead of each request."""
    if connection.vendor == "postgresql":
        # What autovacuum does within a minute of such a change.
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
    for name in few[1]:
        asks = [_asking(client, *pages[name], first) for client, pages in (few, many)]
        numbers = [_queries(ask) for ask in asks]
        seconds = medians_in_turns(asks)
        processor = processor_seconds(asks[-1])
        each = f"{seconds[0] * 1000:.1f} / {seconds[1] * 1000:.1f} ms = x {seconds[1] / seconds[0]:.2f} (wanted: 1.2)"
        print(f"  {name:<28} queries {numbers[0]} / {numbers[1]}   server time {each}   processor {processor * 1000:.1f} ms")


def _list_pages(count: int) -> Site:
    tenant, client = tenant_with_client(f"Tenant of {count}")
    make_questionnaires(tenant, count)
    root = f"/t/{tenant.slug}/questionnaires/"
    with tenant_scope(tenant.pk):
        Questionnaire.objects.filter(pk=Questionnaire.objects.order_by("pk")[count // 2].pk).update(search="heliotrope")
    queries = {
        "first page": "",
        "search": "?q=vendor",
        "rare word": "?q=heliotrope",
        "overdue": "?due=overdue",
        "board": "?view=board",
    }
    everywhere = f"/t/{tenant.slug}/search/?q="
    return client, {
        **{name: (f"{root}{query}", {}) for name, query in queries.items()},
        "all desks, search": (f"{everywhere}vendor", PIECE),
        "all desks, rare word": (f"{everywhere}heliotrope", PIECE),
        "all desks, nothing": (f"{everywhere}nobody+has+this", PIECE),
    }


def _desk_pages(count: int) -> Site:
    tenant, client = tenant_with_client(f"Desk of {count}")
    make_questionnaires(tenant, 1)
    with tenant_scope(tenant.pk):
        questionnaire = Questionnaire.objects.get()
        make_responses(questionnaire, count)
        middle = questionnaire.responses.order_by("position")[count // 2].platform_id
    root = f"/t/{tenant.slug}/questionnaires/{questionnaire.platform_id}/"
    answer = f"{root}responses/{middle}/"
    return client, {
        "its questions": (root, {}),
        "unanswered ones": (f"{root}?show=unanswered", {}),
        "an answer in the middle": (answer, {}),
        "answered before": (f"{answer}memory/", PIECE),
    }


def tenant_with_client(name: str) -> tuple[Tenant, Client]:
    tenant, user = make_tenant(name)
    client = Client()
    client.force_login(user)
    return tenant, client


def _asking(client: Client, address: str, headers: Mapping[str, str], first: Callable[[], object]) -> Callable[[], None]:
    def ask() -> None:
        first()
        assert client.get(address, headers=headers).status_code == 200

    return ask


def _queries(ask: Callable[[], None]) -> int:
    with CaptureQueriesContext(connection) as queries:
        ask()
    return len(queries)
