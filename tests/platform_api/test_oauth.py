"""The token endpoint: grants, refusals and faults, against the sandbox."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from portal.platform_api import errors
from portal.platform_api.oauth import OAuthApplication, TokenAnswer
from tests.platform_api.world import CALLBACK, INTEGRATION_SCOPE, MANAGEMENT_SCOPE, World


def grant(world: World, application: OAuthApplication) -> TokenAnswer:
    return application.exchange(world.code(application), redirect_uri=CALLBACK, source_id="workspace-1")


def may_call(world: World, token: str) -> bool:
    return world.sandbox.grants.caller(token) is not None


def test_the_consent_address_carries_all_it_must(world: World) -> None:
    application = world.application("public_integration")
    url = application.authorize_url(
        "https://app.eu.platform.test/", scope=INTEGRATION_SCOPE, state="a&b=c d", redirect_uri=CALLBACK, source_id="w/1"
    )
    parts = urlsplit(url)
    query = parse_qs(parts.query, strict_parsing=True)
    assert f"{parts.scheme}://{parts.netloc}{parts.path}" == "https://app.eu.platform.test/oauth/authorize"
    assert query.pop("client_id")
    assert query == {
        "scope": [INTEGRATION_SCOPE],
        "state": ["a&b=c d"],
        "redirect_uri": [CALLBACK],
        "source_id": ["w/1"],
        "response_type": ["code"],
    }
    assert "+" not in parts.query, "a space is %20, which every server reads"


def test_a_code_becomes_tokens_once(world: World) -> None:
    application = world.application("public_integration")
    code = world.code(application)
    tokens = application.exchange(code, redirect_uri=CALLBACK, source_id="workspace-1")
    assert tokens.access_token and tokens.refresh_token
    assert tokens.expires_in == 3600
    assert may_call(world, tokens.access_token)
    with pytest.raises(errors.InvalidGrant):
        application.exchange(code, redirect_uri=CALLBACK, source_id="workspace-1")


def test_a_code_is_good_for_thirty_seconds(world: World) -> None:
    application = world.application("public_integration")
    code = world.code(application)
    world.sandbox.clock.advance(31)
    with pytest.raises(errors.InvalidGrant):
        application.exchange(code, redirect_uri=CALLBACK, source_id="workspace-1")


def test_t3_a_refresh_kills_the_token_before_it_and_can_be_repeated(world: World) -> None:
    application = world.application("public_integration")
    first = grant(world, application)
    second = application.refresh(first.refresh_token or "")
    assert not may_call(world, first.access_token)
    assert may_call(world, second.access_token)
    repeated = application.refresh(first.refresh_token or "")
    assert may_call(world, repeated.access_token)


def test_a_refresh_token_that_is_none_is_an_invalid_grant(world: World) -> None:
    with pytest.raises(errors.InvalidGrant) as caught:
        world.application("public_integration").refresh("rt-that-was-never-issued")
    assert caught.value.status == 400
    assert "rt-that-was-never-issued" not in str(caught.value)


def test_an_application_gets_a_token_of_its_own(world: World) -> None:
    tokens = world.application("management").issue(MANAGEMENT_SCOPE)
    assert tokens.refresh_token is None
    assert may_call(world, tokens.access_token)
    with pytest.raises(errors.InvalidScope):
        world.application("management").issue("auditor-api.audit:read")


@pytest.mark.parametrize("call", ["exchange", "refresh", "issue", "suspend"])
def test_a_wrong_secret_is_an_invalid_client(world: World, call: str) -> None:
    application = world.application("management", client_secret="wrong-secret")
    arguments: dict[str, Any] = {"redirect_uri": CALLBACK, "source_id": "w"} if call == "exchange" else {}
    with pytest.raises(errors.InvalidClient) as caught:
        getattr(application, call)("value-sent", **arguments)
    assert caught.value.status == 401
    assert "wrong-secret" not in str(caught.value)


def test_d1_both_tokens_can_be_suspended_and_again(world: World) -> None:
    application = world.application("public_integration")
    tokens = grant(world, application)
    for _ in range(2):
        application.suspend(tokens.access_token)
        application.suspend(tokens.refresh_token or "")
    assert not may_call(world, tokens.access_token)
    with pytest.raises(errors.InvalidGrant):
        application.refresh(tokens.refresh_token or "")


def test_a_token_of_another_application_is_not_ours(world: World) -> None:
    tokens = grant(world, world.application("public_integration"))
    with pytest.raises(errors.TokenNotOurs):
        world.application("management").suspend(tokens.access_token)
    assert may_call(world, tokens.access_token)


def test_the_budget_of_the_token_endpoint_is_five_a_minute(world: World) -> None:
    world.sandbox.limits.change({"token": 5})
    application = world.application("management")
    for _ in range(5):
        application.issue(MANAGEMENT_SCOPE)
    with pytest.raises(errors.RateLimited) as caught:
        application.issue(MANAGEMENT_SCOPE)
    assert 0 < caught.value.retry_after <= 60


@pytest.mark.parametrize(
    ("kind", "fault", "error"),
    [
        ("status", {"value": 503}, errors.Unavailable),
        ("status", {"value": 504}, errors.Unavailable),
        ("drop_answer", {}, errors.Unavailable),
        ("refuse_connection", {}, errors.Unavailable),
        ("html", {}, errors.UnexpectedAnswer),
        ("redirect", {"value": "http://elsewhere.test/oauth/token"}, errors.RedirectRefused),
    ],
)
def test_a_broken_token_endpoint_is_not_a_refused_grant(world: World, kind: str, fault: Any, error: type) -> None:
    application = world.application("management")
    world.fail(kind, path="/oauth/token", **fault)
    with pytest.raises(error):
        application.issue(MANAGEMENT_SCOPE)
