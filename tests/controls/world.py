"""The world that is pressed: one tenant with something on every desk, its people in every role, and the sandbox behind it."""

import re
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from portal.connections import http
from portal.connections.models import CallWindow, Connection, Region
from portal.page_refresh.templatetags import page_refresh
from portal.questionnaires.models import StatusLink
from portal.sandbox.sandbox import Sandbox
from portal.tenants.models import Membership, Role, Tenant
from portal.tenants.scope import all_tenants, tenant_scope
from portal.tenants.services import create_tenant
from portal.users.models import User
from tests import conftest
from tests.contrary.commits import commits
from tests.contrary.house import body_of, form_of
from tests.contrary.page_content import filled, read
from tests.contrary.workers import Workers, workers
from tests.controls import form_values
from tests.controls.server import Errors, Kept, errors, serving
from tests.support.comparisons import compare_until_done
from tests.support.members import add_member
from tests.support.sandboxes import fresh
from tests.support.wsgi_adapter import WsgiAdapter

COUNTS = {
    "questionnaires": 12,
    "responses_per_questionnaire": 8,
    "access_requests": 10,
    "viewers": 12,
    "contracts": 6,
    "seed": 7,
}
SLUG = "acme"
SECOND = "beta"
PUBLIC = re.compile(r"/(answer|status|erasure|invitation)/[\w:-]{20,}/")
SHOWN_ON = "deletion-requests/settings/", "questionnaires/{id}/details/"
"""Pages that show links for people without an account."""


class World:
    """The site, its people, and hands to fill it as its own forms do."""

    def __init__(
        self, handle: conftest.SandboxHandle, tenant: Tenant, owner: User, crew: Workers, lock: threading.RLock
    ) -> None:
        self.handle, self.tenant, self.owner, self.crew, self.lock = handle, tenant, owner, crew, lock
        self.client = Client(raise_request_exception=False)
        self.client.force_login(owner)
        self.sessions: dict[Role, str] = {}
        self.operator = ""
        """The session of somebody who works for two tenants."""
        self.url = ""
        self.own: list[str] = []
        """Pages that have what others of their kind have not."""
        self.public: list[str] = []
        self.errors: Errors
        self.kept: Kept

    @property
    def root(self) -> str:
        return f"/t/{self.tenant.slug}/"

    @property
    def sandbox(self) -> Sandbox:
        sandbox: Sandbox = self.handle.app.extensions["sandbox"]  # type: ignore[attr-defined]
        return sandbox

    def send(self, page: str, ends_with: str = "", **values: Any) -> HttpResponse:
        """Fill in the form of a page that goes to an address with this end, and send it."""
        address = urljoin(self.root, page)
        answer = self.client.get(address)
        assert answer.status_code == 200, (address, answer.status_code)
        reader = read(body_of(answer))
        if not ends_with:
            path = address.partition("?")[0]
            own = next(
                form
                for form in reader.forms.values()
                if form.method == "post" and urljoin(path, form.action).partition("?")[0] == path
            )
            return self._post(urljoin(address, own.action), filled(own, **values))
        return self._post(*form_of(reader, address, ends_with, **values))

    def go_on(self, answer: HttpResponse, ends_with: str, **values: Any) -> HttpResponse:
        """Fill in the form that another one has led to."""
        return self._post(*form_of(read(body_of(answer)), "", ends_with, **values))

    def _post(self, address: str, data: dict[str, Any]) -> HttpResponse:
        files = {name: SimpleUploadedFile(*value) for name, value in data.items() if isinstance(value, tuple)}
        answer = self.client.post(address, data | files)
        assert answer.status_code < 400, (address, answer.status_code, read(body_of(answer)).text[-600:])
        self.work()
        return answer

    def work(self) -> None:
        """Let the workers do what was enqueued."""
        with self.lock, all_tenants("the calls of a minute are not what these tests are about"):
            CallWindow.objects.all().delete()
        with self.lock:
            self.crew.work()

    def complaints(self) -> list[str]:
        """Return what loggers and workers have complained about since the last time."""
        found = self.errors.take() + self.crew.failed + [f"no worker knows {name}" for name in sorted(self.crew.unknown)]
        self.crew.failed.clear()
        self.crew.unknown.clear()
        return found

    def restore(self) -> None:
        self.crew.queue.clear()
        self.kept.restore()

    def look(self) -> None:
        """Compare everything with the platform now, and fetch what follows from it."""
        self.crew.work()
        self.crew.tick()
        compare_until_done(self.tenant.pk, lambda: self.crew.tick("sweep_reconciles", "sweep_stale_marks"))

    platform_id = ""

    def find_public_pages(self) -> list[str]:
        """Return where links lead that people without an account are given: in mails, and on pages to be copied."""
        texts = [str(mail.body) for mail in getattr(mail, "outbox", [])]
        with tenant_scope(self.tenant.pk):
            shared = StatusLink.objects.select_related("questionnaire").get().questionnaire.platform_id
        texts += [body_of(self.client.get(self.root + page.format(id=shared))).decode() for page in SHOWN_ON]
        found = {match[1]: match[0] for text in texts for match in PUBLIC.finditer(text)}
        assert len(found) == 4, f"of the links for people without an account there are only: {sorted(found)}"
        return sorted(found.values())


