"""One sign-out for both sides: asked for here, or told by the provider, in SAML and in OpenID Connect."""

import json
import re
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import jwt
import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import rsa
from django.test import Client

from portal.audit.models import Entry
from portal.single_sign_on.models import IdentityProvider
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.conftest import PASSWORD
from tests.single_sign_on.conftest import SAML_LOGOUT, Company, prove, set_up

pytestmark = pytest.mark.django_db
PAGE, TOKEN_PATH = "/t/acme/settings/single-sign-on/", "/company-sign-in/acme/sign-out/"
METADATA = "/company-sign-in/acme/saml/metadata/"
EVENT = {"http://schemas.openid.net/event/backchannel-logout": {}}


@pytest.fixture
def saml(client, alice, acme, saml_provider):
    """Acme and its SAML provider know of each other."""
    client.force_login(alice)
    given = {"metadata": f"{saml_provider.url}/metadata", "default_role": Role.ANALYST.value}
    assert client.post(f"{PAGE}saml/", given).status_code == 302
    assert saml_provider.url in client.get(PAGE).content.decode()
    client.logout()
    prove(acme, "acme.example")
    saml_provider.learn_service(client.get(METADATA).content)
    with tenant_scope(acme.pk):
        return IdentityProvider.objects.get()


def is_signed_in(client: Client) -> bool:
    return client.get("/notifications/").status_code == 200


def actions(acme) -> list[str]:
    with tenant_scope(acme.pk):
        return list(Entry.objects.filter(action="identity_provider.sign_out").values_list("summary", flat=True))


def test_signing_out_here_signs_out_at_the_saml_provider_with_a_signed_request(client, saml, saml_provider):
    saml_provider.sign_in(client, "carol@acme.example")
    session = saml_provider.sessions()[-1]
    page = client.post("/accounts/logout/")
    there = page.context["url"]
    assert there.startswith(f"{saml_provider.url}/slo?SAMLRequest=")
    assert not is_signed_in(client), "the session here has ended, whatever is done there"
    answer = requests.get(there, allow_redirects=False, timeout=5)
    assert answer.status_code == 302, answer.text
    assert session not in saml_provider.sessions()
    back = urlsplit(answer.headers["Location"])
    assert back.path == SAML_LOGOUT
    assert client.get(f"{back.path}?{back.query}")["Location"] == "/accounts/login/"


def test_the_provider_believes_no_request_that_the_portal_has_not_signed(client, saml, saml_provider):
    saml_provider.sign_in(client, "carol@acme.example")
    there = client.post("/accounts/logout/").context["url"]
    other = "B" if "Signature=A" in there else "A"
    answer = requests.get(re.sub(r"Signature=\w", f"Signature={other}", there), allow_redirects=False, timeout=5)
    assert answer.status_code == 403, answer.text


def test_who_signs_out_at_the_saml_provider_is_signed_out_here(client, acme, saml, saml_provider, make_client):
    other, colleague = make_client(), make_client()
    saml_provider.sign_in(client, "carol@acme.example")
    saml_provider.sign_in(other, "carol@acme.example")
    saml_provider.sign_in(colleague, "dave@acme.example")
    answer = make_client().get(saml_provider.end("carol@acme.example"))
    assert answer.status_code == 302
    assert answer["Location"].startswith(f"{saml_provider.url}/slo?SAMLResponse=")
    assert "Signature=" in answer["Location"]
    assert [is_signed_in(each) for each in (client, other, colleague)] == [False, False, True]
    assert len(actions(acme)) == 1
    assert "carol@acme.example" in actions(acme)[0]


def test_one_session_of_two_ends_where_the_provider_names_it(client, saml, saml_provider, make_client):
    other = make_client()
    saml_provider.sign_in(client, "carol@acme.example")
    first = saml_provider.sessions()[-1]["index"]
    saml_provider.sign_in(other, "carol@acme.example")
    make_client().get(saml_provider.end("carol@acme.example", index=first))
    assert [is_signed_in(client), is_signed_in(other)] == [False, True]


