"""A company with a provider of its own: a real OpenID Connect provider in another process, and a name server."""

import itertools
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import unescape
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import dns.message
import dns.rcode
import dns.rrset
import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import rsa
from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from portal.single_sign_on.models import IdentityProvider, MailDomain
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope
from tests.support.optional_programs import do_without
from tests.support.ports import free_port

START, CALLBACK = "/company-sign-in/", "/company-sign-in/{slug}/callback/"


@dataclass
class Company:
    """A tenant's identity provider, and what one does there."""

    url: str
    claims: dict[str, dict[str, Any]] = field(default_factory=dict)

    def knows(self, subject: str, **claims: Any) -> None:
        """Put somebody into its directory."""
        answer = requests.put(f"{self.url}/users/{quote(subject)}", json=claims, timeout=5)
        assert answer.status_code == 204, answer.text

    def authorize(self, url: str, subject: str) -> str:
        """Sign in there; return the path that it sends the browser back to."""
        answer = requests.post(url, data={"sub": subject}, allow_redirects=False, timeout=5)
        assert answer.status_code == 302, answer.text
        return _path_of(answer.headers["Location"])

    def deny(self, url: str) -> str:
        answer = requests.post(url, data={"action": "deny"}, allow_redirects=False, timeout=5)
        return _path_of(answer.headers["Location"])

    def sign_in(self, client: Client, email: str, subject: str = "", **options: Any) -> HttpResponse:
        """Walk the whole way; return our answer to the code."""
        url = leave(client, email, **options)
        return client.get(self.authorize(url, subject or email))


def _path_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}"


def leave(client: Client, email: str, **fields: str) -> str:
    """Enter an address; return where the page leads to."""
    answer = client.post(START, {"email": email, **fields})
    assert answer.status_code == 200, answer.content.decode()
    return str(answer.context["url"])


def asked(url: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}


def _run_provider() -> Iterator[Company]:
    port = free_port()
    yield from run(Company(f"http://127.0.0.1:{port}"), "oidc_provider_mock", "--port", str(port))