@contextmanager
def world() -> Iterator[World]:
    """Make the world inside of a transaction that is never committed."""
    with ExitStack() as stack:
        stack.enter_context(transaction.atomic())
        stack.callback(transaction.set_rollback, True)
        stack.enter_context(commits())
        crew = stack.enter_context(workers())
        stack.callback(http.MOUNTS.clear)
        polls, page_refresh.POLL_SECONDS = page_refresh.POLL_SECONDS, 3600
        stack.callback(setattr, page_refresh, "POLL_SECONDS", polls)
        made = _make(crew)
        made.own = form_values.fill(made)
        made.look()
        form_values.decide(made)
        made.public = made.find_public_pages()
        made.sessions = {role: _session(made.tenant, role) for role in Role}
        made.operator = _operator(made.tenant)
        made.errors = stack.enter_context(errors())
        made.url = stack.enter_context(serving(made.lock))
        made.complaints()
        made.kept = Kept(made.sandbox, made.lock)
        yield made


def _make(crew: Workers) -> World:
    """Acme, connected, with a copy of what it has on the platform."""
    app, outgoing = fresh()
    http.MOUNTS[settings.PLATFORM_API_URL] = WsgiAdapter(app)
    handle = conftest.SandboxHandle(app, outgoing)
    redirect = f"{settings.PUBLIC_URL}/connect/callback/"
    handle.control("POST", f"/applications/{settings.PLATFORM_CLIENT_ID}/redirect-uris", redirect_uri=redirect)
    there = handle.create_tenant(**COUNTS)
    owner = conftest.make_user("owner@acme.example", "Olive Owner")
    acme = create_tenant("Acme", owner=owner)
    made = World(handle, acme, owner, crew, threading.RLock())
    made.platform_id = there["tenant_id"]
    with tenant_scope(acme.pk):
        conftest.connect(handle, there, owner, Region.EU)
        Connection.objects.update(slug_id=there["slugId"])
    made.look()
    return made


def _operator(tenant: Tenant) -> str:
    """Sign somebody in who reads along in the tenant and owns another one, which is not connected yet."""
    user = conftest.make_user("operator@msp.example", "Otto Operator")
    add_member(tenant=tenant, user=user, role=Role.VIEWER)
    assert create_tenant("Beta", owner=user).slug == SECOND
    return _signed_in(user)


def _session(tenant: Tenant, role: Role) -> str:
    """Sign a member of this role in; return the key of the session."""
    with tenant_scope(tenant.pk):
        held = Membership.objects.select_related("user").filter(role=role).order_by("user").first()
    user = held and held.user
    if user is None:
        user = conftest.make_user(f"{role.label.lower()}@acme.example", f"{role.label} of Acme")
        add_member(tenant=tenant, user=user, role=role)
    return _signed_in(user)


def _signed_in(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value
