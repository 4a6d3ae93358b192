"""Configuring a provider, and where its calls may lead (guarantee S4)."""

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from zipfile import ZipFile

import pytest
from allauth.socialaccount.models import SocialAccount

from portal.audit.models import Entry
from portal.lib.outside_http import may_lead_to
from portal.single_sign_on.discovery import NotAProvider, discover
from portal.single_sign_on.http import is_allowed
from portal.single_sign_on.models import IdentityProvider
from portal.single_sign_on.openid import Client
from portal.tenants.models import Role
from portal.tenants.offboarding import write_export
from portal.tenants.scope import tenant_scope
from portal.tenants.sealing import forget_locked, keys_in_use, reseal
from tests.single_sign_on.conftest import prove

PAGE = "/t/acme/settings/single-sign-on/"


@pytest.fixture
def owner(client, alice, acme):
    client.force_login(alice)
    return client


def configure(owner, **fields):
    given = {"issuer": "", "client_id": "portal", "client_secret": "canary-client-secret", "default_role": Role.ANALYST.value}
    return owner.post(f"{PAGE}provider/", given | fields, follow=True)


def stored(acme):
    with tenant_scope(acme.pk):
        return IdentityProvider.objects.first()


@pytest.mark.django_db
def test_a_provider_that_answers_is_kept_with_its_secret_sealed(owner, acme, acme_provider):
    page = configure(owner, issuer=acme_provider.url).content.decode()
    assert "Company sign-in saved" in page
    assert "canary-client-secret" not in page
    provider = stored(acme)
    assert (provider.open("client_secret"), provider.default_role) == ("canary-client-secret", Role.ANALYST)
    with tenant_scope(acme.pk):
        [entry] = Entry.objects.filter(action="identity_provider.configure")
    assert (entry.details["after"]["issuer"], "canary" in str(entry.details)) == (acme_provider.url, False)
    configure(owner, issuer=acme_provider.url, client_secret="")
    assert stored(acme).open("client_secret") == "canary-client-secret"
    assert stored(acme).key == provider.key
    assert provider.end_session_endpoint == f"{acme_provider.url}/oauth2/end_session"


@pytest.mark.django_db
def test_another_client_is_another_provider(owner, bob, acme, acme_provider, make_client):
    configure(owner, issuer=acme_provider.url)
    prove(acme, "acme.example")
    before = stored(acme)
    his = make_client()
    acme_provider.sign_in(his, bob.email)
    assert (
        "belongs to another" in configure(owner, issuer=acme_provider.url, client_id="other", client_secret="").content.decode()
    )
    configure(owner, issuer=acme_provider.url, client_id="other", client_secret="new")
    after = stored(acme)
    assert after.key != before.key
    assert (after.worked_at, after.open("client_secret")) == (None, "new")
    assert not SocialAccount.objects.exists()
    assert his.get("/notifications/").status_code == 302, "nothing could end his session from now on"


@pytest.mark.django_db
def test_a_provider_that_goes_takes_its_links_along(owner, bob, acme, acme_provider, acme_sign_in, make_client):
    acme_provider.sign_in(make_client(), bob.email)
    assert SocialAccount.objects.count() == 1
    owner.post(f"{PAGE}provider/remove/")
    assert stored(acme) is None
    assert not SocialAccount.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("role", [Role.ADMIN, Role.OWNER, 99, ""])
def test_nobody_becomes_more_than_approver_by_themself(owner, acme, acme_provider, role):
    assert configure(owner, issuer=acme_provider.url, default_role=int(role) if role else "").status_code == 422
    assert stored(acme) is None


@pytest.mark.django_db
def test_the_secret_is_in_no_export_and_turns_over_with_the_keys(acme, acme_sign_in):
    target = BytesIO()
    with tenant_scope(acme.pk):
        write_export(target)
    with ZipFile(target) as archive:
        exported = "".join(archive.read(name).decode() for name in archive.namelist())
    assert "client_id" in exported
    assert "client_secret" not in exported
    assert sum(keys_in_use().values()) >= 1
    assert [*reseal()]
    assert forget_locked() == 0


