"""A1-A4, T13: whatever comes to the callback, by whomever, changes nothing and leaks nothing but the end of the walk itself."""

from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.conf import settings
from django.db import connection as database
from django.test import Client

from portal.connections.models import AccountMark, Connection, State
from portal.connections.services import AuthorizationResponse, ConnectRefused, complete_connect, start_connect
from portal.tenants.models import Role
from portal.tenants.scope import all_tenants, tenant_scope
from tests.conftest import SESSION_KEY
from tests.support.members import remove_members, set_role

pytestmark = pytest.mark.once

PAGE = "/t/acme/settings/connection/"
CONNECTED = "/t/acme/first-hour/connected/"
CALLBACK = "/connect/callback/"
ELSEWHERE = [
    "//evil.example",
    "\\\\evil.example",
    "https:evil.example",
    "%0d%0aLocation:%20//evil.example",
    "javascript:alert(1)",
]


def begin(client: Client, slug: str = "acme", region: str = "eu") -> str:
    response = client.post(f"/t/{slug}/settings/connection/connect/", {"region": region})
    assert response.status_code == 302, response.content
    return response["Location"]


def everything() -> list[object]:
    """What a grant is made of, of all tenants."""
    with all_tenants("a look of a test"):
        return [*Connection.objects.order_by("pk").values(), *AccountMark.objects.order_by("pk").values()]


@pytest.fixture
def signed_in(client, alice, acme):
    client.force_login(alice)
    return client


@pytest.fixture
def walk(signed_in, sandbox, platform_tenant) -> dict[str, str]:
    """The query that the platform sends alice's browser back with."""
    return sandbox.consent(begin(signed_in), platform_tenant["tenant_id"])


@pytest.fixture
def nothing_happens(sandbox, walk):
    """Whatever the test does, no grant has changed and the token endpoint was not asked."""
    before = everything()
    yield
    assert everything() == before
    assert sandbox.token_calls() == []


@pytest.mark.usefixtures("nothing_happens")
class TestNothingHappens:
    def test_a1_the_attackers_own_code_and_state_in_the_victims_browser(
        self, walk, mallory, globex, sandbox, platform_tenant, signed_in
    ):
        attacker = Client()
        attacker.force_login(mallory)
        bait = sandbox.consent(begin(attacker, "globex"), platform_tenant["tenant_id"])
        with all_tenants("what the bait itself made is not the victim's matter"):
            Connection.objects.exclude(tenant__slug="acme").delete()
        assert "/refused/state/" in signed_in.get(CALLBACK, bait)["Location"]

    def test_a1_the_attackers_code_with_the_victims_state(self, walk, signed_in, sandbox, platform_tenant):
        # The code of another walk goes to the token endpoint and is refused there: it is bound to another source_id.
        for state in ("", walk["state"][:-1], walk["state"] + "x", walk["state"].swapcase()):
            assert "/refused/state/" in signed_in.get(CALLBACK, {"code": "stolen", "state": state})["Location"]

    def test_a1_a_member_who_is_no_owner_any_more(self, walk, signed_in, alice):
        set_role(Role.APPROVER, user=alice)
        assert "/refused/role/" in signed_in.get(CALLBACK, walk)["Location"]

    def test_a1_somebody_who_is_no_member_any_more_learns_nothing_of_the_tenant(self, walk, signed_in, alice):
        remove_members(user=alice)
        response = signed_in.get(CALLBACK, walk)
        assert "acme" not in response["Location"]
        assert b"Acme" not in signed_in.get(response["Location"]).content

    def test_a1_the_session_was_changed_by_signing_in_anew(self, walk, alice):
        # Fixation: a session the attacker knew is worth nothing once the victim signs in.
        other = Client()
        other.force_login(alice)
        assert "/refused/browser/" in other.get(CALLBACK, walk)["Location"]

    @pytest.mark.parametrize("issuer", ["https://evil.example", "http://127.0.0.1:8001.evil.example", "http://127.0.0.1:80011"])
    def test_a2_another_issuer(self, walk, signed_in, issuer):
        assert "/refused/issuer/" in signed_in.get(CALLBACK, walk | {"iss": issuer})["Location"]

    def test_a1_a_state_without_a_code(self, walk, signed_in):
        assert "/refused/code/" in signed_in.get(CALLBACK, {"state": walk["state"]})["Location"]

    @pytest.mark.parametrize("method", ["post", "put", "delete", "head"])
    def test_a1_only_a_get_ends_a_walk(self, walk, signed_in, method):
        assert getattr(signed_in, method)(f"{CALLBACK}?{urlencode(walk)}").status_code == 405


def test_a1_two_callbacks_at_once_make_one_exchange(transactional_db, alice, acme, sandbox, platform_tenant):
    with tenant_scope(acme.pk):
        start = start_connect(user=alice, region="eu", session_key=SESSION_KEY)
    query = sandbox.consent(start.url, platform_tenant["tenant_id"])

    def end(_: int) -> str:
        try:
            walk = AuthorizationResponse(alice, session_key=SESSION_KEY, state=query["state"])
            return complete_connect(walk, code=query["code"]).state
        except ConnectRefused as refused:
            return refused.reason
        finally:
            database.close()

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(end, range(4))) == ["active", "state", "state", "state"]
    assert len(sandbox.token_calls()) == 1