def test_sessions_that_the_provider_did_not_vouch_for_stay(client, bob, saml, saml_provider, make_client):
    saml_provider.sign_in(make_client(), bob.email)
    client.post("/accounts/login/", {"login": bob.email, "password": PASSWORD})
    make_client().get(saml_provider.end(bob.email))
    assert is_signed_in(client)


@pytest.mark.parametrize(
    "options",
    [
        {"signs": False},
        {"sign_alg": "http://www.w3.org/2000/09/xmldsig#rsa-sha1"},
        {"issuer": "https://elsewhere.example/metadata"},
        {"made_at": "2020-01-01T00:00:00Z"},
        {"expire": "2020-01-01T00:00:00Z"},
    ],
)
def test_requests_that_are_not_signed_not_its_own_or_old_sign_nobody_out(client, saml, saml_provider, make_client, options):
    saml_provider.sign_in(client, "carol@acme.example")
    answer = make_client().get(saml_provider.end("carol@acme.example", **options))
    assert answer.status_code == 403
    assert is_signed_in(client)


def test_what_is_changed_or_stands_twice_in_the_address_signs_nobody_out(client, saml, saml_provider, make_client):
    saml_provider.sign_in(client, "carol@acme.example")
    other = make_client()
    saml_provider.sign_in(other, "dave@acme.example")
    one, two = saml_provider.end("carol@acme.example"), saml_provider.end("dave@acme.example")
    taken = re.search("SAMLRequest=([^&]*)", one)[1]
    for forged in (
        re.sub("SAMLRequest=[^&]*", f"SAMLRequest={taken}", two),
        f"{two}&SAMLRequest={taken}",
        f"{two}&%53AMLRequest={taken}",
        f"{SAML_LOGOUT}?SAMLRequest={taken}",
        f"{SAML_LOGOUT}?SAMLRequest=x&Signature=x&SigAlg=x",
        f"{SAML_LOGOUT}?SAMLRequest=%00",
        SAML_LOGOUT,
    ):
        assert make_client().get(forged).status_code == 403, forged
    assert is_signed_in(client)


def test_the_metadata_hold_the_certificate_and_no_key(client, acme, saml):
    text = client.get(METADATA).content.decode()
    assert saml.signing_certificate[:60] in "".join(text.split())
    assert f"{SAML_LOGOUT}" in text
    assert "PRIVATE" not in text
    assert b"PRIVATE" not in bytes(saml.signing_key)
    assert saml.open("signing_key").startswith("-----BEGIN PRIVATE KEY-----")
    assert client.get("/company-sign-in/globex/saml/metadata/").status_code == 404


def logout_token(company, subject: str, **claims) -> str:
    """Have a provider sign something: the mock puts each claim of a person into their ID token."""
    claims = {"email": subject, "events": EVENT, "jti": f"jti-{time.time()}"} | claims
    company.knows(subject, **claims)
    redirect = f"{company.url}/nowhere"
    query = {"client_id": "portal", "redirect_uri": redirect, "scope": "openid", "response_type": "code", "state": "s"}
    if nonce := claims.get("nonce"):
        query["nonce"] = nonce
    url = requests.Request("GET", f"{company.url}/oauth2/authorize", params=query).prepare().url
    code = re.search(r"code=([^&]+)", company.authorize(url, subject))[1]
    answer = requests.post(
        f"{company.url}/oauth2/token",
        data={"grant_type": "authorization_code", "code": code, "redirect_uri": redirect},
        auth=("portal", "canary-client-secret"),
        timeout=5,
    )
    company.knows(subject, email=subject)  # The mock serves other tests too: they sign in without these claims.
    return str(answer.json()["id_token"])


def post(token: str) -> int:
    return Client(enforce_csrf_checks=True).post(TOKEN_PATH, {"logout_token": token}).status_code


