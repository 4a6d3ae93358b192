"""The receiver's own entry: of all that stands before the pages of the site, a delivery needs its name alone.

Sessions, forms, compression and the policies of pages concern no program.
Whatever is not plainly the address of a receiver goes to the site, which answers the same under the same address.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

from django.core.handlers.exception import convert_exception_to_response
from django.core.handlers.wsgi import WSGIRequest
from django.core.signals import request_started
from django.http import HttpResponse

from portal.inbox.views import receive
from portal.lib.request_ids import name_requests

HOOK = re.compile(r"/hooks/([\x21-\x2e\x30-\x7e]+)(?:/([\x21-\x2e\x30-\x7e]+))?/?")

type StartResponse = Callable[..., Any]
type WsgiApplication = Callable[[dict[str, Any], StartResponse], Iterable[bytes]]


class HookRequest(WSGIRequest):
    """A delivery, with what its address says."""

    named: tuple[str, str]
    """The endpoint's public id and the event type, which may be empty."""


def with_hooks(site: WsgiApplication) -> WsgiApplication:
    """Put the receiver before a site."""
    # Both are written for any request and any answer; these are of one kind.
    answer: Callable[[HookRequest], HttpResponse] = name_requests(convert_exception_to_response(_receive))  # type: ignore[arg-type]

    def application(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        found = HOOK.fullmatch(environ.get("PATH_INFO", ""))
        if not found:
            return site(environ, start_response)
        request_started.send(sender=HookRequest, environ=environ)
        request = HookRequest(environ)
        request.named = found[1], found[2] or ""
        response = answer(request)
        start_response(f"{response.status_code} {response.reason_phrase}", [*response.items()])
        return response

    return application


def _receive(request: HookRequest) -> HttpResponse:
    endpoint_id, event_type = request.named
    response = receive(request, endpoint_id, event_type)
    response.headers["Content-Length"] = str(len(response.content))
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
