"""What an OpenID Connect provider's server says when it has ended a session (OpenID Connect Back-Channel Logout 1.0, 2.4)."""

import time
from typing import Any

import jwt
import requests
from allauth.socialaccount.internal.jwtkit import lookup_kid_jwk, verify_and_decode, verify_jti
from allauth.socialaccount.providers.oauth2.client import OAuth2Error

from portal.single_sign_on.company_sessions import Ended
from portal.single_sign_on.discovery import discover
from portal.single_sign_on.models import IdentityProvider

EVENT = "http://schemas.openid.net/event/backchannel-logout"
MAX_TOKEN, MAX_AGE = 20_000, 600
"""Characters, and seconds."""


class InvalidToken(Exception):
    """What was posted is no logout token of this provider for us."""


def read_logout_token(provider: IdentityProvider, token: str) -> Ended:
    """Return which sessions a provider has ended. Raises InvalidToken, NotAProvider, requests.RequestException.

    An ID token is none, although the same key signs it: only a logout token names the event, and it has no nonce. A token
    is taken once (2.6): allauth remembers its `jti` in the shared cache for as long as it is good.
    """
    _check_form(token)
    found = discover(provider.issuer)
    try:
        claims: dict[str, Any] = verify_and_decode(
            credential=token,
            keys_url=found["jwks_uri"],
            issuer=provider.issuer,
            audience=provider.client_id,
            lookup_kid=lookup_kid_jwk,
        )
    except requests.RequestException:
        raise
    except (OAuth2Error, jwt.PyJWTError, AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise InvalidToken(type(error).__name__) from error
    events, made_at = claims.get("events"), claims.get("iat")
    if not isinstance(events, dict) or not isinstance(events.get(EVENT), dict) or "nonce" in claims:
        raise InvalidToken("it is no logout token")
    if not isinstance(made_at, int | float) or abs(time.time() - made_at) > MAX_AGE or not claims.get("jti"):
        raise InvalidToken("it may have been used before")
    if "exp" not in claims:
        _take_once(claims, until=made_at + MAX_AGE)
    subject, index = claims.get("sub", ""), claims.get("sid", "")
    if not isinstance(subject, str) or not isinstance(index, str) or not (subject or index):
        raise InvalidToken("it names nobody")
    return Ended(subject, frozenset({index} if index else ()))


def _take_once(claims: dict[str, Any], *, until: float) -> None:
    """Remember a token that names no end, as drafts of the standard had it: allauth remembers only those that do."""
    try:
        verify_jti({**claims, "exp": until})
    except OAuth2Error as error:
        raise InvalidToken(str(error)) from error


def _check_form(token: str) -> None:
    """Refuse what need not be asked about: no token of ours is signed with a shared secret, or not at all."""
    try:
        header = jwt.get_unverified_header(token[:MAX_TOKEN])
    except jwt.PyJWTError as error:
        raise InvalidToken(type(error).__name__) from error
    if not str(header.get("alg")).startswith(("RS", "PS", "ES", "Ed")):
        raise InvalidToken("it is signed in a way that shows nothing")
