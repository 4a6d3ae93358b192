"""Acme's access requests as a copy of the sandbox's, and hands to decide there behind the portal's back."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import requests
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.utils import timezone

from portal.access_requests.mirror import MIRRORS
from portal.access_requests.models import NEVER, AccessRequest, Decision, Viewer
from portal.access_requests.services.store import person_columns
from portal.access_requests.tasks import send_decisions
from portal.connections import http
from portal.connections.models import CallWindow, Connection
from portal.connections.services import Urgency, client_for
from portal.inbox.tasks import drain_tenant, process_deliveries
from portal.lib.path_ids import write_id
from portal.tenants.models import Membership, Tenant
from portal.tenants.scope import current_tenant_id
from portal.trust_center.mirror import DOCUMENTS
from portal.trust_center.models import Resource
from portal.users.models import User
from tests.access_requests.rules import compared, make_account
from tests.conftest import SandboxHandle
from tests.support.kept import after
from tests.support.members import find_member

type Json = dict[str, Any]
PAGE = "/t/acme/access-requests/"
CALLS = "/v1/trust-centers/*/access-requests/*"


class Desk:
    """Acme's desk in front of the sandbox."""

    def __init__(self, handle: SandboxHandle, tenant_id: str) -> None:
        self.handle = handle
        self.sandbox = handle.app.extensions["sandbox"]
        self.tenant_id = tenant_id

    def fetch(self) -> None:
        """Do what the comparison of whole lists does, for everything."""
        client = client_for(Urgency.PERSON)
        for mirror in (DOCUMENTS, *MIRRORS):
            cursor: str | None = None
            while True:
                page = mirror.page(client, cursor)
                with transaction.atomic():
                    for item in page.items:
                        mirror.save(item)
                cursor = page.next_cursor
                if cursor is None:
                    break

    def drain(self) -> None:
        """Do the worker's part: handle what was delivered, then fetch what is marked."""
        process_deliveries(current_tenant_id())
        drain_tenant(current_tenant_id())

    @property
    def waiting(self) -> AccessRequest:
        """The request that has waited longest."""
        return AccessRequest.objects.pending().order_by("created_at", "id")[0]

    @property
    def documents(self) -> list[Resource]:
        return list(Resource.objects.filter(is_public=False))

    def there(self, kind: str) -> dict[str, Json]:
        """All objects of a kind as they stand on the platform, by id."""
        return {found["id"]: found for found in self.handle.objects(self.tenant_id, kind)}

    def viewer_of(self, row: AccessRequest) -> Json:
        return next(each for each in self.there("viewers").values() if each["email"].casefold() == row.folded_email)

    def happen(self, event: str, row: AccessRequest | None = None) -> None:
        """Let something happen on the platform; nothing is delivered from here."""
        body = {"object_id": row.platform_id} if row else {}
        self.handle.control("POST", "/events", tenant_id=self.tenant_id, type=f"v1.trust-center.access-request.{event}", **body)

    def change_there(self, row: AccessRequest, **changes: Any) -> None:
        objects = self.sandbox.objects
        objects.save(
            self.tenant_id, "access-requests", objects.get(self.tenant_id, "access-requests", row.platform_id) | changes
        )

    def decisions_sent(self) -> list[str]:
        """The verbs that have reached the platform."""
        posted = [each for each in self.handle.requests("/access-requests/") if each["method"] == "POST"]
        return [each["path"].rpartition("/")[2] for each in posted]


def copied(sandbox: SandboxHandle, tenant_id: str) -> None:
    """Have a copy of what the platform has for the desk."""
    Desk(sandbox, tenant_id).fetch()


@pytest.fixture
@after(copied)
def desk(connected: Connection, scoped: Tenant, sandbox: SandboxHandle, platform_tenant: Json) -> Desk:
    return Desk(sandbox, platform_tenant["tenant_id"])


