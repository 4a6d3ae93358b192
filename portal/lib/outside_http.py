"""Calls to addresses that tenants wrote down: behind the wall, without redirects, and over soon (guarantee S4)."""

import time
from collections.abc import Collection
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import requests
from urllib3.exceptions import HTTPError, MaxRetryError

from portal.lib import walled_http
from portal.lib.environment import LOOPBACK_HOSTS

TIMEOUT_SECONDS = 5.0
MAX_SECONDS = 10.0
"""For the head of an answer, and for its body: one that drips keeps no thread of ours."""
MAX_BYTES = 512 * 1024
CHUNK = 16 * 1024


class Refused(requests.RequestException):
    """The address may not be called, or its answer is not read. It has a `response` where only the body of that is missing."""


class OutsideSession(requests.Session):
    """Follows no redirect, waits and reads only so much. `private_hosts`: inside ones that may be called.

    `seconds`: for whoever needs longer to think; both for the head of an answer and for its body.
    """

    def __init__(self, private_hosts: Collection[str], *, seconds: float | None = None) -> None:
        super().__init__()
        self._private_hosts = private_hosts
        self._timeout, self._max_seconds = seconds or TIMEOUT_SECONDS, seconds or MAX_SECONDS
        self.trust_env = False
        for prefix in ("https://", "http://"):
            rule = partial(may_lead_to, private_hosts=private_hosts)
            self.mount(prefix, walled_http.WalledAdapter(rule, max_seconds=self._max_seconds))

    def request(self, method: str | bytes, url: str | bytes, *args: Any, **options: Any) -> requests.Response:
        if not is_allowed(url, private_hosts=self._private_hosts):
            raise Refused("not an https address")
        options |= {"timeout": self._timeout, "allow_redirects": False, "stream": True}
        with super().request(method, url, *args, **options) as response:
            if response.is_redirect or response.is_permanent_redirect:
                raise Refused("a redirect")
            # Read here, within the limits; whoever asks for the content later finds it.
            try:
                response._content = _read(response, self._max_seconds)
            except HTTPError as error:
                raise Refused("an answer that breaks off", response=response) from error
        return response


def is_allowed(url: object, *, private_hosts: Collection[str]) -> bool:
    """Say whether an address may be called: https, or this machine without it where the operator allows that."""
    if not isinstance(url, str):
        return False
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    if not host or "@" in parts.netloc:
        return False
    is_here = host in LOOPBACK_HOSTS and host in private_hosts
    return parts.scheme == "https" or (parts.scheme == "http" and is_here)


def may_lead_to(host: str, address: str, *, private_hosts: Collection[str]) -> bool:
    """Say whether a host may be at an address: any public one; another only where the operator named the host."""
    return walled_http.is_public(address) or host.strip("[]") in private_hosts


def was_sent(error: requests.ConnectionError) -> bool:
    """Say whether a request may have left: urllib3 tells in another way of a connection that was not made."""
    return not (error.args and isinstance(error.args[0], MaxRetryError))


def _read(response: requests.Response, seconds: float) -> bytes:
    deadline, content = time.monotonic() + seconds, b""
    # What has arrived, not a full chunk: an answer that drips would keep us waiting for that.
    while chunk := response.raw.read1(CHUNK, decode_content=True):
        content += chunk
        if len(content) > MAX_BYTES:
            raise Refused("too long an answer", response=response)
        if time.monotonic() > deadline:
            raise Refused("too slow an answer", response=response)
    return content
