"""Specification 4.6 and 5, platform-api 2.1 and 2.2: the consent screen."""

from urllib.parse import parse_qs, urlsplit

import pytest

from portal.sandbox.applications import redirect_uri_problem
from tests.sandbox.platform import CALLBACK, Platform


def test_it_shows_who_asks_and_every_tenant(platform: Platform) -> None:
    platform.sandbox.tenants.create("Fabrikon <b>Systems</b>")
    page = platform.http.get(platform.consent_address())
    assert page.status_code == 200
    assert "Northwind" in page.text
    assert "Fabrikon &lt;b&gt;Systems&lt;/b&gt;" in page.text
    assert "<script" not in page.text


def test_allowing_sends_code_and_state_back(platform: Platform) -> None:
    answer = platform.consent()
    assert set(answer) == {"code", "state"}
    assert answer["state"] == "st&te"


def test_refusing_sends_an_error_and_the_state_back(platform: Platform) -> None:
    answer = platform.http.post(platform.consent_address(), data={"decision": "deny", "tenant_id": platform.tenant.id})
    query = parse_qs(urlsplit(answer.location).query)
    assert answer.status_code == 302
    assert answer.location.startswith(CALLBACK)
    assert (query["error"], query["state"]) == (["access_denied"], ["st&te"])
    assert query["error_description"]
    assert "code" not in query


def test_the_query_of_the_redirect_uri_is_kept(platform: Platform) -> None:
    address = f"{CALLBACK}?keep=1"
    platform.sandbox.applications.add_redirect_uri(platform.application("public_integration")["client_id"], address)
    assert platform.consent(redirect_uri=address)["keep"] == "1"


@pytest.mark.parametrize(
    "changes",
    [
        {"client_id": "unknown"},
        {"client_id": None},
        {"redirect_uri": "https://portal.test/connect/callback"},
        {"redirect_uri": f"{CALLBACK}?x=1"},
        {"redirect_uri": None},
        {"response_type": "token"},
        {"response_type": None},
        {"state": None},
        {"source_id": None},
        {"scope": None},
    ],
)
def test_a_wrong_request_gets_a_page_and_goes_nowhere(platform: Platform, changes: dict[str, str | None]) -> None:
    address = platform.consent_address(**changes)
    for answer in (
        platform.http.get(address),
        platform.http.post(address, data={"decision": "allow", "tenant_id": platform.tenant.id}),
    ):
        assert answer.status_code == 400
        assert answer.mimetype == "text/html"
        assert "Location" not in answer.headers


def test_other_types_of_applications_have_no_consent(platform: Platform) -> None:
    address = platform.consent_address(client_id=platform.application("management")["client_id"])
    assert platform.http.get(address).status_code == 400


def test_a_scope_that_is_not_allowed_goes_back_as_invalid_scope(platform: Platform) -> None:
    answer = platform.http.get(platform.consent_address(scope="svc-api.all:read"))
    query = parse_qs(urlsplit(answer.location).query)
    assert answer.status_code == 302
    assert (query["error"], query["state"]) == (["invalid_scope"], ["st&te"])


@pytest.mark.parametrize("form", [{}, {"decision": "allow"}, {"decision": "allow", "tenant_id": "x"}, {"decision": "?"}])
def test_a_decision_needs_a_tenant(platform: Platform, form: dict[str, str]) -> None:
    assert platform.http.post(platform.consent_address(), data=form).status_code == 400


@pytest.mark.parametrize(
    "redirect_uri",
    ["https://portal.test/x", "https://portal.test/x?y=1", "http://localhost:8000/x", "http://127.0.0.1:1234/x"],
)
def test_good_redirect_uris_are_registered(platform: Platform, redirect_uri: str) -> None:
    assert redirect_uri_problem(redirect_uri) is None


@pytest.mark.parametrize(
    "redirect_uri",
    ["http://portal.test/x", "https://portal.test/x#y", "https://portal.test/x#", "/x", "ftp://portal.test/x", "https://", "http://[::1"],
)  # fmt: skip
def test_bad_redirect_uris_are_refused(platform: Platform, redirect_uri: str) -> None:
    client_id = platform.application("public_integration")["client_id"]
    answer = platform.http.post(f"/_control/applications/{client_id}/redirect-uris", json={"redirect_uri": redirect_uri})
    assert answer.status_code == 400
    assert platform.control("GET", "/applications")[0]["redirect_uris"] == []
