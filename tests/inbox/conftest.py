import itertools
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from standardwebhooks import Webhook

from portal.inbox.models import Delivery, Endpoint
from portal.inbox.services import ensure_endpoints, enter_secret, floods
from portal.tenants.scope import tenant_scope
from tests.conftest import SECRET
from tests.inbox.handler import Handler
from tests.inbox.world import Portal, World

_numbers = itertools.count(1)


def sign(body: str, *, hook_id: str = "", at: datetime | None = None, secret: str = SECRET) -> dict[str, str]:
    """Sign like the platform does, with the official library; only the names of the headers differ."""
    hook_id, at = hook_id or f"msg_{next(_numbers)}", at or datetime.now(UTC)
    signature = Webhook(secret).sign(hook_id, at, body)
    return {"hook-id": hook_id, "hook-timestamp": str(int(at.timestamp())), "hook-signature": signature}


def post(address: str, body: bytes | str, headers: dict[str, str]) -> HttpResponse:
    return Client().post(address, data=body, content_type="application/json", headers=headers)


def send(endpoint: Endpoint, payload: object, *, address: str = "", **options) -> HttpResponse:
    """Deliver a payload, signed, to an endpoint."""
    body = json.dumps(payload)
    return post(address or path_of(endpoint), body, sign(body, **options))


def path_of(endpoint: Endpoint) -> str:
    tail = f"{endpoint.event_type}/" if endpoint.event_type else ""
    return f"/hooks/{endpoint.public_id}/{tail}"


@pytest.fixture(autouse=True)
def a_minute_of_its_own() -> Iterator[None]:
    """What other tests had refused is not counted."""
    floods.forget()
    yield
    floods.forget()


@pytest.fixture
def endpoints(acme, alice) -> dict[str, Endpoint]:
    """Acme's endpoints by event type, each with a secret."""
    with tenant_scope(acme.pk):
        return {endpoint.event_type: enter_secret(endpoint, SECRET, actor=alice) for endpoint in ensure_endpoints()}


@pytest.fixture
def catch_all(endpoints) -> Endpoint:
    return endpoints[""]


@pytest.fixture
def rows(acme) -> Callable[[], list[Delivery]]:
    """Read acme's deliveries, oldest first."""

    def read() -> list[Delivery]:
        with tenant_scope(acme.pk):
            return list(Delivery.objects.order_by("pk"))

    return read


@pytest.fixture
def world(sandbox, connected, acme, alice, platform_tenant) -> World:
    """Acme's organisation on the platform, its events pointed at acme's catch-all address."""
    sandbox.outgoing.mount(settings.PUBLIC_URL, Portal())
    with tenant_scope(acme.pk):
        endpoint = next(endpoint for endpoint in ensure_endpoints() if not endpoint.event_type)
        body = {"tenant_id": platform_tenant["tenant_id"], "url": endpoint.url, "event_types": []}
        enter_secret(endpoint, sandbox.control("POST", "/endpoints", **body)["secret"], actor=alice)
    return World(sandbox, acme, platform_tenant)


@pytest.fixture
def handler(scoped) -> Handler:
    return Handler()
