"""The token endpoint and the consent address (specification section 5, RFC 6749)."""

import re
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote, urlencode

import requests

from portal.platform_api import errors
from portal.platform_api.answers import check, is_web_page, read_json, read_message, try_decode
from portal.platform_api.http import Answer, send
from portal.platform_api.transport import check_base_url

TOKEN: Final = "/oauth/token"  # noqa: S105 - a path
SUSPEND: Final = "/v1/oauth/token/suspend"
LIFE_SECONDS: Final = 3600
"""Specification 2.4. Taken when an answer says nothing that can be believed: its tokens are good, and dropping them would cost
the grant."""
MAX_LIFE_SECONDS: Final = 24 * 3600
"""A life beyond this is not believed (guarantee T11): the token would be used for years after its end."""
ACCESS_TOKEN: Final = re.compile(r"[\x21-\x7e]{1,8000}", re.ASCII)
"""What can stand in a header (RFC 6750 section 2.1): anything else would fail later, in words that show the token."""

REFUSALS: Final[dict[str, type[errors.OAuthError]]] = {
    "invalid_grant": errors.InvalidGrant,
    "invalid_client": errors.InvalidClient,
    "invalid_scope": errors.InvalidScope,
    "invalid_request": errors.InvalidRequest,
}


@dataclass(frozen=True)
class TokenAnswer:
    """What the token endpoint issued. `expires_in` is in seconds. The tokens do not show in a repr."""

    access_token: str = field(repr=False)
    refresh_token: str | None = field(repr=False)
    expires_in: int


class OAuthApplication:
    """One registered application at one API host."""

    def __init__(self, base_url: str, *, client_id: str, client_secret: str, session: requests.Session) -> None:
        self._base_url = check_base_url(base_url)
        self._client_id = client_id
        self._client_secret = client_secret
        self._session = session

    def authorize_url(self, app_url: str, *, scope: str, state: str, redirect_uri: str, source_id: str) -> str:
        """Return where to send the browser for consent, on the app host of the tenant's region."""
        query = {
            "client_id": self._client_id,
            "scope": scope,
            "state": state,
            "redirect_uri": redirect_uri,
            "source_id": source_id,
            "response_type": "code",
        }
        return f"{app_url.rstrip('/')}/oauth/authorize?{urlencode(query, quote_via=quote)}"

    def exchange(self, code: str, *, redirect_uri: str, source_id: str) -> TokenAnswer:
        """Exchange a code, which lives 30 seconds and works once. Raises InvalidGrant."""
        return self._issue("authorization_code", code=code, redirect_uri=redirect_uri, source_id=source_id)

    def refresh(self, refresh_token: str) -> TokenAnswer:
        """Get the next pair of tokens; the access token before it dies at once. Raises InvalidGrant."""
        return self._issue("refresh_token", refresh_token=refresh_token)

    def issue(self, scope: str) -> TokenAnswer:
        """Get a token for the application itself; it has no refresh token. Raises InvalidScope."""
        return self._issue("client_credentials", scope=scope)

    def suspend(self, token: str) -> None:
        """Revoke an access or refresh token; one that is revoked already is fine. Raises TokenNotOurs."""
        answer = self._post(SUSPEND, {"token": token})
        if is_refusal(answer):
            # Not "the token is not ours" for an unknown client: nobody asked about the token, because we were not let in.
            is_about_token = answer.status == 401 and error_code(answer) != "invalid_client"
            raise self._refusal(answer, SUSPEND, token, kind=errors.TokenNotOurs if is_about_token else None)
        # The status counts: what a body may say here is not described (specification 4.5). But a page is no answer of the
        # platform, and nobody could look whether the token is revoked.
        check(answer, "POST", SUSPEND, secrets=[self._client_secret, token])
        if answer.headers.get("content-type", "").lower().startswith("text/html"):
            raise errors.UnexpectedAnswer("POST", SUSPEND, status=answer.status, message="a page instead of an answer")

    def _issue(self, grant_type: str, **fields: str) -> TokenAnswer:
        answer = self._post(TOKEN, {**fields, "grant_type": grant_type})
        if is_refusal(answer):
            raise self._refusal(answer, TOKEN, *fields.values())
        return read_tokens(read_json(answer, "POST", TOKEN, secrets=[self._client_secret, *fields.values()]))

    def _refusal(
        self, answer: Answer, path: str, *sent: str, kind: type[errors.OAuthError] | None = None
    ) -> errors.PlatformError:
        """Say what a 4xx of this endpoint means. It never speaks of an object or an area, whatever its status is elsewhere."""
        if is_web_page(answer):
            return errors.NotAnApiAnswer("POST", path, status=answer.status, message="a page instead of an answer")
        words = read_message(answer.content, secrets=[self._client_secret, *sent])
        return (kind or kind_of(answer))("POST", path, status=answer.status, message=words)

    def _post(self, path: str, fields: dict[str, str]) -> Answer:
        body = {"client_id": self._client_id, "client_secret": self._client_secret, **fields}
        headers = {"Accept": "application/json"}
        return send(self._session, "POST", self._base_url + path, template=path, headers=headers, json=body)


def is_refusal(answer: Answer) -> bool:
    return 400 <= answer.status < 500 and answer.status != 429


def kind_of(answer: Answer) -> type[errors.OAuthError]:
    # Without a code that we know: a 401 can only be about the application, a 400 about the request.
    unnamed = {401: errors.InvalidClient, 400: errors.InvalidRequest}.get(answer.status, errors.OAuthError)
    return REFUSALS.get(error_code(answer), unnamed) if answer.status in {400, 401} else unnamed


def error_code(answer: Answer) -> str:
    decoded = try_decode(answer.content)
    code = decoded.get("error") if isinstance(decoded, dict) else None
    return code if isinstance(code, str) else ""


def read_tokens(decoded: Any) -> TokenAnswer:
    """Read the token answer (specification 2.4). Raises UnexpectedAnswer."""
    match decoded:
        case {"access_token": str(access_token)} if ACCESS_TOKEN.fullmatch(access_token):
            refresh_token = decoded.get("refresh_token")
            return TokenAnswer(
                access_token=access_token,
                refresh_token=refresh_token if isinstance(refresh_token, str) and refresh_token else None,
                expires_in=read_life(decoded.get("expires_in")),
            )
    raise errors.UnexpectedAnswer("POST", TOKEN, status=200, message="this is not a token answer")


def read_life(expires_in: Any) -> int:
    """Read for how many seconds a token lives; what nobody can mean is not believed (guarantee T11)."""
    is_number = isinstance(expires_in, int | float) and not isinstance(expires_in, bool)
    is_believed = is_number and 1 <= expires_in <= MAX_LIFE_SECONDS
    return int(expires_in) if is_believed else LIFE_SECONDS
