"""Acme as an audit firm: its audits as a copy of the sandbox's, read with the auditor application."""

from typing import Any

import pytest
from django.test import Client

from portal.connections.models import CallWindow, Connection, Region
from portal.connections.services import connect_own_application
from portal.engagements.kinds import CONTROL, EVIDENCE, PARTS, REQUEST
from portal.engagements.mirror import MIRRORS
from portal.engagements.models import Engagement, EngagementControl, EvidenceItem, InformationRequest
from portal.sandbox.changes import audit_comments, audits
from portal.sandbox.changes.audit_comments import ON_EVIDENCE, ON_REQUEST
from portal.sandbox.values import new_id
from portal.sync.services import mark_stale
from portal.tenants.models import Membership, Tenant
from portal.users.models import User
from tests.conftest import SandboxHandle
from tests.support.desks import MirroredDesk
from tests.support.members import find_member

type Json = dict[str, Any]
PAGE = "/t/acme/audits/"
SCOPES = "auditor-api.audit:read auditor-api.audit:write"
KIND_OF = {InformationRequest: REQUEST, EvidenceItem: EVIDENCE, EngagementControl: CONTROL}


class Desk(MirroredDesk):
    mirrors = MIRRORS

    def read(self, row: Any) -> None:
        """Read one object of an audit, or what an audit consists of."""
        mark_stale(KIND_OF.get(type(row), PARTS), row.platform_id, urgent=True)
        self.drain()
        row.refresh_from_db()

    def request(self, **values: object) -> InformationRequest:
        return InformationRequest.objects.ready().select_related("engagement").filter(**values).order_by("pk")[0]

    def evidence(self, status: str) -> EvidenceItem:
        rows = EvidenceItem.objects.present().select_related("engagement")
        return rows.filter(status=status, engagement__completed_at=None).order_by("-position")[0]

    def of(self, row: Any, kind: str) -> list[Json]:
        """All that belongs to an object on the platform."""
        return self.of_id(row.platform_id, kind)

    def of_id(self, object_id: str, kind: str) -> list[Json]:
        found: list[Json] = self.objects.all(self.tenant_id, kind, parent_id=object_id)
        return found

    def add(self, row: Any, kind: str, **values: object) -> Json:
        """Add one more to an object on the platform, like those that are there."""
        like = self.of(row, kind)[0]
        added: Json = self.objects.add(self.tenant_id, kind, like | {"id": new_id()} | values, parent_id=row.platform_id)
        return added

    def move_request(self, row: InformationRequest, trigger: str, **facts: str) -> None:
        body = self.objects.get(self.tenant_id, audits.REQUESTS, row.platform_id)
        audits.move_request(self.platform, self.tenant_id, body, trigger, **facts)

    def move_evidence(self, row: EvidenceItem, trigger: str) -> None:
        body = self.objects.get(self.tenant_id, audits.EVIDENCE, row.platform_id)
        audits.move_evidence(self.platform, self.tenant_id, body, trigger)

    def comment(self, row: Any, text: str, email: str = "customer@tenant.example") -> Json:
        family = ON_REQUEST if isinstance(row, InformationRequest) else ON_EVIDENCE
        said: Json = audit_comments.add(self.platform, self.tenant_id, family, row.platform_id, text=text, email=email)
        return said

    def take_back(self, said: Json) -> None:
        audit_comments.delete(self.platform, self.tenant_id, ON_REQUEST, said)


@pytest.fixture
def firm(sandbox: SandboxHandle, platform_tenant: Json, scoped: Tenant, alice: User) -> Connection:
    """Acme, connected with the auditor application of the sandbox."""
    sandbox.control("POST", "/limits", auditor=None, auditor_writes=None, auditor_listed=None, auditor_comments=None)
    application = next(each for each in sandbox.control("GET", "/applications") if each["type"] == "auditor")
    values = {name: application[name] for name in ("client_id", "client_secret")}
    connection = connect_own_application(user=alice, region=Region.EU, scopes=SCOPES, **values)
    CallWindow.objects.all().delete()
    return connection


@pytest.fixture
def desk(firm: Connection, scoped: Tenant, sandbox: SandboxHandle, platform_tenant: Json) -> Desk:
    desk = Desk(sandbox, platform_tenant["tenant_id"])
    desk.compare()
    return desk


@pytest.fixture
def audit(desk: Desk) -> Engagement:
    """An audit that goes on, and is run by information requests."""
    return Engagement.objects.open().order_by("pk")[0]


@pytest.fixture
def row(desk: Desk) -> InformationRequest:
    """A request that is ready for audit, with what belongs to it."""
    found = next(
        each for each in InformationRequest.objects.ready().select_related("engagement") if desk.of(each, "request-evidence")
    )
    desk.read(found)
    return found


@pytest.fixture
def item(desk: Desk) -> EvidenceItem:
    """Evidence that is ready for audit, with its files and comments."""
    found = desk.evidence("READY_FOR_AUDIT")
    desk.read(found)
    return found


@pytest.fixture
def owner(client: Client, alice: User, scoped: Tenant) -> Membership:
    client.force_login(alice)
    return find_member(tenant=scoped, user=alice)
