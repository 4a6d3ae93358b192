"""The HTTP session that carries every call to the platform, and the wall around it (guarantee S4)."""

import threading
from typing import Any, Final
from urllib.parse import urlsplit

import requests
from django.conf import settings
from requests.adapters import BaseAdapter

from portal.lib import walled_http
from portal.lib.request_ids import HEADER, current_request_id

MOUNTS: Final[dict[str, BaseAdapter]] = {}
"""Adapters by address prefix. Empty in production; tests mount the sandbox here instead of opening a port."""

_local = threading.local()


def http_session() -> requests.Session:
    """Return this thread's session. Connections are reused; proxies and credentials of the environment are not."""
    session: requests.Session | None = getattr(_local, "session", None)
    if session is None:
        session = _local.session = requests.Session()
        session.trust_env = False
        for prefix in ("https://", "http://"):
            session.mount(prefix, WalledAdapter())
    for prefix, adapter in MOUNTS.items():
        session.mount(prefix, adapter)
    return session


class WalledAdapter(walled_http.WalledAdapter):
    """Sends to public addresses and to those that the operator wrote down, and tells the platform the id of the request."""

    def __init__(self) -> None:
        super().__init__(may_lead_to)

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        # To the platform itself, whose support may ask for it; a host of files is no business of ours.
        if (request_id := current_request_id()) and urlsplit(request.url or "").hostname in _configured_hosts():
            request.headers[HEADER] = request_id
        return super().send(request, *args, **options)


def may_lead_to(host: str, address: str) -> bool:
    """Say whether a host may be at an address: any public one; another only where the operator wrote it down as it is."""
    if walled_http.is_public(address):
        return True
    return host.strip("[]") in {configured for configured in _configured_hosts() if walled_http.is_plain(configured)}


def _configured_hosts() -> set[str]:
    urls = (settings.PLATFORM_API_URL, settings.PLATFORM_GOV_API_URL, *settings.PLATFORM_APP_URLS.values())
    return {urlsplit(url).hostname or "" for url in urls}