class Elsewhere(BaseHTTPRequestHandler):
    """A server that answers as it was told, and remembers what reached it."""

    answers: dict[str, tuple[int, bytes]] = {}
    reached: list[str] = []
    drips = False

    def do_GET(self) -> None:
        Elsewhere.reached.append(self.path)
        status, body = Elsewhere.answers.get(self.path, (404, b""))
        self.send_response(status)
        if status in (301, 302, 307, 308):
            self.send_header("Location", body.decode())
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        for piece in body if Elsewhere.drips else [body]:
            self.wfile.write(bytes([piece]) if Elsewhere.drips else body)
            time.sleep(0.05 if Elsewhere.drips else 0)

    def log_message(self, *args: object) -> None:
        pass


WELL_KNOWN = "/.well-known/openid-configuration"


@pytest.fixture
def elsewhere() -> Iterator[str]:
    Elsewhere.reached, Elsewhere.answers, Elsewhere.drips = [], {}, False
    server = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}"
    good = {name: f"{url}/{name}" for name in ("authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri")}
    Elsewhere.answers[WELL_KNOWN] = (200, json.dumps({"issuer": url} | good).encode())
    yield url
    server.shutdown()
    server.server_close()


def test_the_configuration_is_read_where_the_issuer_says(elsewhere):
    assert discover(elsewhere)["token_endpoint"] == f"{elsewhere}/token_endpoint"


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (302, b"/second"),
        (308, b"http://169.254.169.254/"),
        (500, b""),
        (200, b"<html>"),
        (200, b"[]"),
        (200, b"{}"),
        (200, b'{"issuer": "https://accounts.other.example"}'),
        (200, b"x" * 600_000),
    ],
)
def test_s4_what_is_no_configuration_is_refused_and_nothing_is_followed(elsewhere, status, body):
    Elsewhere.answers[WELL_KNOWN] = (status, body)
    with pytest.raises(NotAProvider):
        discover(elsewhere)
    assert Elsewhere.reached == [WELL_KNOWN]


@pytest.mark.parametrize("endpoint", ["javascript:alert(1)", "http://10.0.0.1/", "https://user@host/", "", None, 7, "//x/"])
def test_s4_endpoints_are_https_addresses(elsewhere, endpoint):
    found = json.loads(Elsewhere.answers[WELL_KNOWN][1])
    Elsewhere.answers[WELL_KNOWN] = (200, json.dumps(found | {"authorization_endpoint": endpoint}).encode())
    with pytest.raises(NotAProvider):
        discover(elsewhere)


def test_s4_nothing_inside_a_network_is_reached_unless_the_operator_names_it(elsewhere, settings):
    settings.IDENTITY_PROVIDER_PRIVATE_HOSTS = []
    assert not is_allowed(elsewhere)
    with pytest.raises(NotAProvider):
        discover(elsewhere)
    with pytest.raises(NotAProvider):
        discover(elsewhere.replace("http://", "https://"))
    assert Elsewhere.reached == []
    assert may_lead_to("login.example.com", "93.184.216.34", private_hosts=[])
    for address in ("127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fe80::1%eth0", "::ffff:10.0.0.1"):
        assert not may_lead_to("login.example.com", address, private_hosts=["other.example.com"])
    assert may_lead_to("login.corp.example", "10.1.2.3", private_hosts=["login.corp.example"])


def test_s4_a_provider_that_drips_is_given_up(elsewhere, monkeypatch):
    monkeypatch.setattr("portal.lib.outside_http.MAX_SECONDS", 0.5)
    Elsewhere.drips = True
    began = time.monotonic()
    with pytest.raises(NotAProvider):
        discover(elsewhere)
    assert time.monotonic() - began < 3


def test_an_address_with_a_query_of_its_own_keeps_it():
    client = Client(None, "id", "secret", "POST", "https://x.example/token", "https://portal.example/back")
    url = client.get_redirect_url("https://x.example/authorize?p=policy", ["openid"], {"nonce": "n"})
    assert url.startswith("https://x.example/authorize?p=policy&client_id=id&redirect_uri=")
    assert url.count("?") == 1


@pytest.mark.django_db
def test_why_a_provider_is_refused_is_said_in_words(owner, acme, elsewhere):
    Elsewhere.answers[WELL_KNOWN] = (404, b"")
    page = configure(owner, issuer=elsewhere)
    assert (page.status_code, "answered with status 404" in page.content.decode()) == (422, True)
    assert "canary-client-secret" not in page.content.decode()
    assert "https:// address" in configure(owner, issuer="ftp://x.example").content.decode()
    assert stored(acme) is None
