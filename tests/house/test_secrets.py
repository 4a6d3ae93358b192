"""S6: whatever is secret is in no log line, no row, no page, no task and no repr, however a tenant's life goes."""

import io
import logging
import secrets
import traceback
import zipfile
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.views.debug import get_exception_reporter_class

from portal.connections.models import Connection
from portal.connections.services import NotConnected, Urgency, access_token, client_for, disconnect
from portal.connections.services.platform import application
from portal.connections.tasks import serve_token_queue
from portal.platform_api.errors import PlatformError
from portal.tenants.scope import tenant_scope
from tests.conftest import SECRET
from tests.support.budget import forget_calls
from tests.support.tables import dump


def held_secrets() -> set[str]:
    connection = Connection.objects.get()
    return {connection.open("access_token"), connection.open("refresh_token")}


@pytest.fixture
def everything_logged(caplog):
    caplog.set_level(logging.DEBUG)
    for name in ("urllib3", "requests", "django.request", "portal"):
        caplog.set_level(logging.DEBUG, logger=name)
    return caplog


@pytest.fixture
def nothing_shown(acme, everything_logged):
    """Collects what anybody could get to see, and the secrets; at the end none of these is in any of those."""
    shown: list[str] = []
    hidden = {settings.PLATFORM_CLIENT_SECRET, settings.FIELD_ENCRYPTION_KEYS[0], SECRET, SECRET.removeprefix("whsec_")}
    yield shown, hidden
    shown += [dump(), everything_logged.text, *(path.read_text(errors="replace") for path in messages())]
    for place, text in enumerate(shown):
        for secret in hidden:
            before = text[max(0, text.find(secret) - 80) : text.find(secret)]
            assert secret not in text, f"a secret is in place {place}: …{before}"


def test_s6_no_secret_leaves_its_place(connected, acme, alice, sandbox, deliver, client: Client, nothing_shown):
    shown, hidden = nothing_shown
    with tenant_scope(acme.pk):
        hidden |= held_secrets()
        # A refresh, a call that is refused, an answer in HTML, a broken token endpoint.
        hidden.add(access_token(connected, Urgency.PERSON, stale=connected.open("access_token")))
        hidden |= held_secrets()
        for kind, path in (("html", "/v1/customer-trust/questionnaires"), ("status", "/v1/oauth/token")):
            sandbox.fail(kind, path=path, times=3, **({"value": 500} if kind == "status" else {}))
        shown += [repr(connected), repr(client_for(Urgency.PERSON)), repr(application(connected.region))]
        for _ in range(3):
            try:
                client_for(Urgency.PERSON).questionnaires.all.page()
                access_token(connected, Urgency.PERSON, stale="another")
            except (PlatformError, NotConnected) as error:
                shown += [str(error), repr(error), "".join(traceback.format_exception(error)), report(error)]
    deliver({"questionnaireId": "65f1b2c3d4e5f6a7b8c9d0e1"})
    client.force_login(alice)
    look_around(client, shown)
    with tenant_scope(acme.pk):
        disconnect(connected, actor=alice)
        shown.append(dump())
    forget_calls()
    serve_token_queue()
    look_around(client, shown)


def test_s6_no_secret_of_a_walk_and_of_an_own_application_is_shown(
    acme, alice, sandbox, platform_tenant, client: Client, nothing_shown
):
    shown, hidden = nothing_shown
    client.force_login(alice)
    start = client.post("/t/acme/settings/connection/connect/", {"region": "eu"})
    query = sandbox.consent(start["Location"], platform_tenant["tenant_id"])
    hidden |= {query["code"], query["state"]}
    for address in (query, query, query | {"code": "another"}):
        answer = client.get("/connect/callback/", address)
        shown += [str(answer.headers), client.get(answer["Location"]).content.decode()]
    own = next(each for each in sandbox.control("GET", "/applications") if each["type"] == "management")
    hidden.add(own["client_secret"])
    form = {"own-region": "eu", "own-client_id": own["client_id"], "own-scopes": "svc-api.all:read"}
    for secret in (own["client_secret"] + "-mistyped", own["client_secret"]):
        form["own-client_secret"] = secret
        shown.append(client.post("/t/acme/settings/connection/own-application/", form).content.decode())
    with tenant_scope(acme.pk):
        hidden |= held_secrets() - {""}
    look_around(client, shown)


def test_s6_an_error_report_shows_nothing_that_was_in_hand(client: Client, alice, acme, sandbox, monkeypatch, settings):
    settings.DEBUG = True
    client.force_login(alice)
    client.raise_request_exception = False
    canary = secrets.token_hex()

    def fail(*_: object, **__: object) -> None:
        token = canary
        raise RuntimeError(f"a bug, {len(token)} letters long")

    monkeypatch.setattr("portal.connections.views.authorization.services.complete_connect", fail)
    response = client.get(f"/connect/callback/?state=s{canary}&code=c{canary}")
    assert response.status_code == 500
    assert "a bug" in response.content.decode()
    assert canary not in response.content.decode()
    assert settings.PLATFORM_CLIENT_SECRET not in response.content.decode()


def look_around(client: Client, shown: list[str]) -> None:
    pages = ("", "settings/connection/", "settings/webhooks/", "questionnaires/")
    shown += [client.get(f"/t/acme/{page}").content.decode() for page in pages]
    exported = client.post("/t/acme/settings/connection/export/")
    archive = zipfile.ZipFile(io.BytesIO(b"".join(exported.streaming_content)))
    shown += [archive.read(name).decode("latin-1") for name in archive.namelist()]


def report(error: BaseException) -> str:
    """What a mail to the operator would hold."""
    reporter = get_exception_reporter_class(None)(None, type(error), error, error.__traceback__)
    return reporter.get_traceback_html() + reporter.get_traceback_text()


def messages() -> list[Path]:
    """What waits in the embedded broker."""
    return [path for path in Path(settings.DATA_DIR).rglob("*") if is_message(path)]


def is_message(path: Path) -> bool:
    return path.is_file() and "broker" in path.parts