def run[C: Company](company: C, *module: str) -> Iterator[C]:
    process = subprocess.Popen([sys.executable, "-m", *module], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            try:
                requests.get(company.url, timeout=1)
                break
            except requests.ConnectionError:
                time.sleep(0.1)
        yield company
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A provider of the tests shares its processor with them: it may be late, and that is not what they are about."""
    monkeypatch.setattr("portal.lib.outside_http.TIMEOUT_SECONDS", 30.0)
    monkeypatch.setattr("portal.lib.outside_http.MAX_SECONDS", 30.0)


@pytest.fixture(scope="session")
def made_keys() -> list[rsa.RSAPrivateKey]:
    """The private keys that this process has made for the portal."""
    return []


@pytest.fixture(autouse=True)
def keys_once(monkeypatch: pytest.MonkeyPatch, made_keys: list[rsa.RSAPrivateKey]) -> None:
    """Have each case begin with the keys that the one before it made: to find one takes half a second of a processor."""
    numbers = itertools.count()

    def generate(**options: Any) -> rsa.RSAPrivateKey:
        if (number := next(numbers)) == len(made_keys):
            made_keys.append(rsa.generate_private_key(**options))
        return made_keys[number]

    monkeypatch.setattr("portal.single_sign_on.signing_keys.rsa", SimpleNamespace(generate_private_key=generate))


@pytest.fixture(scope="session")
def acme_provider() -> Iterator[Company]:
    """The provider of acme."""
    yield from _run_provider()


@pytest.fixture(scope="session")
def globex_provider() -> Iterator[Company]:
    """The provider of globex, which the stranger runs as she likes."""
    yield from _run_provider()


SAML_LOGOUT = "/company-sign-in/acme/saml/logout/"
SAML_FIELD = re.compile(r'name="SAMLResponse" value="([^"]+)"')


class SamlCompany(Company):
    """The same, speaking SAML."""

    def knows(self, subject: str, **claims: Any) -> None:
        answer = requests.put(f"{self.url}/people/{quote(subject)}", json=claims, timeout=5)
        assert answer.status_code == 204, answer.text

    def respond(self, url: str, subject: str) -> str:
        """Sign in there; return the answer that its page would post."""
        page = requests.post(url, data={"subject": subject}, timeout=5)
        found = SAML_FIELD.search(page.text)
        assert found, page.text[:500]
        return unescape(found[1])

    def learn_service(self, metadata: bytes) -> None:
        """Read what the portal says of itself."""
        assert requests.put(f"{self.url}/service", data=metadata, timeout=5).status_code == 204

    def sessions(self) -> list[dict[str, str]]:
        """Return who is signed in there: `subject` and `index`."""
        found: list[dict[str, str]] = requests.get(f"{self.url}/sessions", timeout=5).json()
        return found

    def end(self, subject: str, **options: Any) -> str:
        """Sign somebody out there; return the path that it sends the browser to."""
        given = {"subject": subject, "destination": settings.PUBLIC_URL + SAML_LOGOUT, "options": options}
        answer = requests.post(f"{self.url}/end", json=given, timeout=5)
        assert answer.status_code == 200, answer.text
        return _path_of(answer.text)

    def sign_in(self, client: Client, email: str, subject: str = "", **options: Any) -> HttpResponse:
        return bring(client, self.respond(leave(client, email, **options), subject or email))


def bring(client: Client, response: str) -> HttpResponse:
    """Do what the page of the provider does, and follow to the second step."""
    step = client.post("/company-sign-in/acme/saml/", {"SAMLResponse": response})
    assert step.status_code == 302, step.content.decode()
    return client.get(step["Location"])


@pytest.fixture(scope="session")
def saml_provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SamlCompany]:
    """A SAML provider that acme uses."""
    if shutil.which("xmlsec1") is None:
        do_without("no xmlsec1: run `make setup`")
    port, folder = free_port(), tmp_path_factory.mktemp("saml")
    service = f"{settings.PUBLIC_URL}/company-sign-in/acme/saml/"
    yield from run(
        SamlCompany(f"http://127.0.0.1:{port}"), "tests.single_sign_on.saml_provider", str(port), str(folder), service
    )


def set_up(tenant: Tenant, company: Company, *domains: str) -> IdentityProvider:
    """Let a tenant's people in through its provider, with addresses of these domains."""
    with tenant_scope(tenant.pk):
        provider = IdentityProvider(
            tenant=tenant, issuer=company.url, client_id="portal", end_session_endpoint=f"{company.url}/oauth2/end_session"
        )
        provider.client_secret = provider.seal("client_secret", "canary-client-secret")
        provider.save()
    prove(tenant, *domains)
    return provider


def prove(tenant: Tenant, *domains: str) -> None:
    now = timezone.now()
    with tenant_scope(tenant.pk):
        for name in domains:
            MailDomain.objects.create(name=name, token="t", proven_at=now, seen_at=now, check_at=now)


@pytest.fixture
def acme_sign_in(acme: Tenant, acme_provider: Company) -> IdentityProvider:
    return set_up(acme, acme_provider, "acme.example")


@pytest.fixture
def globex_sign_in(globex: Tenant, globex_provider: Company) -> IdentityProvider:
    return set_up(globex, globex_provider, "globex.example")


class NameServer:
    """Answers over UDP with the TXT records that it was given."""

    def __init__(self) -> None:
        self.records: dict[str, list[str]] = {}
        self.is_broken = False
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.address = ("127.0.0.1", int(self._socket.getsockname()[1]))
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._socket.close()

    def _serve(self) -> None:
        while True:
            try:
                wire, sender = self._socket.recvfrom(4096)
            except OSError:
                return
            self._socket.sendto(self._answer(dns.message.from_wire(wire)).to_wire(), sender)

    def _answer(self, query: dns.message.Message) -> dns.message.Message:
        answer, name = dns.message.make_response(query), query.question[0].name
        values = self.records.get(name.to_text(omit_final_dot=True), [])
        if self.is_broken:
            answer.set_rcode(dns.rcode.SERVFAIL)
        elif values:
            answer.answer.append(dns.rrset.from_text(name, 60, "IN", "TXT", *(f'"{value}"' for value in values)))
        else:
            answer.set_rcode(dns.rcode.NXDOMAIN)
        return answer


@pytest.fixture
def name_server(settings) -> Iterator[NameServer]:
    server = NameServer()
    settings.DNS_SERVERS = [server.address]
    yield server
    server.close()


@pytest.fixture
def make_client() -> Callable[[], Client]:
    """Another browser."""
    return Client
