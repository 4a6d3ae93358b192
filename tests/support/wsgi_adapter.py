"""Calls a WSGI application through a `requests` session, without a port: real requests, real answers, one process."""

import io
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import requests
from requests.adapters import BaseAdapter
from requests.structures import CaseInsensitiveDict
from urllib3 import HTTPHeaderDict, HTTPResponse


class WsgiAdapter(BaseAdapter):
    """Mount it on a session: `session.mount("http://127.0.0.1:8001", WsgiAdapter(app))`."""

    def __init__(self, app: Callable[..., Iterable[bytes]]) -> None:
        super().__init__()
        self._app = app

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        """Answer one prepared request. A ConnectionError of the application is one of the network to the caller."""
        try:
            status, headers, body = call(self._app, environ_of(request))
        except ConnectionError as error:
            raise requests.ConnectionError(str(error), request=request) from error
        return make_response(request, status, headers, body)

    def close(self) -> None:
        """Nothing is open."""


def environ_of(request: requests.PreparedRequest) -> dict[str, Any]:
    parts = urlsplit(request.url or "")
    body = read_body(request.body)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(parts.path).decode("latin-1"),
        "RAW_URI": parts.path + (f"?{parts.query}" if parts.query else ""),
        "QUERY_STRING": parts.query,
        "SERVER_NAME": parts.hostname or "",
        "SERVER_PORT": str(parts.port or 80),
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": parts.netloc,
        "CONTENT_LENGTH": str(len(body)) if body else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": parts.scheme,
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": io.StringIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in request.headers.items():
        key = name.upper().replace("-", "_")
        if key == "CONTENT_TYPE":
            environ[key] = value
        elif key != "CONTENT_LENGTH":
            environ[f"HTTP_{key}"] = value
    return environ


def read_body(body: Any) -> bytes:
    if body is None:
        return b""
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, bytes):
        return body
    return bytes(body.read()) if hasattr(body, "read") else b"".join(body)


def call(app: Callable[..., Iterable[bytes]], environ: dict[str, Any]) -> tuple[str, list[tuple[str, str]], bytes]:
    started: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Callable[[bytes], None]:
        started[:] = [status, headers]
        return lambda data: None

    chunks = app(environ, start_response)
    try:
        body = b"".join(chunks)
    finally:
        if hasattr(chunks, "close"):
            chunks.close()
    return started[0], started[1], body


def make_response(
    request: requests.PreparedRequest, status: str, headers: list[tuple[str, str]], body: bytes
) -> requests.Response:
    code, _, reason = status.partition(" ")
    response = requests.Response()
    response.status_code, response.reason = int(code), reason
    response.headers = CaseInsensitiveDict(headers)
    response.encoding = requests.utils.get_encoding_from_headers(response.headers)
    response.raw = HTTPResponse(
        body=io.BytesIO(body), headers=HTTPHeaderDict(headers), status=int(code), reason=reason, preload_content=False
    )
    response.request, response.url = request, request.url or ""
    return response
