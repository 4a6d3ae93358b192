"""The way of every call of the API: a token, the request, and once more with another token after a 401."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any, Protocol
from urllib.parse import urlsplit

import requests

from portal.platform_api import errors
from portal.platform_api.answers import check, read_json, written_at
from portal.platform_api.buckets import Gate
from portal.platform_api.downloads import MAX_DOWNLOAD_BYTES, MAX_REFUSAL_BYTES
from portal.platform_api.http import MAX_ANSWER_LENGTH, Answer, Bearer, opened, read
from portal.platform_api.request import Download, Request
from portal.platform_api.retries import NEVER, Retries


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
    dated_at: datetime | None = None
    """When the answer was written, by the platform's clock; None when it does not say, or comes out of a cache."""


class Transport:
    """Sends requests with a bearer token, which leaves for the API host only."""

    def __init__(
        self,
        base_url: str,
        *,
        tokens: TokenSource,
        session: requests.Session,
        gate: Gate | None = None,
        retries: Retries = NEVER,
        observe: Callable[[Call], None] | None = None,
        moved: Mapping[str, str] | None = None,
        timeout: tuple[float, float] | None = None,
        is_integration: bool = False,
    ) -> None:
        """`moved` names paths that are served elsewhere than they are declared; `timeout` stands in for each call's own."""
        self._base_url = check_base_url(base_url)
        self._tokens = tokens
        self._session = session
        self._gate = gate
        self._retries = retries
        self._observe = observe
        self._moved = moved or {}
        self._timeout = timeout
        self._is_integration = is_integration

    def call(self, request: Request) -> Any:
        """Make one call and return its decoded JSON, None when the answer has no body. Raises a PlatformError.

        Try again as often as the client was told to, and only where once more cannot mean twice.
        """
        attempts = count(1)
        for attempt in count(1):
            try:
                return self._once(request, attempts)
            except errors.TemporaryError as error:
                if isinstance(error, errors.Unavailable):
                    error.is_idempotent = request.is_idempotent
                wait = self._retries.wait(error, attempt=attempt)
                if wait is None:
                    raise
            self._retries.sleep(wait)
        raise AssertionError  # counting has no end

    @contextmanager
    def stream(self, request: Request, *, limit: int = MAX_DOWNLOAD_BYTES) -> Iterator[Download]:
        """Open a file of the API; it is read while the caller reads. Raises a PlatformError, also in the middle."""
        attempts, bearer = count(1), self._bearer(self._tokens.current)
        with ExitStack() as stack:
            response = stack.enter_context(self._opened(request, bearer, attempt=next(attempts)))
            if response.status_code == 401:
                stack.close()
                bearer = self._renewed(bearer)
                response = stack.enter_context(self._opened(request, bearer, attempt=next(attempts)))
            if not 200 <= response.status_code < 300:
                refusal = b"".join(read(response, request.method, request.template, limit=MAX_REFUSAL_BYTES))
                answer = Answer(response.status_code, response.headers, refusal)
                check(answer, request.method, request.template, secrets=[bearer.token])
            content_type = response.headers.get("Content-Type", "")
            yield Download(content_type, read(response, request.method, request.template, limit=limit))

    def _once(self, request: Request, attempts: Iterator[int]) -> Any:
        bearer = self._bearer(self._tokens.current)
        answer = self._answer(request, bearer, attempt=next(attempts))
        if answer.status == 401:
            # Only one access token lives at a time: a refresh elsewhere kills ours in flight. A 401 has run nothing.
            bearer = self._renewed(bearer)
            answer = self._answer(request, bearer, attempt=next(attempts))
        return read_json(answer, request.method, request.template, secrets=[bearer.token])

    def _bearer(self, ask: Callable[[], str]) -> Bearer:
        try:
            return Bearer(ask())
        except errors.Unavailable as error:
            # It is the token endpoint that failed: the request itself has not run, its outcome is not uncertain.
            error.sent = False
            raise
        except errors.UnexpectedAnswer as error:
            # The same: for the caller "it was executed" would be about the request.
            facts = {"status": error.status, "message": error.message}
            raise errors.NotAnApiAnswer(error.method, error.path_template, **facts) from None

    def _renewed(self, stale: Bearer) -> Bearer:
        return self._bearer(lambda: self._tokens.renew(stale.token))

    def _answer(self, request: Request, bearer: Bearer, *, attempt: int) -> Answer:
        with self._opened(request, bearer, attempt=attempt) as response:
            limit, (_, seconds) = MAX_ANSWER_LENGTH, self._timeout or request.timeout
            content = b"".join(read(response, request.method, request.template, limit=limit, seconds=seconds))
            return Answer(response.status_code, response.headers, content)

    @contextmanager
    def _opened(self, request: Request, bearer: Bearer, *, attempt: int) -> Iterator[requests.Response]:
        """Send a request; whoever observes is told how it went when the answer has been read."""
        bucket = request.integration_bucket if self._is_integration else request.bucket
        if self._gate:
            self._gate(bucket)
        started, status, dated_at = time.monotonic(), None, None
        path = request.path(self._moved.get(request.template, request.template))
        url, carried = f"{self._base_url}/v1{path}", request.carried()
        try:
            with opened(
                self._session,
                request.method,
                url,
                template=request.template,
                timeout=self._timeout or request.timeout,
                auth=bearer,
                **carried,
            ) as response:
                status, dated_at = response.status_code, written_at(response.headers)
                yield response
        except errors.PlatformError:
            # An answer that broke off is no answer.
            status = None
            raise
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
                        bucket=bucket,
                        dated_at=dated_at,
                    )
                )


def check_base_url(base_url: str) -> str:
    """Refuse a configured address that is none. Raises ValueError."""
    parts = urlsplit(base_url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment or "@" in parts.netloc:
        raise ValueError("the address of the API must be an http(s) address without query or credentials")
    return base_url.rstrip("/")
