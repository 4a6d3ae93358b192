"""R7 and A2: an account lives in one region, the platform may call itself as it likes, and the words say what differs."""

from urllib.parse import urlsplit

import pytest

from portal.connections.models import Connection, Region, State
from portal.tenants.scope import tenant_scope

pytestmark = pytest.mark.once

PAGE = "/t/acme/settings/connection/"
CONNECTED = "/t/acme/first-hour/connected/"
SANDBOX = "http://127.0.0.1:8001"
REGIONS = ("us", "eu", "au", "gov")


@pytest.fixture
def regional(settings):
    """The platform's hosts apart from one another, as the specification has them."""
    settings.PLATFORM_APP_URLS = {region: f"{SANDBOX}/{region}" for region in REGIONS}
    settings.PLATFORM_GOV_API_URL = f"{SANDBOX}/gov"
    return settings


@pytest.fixture
def signed_in(client, alice, acme):
    client.force_login(alice)
    return client


def begin(signed_in, region: str) -> str:
    response = signed_in.post(f"{PAGE}connect/", {"region": region})
    assert response.status_code == 302, response.content
    return response["Location"]


def come_back(signed_in, query: dict[str, str]) -> tuple[str, str]:
    """Return where the callback leads to, and the page there."""
    response = signed_in.get("/connect/callback/", query)
    return response["Location"], signed_in.get(response["Location"]).content.decode()


def state_of(acme) -> str:
    with tenant_scope(acme.pk):
        return Connection.objects.get().state


@pytest.mark.parametrize("region", REGIONS)
def test_r7_an_account_is_connected_in_its_own_region(regional, signed_in, acme, sandbox, region):
    account = sandbox.create_tenant(name=f"In {region}", region=region)
    query = sandbox.consent(begin(signed_in, region), account["tenant_id"])
    location, _ = come_back(signed_in, query)
    assert location == CONNECTED
    assert state_of(acme) == State.ACTIVE


def test_r7_the_page_of_another_region_does_not_know_the_account(regional, signed_in, acme, sandbox, platform_tenant):
    url = begin(signed_in, "us")
    assert "Acme" not in sandbox.session.get(url).text.partition("Organization that grants")[2]
    answer = sandbox.session.post(url, data={"decision": "allow", "tenant_id": platform_tenant["tenant_id"]})
    assert answer.status_code == 400
    location, page = come_back(signed_in, sandbox.consent(url, "", "deny"))
    assert "/refused/refused/" in location
    assert "the page for United States lists only its own accounts" in page
    assert state_of(acme) == State.DISCONNECTED


def test_r7_a_code_of_another_region_is_refused_in_words(regional, signed_in, acme, sandbox):
    """The platform's app host of one region is configured for another."""
    regional.PLATFORM_APP_URLS = regional.PLATFORM_APP_URLS | {"us": f"{SANDBOX}/gov"}
    account = sandbox.create_tenant(name="Bureau", region="gov")
    location, page = come_back(signed_in, sandbox.consent(begin(signed_in, "us"), account["tenant_id"]))
    assert "/refused/code/" in location
    assert "in its own region only" in page
    assert "Check that your account is in United States" in page
    assert state_of(acme) == State.DISCONNECTED


def test_r7_an_answer_of_another_region_is_told_apart(regional, signed_in, acme, sandbox, platform_tenant):
    query = sandbox.consent(begin(signed_in, "eu"), platform_tenant["tenant_id"])
    location, page = come_back(signed_in, query | {"iss": f"{SANDBOX}/au"})
    assert "/refused/region/" in location
    assert "Your account is in Australia" in page
    assert "You chose Europe" in page
    assert sandbox.token_calls() == []


@pytest.mark.parametrize("issuer", [f"{SANDBOX}/eu", f"{SANDBOX}/eu/", SANDBOX])
def test_a2_the_platforms_own_addresses_are_its_issuers_unless_said_otherwise(
    regional, signed_in, acme, sandbox, platform_tenant, issuer
):
    query = sandbox.consent(begin(signed_in, "eu"), platform_tenant["tenant_id"])
    assert come_back(signed_in, query | {"iss": issuer})[0] == CONNECTED
    assert state_of(acme) == State.ACTIVE


