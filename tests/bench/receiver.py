"""What does a kept delivery cost, against the database's own commit of one row?"""

import base64
import itertools
import json
from datetime import UTC, datetime

from django.db import connection
from django.test import Client
from standardwebhooks import Webhook

from portal.inbox.services import ensure_endpoints, enter_secret
from portal.tenants.scope import tenant_scope
from tests.bench.measuring import per_second
from tests.bench.world import make_tenant

COUNT = 500
SECRET = "whsec_" + base64.b64encode(b"a-signing-key-for-the-bench-only").decode()


def print_receiver() -> None:
    tenant, user = make_tenant("Receiver")
    with tenant_scope(tenant.pk):
        endpoint = next(endpoint for endpoint in ensure_endpoints() if not endpoint.event_type)
        enter_secret(endpoint, SECRET, actor=user)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE bench_row (id integer PRIMARY KEY, body text)")
    numbers = itertools.count()
    commits = per_second(lambda: _commit(next(numbers)), count=COUNT)
    client, deliveries = Client(), iter([_delivery(number) for number in range(COUNT)])
    acknowledged = per_second(lambda: _post(client, f"/hooks/{endpoint.public_id}/", *next(deliveries)), count=COUNT)
    print("\nKept deliveries against single-row commits, one client, in one process (the test client's own cost included):")
    print(f"  {acknowledged:.0f} / {commits:.0f} a second = {acknowledged / commits:.2f}")


def _commit(number: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO bench_row VALUES (%s, %s)", [number, "x" * 400])


def _delivery(number: int) -> tuple[str, dict[str, str]]:
    body = json.dumps({"questionnaire": {"id": f"{number:024x}", "status": "IN_REVIEW"}})
    at, hook_id = datetime.now(UTC), f"msg_{number}"
    signature = Webhook(SECRET).sign(hook_id, at, body)
    return body, {"hook-id": hook_id, "hook-timestamp": str(int(at.timestamp())), "hook-signature": signature}


def _post(client: Client, address: str, body: str, headers: dict[str, str]) -> None:
    answer = client.post(address, data=body, content_type="application/json", headers=headers)
    assert answer.status_code == 204, answer.status_code
