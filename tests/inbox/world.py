"""The whole way of an event inside one process: the sandbox's own delivery, the receiver, the worker's tasks, the mirror."""

from typing import Any

import requests
from django.test import Client
from requests.adapters import BaseAdapter

from portal.inbox import tasks
from portal.inbox.models import Delivery
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope
from tests.conftest import SandboxHandle
from tests.support.wsgi_adapter import make_response, read_body
from tests.sync.desk import two_minutes_pass

type Json = dict[str, Any]


class Portal(BaseAdapter):
    """The portal behind the sandbox's session, reached through Django's client: it leaves the test's transaction open."""

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        headers = {name: value for name, value in request.headers.items() if name.lower().startswith("hook-")}
        answer = Client().post(request.path_url, data=read_body(request.body), content_type="application/json", headers=headers)
        return make_response(request, f"{answer.status_code} {answer.reason_phrase}", list(answer.items()), answer.content)

    def close(self) -> None:
        """Nothing is open."""


class World:
    """Acme, connected, and its organisation on the platform, whose events come to acme's address."""

    def __init__(self, sandbox: SandboxHandle, tenant: Tenant, platform_tenant: Json) -> None:
        self.sandbox, self.tenant = sandbox, tenant
        self.platform_id, self.slug_id = platform_tenant["tenant_id"], platform_tenant["slugId"]

    def happen(self, event_type: str, **options: Any) -> str:
        """Let something happen on the platform, without telling us yet."""
        answer = self.sandbox.control("POST", "/events", tenant_id=self.platform_id, type=event_type, **options)
        return str(answer["hook_id"])

    def deliver(self) -> int:
        """Let the platform tell us all that has happened."""
        return int(self.sandbox.app.extensions["sandbox"].deliver_due())

    def process(self) -> None:
        tasks.process_deliveries(self.tenant.pk)

    def drain(self) -> None:
        tasks.drain_tenant(self.tenant.pk)

    def there(self, kind: str) -> dict[str, Json]:
        return {row["id"]: row for row in self.sandbox.objects(self.platform_id, kind)}

    def row(self, hook_id: str) -> Delivery:
        with tenant_scope(self.tenant.pk):
            return Delivery.objects.get(hook_id=hook_id)

    def through(self, event_type: str, **options: Any) -> Delivery:
        """Take one event all the way; return its row."""
        hook_id = self.happen(event_type, **options)
        self.deliver()
        self.process()
        self.fetch()
        return self.row(hook_id)

    def fetch(self) -> None:
        """Fetch what is marked; what was missing is looked at a second time, as after two minutes (guarantee Q15)."""
        self.drain()
        with tenant_scope(self.tenant.pk):
            two_minutes_pass()
        self.drain()
