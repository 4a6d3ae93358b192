"""One object of every kind that people comment on, and hands to comment on it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from portal.access_requests.models import AccessRequest
from portal.access_requests.services.store import person_columns
from portal.accounts.models import Account
from portal.comments.models import Comment
from portal.comments.subjects import registered
from portal.contracts.models import Contract
from portal.deletion_requests.models import DeletionRequest
from portal.incidents.models import Incident
from portal.lib.path_ids import write_id
from portal.questionnaires.commented import key_of
from portal.questionnaires.models import Questionnaire, Response
from portal.tenants.models import Tenant

PAPER = "/t/acme/contracts/paper-1/"
EMAIL = "jane@northwind.example"


@pytest.fixture
def objects(scoped: Tenant) -> dict[str, str]:
    """Kind → the key of one object of acme."""
    now = timezone.now()
    Contract.objects.create(platform_id="paper-1", name="Northwind MSA", created_at=now)
    Account.objects.create(platform_id="northwind-1", name="Northwind")
    columns = person_columns(EMAIL, "Jane Doe", "Northwind")
    AccessRequest.objects.create(
        platform_id="ask-1", created_at=now, updated_at=now, access_level="FULL_ACCESS", payload={}, **columns
    )
    sheet = Questionnaire.objects.create(
        platform_id="sheet/1",
        name="Sheet",
        status="IN_PROGRESS",
        created_at=now,
        updated_at=now,
        responses_synced_at=now,
        payload={"id": "sheet/1", "status": "IN_PROGRESS"},
    )
    schema = {"type": "object", "properties": {"p1": {"type": "string", "title": "Answer"}}}
    payload = {"id": "q%1", "question": "Do you rotate keys?", "answerPartsSchema": schema, "answerPartsValues": {"p1": "Yes"}}
    question = Response.objects.create(
        questionnaire=sheet, platform_id="q%1", position=1, question="Do you rotate keys?", payload=payload, read_at=now
    )
    incident = Incident.objects.create(name="Leak", noticed_at=now, opened_by_name="Alice")
    erasure = DeletionRequest.objects.create(
        email=EMAIL, email_hash="h", masked_email="j•••@northwind.example", requested_by_name="Alice"
    )
    return {
        "contract": "paper-1",
        "account": "northwind-1",
        "access_request": "ask-1",
        "response": key_of(question),
        "incident": str(incident.pk),
        "deletion_request": erasure.reference,
    }


def thread(kind: str, object_id: str) -> str:
    return f"/t/acme/comments/on/{kind}/{write_id(object_id)}/"


def page_of(kind: str, object_id: str) -> str:
    return registered(kind).url("acme", object_id)


@pytest.fixture
def say(client: Client, objects: dict[str, str]) -> Callable[..., Any]:
    """Comment on the contract, or on another object, as whoever is signed in."""

    def send(body: str, kind: str = "contract", **options: Any) -> HttpResponse:
        return client.post(f"{thread(kind, objects[kind])}add/", {"body": body}, **options)

    return send


def last() -> Comment:
    found = Comment.objects.last()
    assert found is not None
    return found
