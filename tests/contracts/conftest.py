"""Acme's contract desk in front of the sandbox, and a worker that does what is due."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from portal.connections.models import Connection
from portal.connections.services import Urgency, client_for
from portal.contracts import selectors
from portal.contracts.mirror import MIRRORS
from portal.contracts.models import Contract, Upload
from portal.contracts.tasks import read_document, remove_contract, send_upload
from portal.tenants.models import Membership, Tenant
from portal.users.models import User
from tests.conftest import SandboxHandle
from tests.support.members import find_member

type Json = dict[str, Any]
PAGE = "/t/acme/contracts/"
CALL = "/v1/customer-trust/contracts"
PDF = b"%PDF-1.4\nA contract.\n%%EOF\n"


class Desk:
    """Acme's desk: what the platform holds, and the worker's part."""

    def __init__(self, sandbox: SandboxHandle, tenant_id: str) -> None:
        self.sandbox = sandbox
        self.tenant_id = tenant_id

    def fetch(self) -> None:
        """Do what the comparison of the whole list does."""
        client = client_for(Urgency.PERSON)
        [mirror] = MIRRORS
        cursor: str | None = None
        while True:
            page = mirror.page(client, cursor)
            with transaction.atomic():
                for item in page.items:
                    mirror.save(item)
            cursor = page.next_cursor
            if cursor is None:
                return

    def there(self, external_id: str = "") -> list[Json]:
        """The contracts as they stand on the platform."""
        found = self.sandbox.objects(self.tenant_id, "contracts")
        return [each for each in found if not external_id or each["externalId"] == external_id]

    def add_there(self, external_id: str, **changes: Any) -> Json:
        """Somebody adds a contract on the platform itself."""
        sandbox = self.sandbox.app.extensions["sandbox"]
        body = {"name": "Elsewhere.pdf", "customerTrustAccountId": None, "executedDate": None}
        body |= {"id": f"c{len(self.there()):023d}", "externalId": external_id, "creationDate": "2026-01-02T03:04:05.000Z"}
        return sandbox.objects.add(self.tenant_id, "contracts", body | changes)

    def calls(self) -> int:
        """How many uploads reached the platform, refused ones included."""
        return len([each for each in self.sandbox.requests(CALL) if each["method"] == "POST"])


@pytest.fixture
def desk(connected: Connection, scoped: Tenant, sandbox: SandboxHandle, platform_tenant: Json) -> Desk:
    desk = Desk(sandbox, platform_tenant["tenant_id"])
    desk.fetch()
    return desk


@pytest.fixture
def analyst(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


def work() -> None:
    """Do everything that is due, as the sweep and the workers would."""
    for tenant_id, upload_id in selectors.due_uploads():
        send_upload(tenant_id, upload_id)
    for tenant_id, reading_id in selectors.due_readings():
        read_document(tenant_id, reading_id)
    for tenant_id, removal_id in selectors.due_removals():
        remove_contract(tenant_id, removal_id)


def hand_in(
    client: Client, name: str = "Northwind MSA.pdf", content: bytes = PDF, *, follow: bool = False, **fields: str
) -> HttpResponse:
    """Upload a document as a browser without JavaScript does."""
    return client.post(f"{PAGE}upload/", {"file": SimpleUploadedFile(name, content), **fields}, follow=follow)


@pytest.fixture
def files(db: None) -> Callable[[], list[str]]:
    """List the stored files of all tenants that these tests left or made."""
    before = set(stored())
    return lambda: sorted(set(stored()) - before)


def stored() -> list[str]:
    if not default_storage.exists("contracts"):
        return []
    tenants, _ = default_storage.listdir("contracts")
    return [f"{tenant}/{name}" for tenant in tenants for name in default_storage.listdir(f"contracts/{tenant}")[1]]


def only_upload() -> Upload:
    return Upload.objects.get()


def contract(external_id: str) -> Contract:
    return Contract.objects.get(external_id=external_id)


@pytest.fixture
def me(alice: User) -> Membership:
    return find_member(user=alice)


@pytest.fixture
def row(desk: Desk) -> Contract:
    return Contract.objects.all()[0]
