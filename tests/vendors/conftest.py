"""Acme's vendors as a copy of the sandbox's."""

from typing import Any

import pytest
from django.test import Client

from portal.connections.models import CallWindow, Connection
from portal.connections.services import Urgency, client_for
from portal.sandbox.changes.vendors import decide
from portal.sync.services import mark_stale, reconcile, start_reconcile
from portal.tenants.models import Membership, Tenant
from portal.trust_center.mirror import MIRRORS as TRUST_CENTER
from portal.users.models import User
from portal.vendors.kinds import PARTS
from portal.vendors.mirror import MIRRORS
from portal.vendors.models import Vendor
from tests.conftest import SandboxHandle
from tests.support.desks import MirroredDesk
from tests.support.kept import after
from tests.support.members import find_member

type Json = dict[str, Any]
PAGE = "/t/acme/vendors/"


class Desk(MirroredDesk):
    mirrors = MIRRORS

    def compare(self) -> None:
        """Read every list, and what is marked before and after it: what people wait for goes first."""
        self.drain()
        super().compare()

    def compare_trust_center(self) -> None:
        CallWindow.objects.all().delete()
        start_reconcile(TRUST_CENTER)
        assert reconcile(TRUST_CENTER, client_for(Urgency.PERSON), seconds=60)

    def read_parts(self, vendor: Vendor) -> None:
        """Read what belongs to one vendor."""
        mark_stale(PARTS, vendor.platform_id, urgent=True)
        self.drain()
        vendor.refresh_from_db()

    def there(self, kind: str, parent_id: str | None = None) -> dict[str, Json]:
        """All objects of a kind as they stand on the platform, by id."""
        if parent_id is None:
            return super().there(kind)
        return {found["id"]: found for found in self.objects.all(self.tenant_id, kind, parent_id=parent_id)}

    def decide(self, vendor: Vendor, status: str, comments: str | None = None) -> None:
        decide(self.platform, self.tenant_id, vendor.platform_id, status=status, comments=comments)


def copied(sandbox: SandboxHandle, tenant_id: str) -> None:
    """Have a copy of what the platform has for the desk."""
    Desk(sandbox, tenant_id).compare()


@pytest.fixture
@after(copied)
def desk(connected: Connection, scoped: Tenant, sandbox: SandboxHandle, platform_tenant: Json) -> Desk:
    return Desk(sandbox, platform_tenant["tenant_id"])


@pytest.fixture
def vendor(desk: Desk) -> Vendor:
    """One vendor, with what belongs to it."""
    row = Vendor.objects.filter(status="MANAGED").order_by("pk")[0]
    desk.read_parts(row)
    return row


@pytest.fixture
def owner(client: Client, alice: User, scoped: Tenant) -> Membership:
    client.force_login(alice)
    return find_member(tenant=scoped, user=alice)