@pytest.fixture
def approver(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


@pytest.fixture
def running(connected: Connection, scoped: Tenant) -> Tenant:
    """Acme with a Trust Center and fresh copies of everything: its rules may act."""
    Connection.objects.update(slug_id="acme-center")
    compared()
    return scoped


@pytest.fixture
def three(running: Tenant) -> list[AccessRequest]:
    """As many requests of a customer as show that none is left out, where their number does not matter."""
    make_account("Helios", "helios.example")
    return [make(f"H{number}", email=f"h{number}@helios.example", hours=30 - number) for number in range(3)]


@pytest.fixture
def owner(scoped: Tenant, alice: User) -> Membership:
    return find_member(tenant=scoped, user=alice)


class Recorder(requests.adapters.BaseAdapter):
    """Keeps what the client writes."""

    def __init__(self, behind: requests.adapters.BaseAdapter) -> None:
        super().__init__()
        self._behind = behind
        self.sent: list[Any] = []
        self.before_write: Callable[[], None] | None = None
        """Something that happens on the platform just before a write arrives."""

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        if request.method == "POST" and "/access-requests/" in request.path_url:
            self.sent.append(json.loads(request.body or "{}"))
            if self.before_write:
                self.before_write()
        return self._behind.send(request, *args, **options)

    def close(self) -> None:
        self._behind.close()


@pytest.fixture
def wire(sandbox: SandboxHandle) -> Recorder:
    recorder = Recorder(http.MOUNTS[settings.PLATFORM_API_URL])
    http.MOUNTS[settings.PLATFORM_API_URL] = recorder
    return recorder


def address(row: AccessRequest, verb: str = "") -> str:
    return f"{PAGE}{write_id(row.platform_id)}/{verb and f'{verb}/'}"


def approval(**choices: Any) -> Json:
    """What a browser sends for an approval: everything for a year after an NDA, but for these choices."""
    sent = {"access_level": "FULL_ACCESS", "expiry": "365", "is_nda_required": "on"} | choices
    return {f"approve-{name}": value for name, value in sent.items() if value is not None}


def approve(client: Client, row: AccessRequest, *, query: str = "", headers: Json | None = None, **choices: Any) -> Any:
    return client.post(address(row, "approve") + query, approval(**choices), headers=headers)


def deny(client: Client, row: AccessRequest, words: str = "Please use your business address.", **options: Any) -> Any:
    return client.post(address(row, "deny"), {"deny-words": words, "deny-canned": "own"}, **options)


def let_leave() -> None:
    """Let the half minute pass of everything that is held, and do the worker's part."""
    CallWindow.objects.all().delete()
    Decision.objects.scheduled().update(send_at=timezone.now())
    send_decisions(current_tenant_id())


def fresh(row: AccessRequest) -> AccessRequest:
    return AccessRequest.objects.get(pk=row.pk)


def words(answer: Any) -> str:
    """What a page says, whatever its line breaks."""
    return " ".join(answer.content.decode().split())


def make(name: str, *, outcome: str = "PENDING", hours: float = 1, level: str = "FULL_ACCESS", **columns: Any) -> AccessRequest:
    """A request of <name>@<name>.example that has waited for some hours."""
    at = timezone.now() - timedelta(hours=hours)
    email = columns.pop("email", f"{name}@{name}.example".lower())
    return AccessRequest.objects.create(
        platform_id=columns.pop("platform_id", f"id-{name}"[:50]),
        **person_columns(email, name, columns.pop("company", "")),
        outcome=outcome,
        access_level=level,
        created_at=at,
        updated_at=at,
        **columns,
    )


def make_viewer(name: str, *, days: float | None = None, **columns: Any) -> Viewer:
    """A person whose access ends in some days, or never."""
    now = timezone.now()
    expires_at = None if days is None else now + timedelta(days=days)
    return Viewer.objects.create(
        platform_id=columns.pop("platform_id", f"viewer-{name}"),
        **person_columns(f"{name}@{name}.example".lower(), name, ""),
        access_level=columns.pop("access_level", "FULL_ACCESS"),
        created_at=now,
        updated_at=now,
        expires_at=expires_at,
        expires_sort=expires_at or NEVER,
        **columns,
    )
