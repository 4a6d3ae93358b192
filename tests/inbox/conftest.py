import itertools
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache

import pytest
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_started
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from standardwebhooks import Webhook

from portal.inbox.entry import WsgiApplication, with_hooks
from portal.inbox.models import Delivery, Endpoint
from portal.inbox.services import ensure_endpoints, enter_secret, floods
from portal.tenants.scope import tenant_scope
from tests.conftest import SECRET
from tests.inbox.handler import Handler
from tests.inbox.world import Portal, World
from tests.support.kept import after
from tests.support.members import find_member

_numbers = itertools.count(1)


def sign(body: str, *, hook_id: str = "", at: datetime | None = None, secret: str = SECRET) -> dict[str, str]:
    """Sign like the platform does, with the official library; only the names of the headers differ."""
    hook_id, at = hook_id or f"msg_{next(_numbers)}", at or datetime.now(UTC)
    signature = Webhook(secret).sign(hook_id, at, body)
    return {"hook-id": hook_id, "hook-timestamp": str(int(at.timestamp())), "hook-signature": signature}


@cache
def web_process() -> WsgiApplication:
    """The application as a web process serves it, the receiver's own entry before the site."""
    return with_hooks(WSGIHandler())


def ask(request: HttpRequest) -> HttpResponse:
    """Have a web process answer. As with Django's own client, the connection with the test's transaction stays open."""
    started: list[tuple[str, list[tuple[str, str]]]] = []
    request_started.disconnect(close_old_connections)
    try:
        parts = web_process()(request.environ, lambda status, headers: started.append((status, headers)))
    finally:
        request_started.connect(close_old_connections)
    [(status, given)] = started
    return HttpResponse(b"".join(parts), status=int(status.partition(" ")[0]), headers=dict(given))


def post(address: str, body: bytes | str, headers: dict[str, str]) -> HttpResponse:
    return ask(RequestFactory().post(address, data=body, content_type="application/json", headers=headers))


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


def pointed_here(sandbox, tenant_id) -> None:
    """Have the tenant's events come to its catch-all address."""
    endpoint = next(endpoint for endpoint in ensure_endpoints() if not endpoint.event_type)
    body = {"tenant_id": tenant_id, "url": endpoint.url, "event_types": []}
    secret = sandbox.control("POST", "/endpoints", **body)["secret"]
    enter_secret(endpoint, secret, actor=find_member(tenant__slug="acme").user)


@pytest.fixture
@after(pointed_here)
def world(sandbox, connected, acme, alice, platform_tenant) -> World:
    """Acme's organisation on the platform, its events pointed at acme's catch-all address."""
    sandbox.outgoing.mount(settings.PUBLIC_URL, Portal())
    return World(sandbox, acme, platform_tenant)


@pytest.fixture
def handler(scoped) -> Handler:
    return Handler()
