"""Acme's compliance documents as a copy of the sandbox's."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from portal.connections.models import CallWindow, Connection
from portal.documents import services
from portal.documents.mirror import MIRRORS
from portal.documents.models import Document
from portal.documents.search_hits import document_url
from portal.documents.tasks import sweep_document_details
from portal.tenants.models import Membership, Tenant
from portal.users.models import User
from tests.conftest import SandboxHandle
from tests.support.desks import MirroredDesk
from tests.support.kept import after
from tests.support.members import find_member

type Json = dict[str, Any]
PAGE = "/t/acme/documents/"
CALL = "/v1/documents"
PDF = b"%PDF-1.4\nThe test of this year.\n%%EOF\n"


class Desk(MirroredDesk):
    mirrors = MIRRORS

    def compare(self) -> None:
        """Read the list, and what is marked after it."""
        super().compare()
        while services.tenants_with_old_details():
            sweep_document_details()
            self.drain()

    def of(self, kind: str, row: Document) -> dict[str, Json]:
        """The files or links of one document as they stand on the platform, by id."""
        return {found["id"]: found for found in self.objects.all(self.tenant_id, kind, parent_id=row.platform_id)}


def page_of(row: Document) -> str:
    return document_url("acme", row.platform_id)


def send(client: Client, row: Document, *, name: str = "pentest-2026.pdf", content: bytes = PDF, **values: str) -> Any:
    """Upload a file as the form does."""
    CallWindow.objects.all().delete()
    return client.post(f"{page_of(row)}upload/", {"file": SimpleUploadedFile(name, content), **values})


def copied(sandbox: SandboxHandle, tenant_id: str) -> None:
    # How the desk keeps to the platform's limit is one test's alone.
    sandbox.control("POST", "/limits", integration=None)
    Desk(sandbox, tenant_id).compare()


@pytest.fixture
@after(copied)
def desk(connected: Connection, scoped: Tenant, sandbox: SandboxHandle, platform_tenant: Json) -> Desk:
    return Desk(sandbox, platform_tenant["tenant_id"])


@pytest.fixture
def owner(client: Client, alice: User, scoped: Tenant) -> Membership:
    client.force_login(alice)
    return find_member(tenant=scoped, user=alice)


@pytest.fixture
def document(client: Client, owner: Membership, desk: Desk) -> Document:
    """One with files and links, opened once."""
    row = Document.objects.filter(status="OK", is_sensitive=False).order_by("pk")[0]
    client.get(page_of(row))
    desk.drain()
    return row
