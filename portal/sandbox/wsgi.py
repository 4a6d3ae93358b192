"""What happens around every request: regional hosts, faults, and the note in the request log."""

import socket
from collections.abc import Iterable
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import unquote

from werkzeug.http import http_date
from werkzeug.wrappers import Response

from portal.sandbox.faults import DROP_ANSWER, HTML, OUT_OF_REACH, REDIRECT, REFUSE, STATUS_AFTER_WORK, Fault
from portal.sandbox.regions import api_home, locate, path_as_sent
from portal.sandbox.sandbox import Sandbox

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

CALLER = "sandbox.caller"
"""Where in the environment of a request the API leaves whom it recognised. A dict: the inside gets a copy of the rest."""


class Edge:
    """The outermost WSGI application."""

    def __init__(self, app: "WSGIApplication", sandbox: Sandbox) -> None:
        self._app = app
        self._sandbox = sandbox

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        locate(environ)
        if environ["PATH_INFO"].startswith(OUT_OF_REACH):
            return self._app(environ, start_response)
        environ[CALLER] = {}
        answer = self._answer(environ)
        answer.headers["Date"] = http_date(self._sandbox.clock.seconds())
        return answer(environ, start_response)

    def _answer(self, environ: "WSGIEnvironment") -> Response:
        """Answer, or break the connection, and note it first: whoever has the answer finds its request in the log."""
        if home := api_home(environ):
            # A regional API host answers with nothing but the way to the one host (specification 5).
            return self._noted(environ, moved(home))
        fault = self._sandbox.faults.hit(environ["REQUEST_METHOD"], environ["PATH_INFO"])
        if fault is None:
            return self._noted(environ, Response.from_app(self._app, environ, buffered=True))
        if fault.kind == REFUSE:
            self._note(environ, status=None)
            raise broken(environ)
        if fault.kind == DROP_ANSWER:
            self._noted(environ, Response.from_app(self._app, environ, buffered=True))
            raise broken(environ)
        if fault.kind == STATUS_AFTER_WORK:
            Response.from_app(self._app, environ, buffered=True)
        return self._noted(environ, faulty(fault))

    def _noted(self, environ: "WSGIEnvironment", answer: Response) -> Response:
        self._note(environ, status=answer.status_code)
        return answer

    def _note(self, environ: "WSGIEnvironment", *, status: int | None) -> None:
        caller = environ[CALLER]
        self._sandbox.request_log.add(
            method=environ["REQUEST_METHOD"],
            path=environ["PATH_INFO"],
            status=status,
            client_id=caller.get("client_id"),
            source_id=caller.get("source_id"),
        )


def faulty(fault: Fault) -> Response:
    """Make the answer of a fault that answers at all."""
    if fault.kind == HTML:
        return Response("<!doctype html><title>Maintenance</title><h1>We will be right back</h1>", mimetype="text/html")
    if fault.kind == REDIRECT:
        return moved(str(fault.value))
    assert isinstance(fault.value, int)  # noqa: S101 - the other kinds break or only slow down
    message = next((status.phrase for status in HTTPStatus if status == fault.value), "Fault")
    answer = Response(f'{{"message": "{message}"}}', status=fault.value, mimetype="application/json")
    if fault.value == HTTPStatus.TOO_MANY_REQUESTS:
        answer.headers["Retry-After"] = "1"
    return answer


def moved(location: str) -> Response:
    return Response(f"Moved to {location}", status=308, mimetype="text/plain", headers={"Location": location})


def broken(environ: "WSGIEnvironment") -> ConnectionError:
    """Cut the connection under the answer, and make the error that says so to whoever calls in process."""
    connection = environ.get("werkzeug.socket")
    if isinstance(connection, socket.socket):
        with suppress(OSError):  # the caller was faster
            connection.shutdown(socket.SHUT_RDWR)
    return ConnectionAbortedError("the connection was broken by a fault")


def segments_of(environ: "WSGIEnvironment") -> tuple[str, ...]:
    """Return the parts of a path, each decoded by itself: an id may hold any character, a slash included."""
    return tuple(unquote(segment, errors="replace") for segment in path_as_sent(environ).removeprefix("/").split("/"))
