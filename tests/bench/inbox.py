"""Does the webhooks page stay as quick with a million deliveries as with a thousand? Server time must be nearly the same."""

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from portal.inbox.models import Delivery
from portal.inbox.services import ensure_endpoints
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope
from tests.bench.medians import median_seconds
from tests.bench.world import make_tenant

FEW, MANY = 1_000, 1_000_000
TIMES = 7
COLUMNS = (
    "tenant_id, endpoint_id, hook_id, received_at, body, event_type, secret_index, state, attempts, due_at, lease_owner, "
    "object_id, outcome, error, is_cut"
)
# One of ten thousand has failed, one of fifty is not for us.
ROWS = """
    SELECT {tenant}, {endpoint}, 'msg_' || n, {now}, {body}, 'v1.questionnaire.status-changed', 0,
        CASE WHEN n % 10000 = 7 THEN 'dead' WHEN n % 50 = 0 THEN 'ignored' ELSE 'done' END, 1, {now}, '',
        'object_' || (n % 5000), '', '', {false}
    FROM {numbers}
"""
DIALECTS = {
    "postgresql": {
        "now": "now()",
        "body": '\'{"questionnaire": {"id": "q1"}}\'::bytea',
        "false": "false",
        "numbers": "generate_series(1, {count}) AS numbers(n)",
    },
    "sqlite": {
        "now": "datetime('now')",
        "body": "x'7b7d'",
        "false": "0",
        "numbers": "(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {count}) SELECT n FROM c)",
    },
}


def print_inbox() -> None:
    print(f"\nThe webhooks page, {FEW:,} deliveries against {MANY:,}:")
    figures = {count: _measure(count) for count in (FEW, MANY)}
    for name in figures[FEW]:
        (few_queries, few), (many_queries, many) = figures[FEW][name], figures[MANY][name]
        print(f"  {name:<28} queries {few_queries} / {many_queries}   server time x {many / few:.2f}  ({few * 1000:.1f} ms)")


def _measure(count: int) -> dict[str, tuple[int, float]]:
    tenant, user = make_tenant(f"Inbox of {count}")
    middle = _make_deliveries(tenant, count)
    client = Client()
    client.force_login(user)
    root = f"/t/{tenant.slug}/settings/webhooks/"
    pages = {
        "first page": root,
        "those that failed": f"{root}?state=dead",
        "those waiting": f"{root}?state=pending",
        "a part of a word": f"{root}?q=status-changed",
        "nothing such": f"{root}?q=nowhere",
        "the id of a message": f"{root}?q=msg_{count // 2}",
        "the id of an object": f"{root}?q=object_7",
        "one delivery": f"{root}deliveries/{middle}/",
    }
    return {name: _page(client, address) for name, address in pages.items()}


def _make_deliveries(tenant: Tenant, count: int) -> int:
    """Make them in the database; return the key of one in the middle."""
    dialect = DIALECTS[connection.vendor]
    with tenant_scope(tenant.pk):
        endpoint = ensure_endpoints()[0]
        values = dialect | {"tenant": tenant.pk, "endpoint": endpoint.pk, "numbers": dialect["numbers"].format(count=count)}
        with connection.cursor() as cursor:
            cursor.execute(f"INSERT INTO inbox_delivery ({COLUMNS}) {ROWS.format(**values)}")
            cursor.execute("ANALYZE inbox_delivery")
        return Delivery.objects.order_by("-id").values_list("pk", flat=True)[count // 2]


def _page(client: Client, address: str) -> tuple[int, float]:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries), median_seconds(lambda: client.get(address), times=TIMES)
