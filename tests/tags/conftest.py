"""Acme's matrix in front of the sandbox, and a worker that does what is due."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from portal.connections.models import CallWindow, Connection
from portal.connections.services import Urgency, client_for
from portal.inbox.routes import MIRRORS
from portal.sync.services import drain, reconcile, start_reconcile
from portal.tags import services
from portal.tags.mirror import MIRRORS as OURS
from portal.tags.models import Category, SwitchChange, Use
from portal.tags.tasks import verify_switch
from portal.tenants.models import Membership, Tenant
from portal.users.models import User
from tests.conftest import SandboxHandle
from tests.support.kept import after
from tests.support.members import find_member

type Json = dict[str, Any]
PAGE = "/t/acme/tags/"
PATH = "/v1/customer-trust/tag-categories"
CENTER, DOCUMENTS, CONTROLS, ASKED = "EXTERNAL_TRUST_CENTER", "DOCUMENT_SHARING", "CONTROL_SHARING", "QUESTIONNAIRE"


class Desk:
    """Acme's desk: what the platform holds, and the worker's part."""

    def __init__(self, sandbox: SandboxHandle, tenant_id: str) -> None:
        self.sandbox = sandbox
        self.objects = sandbox.app.extensions["sandbox"].objects
        self.tenant_id = tenant_id

    def compare(self) -> None:
        """Read everything, as the comparison and the drain behind it do."""
        CallWindow.objects.all().delete()
        start_reconcile(OURS)
        assert reconcile(OURS, client_for(Urgency.PERSON), seconds=60)
        drain(MIRRORS, client_for(Urgency.PERSON))

    def there(self, context: str) -> set[str]:
        """The ids of the categories that the platform uses in a context."""
        rows = self.sandbox.objects(self.tenant_id, "product-contexts")
        return {row["id"].rpartition(":")[0] for row in rows if row["id"].endswith(f":{context}")}

    def switch_there(self, category: Category, context: str, *, is_on: bool) -> None:
        """What somebody does on the platform's own pages."""
        row = f"{category.platform_id}:{context}"
        if is_on:
            self.objects.add(self.tenant_id, "product-contexts", {"id": row}, parent_id=category.platform_id)
        else:
            self.objects.delete(self.tenant_id, "product-contexts", row)

    def writes(self) -> list[Json]:
        return [each for each in self.sandbox.requests("/product-contexts") if each["method"] in ("POST", "DELETE")]

    @property
    def unused(self) -> Category:
        """A category that is used nowhere but with questionnaires."""
        return Category.objects.exclude(pk__in=Use.objects.exclude(context=ASKED).values("category")).order_by("id")[0]


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


def here(context: str) -> set[str]:
    return set(Use.objects.filter(context=context).values_list("category__platform_id", flat=True))


def work() -> None:
    """Do everything that is due, as the sweep and the workers would."""
    CallWindow.objects.all().delete()
    for tenant_id, change_id in services.due_switches():
        verify_switch(tenant_id, change_id)


def let_pass(seconds: float) -> None:
    """Let time pass for everything that is being looked for."""
    SwitchChange.objects.update(sent_at=timezone.now() - timedelta(seconds=seconds))
    SwitchChange.objects.filter(due_at__isnull=False).update(due_at=timezone.now())


def press(client: Client, category: Category, context: str, wanted: str = "on", *, query: str = "") -> Any:
    """What a browser without a script sends."""
    return client.post(f"{PAGE}switch/{query}", {"press": f"{context}|{wanted}|{category.platform_id}"}, follow=True)


def words(answer: Any) -> str:
    """What a page says, whatever its line breaks."""
    return " ".join(answer.content.decode().split())
