"""How long work waits after each kind of failure. A wait is a date in a row; nobody sleeps."""

import random
from dataclasses import dataclass
from datetime import timedelta

from portal.connections.error_messages import error_message
from portal.connections.errors import NotConnected, NoTrustCenter, TokenWait
from portal.lib.sealed import Locked
from portal.lib.text_extraction import TooManyReadings
from portal.platform_api.buckets import INTEGRATION
from portal.platform_api.errors import (
    AuthenticationFailed,
    CallLimitReached,
    EndlessList,
    OAuthError,
    PermissionRefused,
    PlatformError,
    RateLimited,
    RedirectRefused,
    RefreshTooSoon,
    TemporaryError,
    Unreadable,
)

MINUTE, HOUR = 60.0, 3600.0
MIN_WAIT_SECONDS, MAX_WAIT_SECONDS = 5.0, 6 * HOUR
"""The token's arrival wakes what waits with these words."""
UNTIL_A_PERSON_ACTS = HOUR
"""A connect wakes all that waits for it; this only bounds the harm of a wake-up that was lost."""


@dataclass(frozen=True)
class Wait:
    """What a failure means for the work: until when, in which words, and whether a person has to do something first."""

    delay: timedelta
    description: str
    is_blocked: bool = False
    is_of_tenant: bool = False
    """Nothing else of this tenant would fare better now."""
    is_of_kind: bool = False
    """Nothing else of this kind would: what it needs is used up, such as the bucket of its calls. Other kinds need it not."""
    is_expected: bool = True
    """Part of life with a platform; the other failures are bugs and belong into the log."""


def wait_after(error: Exception, *, attempts: int) -> Wait:
    """Say how to go on after a failure. A bug of ours counts like an unreadable answer: the old row stays, we try again."""
    words = error_message(error)[:300]
    match error:
        case NotConnected():
            return _blocked(words, is_of_tenant=True)
        case NoTrustCenter():
            return _blocked(words)
        case PermissionRefused():
            return _blocked(words, seconds=MAX_WAIT_SECONDS)
        case RefreshTooSoon():
            return Wait(_delay(error.retry_after), words, is_of_tenant=True)
        case AuthenticationFailed() | RedirectRefused() | OAuthError():
            return Wait(_delay(10 * MINUTE), words, is_of_tenant=True)
        case CallLimitReached() if error.bucket == INTEGRATION:
            return Wait(_delay(error.retry_after), words, is_of_kind=True)
        case TokenWait() | RateLimited():
            return Wait(_delay(error.retry_after or MINUTE), words, is_of_tenant=True)
        case TemporaryError():
            return Wait(_delay(error.retry_after or backoff(attempts)), words)
        case PlatformError() | Locked() | TooManyReadings():
            return _unread(error, words, attempts)
        case _:
            words = f"It could not be stored ({type(error).__name__})."
            return Wait(_delay(backoff(attempts)), words, is_expected=False)


def _unread(error: Exception, words: str, attempts: int) -> Wait:
    if isinstance(error, TooManyReadings):
        return Wait(_delay(MINUTE), "Other documents are being read first.", is_of_kind=True)
    if isinstance(error, EndlessList):
        return Wait(_delay(HOUR), f"The platform's list does not end: {error.message}.")
    if isinstance(error, Unreadable):
        words = f"It could not be read: {error.problem}."[:300]
    return Wait(_delay(backoff(attempts)), words)


def backoff(attempts: int) -> float:
    """Wait 5 s, 10 s, 20 s ... up to six hours."""
    return min(MIN_WAIT_SECONDS * 2.0 ** min(max(attempts - 1, 0), 20), MAX_WAIT_SECONDS)


def _blocked(words: str, *, seconds: float = UNTIL_A_PERSON_ACTS, is_of_tenant: bool = False) -> Wait:
    return Wait(_delay(seconds), words, is_blocked=True, is_of_tenant=is_of_tenant)


def _delay(seconds: float) -> timedelta:
    """Add jitter, so that what failed together does not come back together; never earlier than was asked for."""
    return timedelta(seconds=seconds * random.uniform(1.0, 1.2))  # noqa: S311 - jitter, not a secret
