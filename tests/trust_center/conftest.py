"""Acme's Trust Center content as a copy of the sandbox's."""

from typing import Any

import pytest
from django.test import Client

from portal.connections.models import Connection
from portal.tenants.models import Membership, Tenant
from portal.trust_center.mirror import MIRRORS
from portal.users.models import User
from tests.conftest import SandboxHandle
from tests.support.desks import MirroredDesk
from tests.support.kept import after
from tests.support.members import find_member
from tests.support.refusers import Scene

type Json = dict[str, Any]
PAGE = "/t/acme/trust-center/"
CALL = "/v1/trust-centers/*"


class Desk(MirroredDesk):
    mirrors = MIRRORS


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


@pytest.fixture
def scene(client: Client, sandbox: SandboxHandle, desk: Desk, owner: Membership) -> Scene:
    """Acme's owner at the desk."""
    return Scene(client, sandbox, desk, owner)
