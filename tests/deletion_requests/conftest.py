"""A person who is in acme's Trust Center and in its copies here, and the walk that erases them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from portal.access_requests.models import AccessRequest, Viewer
from portal.access_requests.services.store import person_columns
from portal.connections.models import Connection
from portal.deletion_requests.models import DeletionRequest, new_reference
from portal.tenants.models import Tenant
from portal.users.models import User
from tests.conftest import SandboxHandle

PAGE = "/t/acme/deletion-requests/"
EMAIL = "Jane.Doe@northwind.example"
MASKED = "J•••@northwind.example"
CALL = "/v1/customer-trust/deletion-requests"


def keep_person(email: str, platform_id: str) -> None:
    """Store what the mirrors would: a request with a decision to come, and a viewer."""
    now = timezone.now()
    columns = person_columns(email, "Jane Doe", "Northwind")
    raw = {"id": platform_id, "email": email, "history": [{"by": email}]}
    common = {"platform_id": platform_id, "created_at": now, "updated_at": now, "access_level": "FULL_ACCESS", "payload": raw}
    AccessRequest.objects.create(**columns, **common, reason=f"Please let {email} in")
    Viewer.objects.create(**columns, **common)


@pytest.fixture
def jane(connected: Connection, scoped: Tenant) -> str:
    """The address of somebody acme keeps two rows about, beside somebody else's."""
    keep_person(EMAIL.lower(), "jane")
    keep_person("john@northwind.example", "john")
    return EMAIL


@pytest.fixture
def approver(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


@pytest.fixture
def calls(sandbox: SandboxHandle) -> Callable[[], int]:
    """Count the calls that reached the platform."""
    return lambda: len(sandbox.requests(CALL))


def first_step(address: str, **changes: Any) -> dict[str, Any]:
    """What somebody types into the first form."""
    today = timezone.localdate().isoformat()
    return {"email": address, "received_on": today, "regulation": "gdpr", "reference": new_reference()} | changes


def receive(client: Client, address: str, **changes: Any) -> DeletionRequest:
    """Take a request in by hand and return it."""
    answer = client.post(f"{PAGE}receive/", first_step(address, **changes))
    assert answer.status_code == 302, answer.content
    return DeletionRequest.objects.get(reference=answer["Location"].split("/")[4])


def check(client: Client, row: DeletionRequest, outcome: str = "confirmed", note: str = "a call") -> HttpResponse:
    """Note what came of the identity check."""
    said = {"outcome": outcome, "note": note, "checked_on": timezone.localdate().isoformat()}
    return client.post(f"{PAGE}{row.reference}/identity/", said)


def second_step(page: HttpResponse) -> dict[str, Any]:
    """What the second form carries over from the first, and the note that it asks for."""
    form = page.context["form"]
    hidden = {field.name: field.value() for field in form.hidden_fields()}
    return {name: value for name, value in hidden.items() if value is not None} | {"identity_note": "answered a mail"}


def confirm(client: Client, address: str, **changes: Any) -> HttpResponse:
    """Walk through both steps as a browser without JavaScript does."""
    page = client.post(f"{PAGE}new/", first_step(address))
    assert page.status_code == 200, page.content
    return client.post(f"{PAGE}submit/", second_step(page) | {"again": address, "note": ""} | changes)


def erase(client: Client, address: str, **changes: Any) -> DeletionRequest:
    """Walk to the end and return the request that came of it."""
    answer = confirm(client, address, **changes)
    assert answer.status_code == 302
    return DeletionRequest.objects.get(reference=answer["Location"].split("/")[-2])