class TestAnotherIssuer:
    """The platform calls itself otherwise than its addresses (RFC 9207 and 8414 allow it)."""

    ISSUER = "https://login.platform.example/tenants"

    @pytest.fixture
    def query(self, signed_in, sandbox, platform_tenant):
        return sandbox.consent(begin(signed_in, "eu"), platform_tenant["tenant_id"]) | {"iss": self.ISSUER}

    def test_a2_it_is_refused_and_the_words_say_what_differs(self, signed_in, acme, sandbox, query):
        location, page = come_back(signed_in, query)
        assert "/refused/issuer/" in location
        assert self.ISSUER not in location
        assert self.ISSUER in page
        assert SANDBOX in page
        assert "PLATFORM_ISSUERS" in page
        assert "Your account is in" not in page
        assert state_of(acme) == State.DISCONNECTED
        assert sandbox.token_calls() == []

    def test_a2_it_is_taken_once_it_is_configured(self, signed_in, acme, sandbox, query, settings):
        settings.PLATFORM_ISSUERS = {"eu": f"{self.ISSUER}/"}
        assert come_back(signed_in, query)[0] == CONNECTED
        assert state_of(acme) == State.ACTIVE

    def test_a2_what_is_configured_is_the_only_one(self, signed_in, acme, query, settings):
        settings.PLATFORM_ISSUERS = {"eu": self.ISSUER}
        assert "/refused/issuer/" in come_back(signed_in, query | {"iss": SANDBOX})[0]

    def test_a2_a_refusal_is_checked_too(self, signed_in, acme, query):
        location, _ = come_back(signed_in, {"state": query["state"], "error": "access_denied", "iss": self.ISSUER})
        assert "/refused/issuer/" in location

    @pytest.mark.parametrize("issuer", ["<script>alert(1)</script>", "x" * 5000, "a\x07b"])
    def test_a4_whatever_it_calls_itself_is_shown_short_and_escaped(self, signed_in, acme, query, issuer):
        _, page = come_back(signed_in, query | {"iss": issuer})
        assert "<script>alert" not in page
        assert "x" * 300 not in page
        assert "\x07" not in page

    def test_nobody_else_is_told_what_it_called_itself(self, signed_in, acme, query, client, mallory, globex):
        location, _ = come_back(signed_in, query)
        client.force_login(mallory)
        for address in (location, location.replace("acme", "globex")):
            assert self.ISSUER not in client.get(address).content.decode()


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ("access_denied", "refused"),
        ("invalid_scope", "scope"),
        ("unauthorized_client", "registration"),
        ("server_error", "unavailable"),
        ("temporarily_unavailable", "unavailable"),
        ("something_new", "platform"),
    ],
)
def test_r5_an_error_of_the_consent_screen_is_not_blamed_on_the_person(signed_in, acme, sandbox, error, reason):
    state = urlsplit(begin(signed_in, "eu")).query.partition("state=")[2].partition("&")[0]
    location, _ = come_back(signed_in, {"state": state, "error": error})
    assert location == f"/connect/refused/{reason}/?tenant=acme"


@pytest.mark.parametrize(
    ("fault", "reason", "words"),
    [
        ({"kind": "html"}, "unreadable", "answer could not be read"),
        ({"kind": "status", "value": 503}, "unavailable", "does not answer"),
        ({"kind": "status", "value": 429}, "limited", "asks for a pause"),
        ({"kind": "refuse_connection"}, "unavailable", "does not answer"),
        ({"kind": "redirect", "value": "http://127.0.0.1:9/"}, "address", "address of the platform is wrong"),
        ({"kind": "status", "value": 418}, "platform", "ended the sign-in"),
    ],
)
def test_r5_a_token_that_does_not_come_is_blamed_on_the_right_one(
    signed_in, acme, sandbox, platform_tenant, fault, reason, words
):
    query = sandbox.consent(begin(signed_in, "eu"), platform_tenant["tenant_id"])
    fault = dict(fault)
    sandbox.fail(fault.pop("kind"), path="/oauth/token", **fault)
    location, page = come_back(signed_in, query)
    assert f"/refused/{reason}/" in location
    assert words in page
    assert "will be right back" not in page
    assert state_of(acme) == State.DISCONNECTED


def test_regions_of_the_portal_and_of_its_settings_are_the_same():
    from portal.lib.environment import REGIONS as KNOWN

    assert [*KNOWN] == [region.value for region in Region]
