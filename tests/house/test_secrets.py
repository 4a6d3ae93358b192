"""S6: whatever is secret is in no log line, no row, no page, no task and no repr, however a tenant's life goes."""

import logging
import traceback
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.test import Client

from portal.connections.models import Connection
from portal.connections.services import NotConnected, Urgency, access_token, client_for, disconnect
from portal.connections.services.platform import application
from portal.connections.tasks import sweep_suspensions
from portal.platform_api.errors import PlatformError
from portal.tenants.scope import all_tenants, tenant_scope
from tests.conftest import SECRET


def held_secrets() -> set[str]:
    connection = Connection.objects.get()
    return {connection.open("access_token"), connection.open("refresh_token")}


def dump() -> str:
    """Every value of every row, as text."""
    found = []
    with all_tenants("the dump of a test"):
        for model in apps.get_models():
            for row in model._base_manager.all().values():
                found.extend(
                    bytes(each).decode("latin-1") if isinstance(each, memoryview) else str(each) for each in row.values()
                )
    return "\n".join(found)


@pytest.fixture
def everything_logged(caplog):
    caplog.set_level(logging.DEBUG)
    for name in ("urllib3", "requests", "django.request", "portal"):
        caplog.set_level(logging.DEBUG, logger=name)
    return caplog


def test_s6_no_secret_leaves_its_place(connected, acme, alice, sandbox, deliver, client: Client, everything_logged):
    secrets = {settings.PLATFORM_CLIENT_SECRET, settings.FIELD_ENCRYPTION_KEYS[0], SECRET, SECRET.removeprefix("whsec_")}
    shown = []
    with tenant_scope(acme.pk):
        secrets |= held_secrets()
        # A refresh, a call that is refused, an answer in HTML, a broken token endpoint.
        secrets.add(access_token(connected.pk, stale=connected.open("access_token")))
        secrets |= held_secrets()
        for kind, path in (("html", "/v1/customer-trust/questionnaires"), ("status", "/v1/oauth/token")):
            sandbox.fail(kind, path=path, times=3, **({"value": 500} if kind == "status" else {}))
        shown += [repr(connected), repr(client_for(Urgency.PERSON)), repr(application(connected.region))]
        for _ in range(3):
            try:
                client_for(Urgency.PERSON).questionnaires.all.page()
                access_token(connected.pk, stale="another")
            except (PlatformError, NotConnected) as error:
                shown += [str(error), repr(error), "".join(traceback.format_exception(error))]
    deliver({"questionnaireId": "65f1b2c3d4e5f6a7b8c9d0e1"})
    client.force_login(alice)
    for page in ("", "settings/connection/", "settings/webhooks/", "questionnaires/"):
        shown.append(client.get(f"/t/acme/{page}").content.decode())
    with tenant_scope(acme.pk):
        disconnect(connected, actor=alice)
    broker = [path.read_text(errors="replace") for path in Path(settings.DATA_DIR).rglob("*") if is_message(path)]
    shown += [dump(), *broker]
    sweep_suspensions()
    shown += [dump(), everything_logged.text]
    for place, text in enumerate(shown):
        for secret in secrets:
            assert secret not in text, (
                f"a secret is in place {place}: …{text[max(0, text.find(secret) - 80) : text.find(secret)]}"
            )


def is_message(path: Path) -> bool:
    return path.is_file() and "broker" in path.parts
