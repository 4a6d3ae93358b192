"""The world of the tests: two tenants with their people, and a sandbox mounted into the client's session."""

import base64
import gc
import itertools
import json
import os
import sqlite3
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import hypothesis
import pytest
import requests
import time_machine
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.contenttypes.management import create_contenttypes
from django.core.cache import caches
from django.db import connections
from django.db.models.signals import post_migrate
from django.dispatch import receiver
from django.http import HttpResponse
from django.template import Context, Template
from django.test import Client
from django.test.signals import template_rendered
from playwright.sync_api import Page, Playwright, expect
from pytest_django import DjangoDbBlocker
from pytest_django.plugin import pytest_collection_modifyitems as order_as_django_does
from standardwebhooks import Webhook

from portal.connections import http
from portal.connections.models import CallWindow, Connection, Region
from portal.connections.services import AuthorizationResponse, complete_connect, connection_of_tenant, start_connect
from portal.inbox.services import ensure_endpoints, enter_secret
from portal.page_refresh.templatetags import page_refresh
from portal.tenants.models import Role, Tenant
from portal.tenants.scope import tenant_scope
from portal.tenants.services import create_tenant
from portal.users.models import User
from tests import browser
from tests.run import ON_BOTH, is_in
from tests.support.contexts import keep_page_contexts
from tests.support.databases import connections_left, name_connections
from tests.support.flushes import make_flushes_cheap
from tests.support.kept import Step, in_order, keeper, share, touches_database
from tests.support.live_requests import note_requests, wait_for_requests
from tests.support.members import add_member
from tests.support.optional_programs import do_without
from tests.support.page_checks import DESK
from tests.support.polls import until
from tests.support.sandboxes import copy_data, fresh
from tests.support.wsgi_adapter import WsgiAdapter

PASSWORD = "correct horse battery staple"
SESSION_KEY = "session-of-the-tests"

