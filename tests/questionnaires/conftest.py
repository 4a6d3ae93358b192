"""Acme's questionnaires as a copy of the sandbox's, and hands to change what stands there behind the portal's back."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
import requests
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.utils import timezone

from portal.connections import http
from portal.connections.models import CallWindow, Connection
from portal.connections.services import Urgency, client_for
from portal.lib.path_ids import write_id
from portal.platform_writes.bulk import due_runs
from portal.questionnaires import mirror
from portal.questionnaires.answers import Answer
from portal.questionnaires.forms import AnswerForm
from portal.questionnaires.models import BulkItem, BulkRun, Questionnaire, Response
from portal.questionnaires.services.bulk_runs import BULK
from portal.questionnaires.tasks import work_on_bulk_run
from portal.tenants.models import Membership, Role, Tenant
from portal.users.models import User
from tests.conftest import SandboxHandle
from tests.questionnaires.tagged import tagged  # noqa: F401 - a fixture
from tests.support.kept import after
from tests.support.members import find_member

type Json = dict[str, Any]
TWO_PARTS: Json = {
    "type": "object",
    "properties": {
        "p1": {"type": "string", "enum": ["Yes", "No"], "title": "Answer"},
        "p2": {"type": "string", "title": "Explanation"},
    },
}


class Desk:
    """Acme's desk in front of the sandbox."""

    def __init__(self, sandbox: SandboxHandle, tenant_id: str) -> None:
        self.sandbox = sandbox
        self.objects = sandbox.app.extensions["sandbox"].objects
        self.tenant_id = tenant_id

    def fetch(self) -> None:
        """Do what the drain does, for everything."""
        client = client_for(Urgency.PERSON)
        for remote in client.questionnaires.all():
            fetched = mirror.fetch_responses(client, remote.id)
            with transaction.atomic():
                mirror.MIRRORS[0].store(remote)
                mirror.save_responses(fetched)

    @property
    def response(self) -> Response:
        """The first question of the questionnaire that is in progress."""
        row = Response.objects.select_related("questionnaire").filter(questionnaire__status="IN_PROGRESS")
        return row.order_by("questionnaire", "position")[0]

    @property
    def questionnaire(self) -> Questionnaire:
        return self.response.questionnaire

    def there(self, row: Response | Questionnaire) -> Json:
        """The object as it stands at the platform."""
        kind = "responses" if isinstance(row, Response) else "questionnaires"
        return self.objects.get(self.tenant_id, kind, row.platform_id)

    def change_there(self, row: Response | Questionnaire, **changes: Any) -> None:
        kind = "responses" if isinstance(row, Response) else "questionnaires"
        self.objects.save(self.tenant_id, kind, self.there(row) | changes)

    def set_answer(self, schema: Json | None, values: Json | None, **changes: Any) -> Response:
        """Give the first question another answer form, there and here."""
        self.change_there(self.response, answerPartsSchema=schema, answerPartsValues=values, **changes)
        self.fetch()
        return self.response


def copied(sandbox: SandboxHandle, tenant_id: str) -> None:
    """Have a copy of what the platform has for the desk."""
    Desk(sandbox, tenant_id).fetch()


@pytest.fixture
@after(copied)
def desk(connected: Connection, scoped: Tenant, sandbox: SandboxHandle, platform_tenant: Json) -> Desk:
    return Desk(sandbox, platform_tenant["tenant_id"])


@pytest.fixture
def analyst(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


class Recorder(requests.adapters.BaseAdapter):
    """Keeps what the client sends."""

    def __init__(self, behind: requests.adapters.BaseAdapter) -> None:
        super().__init__()
        self._behind = behind
        self.sent: list[tuple[str, str, Any]] = []
        self.before_write: Callable[[], None] | None = None
        """Something that happens on the platform just before a write arrives."""

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        body = request.body and json.loads(request.body)
        self.sent.append((request.method or "", request.path_url, body))
        if request.method == "PATCH" and self.before_write:
            self.before_write()
        return self._behind.send(request, *args, **options)

    def close(self) -> None:
        self._behind.close()

    @property
    def patches(self) -> list[Any]:
        return [body for method, _, body in self.sent if method == "PATCH"]


@pytest.fixture
def wire(sandbox: SandboxHandle) -> Recorder:
    recorder = Recorder(http.MOUNTS[settings.PLATFORM_API_URL])
    http.MOUNTS[settings.PLATFORM_API_URL] = recorder
    return recorder


@pytest.fixture
def alice_here(alice: User, acme: Tenant) -> Membership:
    """Alice as a member of acme, its owner."""
    return find_member(user=alice)


@pytest.fixture
def reviewer(member: Callable[[Role], User], acme: Tenant) -> Membership:
    """Somebody else who may approve."""
    return find_member(user=member(Role.APPROVER))


def address(row: Response | Questionnaire) -> str:
    if isinstance(row, Response):
        return f"{address(row.questionnaire)}responses/{write_id(row.platform_id)}/"
    return f"/t/acme/questionnaires/{write_id(row.platform_id)}/"


def fill_in(response: Response, *, before: Mapping[str, Any] | None = None, **parts: Any) -> dict[str, Any]:
    """What a browser sends when a person changes these parts (by the label of their control) and leaves the others.

    `before` is what the person has sent by the same link.
    """
    form = AnswerForm(Answer(response.remote), mine=before, continues=before is not None)
    sent: dict[str, Any] = {"seen": response.answer.fingerprint}
    for row in form.rows():
        if row.field is None:
            continue
        sent[row.companion] = row.shown
        shown = row.field.value()
        sent[row.field.name] = parts.pop(row.part.id, shown)
    assert not parts, "the form has no such parts"
    return sent


def save(client: Client, response: Response, *, headers: dict[str, str] | None = None, **parts: Any) -> Any:
    return client.post(address(response), fill_in(response, **parts), headers=headers)


def let_work(*, turns: int = 40) -> None:
    """Do what the workers do until every bulk run is over, without waiting for the minutes and pauses to pass."""
    for _ in range(turns):
        CallWindow.objects.all().delete()
        if turns > 1:
            BulkRun.objects.update(due_at=timezone.now())
            BulkItem.objects.update(due_at=timezone.now())
        due = due_runs(BULK)
        for tenant_id, run_id in due:
            work_on_bulk_run(tenant_id, run_id)
        if not due:
            return
