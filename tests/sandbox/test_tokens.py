"""Specification 3.6, 4.4, 4.5, 5, 7 and 8: tokens."""

import pytest

from tests.sandbox.platform import SCOPE, Platform

SCOPES = {
    "management": "svc-api.all:read svc-api.all:write svc-api.documents:upload",
    "private_integration": SCOPE,
    "auditor": "auditor-api.audit:read auditor-api.audit:write auditor-api.auditor:read auditor-api.auditor:write",
}


@pytest.mark.parametrize("application_type", SCOPES)
def test_client_credentials_give_an_hour_and_no_refresh_token(platform: Platform, application_type: str) -> None:
    body = platform.application(application_type)
    answer = platform.token(grant_type="client_credentials", scope=SCOPES[application_type], **body)
    assert answer.status_code == 200
    assert set(answer.json) == {"access_token", "expires_in", "token_type"}
    assert (answer.json["expires_in"], answer.json["token_type"]) == (3600, "Bearer")
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_code_gives_both_tokens(platform: Platform) -> None:
    tokens = platform.connect()
    assert set(tokens) == {"access_token", "refresh_token", "expires_in", "token_type"}
    assert platform.works(tokens["access_token"])


def test_an_access_token_dies_after_an_hour(platform: Platform) -> None:
    token = platform.connect()["access_token"]
    platform.sandbox.clock.advance(3590)
    assert platform.works(token)
    platform.sandbox.clock.advance(15)
    assert not platform.works(token)


def test_a_code_works_once(platform: Platform) -> None:
    code = platform.consent()["code"]
    assert platform.exchange(code).status_code == 200
    repeated = platform.exchange(code)
    assert (repeated.status_code, repeated.json["error"]) == (400, "invalid_grant")


def test_a_code_lives_30_seconds(platform: Platform) -> None:
    in_time, too_late = platform.consent()["code"], platform.consent()["code"]
    platform.sandbox.clock.advance(28)
    assert platform.exchange(in_time).status_code == 200
    platform.sandbox.clock.advance(3)
    refused = platform.exchange(too_late)
    assert (refused.status_code, refused.json["error"]) == (400, "invalid_grant")


@pytest.mark.parametrize("changes", [{"redirect_uri": "https://portal.test/other/"}, {"source_id": "workspace-2"}])
def test_a_code_is_bound_to_what_it_was_made_for(platform: Platform, changes: dict[str, str]) -> None:
    code = platform.consent()["code"]
    refused = platform.exchange(code, **changes)
    assert (refused.status_code, refused.json["error"]) == (400, "invalid_grant")
    assert platform.exchange(code).status_code == 200


def test_an_unknown_code_is_invalid_grant(platform: Platform) -> None:
    refused = platform.exchange("sac_unknown")
    assert (refused.status_code, refused.json["error"]) == (400, "invalid_grant")


def test_a_code_is_bound_to_its_application(platform: Platform) -> None:
    other = platform.sandbox.applications.create("public_integration")
    code = platform.consent()["code"]
    refused = platform.exchange(code, client_id=other.client_id, client_secret=other.client_secret)
    assert (refused.status_code, refused.json["error"]) == (400, "invalid_grant")


def test_minting_kills_the_access_token_before_it(platform: Platform) -> None:
    first = platform.connect()
    second = platform.refresh(first["refresh_token"]).json
    assert not platform.works(first["access_token"])
    assert platform.works(second["access_token"])
    assert second["refresh_token"] != first["refresh_token"]


def test_a_token_can_be_superseded_without_a_call_to_the_token_endpoint(platform: Platform) -> None:
    tokens, other = platform.connect(), platform.connect(source_id="workspace-2")
    before = len(platform.control("GET", "/requests"))
    platform.control("POST", "/grants/supersede", source_id="workspace-1")
    assert len(platform.control("GET", "/requests")) == before
    assert not platform.works(tokens["access_token"])
    assert platform.works(other["access_token"])
    assert platform.works(platform.refresh(tokens["refresh_token"]).json["access_token"])
    assert platform.http.post("/_control/grants/supersede", json={"source_id": "nobody"}).status_code == 404


