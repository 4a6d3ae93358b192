"""Acme's people and groups as a copy of the sandbox's."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from portal.connections.models import CallWindow, Connection
from portal.people.mirror import MIRRORS
from portal.people.models import GroupItem, GroupRun
from portal.people.services.group_runs import GROUPS
from portal.people.tasks import work_on_group_run
from portal.platform_writes.bulk import due_runs
from portal.tenants.models import Membership, Tenant
from portal.users.models import User
from tests.conftest import SandboxHandle
from tests.support.desks import MirroredDesk
from tests.support.kept import after
from tests.support.members import find_member

type Json = dict[str, Any]
PAGE = "/t/acme/people/"


class Desk(MirroredDesk):
    mirrors = MIRRORS

    def let_work(self, *, turns: int = 20) -> None:
        """Do what the workers do until every run is over, without waiting for pauses to pass."""
        for _ in range(turns):
            CallWindow.objects.all().delete()
            GroupRun.objects.update(due_at=timezone.now())
            GroupItem.objects.update(due_at=timezone.now())
            due = due_runs(GROUPS)
            for tenant_id, run_id in due:
                work_on_group_run(tenant_id, run_id)
            if not due:
                return


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
