"""The whole portal in front of the contrary platform: one tenant, one owner, all its workers, and hands to use it."""

import copy
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

import pytest
import requests
from django.contrib.messages.storage.session import SessionStorage
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory

from portal.connections.models import CallWindow
from portal.tenants.models import Tenant
from portal.tenants.scope import all_tenants, tenant_scope
from portal.users.models import User
from tests.contrary.commits import Commits
from tests.contrary.page_content import Reader, filled, read
from tests.contrary.platform import HOSTS, ISSUER, Platform
from tests.contrary.platform.app import API, APPS
from tests.contrary.workers import Workers
from tests.support.clocks import Clocks
from tests.support.comparisons import compare_until_done
from tests.support.wsgi_adapter import WsgiAdapter

ENVIRONMENT = {
    "PLATFORM_API_URL": f"https://{API}",
    "PLATFORM_GOV_API_URL": f"https://{API}",
    "PLATFORM_APP_URLS": {region: f"https://{host}" for region, host in APPS.items()},
    "PLATFORM_ISSUERS": dict.fromkeys(APPS, ISSUER),
}


class File(NamedTuple):
    """A file that a form sends: its name and what is in it."""

    name: str
    content: bytes


class House:
    """What a person and the workers do, and what the platform sees of it."""

    def __init__(
        self, platform: Platform, tenant: Tenant, owner: User, crew: Workers, clocks: Clocks, commits: Commits
    ) -> None:
        self.platform, self.tenant, self.owner, self.crew = platform, tenant, owner, crew
        self.clocks, self.commits = clocks, commits
        self.origin = copy.deepcopy(platform.world)
        """The platform's objects as they were before anybody did anything."""
        self.client = Client(raise_request_exception=False)
        self.client.force_login(owner)
        self.outside = requests.Session()
        for host in HOSTS:
            self.outside.mount(f"https://{host}", WsgiAdapter(platform))

    @property
    def root(self) -> str:
        return f"/t/{self.tenant.slug}/"

    def get(self, address: str, **headers: str) -> HttpResponse:
        """Open a page, with nobody's limit in the way."""
        self.unlimited()
        return self.client.get(address, headers=headers)

    def read(self, address: str) -> Reader:
        answer = self.get(address)
        assert answer.status_code == 200, (address, answer.status_code, answer.content[:300])
        return read(body_of(answer))

    def post(self, address: str, data: Any = None, **options: Any) -> HttpResponse:
        self.unlimited()
        return self.client.post(address, data or {}, **options)

    def find(self, page: str, words: str) -> str:
        """Return where the link with these words leads, among the links of a page. Raises LookupError."""
        for address, said in self.read(page).links:
            if words in said:
                return urljoin(page, address)
        raise LookupError(f"no link of {page} says {words}")

    def form(self, page: str, ends_with: str, **values: Any) -> tuple[str, dict[str, Any]]:
        """Fill in a form of a page, known by the end of its address; return what it would send. Raises LookupError."""
        return form_of(self.read(page), page, ends_with, **values)

    def send(self, page: str, ends_with: str, **values: Any) -> HttpResponse:
        """Fill in a form of a page and send it. Raises LookupError."""
        return self.post_form(*self.form(page, ends_with, **values))

    def go_on(self, answer: HttpResponse, ends_with: str, **values: Any) -> tuple[str, dict[str, Any]]:
        """Fill in the form of the page that a form has led to; return what it would send."""
        assert answer.status_code == 200, (answer.status_code, answer.headers.get("Location"))
        return form_of(read(body_of(answer)), "", ends_with, **values)

    def post_form(self, address: str, data: dict[str, Any]) -> HttpResponse:
        files = {name: SimpleUploadedFile(*value) for name, value in data.items() if isinstance(value, File)}
        return self.post(address, data | files)

    def told(self) -> list[tuple[str, str]]:
        """Return what the next page would tell about the forms that were sent since the last one: level and words."""
        request = RequestFactory().get("/")
        request.session = self.client.session
        told = [(message.level_tag, str(message)) for message in SessionStorage(request)]
        session = self.client.session
        session.pop(SessionStorage.session_key, None)
        session.save()
        return told

    def unlimited(self) -> None:
        with all_tenants("the calls of a minute are not what these tests are about"):
            CallWindow.objects.all().delete()

    def connect(self) -> HttpResponse:
        """Walk to the consent screen and back, as the owner's browser does."""
        start = self.post(f"{self.root}settings/connection/connect/", {"region": "eu"})
        assert start.status_code == 302, body_of(start)[:500]
        consent = self.outside.get(start["Location"], allow_redirects=False)
        assert consent.status_code == 303, consent.text
        back = urlsplit(consent.headers["location"])
        return self.get(f"{back.path}?{urlencode(parse_qsl(back.query))}")

    def scoped(self) -> Any:
        return tenant_scope(self.tenant.pk)

    def look(self) -> None:
        """Compare everything with the platform now, and fetch what follows from it."""
        compare_until_done(self.tenant.pk, lambda: self.crew.tick("sweep_reconciles", "sweep_stale_marks"))

    def pass_time(self, seconds: float) -> None:
        """Let time pass in small steps, with the workers at work."""
        self.clocks.pass_time(seconds)
        self.crew.tick()

    @contextmanager
    def as_if(self) -> Iterator[None]:
        """Do something and take it all back: the rows here, the objects there, the moods, the time."""
        kept, at = self.platform.keep(), time.time()
        try:
            with transaction.atomic(), self.commits.deeper():
                yield
                transaction.set_rollback(True)
        finally:
            self.platform.restore(kept)
            self.clocks.pass_time(at - time.time())
            self.crew.queue.clear()
            cache.clear()


def form_of(reader: Reader, page: str, ends_with: str, **values: Any) -> tuple[str, dict[str, Any]]:
    forms = [form for form in reader.forms.values() if form.method == "post"]
    for form in forms:
        if form.action.partition("?")[0].endswith(ends_with):
            return urljoin(page, form.action), filled(form, **values)
    raise LookupError(f"no form of {page} goes to {ends_with}: {[each.action for each in forms]}")


def expect_none(faults: list[str]) -> None:
    """Fail with every fault by its name, each on a line of its own."""
    __tracebackhide__ = True
    if faults:
        pytest.fail(f"{len(faults)} faults:\n" + "\n".join(faults), pytrace=False)


def body_of(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content
