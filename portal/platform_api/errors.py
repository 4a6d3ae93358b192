"""What can go wrong in a call, and who is behind it.

The text of an error holds the method, the path template, the status and the platform's words, never an id, a token, a body
or an address of a person. The platform's words as they came are in `message`.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from portal.platform_api.buckets import MANAGEMENT

EMAIL: Final = re.compile(r"[^\s<>\"'(),;:]+@[^\s<>\"'(),;]+")
WAIT_WITHOUT_HINT: Final = 60.0
"""The buckets are of a minute (specification 8), and no header of a 429 is documented (platform-api U2)."""


class Party(StrEnum):
    """Who refused, so that nobody else is blamed for it (guarantee R5)."""

    PLATFORM = "platform"
    UNREADABLE = "unreadable"
    """The platform answered, and what it said cannot be read."""
    UNREACHABLE = "unreachable"
    """The platform did not answer, or answered with a failure of its own."""
    PLATFORM_LIMIT = "platform_limit"
    CALL_LIMIT = "call_limit"
    """The portal's own count of calls, which keeps below the platform's limit."""
    TOKEN_RULE = "token_rule"  # noqa: S105 - a rule about tokens
    """The portal's own rule on how often a token is fetched."""
    CONNECTION = "connection"
    """There is no grant that works."""
    STORAGE = "storage"
    """The storage that keeps the platform's files. It knows no grant, only whether an address is good."""
    AREA = "area"
    """The grant does not cover this area of the platform."""
    PORTAL = "portal"
    """The portal itself: its configuration, or what it will not send."""
    ROLE = "role"
    """The person's role in the tenant."""
    OPEN = "open"
    """Nobody refused; the outcome is not known yet."""


class PlatformError(Exception):
    """A call that did not work out."""

    party: Party = Party.PLATFORM

    def __init__(
        self,
        method: str,
        path_template: str,
        *,
        status: int | None = None,
        message: str = "",
        request_id: str = "",
    ) -> None:
        words = EMAIL.sub("<email>", message)
        super().__init__(" ".join(filter(None, [method, path_template, str(status or ""), words])))
        self.method = method
        self.path_template = path_template
        self.status = status
        self.message = message
        self.request_id = request_id

    @property
    def reason(self) -> str:
        """The platform's own words on why it refused, or that it had none."""
        return self.message or f"It gave no reason ({self.status})."


class AuthenticationFailed(PlatformError):
    """401: the token is expired, revoked or superseded, and a new one was refused as well."""


class RefreshTooSoon(AuthenticationFailed):
    """401 for a token that was just issued: the portal does not ask for the next one yet. `retry_after` is in seconds."""

    party = Party.TOKEN_RULE

    def __init__(self, *args: Any, retry_after: float, **options: Any) -> None:
        super().__init__(*args, **options)
        self.retry_after = retry_after


class PermissionRefused(PlatformError):
    """403: the grant does not cover this area."""

    party = Party.AREA


class NotFound(PlatformError):
    """404: there is no such object (any more)."""


class Conflict(PlatformError):
    """409: for example a contract whose externalId exists."""


