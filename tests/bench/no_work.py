"""Reads a delivery and answers it, and does nothing else: what the server and the loader cost by themselves."""

from collections.abc import Callable, Iterable
from typing import Any

from portal.wsgi import site

__all__ = ["application"]


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    if not environ["PATH_INFO"].startswith("/hooks/"):
        return site(environ, start_response)
    environ["wsgi.input"].read()
    start_response("204 No Content", [("Content-Length", "0")])
    return []