def test_each_source_id_has_a_token_of_its_own(platform: Platform) -> None:
    one, other = platform.connect("workspace-1"), platform.connect("workspace-2")
    assert platform.works(one["access_token"])
    assert platform.works(other["access_token"])


def test_an_application_has_one_client_credentials_token(platform: Platform) -> None:
    first, second = platform.issue(), platform.issue()
    assert not platform.works(first)
    assert platform.works(second)


def test_the_previous_refresh_token_works_three_hours_after_its_first_use(platform: Platform) -> None:
    first = platform.connect()["refresh_token"]
    platform.sandbox.clock.advance(30 * 24 * 3600)
    assert platform.refresh(first).status_code == 200
    platform.sandbox.clock.advance(3 * 3600 - 10)
    newest = platform.refresh(first)
    assert newest.status_code == 200
    platform.sandbox.clock.advance(20)
    refused = platform.refresh(first)
    assert (refused.status_code, refused.json["error"]) == (400, "invalid_grant")
    assert platform.refresh(newest.json["refresh_token"]).status_code == 200


@pytest.mark.parametrize("field", ["client_id", "client_secret"])
def test_wrong_credentials_are_401_invalid_client(platform: Platform, field: str) -> None:
    body = platform.application("management") | {field: "wrong"}
    for path in ("/oauth/token", "/v1/oauth/token/suspend"):
        answer = platform.http.post(path, json={**body, "grant_type": "client_credentials", "scope": "x", "token": "y"})
        assert (answer.status_code, answer.json["error"]) == (401, "invalid_client")


@pytest.mark.parametrize(
    "sent",
    [
        {"data": {"grant_type": "client_credentials"}},
        {"data": '{"grant_type": "client_credentials"}', "content_type": "application/x-www-form-urlencoded"},
        {"data": "[]", "content_type": "application/json"},
        {"data": "{", "content_type": "application/json"},
        {"json": {"grant_type": "client_credentials"}},
        {"json": {"grant_type": 5}},
    ],
)
def test_a_body_that_is_not_the_right_json_is_invalid_request(platform: Platform, sent: dict[str, object]) -> None:
    answer = platform.http.post("/oauth/token", **sent)
    assert (answer.status_code, answer.json["error"]) == (400, "invalid_request")


@pytest.mark.parametrize(
    ("application_type", "scope"),
    [
        ("management", SCOPE),
        ("management", "svc-api.all:read auditor-api.audit:read"),
        ("private_integration", "svc-api.all:read"),
        ("auditor", "svc-api.all:read"),
    ],
)
def test_a_scope_of_another_type_is_invalid_scope(platform: Platform, application_type: str, scope: str) -> None:
    body = platform.application(application_type)
    answer = platform.token(grant_type="client_credentials", scope=scope, **body)
    assert (answer.status_code, answer.json["error"]) == (400, "invalid_scope")


def test_a_grant_type_belongs_to_its_type_of_application(platform: Platform) -> None:
    public, management = platform.application("public_integration"), platform.application("management")
    for body in (
        {"grant_type": "client_credentials", "scope": SCOPE, **public},
        {"grant_type": "refresh_token", "refresh_token": "x", **management},
    ):
        assert platform.token(**body).json["error"] == "unauthorized_client"
    assert platform.token(grant_type="password", **management).json["error"] == "unsupported_grant_type"


def test_s6_tokens_and_secrets_of_grants_are_not_in_the_database(platform: Platform) -> None:
    tokens, code = platform.connect(), platform.consent()["code"]
    dump = "\n".join(platform.sandbox.store._connection.iterdump())
    for secret in (tokens["access_token"], tokens["refresh_token"], code):
        assert secret not in dump
