"""Do pages stay as quick with many rows as with few? Queries must be equal, server time nearly so."""

from collections.abc import Mapping

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from portal.questionnaires.models import Questionnaire
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope
from tests.bench.measuring import median_seconds
from tests.bench.world import make_questionnaires, make_responses, make_tenant

FEW, MANY = 100, 100_000
SHORT, LONG = 300, 5_000
PIECE = {"HX-Request": "true"}

type Pages = Mapping[str, tuple[str, Mapping[str, str]]]
"""Name -> address and headers."""


def print_pages() -> None:
    print(f"\nThe questionnaires of a tenant, {FEW} rows against {MANY:,}:")
    compare(*(measure(*_list_pages(count)) for count in (FEW, MANY)))
    print(f"One questionnaire, {SHORT} questions against {LONG:,}:")
    compare(*(measure(*_desk_pages(count)) for count in (SHORT, LONG)))


def compare(few: dict[str, tuple[int, float]], many: dict[str, tuple[int, float]]) -> None:
    for name, (queries, seconds) in few.items():
        more_queries, more_seconds = many[name]
        growth, each = more_seconds / seconds, f"{seconds * 1000:.1f} / {more_seconds * 1000:.1f} ms"
        print(f"  {name:<28} queries {queries} / {more_queries}   server time {each} = x {growth:.2f} (wanted: 1.2)")


def _list_pages(count: int) -> tuple[Client, Pages]:
    tenant, client = tenant_with_client(f"Tenant of {count}")
    make_questionnaires(tenant, count)
    root = f"/t/{tenant.slug}/questionnaires/"
    rare = f"?q={count - 1}"
    queries = {"first page": "", "search": "?q=vendor", "rare word": rare, "overdue": "?due=overdue", "board": "?view=board"}
    return client, {name: (f"{root}{query}", {}) for name, query in queries.items()}


def _desk_pages(count: int) -> tuple[Client, Pages]:
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


def measure(client: Client, pages: Pages) -> dict[str, tuple[int, float]]:
    if connection.vendor == "postgresql":
        # What autovacuum does within a minute of such a change.
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    return {name: _page(client, address, headers) for name, (address, headers) in pages.items()}


def _page(client: Client, address: str, headers: Mapping[str, str]) -> tuple[int, float]:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address, headers=headers).status_code == 200
    return len(queries), median_seconds(lambda: client.get(address, headers=headers))
