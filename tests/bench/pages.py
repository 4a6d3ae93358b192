"""Do lists stay as quick with many rows as with few? Queries must be equal, server time nearly so."""

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.bench.measuring import median_seconds
from tests.bench.world import make_questionnaires, make_tenant

FEW, MANY = 100, 20_000


def print_pages() -> None:
    print(f"\nThe list of questionnaires, {FEW} rows against {MANY}:")
    figures = {count: _measure(count) for count in (FEW, MANY)}
    for name in figures[FEW]:
        (few_queries, few), (many_queries, many) = figures[FEW][name], figures[MANY][name]
        print(f"  {name:<28} queries {few_queries} / {many_queries}   server time x {many / few:.2f}  ({few * 1000:.1f} ms)")


def _measure(count: int) -> dict[str, tuple[int, float]]:
    tenant, user = make_tenant(f"Tenant of {count}")
    make_questionnaires(tenant, count)
    client = Client()
    client.force_login(user)
    root = f"/t/{tenant.slug}/questionnaires/"
    pages = {"first page": root, "search": f"{root}?q=vendor", "overdue": f"{root}?due=overdue"}
    return {name: _page(client, address) for name, address in pages.items()}


def _page(client: Client, address: str) -> tuple[int, float]:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries), median_seconds(lambda: client.get(address))
