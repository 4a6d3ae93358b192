"""The HTTP session that asks identity providers, behind a high wall: tenants write down where they are (guarantee S4)."""

import time
from typing import Any
from urllib.parse import urlsplit

import requests
from django.conf import settings
from urllib3.exceptions import HTTPError

from portal.lib import walled_http
from portal.lib.environment import LOOPBACK_HOSTS

TIMEOUT_SECONDS = 5.0
MAX_SECONDS = 10.0
"""For the whole of an answer: one that drips keeps no thread of ours."""
MAX_BYTES = 512 * 1024
CHUNK = 16 * 1024


class Refused(requests.RequestException):
    """The address, or what it answered, is not what an identity provider may send us to."""


def provider_session() -> requests.Session:
    """Return a session for the calls of one sign-in or one check."""
    session = _ProviderSession()
    session.trust_env = False
    for prefix in ("https://", "http://"):
        session.mount(prefix, walled_http.WalledAdapter(may_lead_to))
    return session


def is_allowed(url: object) -> bool:
    """Say whether an address may be one of a provider: https, or this machine where the operator allows it."""
    if not isinstance(url, str):
        return False
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    if not host or "@" in parts.netloc:
        return False
    is_here = host in LOOPBACK_HOSTS and host in settings.IDENTITY_PROVIDER_PRIVATE_HOSTS
    return parts.scheme == "https" or (parts.scheme == "http" and is_here)


def may_lead_to(host: str, address: str) -> bool:
    """Say whether a host may be at an address: any public one; another only where the operator named the host."""
    return walled_http.is_public(address) or host.strip("[]") in settings.IDENTITY_PROVIDER_PRIVATE_HOSTS


class _ProviderSession(requests.Session):
    """Follows no redirect, waits and reads only so much."""

    def request(self, method: str | bytes, url: str | bytes, *args: Any, **options: Any) -> requests.Response:
        if not is_allowed(url):
            raise Refused("not an https address")
        options |= {"timeout": TIMEOUT_SECONDS, "allow_redirects": False, "stream": True}
        with super().request(method, url, *args, **options) as response:
            if response.is_redirect or response.is_permanent_redirect:
                raise Refused("a redirect")
            # Read here, within the limits; whoever asks for the content later finds it.
            try:
                response._content = _read(response)
            except HTTPError as error:
                raise Refused("an answer that breaks off") from error
        return response


def _read(response: requests.Response) -> bytes:
    deadline, content = time.monotonic() + MAX_SECONDS, b""
    # What has arrived, not a full chunk: a provider that drips would keep us waiting for that.
    while chunk := response.raw.read1(CHUNK, decode_content=True):
        content += chunk
        if len(content) > MAX_BYTES:
            raise Refused("too long an answer")
        if time.monotonic() > deadline:
            raise Refused("too slow an answer")
    return content