class ValidationFailed(PlatformError):
    """400 or 422: the platform does not accept the input. `fields` maps a dotted path to its message.

    Without a status the input was refused here: it cannot be written as a body.
    """

    def __init__(self, *args: Any, fields: Mapping[str, str] | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields = dict(fields or {})
        if self.status is None:
            self.party = Party.PORTAL

    @property
    def reason(self) -> str:
        return "; ".join(dict.fromkeys(self.fields.values())) or super().reason


class TemporaryError(PlatformError):
    """The same call may work later; `retry_after` says in how many seconds, if the platform does."""

    party = Party.UNREACHABLE

    def __init__(self, *args: Any, retry_after: float | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.retry_after = retry_after


class RateLimited(TemporaryError):
    """429: a bucket is empty. Nothing was executed; `retry_after` is always known."""

    party = Party.PLATFORM_LIMIT
    retry_after: float

    def __init__(self, *args: Any, retry_after: float | None = None, **options: Any) -> None:
        super().__init__(*args, retry_after=WAIT_WITHOUT_HINT if retry_after is None else retry_after, **options)


class CallLimitReached(RateLimited):
    """The portal's own count of calls is used up: nothing was sent, and the platform was not asked."""

    party = Party.CALL_LIMIT

    def __init__(self, *args: Any, bucket: str = MANAGEMENT, **options: Any) -> None:
        super().__init__(*args, **options)
        self.bucket = bucket


class Unavailable(TemporaryError):
    """No usable answer: network, time-out or 5xx.

    `sent`: the platform may have done what was asked, so the outcome is uncertain until somebody looks.
    `is_idempotent`: doing it once more changes nothing, by the definition of the endpoint.
    """

    def __init__(self, *args: Any, sent: bool = True, is_idempotent: bool = False, **options: Any) -> None:
        super().__init__(*args, **options)
        self.sent = sent
        self.is_idempotent = is_idempotent


class NotAnApiAnswer(Unavailable):
    """The call has not run, and whoever refused it cannot be read: a web page with a 4xx, a 404 in other words than the API's.

    It comes from something in front of the API, so its status says nothing about the object that was asked for (guarantee Q15).
    """

    party = Party.UNREADABLE

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.sent = False


class UnexpectedAnswer(PlatformError):
    """An answer that says success and cannot be read: HTML, broken JSON, a shape that lacks what it must have.

    After a write: it was executed.
    """

    party = Party.UNREADABLE


class UnusableFile(UnexpectedAnswer):
    """What stands at a pre-signed address is too large, or the address is none that a file is fetched from."""


class Unreadable(UnexpectedAnswer):
    """One object that lacks what nobody can do without. The answer around it is sound, and other objects are."""

    def __init__(self, method: str, path_template: str, *, model: str, problem: str) -> None:
        super().__init__(method, path_template, message=f"{model} cannot be read: {problem}")
        self.problem = problem


class EndlessList(UnexpectedAnswer):
    """A list that leads round in a circle, or goes on without anything new: what was read of it is not the whole."""

    def __init__(self, message: str) -> None:
        super().__init__("GET", "", message=message)


class StorageUnavailable(Unavailable):
    """No usable answer of the storage that keeps the platform's files: network, time-out, 429 or 5xx."""


class StorageRefused(PlatformError):
    """The storage gives no file for a pre-signed address: that says nothing about the grant, nor about the object."""

    party = Party.STORAGE


class LinkExpired(StorageRefused):
    """What storages answer to an address that is not good any more. The platform may give a fresh one."""


class RedirectRefused(PlatformError):
    """3xx: the address is not the API host. A configuration error; nothing was sent on."""

    party = Party.PORTAL


class InvalidIdentifier(PlatformError, ValueError):
    """An id that cannot be part of a path. Refused before any call: it says nothing about the object (guarantee S5)."""

    def __init__(self, message: str) -> None:
        super().__init__("", "", message=message)

    party: Party = Party.PORTAL


class OutcomeUnknown(Exception):
    """A write was sent, and it could not be read back what came of it. The mirror will show the truth.

    `is_accepted`: the platform said yes. Why it could not be read back is the cause (`__cause__`).
    """

    party: Party = Party.OPEN

    def __init__(self, *, is_accepted: bool = False) -> None:
        super().__init__("the platform accepted it" if is_accepted else "the platform gave no usable answer")
        self.is_accepted = is_accepted


class OAuthError(PlatformError):
    """The token endpoint refused (RFC 6749 section 5.2)."""


class InvalidGrant(OAuthError):
    """The code or the refresh token is expired, used or revoked."""


class InvalidClient(OAuthError):
    """The application's id or secret is wrong: every connection of the application is affected."""


class InvalidScope(OAuthError):
    """A scope is not allowed for the type of the application."""


class InvalidRequest(OAuthError):
    """The request was malformed."""


class TokenNotOurs(OAuthError):
    """401 of the suspend call: the token does not belong to this application."""
