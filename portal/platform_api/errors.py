"""What can go wrong in a call.

The text of an error holds the method, the path template, the status and the platform's words, never an id, a token, a body
or an address of a person. The platform's words as they came are in `message`.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

EMAIL: Final = re.compile(r"[^\s<>\"'(),;:]+@[^\s<>\"'(),;]+")
WAIT_WITHOUT_HINT: Final = 60.0
"""The buckets are of a minute (specification 8), and no header of a 429 is documented (platform-api U2)."""


class PlatformError(Exception):
    """A call that did not work out."""

    def __init__(
        self,
        method: str,
        path_template: str,
        *,
        status: int | None = None,
        message: str = "",
        request_id: str = "",
    ) -> None:
        words = EMAIL.sub("<e-mail>", message)
        super().__init__(" ".join(filter(None, [method, path_template, str(status or ""), words])))
        self.method = method
        self.path_template = path_template
        self.status = status
        self.message = message
        self.request_id = request_id

    @property
    def reason(self) -> str:
        """The platform's own words on why it refused, or that it had none."""
        return self.message or f"The platform answered {self.status} and gave no reason."


class AuthenticationFailed(PlatformError):
    """401: the token is expired, revoked or superseded, and a new one was refused as well."""


class PermissionRefused(PlatformError):
    """403: the grant does not cover this area."""


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

    @property
    def reason(self) -> str:
        return "; ".join(dict.fromkeys(self.fields.values())) or super().reason


class TemporaryError(PlatformError):
    """The same call may work later; `retry_after` says in how many seconds, if the platform does."""

    def __init__(self, *args: Any, retry_after: float | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.retry_after = retry_after


class RateLimited(TemporaryError):
    """429: a bucket is empty. Nothing was executed; `retry_after` is always known."""

    retry_after: float

    def __init__(self, *args: Any, retry_after: float | None = None, **options: Any) -> None:
        super().__init__(*args, retry_after=WAIT_WITHOUT_HINT if retry_after is None else retry_after, **options)


class Unavailable(TemporaryError):
    """No usable answer: network, time-out or 5xx.

    `sent`: the platform may have done what was asked, so the outcome is uncertain until somebody looks.
    `is_idempotent`: doing it once more changes nothing, by the definition of the endpoint.
    """

    def __init__(self, *args: Any, sent: bool = True, is_idempotent: bool = False, **options: Any) -> None:
        super().__init__(*args, **options)
        self.sent = sent
        self.is_idempotent = is_idempotent


class UnexpectedAnswer(PlatformError):
    """An answer that says success and cannot be read: HTML, broken JSON, a shape that lacks what it must have.

    After a write: it was executed.
    """


class RedirectRefused(PlatformError):
    """3xx: the address is not the API host. A configuration error; nothing was sent on."""


class InvalidIdentifier(ValueError):
    """An id that cannot be part of a path. Refused before any call."""


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
