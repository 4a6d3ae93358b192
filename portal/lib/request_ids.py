"""One name for all that one request sets off: its tasks, their calls to the platform, their lines in the log."""

import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse

HEADER = "X-Request-ID"
TASK_HEADER = "request_id"
"""How a message of the broker carries it, beside the task's arguments."""
WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")

_request_id: ContextVar[str] = ContextVar("request_id", default="")


def current_request_id() -> str:
    """Return the id of the request that the running code works for; empty where there is none."""
    return _request_id.get()


def begin(request_id: object = None) -> None:
    """Work for a request from here on: the one named, if that is a name, or a new one."""
    is_named = isinstance(request_id, str) and WELL_FORMED.fullmatch(request_id)
    _request_id.set(str(request_id) if is_named else uuid.uuid4().hex)


def end() -> None:
    """Work for nobody from here on."""
    _request_id.set("")


@contextmanager
def working_for(request_id: object) -> Iterator[None]:
    """Run a block for a request, as `begin` does; afterwards all is as it was before."""
    before = _request_id.get()
    begin(request_id)
    try:
        yield
    finally:
        _request_id.set(before)


def name_requests(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: give each request its id, and say it with the answer.

    What the proxy has named keeps its name. Whoever asks without one could make his lines look like another's.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        with working_for(_named_by_proxy(request)):
            response = get_response(request)
            response.headers[HEADER] = current_request_id()
            return response

    return answer


def _named_by_proxy(request: HttpRequest) -> str | None:
    """Return what the request calls itself, where it came through all the proxies that we trust."""
    hops = str(request.META.get("HTTP_X_FORWARDED_FOR", "")).count(",") + ("HTTP_X_FORWARDED_FOR" in request.META)
    return request.headers.get(HEADER) if 0 < settings.TRUSTED_PROXIES <= hops else None
