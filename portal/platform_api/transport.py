"""The way of every call of the API: a token, the request, and once more with another token after a 401."""

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final, Protocol
from urllib.parse import quote, urlsplit

import requests

from portal.platform_api import errors
from portal.platform_api.answers import read_json
from portal.platform_api.sending import TIMEOUT, UPLOAD_TIMEOUT, Answer, Bearer, send

LONGEST_IDENTIFIER: Final = 200
IDENTIFIER: Final = re.compile(rf"[^/\\%?#]{{1,{LONGEST_IDENTIFIER}}}")
"""No id of the platform has what separates the parts of an address; encoded, a proxy on the way might decode it (S5)."""


class TokenSource(Protocol):
    """Where the client gets its bearer tokens from."""

    def current(self) -> str:
        """Return a token that should be good."""
        ...

    def renew(self, stale: str) -> str:
        """Return another token than the one that was just refused."""
        ...


@dataclass(frozen=True)
class Call:
    """One call as metrics and logs see it. `status` is None when no answer came."""

    area: str
    endpoint: str
    method: str
    path_template: str
    status: int | None
    seconds: float
    attempt: int
    bucket: str = ""


@dataclass(frozen=True)
class Upload:
    """The file part of a multipart body."""

    filename: str
    file: BinaryIO = field(repr=False)
    content_type: str = "application/octet-stream"


@dataclass(frozen=True, kw_only=True)
class Request:
    """One call to be made: where it goes, and what it carries."""

    area: str
    endpoint: str
    method: str
    template: str
    bucket: str
    is_idempotent: bool
    ids: tuple[str, ...] = field(default=(), repr=False)
    params: Mapping[str, Any] | None = field(default=None, repr=False)
    json: Any = field(default=None, repr=False)
    form: Mapping[str, str] | None = field(default=None, repr=False)
    upload: Upload | None = None

    def path(self) -> str:
        """Fill the ids in. Raises InvalidIdentifier."""
        return self.template.format(*(quote(check_identifier(identifier), safe="") for identifier in self.ids))

    def carried(self) -> dict[str, Any]:
        """What goes into the HTTP request besides the token."""
        carried: dict[str, Any] = {"params": self.params, "json": self.json, "data": self.form}
        carried["headers"] = {"Accept": "application/json"}
        if self.upload:
            # Read anew for every attempt: after a 401 the position is at the end, and an empty file would be sent.
            self.upload.file.seek(0)
            carried["files"] = {"file": (self.upload.filename, self.upload.file, self.upload.content_type)}
        return carried


class Transport:
    """Sends requests with a bearer token, which leaves for the API host only."""

    def __init__(
        self,
        base_url: str,
        *,
        tokens: TokenSource,
        session: requests.Session,
        observe: Callable[[Call], None] | None = None,
    ) -> None:
        self._base_url = check_base_url(base_url)
        self._tokens = tokens
        self._session = session
        self._observe = observe

    def call(self, request: Request) -> Any:
        """Make one call and return its decoded JSON, None when the answer has no body. Raises a PlatformError."""
        url = f"{self._base_url}/v1{request.path()}"
        bearer = self._bearer(self._tokens.current)
        try:
            answer = self._send(request, url, bearer, attempt=1)
            if answer.status == 401:
                # Only one access token lives at a time: a refresh elsewhere kills ours in flight. A 401 has run nothing.
                stale = bearer.token
                bearer = self._bearer(lambda: self._tokens.renew(stale))
                answer = self._send(request, url, bearer, attempt=2)
            return read_json(answer, request.method, request.template, secrets=[bearer.token])
        except errors.Unavailable as error:
            error.is_idempotent = request.is_idempotent
            raise

    def _bearer(self, ask: Callable[[], str]) -> Bearer:
        try:
            return Bearer(ask())
        except errors.Unavailable as error:
            # It is the token endpoint that failed: the request itself has not run, its outcome is not uncertain.
            error.sent = False
            raise

    def _send(self, request: Request, url: str, bearer: Bearer, *, attempt: int) -> Answer:
        started = time.monotonic()
        status = None
        timeout = UPLOAD_TIMEOUT if request.upload else TIMEOUT
        carried = request.carried()
        try:
            answer = send(
                self._session, request.method, url, template=request.template, timeout=timeout, auth=bearer, **carried
            )
            status = answer.status
            return answer
        finally:
            if self._observe:
                self._observe(
                    Call(
                        area=request.area,
                        endpoint=request.endpoint,
                        method=request.method,
                        path_template=request.template,
                        status=status,
                        seconds=time.monotonic() - started,
                        attempt=attempt,
                        bucket=request.bucket,
                    )
                )


def check_base_url(base_url: str) -> str:
    """Refuse a configured address that is none. Raises ValueError."""
    parts = urlsplit(base_url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment or "@" in parts.netloc:
        raise ValueError("the address of the API must be an http(s) address without query or credentials")
    return base_url.rstrip("/")


def check_identifier(identifier: str) -> str:
    """Refuse an id that would change the meaning of a path. Raises InvalidIdentifier."""
    if not IDENTIFIER.fullmatch(identifier) or identifier in {".", ".."} or not identifier.isprintable():
        raise errors.InvalidIdentifier("this cannot be an id of the platform")
    return identifier
