"""Answers of the token endpoint that no sandbox gives, and what must not be seen of what was sent."""

import json
import traceback
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
import requests
import responses

from portal.platform_api import errors
from portal.platform_api.oauth import LIFE_SECONDS, MAX_LIFE_SECONDS, OAuthApplication, TokenAnswer
from tests.platform_api.world import BASE_URL, CALLBACK

TOKEN_URL = f"{BASE_URL}/oauth/token"
SUSPEND_URL = f"{BASE_URL}/v1/oauth/token/suspend"
SECRETS = {"client_secret": "cs-secret", "code": "code-secret", "refresh": "rt-secret", "access": "at-secret"}


@pytest.fixture
def application() -> OAuthApplication:
    return OAuthApplication(BASE_URL, client_id="ci", client_secret=SECRETS["client_secret"], session=requests.Session())


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (400, {"error": "invalid_grant"}, errors.InvalidGrant),
        (401, {"error": "invalid_grant"}, errors.InvalidGrant),
        (401, {"error": "invalid_client"}, errors.InvalidClient),
        (400, {"error": "invalid_client"}, errors.InvalidClient),
        (400, {"error": "invalid_scope"}, errors.InvalidScope),
        (400, {"error": "invalid_request"}, errors.InvalidRequest),
        (400, {"error": "unauthorized_client"}, errors.InvalidRequest),
        (400, {"error": 7}, errors.InvalidRequest),
        (400, ["invalid_grant"], errors.InvalidRequest),
        (401, "unauthorized", errors.InvalidClient),
        # About the token, not about an area, an object or an input: a desk would take it for its own.
        (403, {"error": "invalid_grant"}, errors.OAuthError),
        (404, {}, errors.OAuthError),
        (409, {}, errors.OAuthError),
        (422, {"error": "invalid_grant"}, errors.OAuthError),
        (429, "slow down", errors.RateLimited),
        (500, {"error": "invalid_grant"}, errors.Unavailable),
    ],
)
def test_t5_only_what_says_so_is_an_invalid_grant(
    application: OAuthApplication, wire: responses.RequestsMock, status: int, body: object, error: type
) -> None:
    wire.post(TOKEN_URL, json=body, status=status)
    with pytest.raises(error) as caught:
        application.refresh("rt")
    assert type(caught.value) is error


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
@pytest.mark.parametrize("call", ["exchange", "refresh", "suspend"])
def test_r5_a_page_is_no_word_on_the_application_nor_on_a_token(
    application: OAuthApplication, wire: responses.RequestsMock, call: str, status: int
) -> None:
    for url in (TOKEN_URL, SUSPEND_URL):
        wire.post(url, body="<html><h1>Maintenance</h1></html>", content_type="text/html", status=status)
    with pytest.raises(errors.NotAnApiAnswer) as caught:
        CALLS[call](application)
    assert "Maintenance" not in str(caught.value)


@pytest.mark.parametrize(
    ("expires_in", "seconds"),
    [
        (3600, 3600),
        (59.9, 59),
        (1, 1),
        (MAX_LIFE_SECONDS, MAX_LIFE_SECONDS),
        ("600", LIFE_SECONDS),
        (0, LIFE_SECONDS),
        (0.5, LIFE_SECONDS),
        (-5, LIFE_SECONDS),
        (-(10**12), LIFE_SECONDS),
        (MAX_LIFE_SECONDS + 1, LIFE_SECONDS),
        (10 * 365 * 24 * 3600, LIFE_SECONDS),
        (10**400, LIFE_SECONDS),
        (True, LIFE_SECONDS),
        (None, LIFE_SECONDS),
        ("soon", LIFE_SECONDS),
        ([], LIFE_SECONDS),
        ({}, LIFE_SECONDS),
    ],
)
def test_t11_a_life_that_nobody_can_mean_is_not_believed_and_the_tokens_are_kept(
    application: OAuthApplication, wire: responses.RequestsMock, expires_in: object, seconds: int
) -> None:
    wire.post(TOKEN_URL, json={"access_token": "at", "refresh_token": "rt2", "expires_in": expires_in, "scope": "x"})
    assert application.refresh("rt") == TokenAnswer(access_token="at", refresh_token="rt2", expires_in=seconds)


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        "token",
        {"access_token": ""},
        {"access_token": None},
        {"access_token": 7},
        {"access_token": "at\r\nX-Evil: 1"},
        {"access_token": "at with spaces"},
        {"access_token": "tökén"},
    ],
)
def test_an_answer_without_a_usable_token_is_unexpected_and_not_shown(
    application: OAuthApplication, wire: responses.RequestsMock, body: object
) -> None:
    wire.post(TOKEN_URL, json=body)
    with pytest.raises(errors.UnexpectedAnswer) as caught:
        application.refresh("rt")
    assert "at" not in str(caught.value).split("answer")[-1]


