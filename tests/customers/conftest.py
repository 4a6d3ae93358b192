"""Acme's customer desk in front of the sandbox, and a worker that does what is due."""

import json
from datetime import timedelta
from typing import Any

import pytest
import requests
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.utils import timezone

from portal.access_requests.models import NEVER, AccessRequest, Viewer
from portal.access_requests.services.store import person_columns
from portal.accounts.mirror import MIRRORS
from portal.accounts.models import Account
from portal.connections import http
from portal.connections.models import CallWindow, Connection
from portal.connections.services import Urgency, client_for
from portal.customers import services
from portal.customers.models import ImportItem, ImportRun, NewCustomer
from portal.customers.services.imports import IMPORTS
from portal.customers.tasks import verify_creation, work_on_import
from portal.platform_writes.bulk import due_runs
from portal.tenants.models import Membership, Tenant
from portal.users.models import User
from tests.conftest import SandboxHandle
from tests.support.kept import after
from tests.support.members import find_member

type Json = dict[str, Any]
PAGE = "/t/acme/customers/"
CALL = "/v1/customer-trust/accounts"


class Desk:
    """Acme's desk: what the platform holds, and the worker's part."""

    def __init__(self, sandbox: SandboxHandle, tenant_id: str) -> None:
        self.sandbox = sandbox
        self.objects = sandbox.app.extensions["sandbox"].objects
        self.tenant_id = tenant_id

    def fetch(self) -> None:
        """Do what the comparison of the whole list does."""
        client, cursor = client_for(Urgency.PERSON), None
        [mirror] = MIRRORS
        while True:
            page = mirror.page(client, cursor)
            with transaction.atomic():
                for item in page.items:
                    mirror.save(item)
            cursor = page.next_cursor
            if cursor is None:
                return

    def there(self, name: str = "") -> list[Json]:
        """The customers as they stand on the platform."""
        return [each for each in self.sandbox.objects(self.tenant_id, "accounts") if not name or each["name"] == name]

    def change_there(self, account: Account, **changes: Any) -> None:
        there = self.objects.get(self.tenant_id, "accounts", account.platform_id)
        self.objects.save(self.tenant_id, "accounts", there | {"updatedDate": "2027-01-01T00:00:00.000Z"} | changes)

    def calls(self, method: str) -> int:
        """How many writes reached the platform, refused ones included."""
        return len([each for each in self.sandbox.requests(CALL) if each["method"] == method])

    @property
    def first(self) -> Account:
        return Account.objects.present().order_by("name_sort", "id")[0]


def copied(sandbox: SandboxHandle, tenant_id: str) -> None:
    """Have a copy of what the platform has for the desk."""
    Desk(sandbox, tenant_id).fetch()


@pytest.fixture
@after(copied)
def desk(connected: Connection, scoped: Tenant, sandbox: SandboxHandle, platform_tenant: Json) -> Desk:
    return Desk(sandbox, platform_tenant["tenant_id"])


@pytest.fixture
def owner(client: Client, alice: User, scoped: Tenant) -> Membership:
    client.force_login(alice)
    return find_member(tenant=scoped, user=alice)


def work() -> None:
    """Do everything that is due, as the sweep and the workers would."""
    for tenant_id, creation_id in services.due_creations():
        verify_creation(tenant_id, creation_id)


def let_imports_work(*, turns: int = 20) -> None:
    """Do what the workers do until every import is over, without waiting for the minutes and pauses to pass."""
    for _ in range(turns):
        CallWindow.objects.all().delete()
        ImportRun.objects.update(due_at=timezone.now())
        ImportItem.objects.update(due_at=timezone.now())
        work()
        due = due_runs(IMPORTS)
        for tenant_id, run_id in due:
            work_on_import(tenant_id, run_id)
        if not due:
            return


def let_pass(seconds: float) -> None:
    """Let time pass for everything that is being looked for."""
    earlier = timezone.now() - timedelta(seconds=seconds)
    NewCustomer.objects.filter(doubted_at__isnull=False).update(doubted_at=earlier)
    NewCustomer.objects.filter(due_at__isnull=False).update(due_at=timezone.now())


def typed(name: str = "Initech", domain: str = "initech.example", **more: Any) -> Json:
    """What a browser sends for a customer."""
    return {"name": name, "domain": domain, "approval": "off"} | more


def words(answer: Any) -> str:
    """What a page says, whatever its line breaks."""
    return " ".join(answer.content.decode().split())


def make_account(name: str, domain: str = "", **columns: Any) -> Account:
    return Account.objects.create(
        platform_id=columns.pop("platform_id", f"id-{name}"[:60].replace(" ", "-")),
        name=name,
        name_sort=name.casefold(),
        domain=domain,
        search=f"{name} {domain}".casefold(),
        created_at=columns.pop("created_at", timezone.now()),
        **columns,
    )


def make_viewer(name: str, domain: str, *, hours: float = 1, **columns: Any) -> Viewer:
    """Somebody of a company with access that never ends."""
    at = timezone.now() - timedelta(hours=hours)
    return Viewer.objects.create(
        platform_id=f"viewer-{name}-{domain}"[:100],
        **person_columns(f"{name}@{domain}".lower(), name, ""),
        access_level="FULL_ACCESS",
        created_at=at,
        updated_at=at,
        **{"expires_sort": NEVER} | columns,
    )


def make_request(name: str, domain: str, *, outcome: str = "PENDING", hours: float = 1) -> AccessRequest:
    at = timezone.now() - timedelta(hours=hours)
    return AccessRequest.objects.create(
        platform_id=f"request-{name}-{domain}"[:100],
        **person_columns(f"{name}@{domain}".lower(), name, ""),
        outcome=outcome,
        access_level="FULL_ACCESS",
        created_at=at,
        updated_at=at,
    )


class Recorder(requests.adapters.BaseAdapter):
    """Keeps what the client writes about customers."""

    def __init__(self, behind: requests.adapters.BaseAdapter) -> None:
        super().__init__()
        self._behind = behind
        self.sent: list[Any] = []

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        if request.method in ("POST", "PATCH") and "/accounts" in request.path_url:
            self.sent.append(json.loads(request.body or "{}"))
        return self._behind.send(request, *args, **options)

    def close(self) -> None:
        self._behind.close()


@pytest.fixture
def wire(sandbox: SandboxHandle) -> Recorder:
    recorder = Recorder(http.MOUNTS[settings.PLATFORM_API_URL])
    http.MOUNTS[settings.PLATFORM_API_URL] = recorder
    return recorder
