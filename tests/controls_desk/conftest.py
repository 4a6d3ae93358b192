"""Acme's controls, frameworks and tests as a copy of the sandbox's."""

from typing import Any

import pytest
from django.test import Client

from portal.connections.models import CallWindow, Connection
from portal.connections.services import Urgency, client_for
from portal.controls.mirror import MIRRORS as CONTROLS
from portal.sync.models import Run
from portal.sync.services import drain, reconcile, start_reconcile
from portal.tenants.models import Membership, Tenant
from portal.trust_center.kinds import CONTROL
from portal.trust_center.mirror import MIRRORS as TRUST_CENTER
from portal.users.models import User
from tests.conftest import SandboxHandle
from tests.support.members import find_member

type Json = dict[str, Any]
CONTROLS_PAGE, FRAMEWORKS_PAGE, TESTS_PAGE = "/t/acme/controls/", "/t/acme/frameworks/", "/t/acme/tests/"
MIRRORS = (*CONTROLS, *(mirror for mirror in TRUST_CENTER if mirror.kind == CONTROL))


class Desk:
    """Acme's desk in front of the sandbox."""

    def __init__(self, sandbox: SandboxHandle, tenant_id: str) -> None:
        self.sandbox, self.tenant_id = sandbox, tenant_id
        self.objects = sandbox.app.extensions["sandbox"].objects

    def compare(self) -> None:
        """Read every list, and what is marked after it."""
        CallWindow.objects.all().delete()
        Run.objects.all().delete()
        start_reconcile(MIRRORS)
        assert reconcile(MIRRORS, client_for(Urgency.PERSON))
        self.drain()

    def drain(self) -> None:
        CallWindow.objects.all().delete()
        drain(MIRRORS, client_for(Urgency.PERSON))

    def there(self, kind: str) -> dict[str, Json]:
        """All objects of a kind as they stand on the platform, by id."""
        return {found["id"]: found for found in self.sandbox.objects(self.tenant_id, kind)}

    def change(self, kind: str, object_id: str, **values: object) -> None:
        """Change an object there as somebody else would."""
        self.objects.save(self.tenant_id, kind, self.there(kind)[object_id] | values)

    def mapped(self, control_id: str, to: str) -> set[str]:
        """What a control is mapped to there, of one type."""
        found = self.objects.all(self.tenant_id, "control-mappings", parent_id=control_id)
        return {each["target"] for each in found if each["type"] == to}

    def calls(self, path: str) -> int:
        return len(self.sandbox.requests(path))


@pytest.fixture
def desk(connected: Connection, scoped: Tenant, sandbox: SandboxHandle, platform_tenant: Json) -> Desk:
    desk = Desk(sandbox, platform_tenant["tenant_id"])
    desk.compare()
    return desk


@pytest.fixture
def owner(client: Client, alice: User, scoped: Tenant) -> Membership:
    client.force_login(alice)
    return find_member(tenant=scoped, user=alice)
