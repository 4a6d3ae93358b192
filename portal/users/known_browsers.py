"""Browsers in which somebody has signed in before: guesses from everywhere do not shut people out of their own (guarantee S14).

Thirty clients that guess at one account use up what it may fail in five minutes. A browser that has been let in once carries a
signed cookie that says so, and is counted by itself. It opens nothing: the password is asked for as ever.
"""

import secrets
from dataclasses import dataclass

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

COOKIE = f"{'__Host-' if settings.SESSION_COOKIE_SECURE else ''}known_browser"
SALT = "portal.users.known_browsers"
MAX_AGE_SECONDS = 180 * 24 * 3600
MAX_ACCOUNTS = 5
"""People share a browser now and then; the one who signed in last is remembered longest."""


@dataclass(frozen=True)
class KnownBrowser:
    """What the cookie says: a name of the browser, by which its failures are counted, and whom it knows."""

    token: str
    accounts: tuple[str, ...] = ()

    def knows(self, email: str) -> bool:
        return _account(email) in self.accounts


def read_browser(request: HttpRequest) -> KnownBrowser | None:
    """Return what a browser's cookie says; None without one, or with one that was made up or is too old."""
    try:
        said = request.COOKIES[COOKIE]
        token, *accounts = signing.loads(said, salt=SALT, max_age=MAX_AGE_SECONDS)
    except (KeyError, ValueError, TypeError, signing.BadSignature):
        return None
    return KnownBrowser(token, tuple(accounts))


def remember_browser(request: HttpRequest, response: HttpResponse, email: str) -> None:
    """Have the browser remember that this account was signed in to."""
    before = read_browser(request) or KnownBrowser(secrets.token_urlsafe(16))
    accounts = list(dict.fromkeys([_account(email), *before.accounts]))[:MAX_ACCOUNTS]
    response.set_cookie(
        COOKIE,
        signing.dumps([before.token, *accounts], salt=SALT),
        max_age=MAX_AGE_SECONDS,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )


def _account(email: str) -> str:
    """Name an account so that the cookie tells nobody its address."""
    return salted_hmac(SALT, email.lower(), algorithm="sha256").hexdigest()[:32]