def test_a_refresh_token_that_is_none_is_left_out(application: OAuthApplication, wire: responses.RequestsMock) -> None:
    for value in ("", None, 7, ["x"]):
        wire.post(TOKEN_URL, json={"access_token": "at", "refresh_token": value})
        assert application.refresh("rt").refresh_token is None


def test_tokens_travel_in_a_json_body_and_nowhere_else(application: OAuthApplication, wire: responses.RequestsMock) -> None:
    wire.post(TOKEN_URL, json={"access_token": "at"})
    application.exchange("the-code", redirect_uri=CALLBACK, source_id="w")
    sent = wire.calls[0].request
    assert json.loads(sent.body or b"") == {
        "client_id": "ci",
        "client_secret": SECRETS["client_secret"],
        "code": "the-code",
        "redirect_uri": CALLBACK,
        "source_id": "w",
        "grant_type": "authorization_code",
    }
    assert sent.headers["Content-Type"] == "application/json"
    assert "Authorization" not in sent.headers
    assert urlsplit(sent.url or "").query == ""


CALLS: dict[str, Callable[[OAuthApplication], object]] = {
    "exchange": lambda a: a.exchange(SECRETS["code"], redirect_uri=CALLBACK, source_id="w"),
    "refresh": lambda a: a.refresh(SECRETS["refresh"]),
    "suspend": lambda a: a.suspend(SECRETS["access"]),
}


@pytest.mark.parametrize("status", [200, 302, 400, 401, 403, 404, 409, 422, 429, 500, 503])
@pytest.mark.parametrize(
    "form", ["{words}", "<p>{words}</p>", '{{"message": "{words}"}}', '{{"error_description": "{words}"}}']
)
@pytest.mark.parametrize("call", CALLS)
def test_s6_a_secret_that_the_platform_repeats_is_in_no_error(
    application: OAuthApplication, wire: responses.RequestsMock, call: str, form: str, status: int
) -> None:
    body = form.format(words=f"You sent {', '.join(SECRETS.values())}.")
    wire.post(TOKEN_URL, body=body, status=status)
    wire.post(SUSPEND_URL, body=body, status=status)
    try:
        CALLS[call](application)
    except errors.PlatformError as error:
        shown = [str(error), repr(error), repr(vars(error)), *traceback.format_exception(error)]
    else:
        shown = []
    sent = {"exchange": "code", "refresh": "refresh", "suspend": "access"}[call]
    for secret in (SECRETS["client_secret"], SECRETS[sent]):
        assert not [text for text in shown if secret in text]


def test_s6_no_repr_shows_a_secret(application: OAuthApplication) -> None:
    tokens = TokenAnswer(access_token=SECRETS["access"], refresh_token=SECRETS["refresh"], expires_in=1)
    for text in (repr(tokens), str(tokens), repr(application), str(application), f"{tokens}"):
        assert not [secret for secret in SECRETS.values() if secret in text]
