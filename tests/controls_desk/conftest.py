"""Acme's controls, frameworks and tests as a copy of the sandbox's."""

from typing import Any

import pytest
from django.test import Client

from portal.connections.models import Connection
from portal.controls.mirror import MIRRORS as CONTROLS
from portal.tenants.models import Membership, Tenant
from portal.trust_center.kinds import CONTROL
from portal.trust_center.mirror import MIRRORS as TRUST_CENTER
from portal.users.models import User
from tests.conftest import SandboxHandle
from tests.support.desks import MirroredDesk
from tests.support.kept import after
from tests.support.members import find_member

type Json = dict[str, Any]
CONTROLS_PAGE, FRAMEWORKS_PAGE, TESTS_PAGE = "/t/acme/controls/", "/t/acme/frameworks/", "/t/acme/tests/"
MIRRORS = (*CONTROLS, *(mirror for mirror in TRUST_CENTER if mirror.kind == CONTROL))


class Desk(MirroredDesk):
    mirrors = MIRRORS

    def mapped(self, control_id: str, to: str) -> set[str]:
        """What a control is mapped to there, of one type."""
        found = self.objects.all(self.tenant_id, "control-mappings", parent_id=control_id)
        return {each["target"] for each in found if each["type"] == to}

    def number_of_calls(self, path: str) -> int:
        return len(self.sandbox.requests(path))


def copied(sandbox: SandboxHandle, tenant_id: str) -> None:
    """Have a copy of what the platform has for the desk."""
    Desk(sandbox, tenant_id).compare()


@pytest.fixture
@after(copied)
def desk(connected: Connection, scoped: Tenant, sandbox: SandboxHandle, platform_tenant: Json) -> Desk:
    return Desk(sandbox, platform_tenant["tenant_id"])


@pytest.fixture
def owner(client: Client, alice: User, scoped: Tenant) -> Membership:
    client.force_login(alice)
    return find_member(tenant=scoped, user=alice)