# A slow machine makes no test fail: figures are for `make bench`.
hypothesis.settings.register_profile("suite", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("suite")
# Playwright gives a page five seconds to become what is expected; on a busy machine it takes longer.
expect.set_options(timeout=30_000)
# The real hasher is slow on purpose; a suite that signs in a thousand times need not be.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# A browser holds the threads of the live server open for minutes, and each would hold its connection.
settings.DATABASES["default"]["CONN_MAX_AGE"] = 0
# Each test client makes the site anew; what it never asks for need not be read from the disk.
settings.WHITENOISE_AUTOREFRESH = True
# Whoever waits for an open page to ask anew need not wait for three seconds each time.
page_refresh.POLL_SECONDS = 1
# The site asks for roles, never for permissions. Making those anew after each test with real transactions takes 0.3 s.
post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
post_migrate.disconnect(create_contenttypes)
# Playwright's loop makes Django think that the browser tests are asynchronous code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"


MAX_LINES_SAID, MAX_LINE_LENGTH = 60, 240


class FailureNames:
    """Names each case that has failed as soon as it has, and says why: a run may be stopped before its summary is printed."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if report.failed and terminal:
            terminal.ensure_newline()
            terminal.write_line(f"failed: {report.nodeid} ({report.when})")
            crash = getattr(report.longrepr, "reprcrash", None)
            for line in (crash.message if crash else report.longreprtext).splitlines()[:MAX_LINES_SAID]:
                terminal.write_line(f"    {line[:MAX_LINE_LENGTH]}")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(FailureNames(config))


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None, object, object]:
    """Have the cases of a room that share a world follow each other, and what takes long begin first.

    Leave out what cannot differ on the other database.
    """
    if os.environ.get("TEST_AGAIN") == "1":
        alike = [item for item in items if not (meets_database(item) and is_repeated(item))]
        config.hook.pytest_deselected(items=alike)
        items[:] = [item for item in items if item not in {*alike}]
    result = yield
    # Only now: pytest itself brings together what has the same browser, and takes rooms apart for it.
    items[:] = in_order(items)
    # Whatever commits comes behind what does not, as Django has it; what waits for other processes begins first.
    order_as_django_does(items)
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
    return result


def is_repeated(item: pytest.Item) -> bool:
    """Say whether a case is of a room that is repeated on the other database, or marked for that itself."""
    path = item.path.relative_to(item.config.rootpath)
    return bool(item.get_closest_marker("both")) or any(is_in(path, places) for places in ON_BOTH.values())


def meets_database(item: pytest.Item) -> bool:
    """Say whether a case meets the database of this run: by itself, or in the processes that it starts."""
    return touches_database(item) or any(item.get_closest_marker(name) for name in ("processes", "faults"))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    keeper.prepare(item)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Ten thousand cases and all that they name stay until the end: nobody need look again whether they are garbage."""
    gc.collect()
    gc.freeze()


MAX_ID_LENGTH = 60


def pytest_make_parametrize_id(val: object) -> str | None:
    """Cut the ids of tests with long values: a file of 30 MB made an id of 125, which each process kept and sent around.

    Of a file its size alone: a zip holds the second in which a process made it, and all processes need the same ids.
    """
    if isinstance(val, bytes) and len(val) > MAX_ID_LENGTH:
        return f"{len(val)} bytes"
    if isinstance(val, str) and len(val) > MAX_ID_LENGTH:
        return f"{val[:MAX_ID_LENGTH]!a} of {len(val)}"
    return None


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Make the tables, once for each worker; when all is done, nobody is left who uses them."""
    make_flushes_cheap()
    keep_page_contexts()
    name_connections()
    note_requests()
    keeper.start(make_world, django_db_blocker)
    yield
    keeper.end()
    with django_db_blocker.unblock():
        until(lambda: not connections_left(), seconds=10, what=lambda: f"the end of the connections of {connections_left()}")


@pytest.fixture(scope="session")
def playwright(playwright: Playwright) -> Iterator[Playwright]:
    """While Playwright's loop runs, Django takes this thread for another one and keeps other connections for it."""
    yield playwright
    connections.close_all()


@pytest.fixture(scope="session")
def browser_context_args():
    """The screen of a desk, in the light, where nothing fades or slides in. Who wants another one says so."""
    return {"viewport": DESK, "reduced_motion": "reduce"}


@pytest.fixture
def page(page: Page) -> Page:
    """A page whose keys are pressed once it is loaded: its script is there later than what it shows."""
    press = page.keyboard.press

    def press_when_loaded(key: str, **options: Any) -> None:
        page.wait_for_load_state()
        press(key, **options)

    page.keyboard.press = press_when_loaded  # type: ignore[method-assign]
    return page


@pytest.fixture(scope="session")
def browser_type_launch_args():
    """The system's Chromium, started as a container allows."""
    path = browser.find()
    if path is None:
        do_without("no browser: run `make setup`")
    return {"executable_path": path, "args": browser.ARGUMENTS}


def signed_in(client: Client, user: User, *args: Any, **options: Any) -> None:
    """Sign somebody in who has just shown who they are, and is not asked again by what asks again (guarantee S16)."""
    force_login(client, user, *args, **options)
    session = client.session
    shown = {"method": "password", "at": time.time(), "reauthenticated": True}
    session.update({"account_authentication_methods": [shown], "account_authentication_methods_user": str(user.pk)})
    session.save()


force_login = Client.force_login
Client.force_login = signed_in


def make_user(email: str, name: str) -> User:
    user = User.objects.create_user(email, PASSWORD, name=name)
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    return user


@pytest.fixture(autouse=True)
def nothing_kept(request: pytest.FixtureRequest) -> Iterator[None]:
    """Two tests may have a tenant of the same key and the same versions. What is counted is in the database."""
    caches["pages"].clear()
    if is_transactional(request):
        request.getfixturevalue("transactional_db")
        caches["default"].clear()
    yield
    if "live_server" in request.fixturenames:
        # The browser is gone; what the server still works on for it would write into tables that are being emptied.
        wait_for_requests()


def is_transactional(request: pytest.FixtureRequest) -> bool:
    """Say whether a test commits: what it leaves in tables that are none of a model's is not removed after it."""
    mark = request.node.get_closest_marker("django_db")
    return bool({"transactional_db", "live_server"} & {*request.fixturenames} or (mark and mark.kwargs.get("transaction")))


@pytest.fixture
def within_a_minute() -> Iterator[None]:
    """Let a minute begin, for whoever counts statements: what waits is counted anew with each."""
    now = datetime.now(UTC)
    with time_machine.travel(now + timedelta(seconds=60 - now.second)):
        yield


@pytest.fixture
def one_moment() -> Iterator[None]:
    """Have the clock stand still, for whoever does something as often as a minute allows: a slow machine takes longer."""
    with time_machine.travel(datetime.now(UTC), tick=False):
        yield


LENT = {
    "components/callout.html": ("title", "text", "icon", "link"),
    "components/empty.html": ("title", "text", "icon", "action_url", "action_label", "level"),
    "components/working.html": ("title", "text", "done", "total"),
}
"""What these components show is what they are given by name, and nothing that the page around them happens to call the same."""


@receiver(template_rendered)
def refuse_borrowed_words(template: Template, context: Context, **_: object) -> None:
    for name in LENT.get(template.name or "", ()):
        assert name in context.dicts[-1] or not context.get(name), f"{template.name} takes “{name}” from the page around it"


@pytest.fixture
@share
def alice(db: None) -> User:
    """Owner of acme."""
    return make_user("alice@acme.example", "Alice Ames")


@pytest.fixture
def mallory(db: None) -> User:
    """Owner of globex: the stranger who must see nothing of acme."""
    return make_user("mallory@globex.example", "Mallory Moss")


@pytest.fixture
@share
def acme(alice: User) -> Tenant:
    return create_tenant("Acme", owner=alice)


@pytest.fixture
def globex(mallory: User) -> Tenant:
    return create_tenant("Globex", owner=mallory)


@pytest.fixture
def member(acme: Tenant) -> Callable[[Role], User]:
    """Make a member of acme with a role."""

    def make(role: Role) -> User:
        user = make_user(f"{role.label.lower()}@acme.example", f"{role.label} of Acme")
        add_member(tenant=acme, user=user, role=role)
        return user

    return make


@pytest.fixture
def bob(member: Callable[[Role], User]) -> User:
    """Reads acme, changes nothing."""
    return member(Role.VIEWER)


@pytest.fixture
def scoped(acme: Tenant) -> Iterator[Tenant]:
    """Run the test in acme's scope."""
    with tenant_scope(acme.pk):
        yield acme


@pytest.fixture
def session_cookie(client: Client, live_server: Any, alice: User) -> dict[str, str]:
    """Alice's session, for a browser."""
    client.force_login(alice)
    return {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}


SMALL_TENANT = {
    "name": "Acme",
    "region": "eu",
    "questionnaires": 3,
    "responses_per_questionnaire": 5,
    "access_requests": 4,
    "viewers": 3,
    "contracts": 2,
    "seed": 7,
}


class SandboxHandle:
    """What tests do to the sandbox from outside: the control calls, and a look at its requests."""

    def __init__(self, app: object, outgoing: requests.Session) -> None:
        self.app = app
        self.outgoing = outgoing
        """What its deliveries go out through."""
        self.session = requests.Session()
        self.session.mount(settings.PLATFORM_API_URL, WsgiAdapter(app))

    def control(self, method: str, path: str, /, **body: object) -> dict:
        answer = self.session.request(method, f"{settings.PLATFORM_API_URL}/_control{path}", json=body or None)
        answer.raise_for_status()
        return answer.json() if answer.content else {}

    def create_tenant(self, **counts: object) -> dict:
        return self.control("POST", "/tenants", **(SMALL_TENANT | counts))

    def consent(self, url: str, tenant_id: str, decision: str = "allow") -> dict[str, str]:
        """Answer the consent page; return the query of the address it redirects to."""
        answer = self.session.post(url, data={"decision": decision, "tenant_id": tenant_id}, allow_redirects=False)
        assert answer.status_code == 302, answer.text
        return {name: values[0] for name, values in parse_qs(urlsplit(answer.headers["Location"]).query).items()}

    def requests(self, path: str = "") -> list[dict]:
        return [request for request in self.control("GET", "/requests?since=0") if path in request["path"]]

    def token_calls(self) -> list[dict]:
        return [request for request in self.requests("/oauth/token") if "suspend" not in request["path"]]

    def objects(self, tenant_id: str, kind: str) -> list[dict]:
        return self.control("GET", f"/objects/{tenant_id}/{kind}")

    def fail(self, kind: str, /, **fault: object) -> None:
        self.control("POST", "/faults", kind=kind, **fault)

    def advance(self, seconds: float) -> None:
        self.control("POST", "/clock", advance_seconds=seconds)


@pytest.fixture
def sandbox(request: pytest.FixtureRequest) -> Iterator[SandboxHandle]:
    """A sandbox as if it were new in this process, behind the client's own HTTP session."""
    with mounted(SMALL_TENANT if "platform_tenant" in request.fixturenames else None) as handle:
        yield handle


@contextmanager
def mounted(tenant: dict[str, Any] | None) -> Iterator[SandboxHandle]:
    app, outgoing = fresh(tenant=tenant, unlimited=["management"], data=keeper.world.data if keeper.world else None)
    http.MOUNTS[settings.PLATFORM_API_URL] = WsgiAdapter(app)
    handle = SandboxHandle(app, outgoing)
    if keeper.world is None:
        handle.control(
            "POST",
            f"/applications/{settings.PLATFORM_CLIENT_ID}/redirect-uris",
            redirect_uri=f"{settings.PUBLIC_URL}/connect/callback/",
        )
    try:
        yield handle
    finally:
        http.MOUNTS.clear()


@pytest.fixture
@share
def platform_tenant(sandbox: SandboxHandle) -> dict:
    """A small organisation on the platform: `tenant_id`, `slugId`."""
    made: dict = sandbox.control("GET", "/tenants")[0]
    return made


@pytest.fixture
@share
def connected(sandbox: SandboxHandle, platform_tenant: dict, acme: Tenant, alice: User) -> Connection:
    """Acme's working grant, with the Trust Center's slugId known."""
    return connect_acme(sandbox, platform_tenant, acme, alice)


def make_world(steps: Sequence[Step]) -> tuple[dict[str, Any], sqlite3.Connection]:
    """Make what `connected` stands on, and do the steps."""
    with mounted(SMALL_TENANT) as handle:
        alice = make_user("alice@acme.example", "Alice Ames")
        acme = create_tenant("Acme", owner=alice)
        there = handle.control("GET", "/tenants")[0]
        connected = connect_acme(handle, there, acme, alice)
        with tenant_scope(acme.pk):
            for step in steps:
                step(handle, there["tenant_id"])
        values = {"alice": alice, "acme": acme, "platform_tenant": there, "connected": connected}
        return values, copy_data(handle.app)


def connect_acme(sandbox: SandboxHandle, platform_tenant: dict, acme: Tenant, alice: User) -> Connection:
    with tenant_scope(acme.pk):
        connect(sandbox, platform_tenant, alice)
        Connection.objects.update(slug_id=platform_tenant["slugId"])
        CallWindow.objects.all().delete()
        connection = connection_of_tenant()
    assert connection is not None
    return connection


def connect(sandbox: SandboxHandle, platform_tenant: dict, user: User, region: Region = Region.EU) -> Connection:
    """Walk through the consent screen as the person would."""
    start = start_connect(user=user, region=region, session_key=SESSION_KEY)
    query = sandbox.consent(start.url, platform_tenant["tenant_id"])
    return complete_connect(AuthorizationResponse(user, session_key=SESSION_KEY, state=query["state"]), code=query["code"])


SECRET = "whsec_" + base64.b64encode(b"a-signing-key-for-the-tests-only").decode()
_numbers = itertools.count(1)


@pytest.fixture
def deliver(acme: Tenant, alice: User) -> Callable[..., HttpResponse]:
    """Post a delivery to acme's catch-all endpoint, signed by the official library."""
    with tenant_scope(acme.pk):
        endpoint = next(endpoint for endpoint in ensure_endpoints() if not endpoint.event_type)
        enter_secret(endpoint, SECRET, actor=alice)

    def post(body: object, *, hook_id: str = "", at: datetime | None = None, secret: str = SECRET) -> HttpResponse:
        hook_id = hook_id or f"msg_{next(_numbers)}"
        text = json.dumps(body)
        at = at or datetime.now(UTC)
        headers = {
            "hook-id": hook_id,
            "hook-timestamp": str(int(at.timestamp())),
            "hook-signature": Webhook(secret).sign(hook_id, at, text),
        }
        address = f"/hooks/{endpoint.public_id}/"
        return Client().post(address, data=text, content_type="application/json", headers=headers)

    return post
