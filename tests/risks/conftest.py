"""Acme's issues and risk scenarios as a copy of the sandbox's."""

from typing import Any

import pytest
from django.test import Client

from portal.connections.models import CallWindow, Connection
from portal.connections.services import Urgency, client_for
from portal.risks.mirror import MIRRORS as RISKS
from portal.sync.models import Run
from portal.sync.services import drain, reconcile, start_reconcile
from portal.tenants.models import Membership, Tenant
from portal.trust_center.kinds import CONTROL
from portal.trust_center.mirror import MIRRORS as TRUST_CENTER
from portal.users.models import User
from tests.conftest import SandboxHandle
from tests.support.members import find_member

type Json = dict[str, Any]
ISSUES, SCENARIOS = "/t/acme/issues/", "/t/acme/risk-scenarios/"
CALL = "/v1/risk-scenarios/*/controls*"
MIRRORS = (*RISKS, *(mirror for mirror in TRUST_CENTER if mirror.kind == CONTROL))


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

    def links(self, scenario_id: str) -> list[Json]:
        """The controls of a scenario there, each with what it does for it."""
        return self.objects.all(self.tenant_id, "risk-scenario-controls", parent_id=scenario_id)

    def controls(self, scenario_id: str) -> dict[str, str]:
        return {link["controlId"]: link["controlType"] for link in self.links(scenario_id)}

    def calls(self, method: str, path: str) -> list[Json]:
        return [each for each in self.sandbox.requests(path) if each["method"] == method]

    def control_calls(self, method: str) -> list[Json]:
        """Calls about the controls of any scenario."""
        return [each for each in self.calls(method, "/risk-scenarios/") if "/controls" in each["path"]]


@pytest.fixture
def desk(connected: Connection, scoped: Tenant, sandbox: SandboxHandle, platform_tenant: Json) -> Desk:
    desk = Desk(sandbox, platform_tenant["tenant_id"])
    desk.compare()
    return desk


@pytest.fixture
def owner(client: Client, alice: User, scoped: Tenant) -> Membership:
    client.force_login(alice)
    return find_member(tenant=scoped, user=alice)
