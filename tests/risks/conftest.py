"""Acme's issues and risk scenarios as a copy of the sandbox's."""

from typing import Any

import pytest
from django.test import Client

from portal.connections.models import Connection
from portal.risks.mirror import MIRRORS as RISKS
from portal.tenants.models import Membership, Tenant
from portal.trust_center.kinds import CONTROL
from portal.trust_center.mirror import MIRRORS as TRUST_CENTER
from portal.users.models import User
from tests.conftest import SandboxHandle
from tests.support.desks import MirroredDesk
from tests.support.kept import after
from tests.support.members import find_member

type Json = dict[str, Any]
ISSUES, SCENARIOS = "/t/acme/issues/", "/t/acme/risk-scenarios/"
CALL = "/v1/risk-scenarios/*/controls*"
MIRRORS = (*RISKS, *(mirror for mirror in TRUST_CENTER if mirror.kind == CONTROL))


class Desk(MirroredDesk):
    mirrors = MIRRORS

    def scenarios(self) -> dict[str, Json]:
        """All risk scenarios as the platform answers them: the riskId is the only id (management-api 3.16)."""
        kept = self.there("risk-scenarios")
        return {key: {"riskId": key} | {name: found[name] for name in found if name != "id"} for key, found in kept.items()}

    def links(self, scenario_id: str) -> list[Json]:
        """The controls of a scenario there, each with what it does for it."""
        return self.objects.all(self.tenant_id, "risk-scenario-controls", parent_id=scenario_id)

    def controls(self, scenario_id: str) -> dict[str, str]:
        """What each of them does, by the name that the platform gives it (management-api 3.16)."""
        named = {key: found["externalId"] or key for key, found in self.there("controls").items()}
        return {named[link["controlId"]]: link["controlType"] for link in self.links(scenario_id)}

    def control_calls(self, method: str) -> list[Json]:
        """Calls about the controls of any scenario."""
        return [each for each in self.calls(method, "/risk-scenarios/") if "/controls" in each["path"]]


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
