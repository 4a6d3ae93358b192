"""Acme's Trust Center activity as a copy of the sandbox's, and hands to do and ask something there."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import count
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from portal.connections.models import CallWindow, Connection
from portal.connections.services import Urgency, client_for
from portal.platform_api import models as remote
from portal.sync.models import Run
from portal.sync.services import drain, reconcile, start_missing
from portal.tenants.models import Tenant
from portal.trust_center_activity.mirror import MIRRORS
from portal.trust_center_activity.models import ACTIVITY
from portal.trust_center_activity.services.store import store_activity
from portal.users.models import User
from tests.conftest import SandboxHandle

type Json = dict[str, Any]
PAGE = "/t/acme/trust-center-activity/"
_numbers = count(1)


def entry(
    *,
    key: str = "",
    email: str | None = "ada@acme.test",
    days: float = 1,
    at: datetime | None = None,
    kind: str = "PAGE_VIEW",
    details: Json | None = None,
    country: str | None = "DE",
    **fields: Any,
) -> Json:
    """One entry of the activity list as the platform sends it."""
    moment = at or timezone.now() - timedelta(days=days)
    return {
        "id": key or f"act-{next(_numbers)}",
        "date": moment.isoformat().replace("+00:00", "Z"),
        "eventType": kind,
        "details": details if details is not None else {"page": "FAQ"},
        "viewerId": f"viewer-of-{email}" if email else None,
        "viewerEmail": email,
        "city": "Berlin" if country else None,
        "countryCode": country,
    } | fields


def document(name: str) -> Json:
    return {"resourceId": f"id-{name}", "resourceName": name}


def store(*entries: Json) -> None:
    for each in entries:
        store_activity(remote.Activity.read(each))


class Center:
    """Acme's Trust Center in front of the sandbox."""

    def __init__(self, handle: SandboxHandle, tenant_id: str) -> None:
        self.handle = handle
        self.sandbox = handle.app.extensions["sandbox"]
        self.tenant_id = tenant_id

    def read(self, *, and_fetch: bool = True) -> dict[str, Run]:
        """Do what the hourly comparison does, then fetch what it has marked; return the runs by kind."""
        start_missing(MIRRORS)
        Run.objects.update(next_due_at=timezone.now())
        CallWindow.objects.all().delete()
        reconcile(MIRRORS, client_for(Urgency.PERSON), seconds=60)
        if and_fetch:
            drain(MIRRORS, client_for(Urgency.PERSON))
        return {run.kind: run for run in Run.objects.all()}

    def read_activity(self) -> Run:
        return self.read()[ACTIVITY]

    def there(self, kind: str) -> dict[str, Json]:
        """All objects of a kind as they stand on the platform, by id."""
        return {found["id"]: found for found in self.handle.objects(self.tenant_id, kind)}

    def happen(self, *entries: Json) -> None:
        """Let visitors do something."""
        self.sandbox.objects.add_many(self.tenant_id, "activity", entries)

    def ask(self, *said: str, email: str | None = "ada@acme.test", key: str = "", at: datetime | None = None) -> str:
        """Let a visitor talk with the chatbot, in turns; return the conversation's id."""
        conversation_id = key or f"talk-{next(_numbers)}"
        body = {
            "id": conversation_id,
            "firstMessage": said[0],
            "numMessages": 0,
            "userEmail": email,
            "isPublicConversation": email is None,
            "createdAt": written(at or timezone.now()),
        }
        self.sandbox.objects.add(self.tenant_id, "conversations", body)
        self.say(conversation_id, *said, at=at)
        return conversation_id

    def say(self, conversation_id: str, *said: str, at: datetime | None = None, references: Iterable[str] = ()) -> None:
        """Go on with a conversation, in turns: the visitor, the chatbot, the visitor."""
        objects = self.sandbox.objects
        body = objects.get(self.tenant_id, "conversations", conversation_id)
        for place, text in enumerate(said, start=body["numMessages"]):
            message = {
                "id": f"said-{next(_numbers)}",
                "role": "ASSISTANT" if place % 2 else "USER",
                "message": text,
                "createdAt": written(at or timezone.now()),
                "references": [*references] if place % 2 else [],
            }
            objects.add(self.tenant_id, "chatbot-messages", message, parent_id=conversation_id)
        objects.save(self.tenant_id, "conversations", body | {"numMessages": body["numMessages"] + len(said)})


def written(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")


@pytest.fixture
def center(connected: Connection, scoped: Tenant, sandbox: SandboxHandle, platform_tenant: Json) -> Center:
    return Center(sandbox, platform_tenant["tenant_id"])


@pytest.fixture
def analyst(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


def words(answer: Any) -> str:
    """What a page says, whatever its line breaks."""
    return " ".join(answer.content.decode().split())