def test_a1_the_same_walk_in_two_tabs_ends_once(walk, signed_in, sandbox):
    assert signed_in.get(CALLBACK, walk)["Location"] == CONNECTED
    assert "/refused/state/" in signed_in.get(CALLBACK, walk)["Location"]
    assert len(sandbox.token_calls()) == 1


def test_a2_the_flow_decides_the_host_of_the_token_call(signed_in, acme, sandbox, platform_tenant, settings):
    settings.PLATFORM_GOV_API_URL = "http://127.0.0.1:8002"
    settings.PLATFORM_APP_URLS = settings.PLATFORM_APP_URLS | {"gov": "http://127.0.0.1:8001"}
    gov = sandbox.consent(begin(signed_in, region="gov"), platform_tenant["tenant_id"])
    # Nothing listens at the government host: a commercial code must not be tried anywhere else.
    assert "/refused/unavailable/" in signed_in.get(CALLBACK, gov)["Location"]
    assert sandbox.token_calls() == []
    with tenant_scope(acme.pk):
        assert Connection.objects.get().state == State.DISCONNECTED


@pytest.mark.parametrize("region", ["us", "eu", "au", "gov"])
def test_each_region_has_its_own_consent_page(signed_in, sandbox, settings, region):
    settings.PLATFORM_APP_URLS = {name: f"https://{name}.app.example" for name in ("us", "eu", "au", "gov")}
    assert begin(signed_in, region=region).startswith(f"https://{region}.app.example/oauth/authorize?")


@pytest.mark.parametrize("target", ELSEWHERE)
@pytest.mark.parametrize("name", ["next", "redirect_uri", "return_to", "url", "tenant"])
def test_a3_no_parameter_leads_out_of_the_portal(walk, signed_in, name, target):
    response = signed_in.get(f"{CALLBACK}?{urlencode(walk | {name: target})}")
    assert response["Location"] == CONNECTED
    refused = signed_in.get(f"/connect/refused/state/?{urlencode({name: target})}")
    assert b"evil.example" not in refused.content
    assert b"javascript:alert" not in refused.content


def test_a4_the_code_leaves_the_address_at_once_and_nothing_keeps_it(walk, signed_in, caplog):
    caplog.set_level("DEBUG")
    response = signed_in.get(CALLBACK, walk)
    assert response.status_code == 302
    assert response.content == b""
    assert response["Referrer-Policy"] == "no-referrer"
    assert "no-store" in response["Cache-Control"]
    for secret in (walk["code"], walk["state"]):
        assert secret not in str(response.headers)
        assert secret not in caplog.text
    signed_out = Client().get(CALLBACK, walk)
    assert walk["code"] not in str(signed_out.headers)
    assert signed_out["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    "words", ["<script>alert(1)</script>", "access_denied&error_description=<img src=x>", "\x00", "é" * 5000]
)
def test_a4_the_platforms_words_are_never_echoed(walk, signed_in, words):
    response = signed_in.get(CALLBACK, {"state": walk["state"], "error": words, "error_description": words})
    assert response.status_code in (302, 400)
    if response.status_code == 302:
        page = signed_in.get(response["Location"])
        assert words.encode() not in page.content
        assert b"The platform ended the sign-in" in page.content


def test_t13_the_source_id_is_the_rows_and_never_the_browsers(walk, signed_in, acme, globex, mallory, sandbox, platform_tenant):
    with tenant_scope(acme.pk):
        source_id = str(Connection.objects.get().source_id)
    other = Client()
    other.force_login(mallory)
    response = other.post(
        "/t/globex/settings/connection/connect/", {"region": "eu", "source_id": source_id, "state": "chosen", "scope": "all"}
    )
    query = {name: values[0] for name, values in parse_qs(urlsplit(response["Location"]).query).items()}
    assert query["source_id"] != source_id
    assert query["state"] != "chosen"
    assert query["scope"] == settings.PLATFORM_SCOPES
    # A source_id that somebody swapped in the address of the consent page makes a code that is good for nothing here.
    tampered = response["Location"].replace(query["source_id"], source_id)
    back = sandbox.consent(tampered, platform_tenant["tenant_id"])
    assert "/refused/code/" in other.get(CALLBACK, back | {"source_id": source_id})["Location"]
    with tenant_scope(acme.pk):
        assert Connection.objects.get().state == State.DISCONNECTED


def test_s9_whoever_hammers_the_button_is_asked_to_wait(signed_in, sandbox):
    statuses = [signed_in.post(PAGE + "connect/", {"region": "eu"}).status_code for _ in range(12)]
    assert statuses == [302] * 10 + [503] * 2