def test_a_logout_token_ends_the_sessions_of_who_it_names(client, acme, acme_provider, acme_sign_in, make_client):
    other = make_client()
    acme_provider.sign_in(client, "carol@acme.example")
    acme_provider.sign_in(other, "dave@acme.example")
    token = logout_token(acme_provider, "carol@acme.example")
    assert post(token) == 200
    assert [is_signed_in(client), is_signed_in(other)] == [False, True]
    assert len(actions(acme)) == 1
    acme_provider.sign_in(client, "carol@acme.example")
    assert post(token) == 400, "it works once"
    assert is_signed_in(client)


def test_a_logout_token_that_names_a_session_ends_that_one(client, acme_provider, acme_sign_in, make_client):
    other = make_client()
    acme_provider.knows("carol@acme.example", email="carol@acme.example", sid="one")
    acme_provider.sign_in(client, "carol@acme.example")
    acme_provider.knows("carol@acme.example", email="carol@acme.example", sid="two")
    acme_provider.sign_in(other, "carol@acme.example")
    assert post(logout_token(acme_provider, "carol@acme.example", sid="one")) == 200
    assert [is_signed_in(client), is_signed_in(other)] == [False, True]


@pytest.mark.parametrize(
    "claims", [{"events": {}}, {"events": "x"}, {"nonce": "n"}, {"jti": None}, {"iat": 5}, {"sid": {"a": 1}}]
)
def test_tokens_that_are_no_logout_tokens_sign_nobody_out(client, acme_provider, acme_sign_in, claims):
    acme_provider.knows("carol@acme.example", email="carol@acme.example")
    acme_provider.sign_in(client, "carol@acme.example")
    assert post(logout_token(acme_provider, "carol@acme.example", **claims)) == 400
    assert is_signed_in(client)


def test_tokens_of_another_provider_are_refused(client, acme_provider, acme_sign_in, globex_provider):
    answer = acme_provider.sign_in(client, "carol@acme.example")
    assert is_signed_in(client), answer.content.decode()
    for token in (logout_token(globex_provider, "carol@acme.example"), "", "a.b.c", "x" * 50_000, forged()):
        assert post(token) == 400
    assert is_signed_in(client)


class OldProvider(Company):
    """A provider that signs as drafts of the standard had it: its logout tokens name no end."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)

    def answer(self, path: str) -> dict[str, object]:
        if path == "/jwks":
            return {
                "keys": [json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key())) | {"kid": "1", "alg": "RS256"}]
            }
        names = ("authorization_endpoint", "token_endpoint", "userinfo_endpoint")
        return {"issuer": self.url, "jwks_uri": f"{self.url}/jwks"} | {name: f"{self.url}/{name}" for name in names}

    def logout_token(self, **claims: object) -> str:
        content = {"iss": self.url, "aud": "portal", "iat": time.time(), "events": EVENT, "sub": "carol", **claims}
        return str(jwt.encode(content, self.key, algorithm="RS256", headers={"kid": "1"}))


@pytest.fixture
def old_provider(acme) -> Iterator[OldProvider]:
    """Acme's provider, in a thread."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(company.answer(self.path)).encode())

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        company = OldProvider(f"http://127.0.0.1:{server.server_port}")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        set_up(acme, company)
        yield company
        server.shutdown()


def test_a_logout_token_that_names_no_end_works_once_too(old_provider):
    token = old_provider.logout_token(jti="one")
    assert [post(token), post(token)] == [200, 400]
    assert post(old_provider.logout_token(jti="two")) == 200
    assert post(old_provider.logout_token(jti="one")) == 400, "its identifier was used"
    assert post(old_provider.logout_token(jti="three", exp=10**15)) == 400


def forged() -> str:
    """Return a token that a shared secret has signed, which everybody could know."""
    return str(jwt.encode({"sub": "carol@acme.example", "events": EVENT}, "x" * 32, algorithm="HS256"))


def test_nobody_is_signed_out_by_a_provider_that_is_not_there(client, acme, saml_provider):
    assert Client().post(TOKEN_PATH, {"logout_token": "x"}).status_code == 404
    assert Client().get(SAML_LOGOUT).status_code == 404
    assert Client().get(METADATA).status_code == 404
