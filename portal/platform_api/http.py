"""The only place that touches the network: one request out, one whole answer back, or Unavailable."""

import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import requests
from requests.auth import AuthBase
from urllib3.exceptions import ConnectTimeoutError, HTTPError, MaxRetryError

from portal.platform_api import errors

TIMEOUT: Final = (3.0, 10.0)
"""Seconds to connect, and between two bytes of the answer."""
UPLOAD_TIMEOUT: Final = (3.0, 60.0)
MAX_ANSWER_LENGTH: Final = 32 * 1024 * 1024
CHUNK_BYTES: Final = 64 * 1024
USER_AGENT: Final = "customer-trust-portal"


@dataclass(frozen=True)
class Answer:
    """An answer that has arrived in full."""

    status: int
    headers: Mapping[str, str]
    content: bytes = field(repr=False)


class Bearer(AuthBase):
    """An access token on its way into one request. Its repr is safe in a traceback that shows variables."""

    def __init__(self, token: str) -> None:
        self.token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self.token}"
        return request

    def __repr__(self) -> str:
        return "Bearer(...)"


def send(
    session: requests.Session,
    method: str,
    url: str,
    *,
    template: str,
    timeout: tuple[float, float] = TIMEOUT,
    **carried: Any,
) -> Answer:
    """Send one request and read its answer. Never follows a redirect; every failure of the network is Unavailable."""
    with opened(session, method, url, template=template, timeout=timeout, **carried) as response:
        content = b"".join(read(response, method, template, limit=MAX_ANSWER_LENGTH, seconds=timeout[1]))
        return Answer(response.status_code, response.headers, content)


@contextmanager
def opened(
    session: requests.Session, method: str, url: str, *, template: str, timeout: tuple[float, float], **carried: Any
) -> Iterator[requests.Response]:
    """Send one request; the body of the answer is still to be read.

    The session lends its connections, certificates and proxies. Its cookies, headers and passwords (also those of a netrc
    file) stay out: one session may carry the calls of many tenants.
    """
    prepared = prepare(method, url, template, **carried)
    try:
        settings: dict[str, Any] = {**session.merge_environment_settings(prepared.url or "", {}, True, None, None)}
        response = session.get_adapter(prepared.url or "").send(prepared, timeout=timeout, **settings)
    except (requests.RequestException, HTTPError, OSError) as error:
        # The chain is cut: the network's own words name the address, which may hold ids or be a pre-signed one.
        raise errors.Unavailable(method, template, message=type(error).__name__, sent=was_sent(error)) from None
    try:
        yield response
    finally:
        response.close()


def prepare(method: str, url: str, template: str, **carried: Any) -> requests.PreparedRequest:
    """Write down a request. Raises ValidationFailed for a body that cannot be written, such as NaN in JSON."""
    headers = {"User-Agent": USER_AGENT, "Accept-Encoding": "gzip", **carried.pop("headers", {})}
    try:
        return requests.Request(method, url, headers=headers, **carried).prepare()
    except (requests.RequestException, ValueError, TypeError) as error:
        message = f"the request cannot be written: {type(error).__name__}"
        raise errors.ValidationFailed(method, template, message=message) from None


def read(
    response: requests.Response, method: str, template: str, *, limit: int, seconds: float | None = None
) -> Iterator[bytes]:
    """Read a body as it arrives, at most `limit` bytes, and for at most `seconds`, however slowly it drips."""
    deadline = None if seconds is None else time.monotonic() + seconds
    total = 0
    try:
        while chunk := response.raw.read1(CHUNK_BYTES, decode_content=True):
            total += len(chunk)
            if total > limit:
                message = f"the answer is larger than {limit} bytes"
                raise errors.UnexpectedAnswer(method, template, status=response.status_code, message=message)
            yield chunk
            if deadline is not None and time.monotonic() > deadline:
                raise errors.Unavailable(method, template, message="the answer did not arrive in time")
    except (requests.RequestException, HTTPError, OSError) as error:
        message = f"the answer broke off: {type(error).__name__}"
        raise errors.Unavailable(method, template, message=message) from None


def was_sent(error: Exception) -> bool:
    """Say whether the platform may have got the request. It has not when no connection, or no trusted one, was made."""
    cause = error.args[0] if error.args else None
    reason = cause.reason if isinstance(cause, MaxRetryError) else cause
    inner = reason.args[0] if isinstance(reason, Exception) and reason.args else None
    return not isinstance(reason, ConnectTimeoutError) and not isinstance(inner, ssl.SSLCertVerificationError)
