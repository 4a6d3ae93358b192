"""The HTTP session that carries every call to the platform, and the wall around it (guarantee S4)."""

import ipaddress
import threading
from typing import Any, Final
from urllib.parse import urlsplit

import requests
from django.conf import settings
from requests.adapters import BaseAdapter, HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import NewConnectionError

from portal.lib.database import give_back
from portal.lib.environment import LOOPBACK_HOSTS

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


class _Walled:
    """A connection that is closed before anything is sent when its name led to an address inside some network.

    The address that was connected to is looked at, not the one a look-up gave before: a second look-up may answer otherwise.
    """

    host: str
    sock: Any

    def connect(self) -> None:
        super().connect()  # type: ignore[misc]
        peer = str(self.sock.getpeername()[0])
        if not may_lead_to(self.host, peer):
            self.sock.close()
            raise NewConnectionError(self, "the name leads to a private address")  # type: ignore[arg-type]


class _HTTPConnection(_Walled, HTTPConnection):
    pass


class _HTTPSConnection(_Walled, HTTPSConnection):
    pass


class _HTTPPool(HTTPConnectionPool):
    ConnectionCls = _HTTPConnection


class _HTTPSPool(HTTPSConnectionPool):
    ConnectionCls = _HTTPSConnection


class WalledAdapter(HTTPAdapter):
    """Sends to public addresses only, and holds no database connection of the pool meanwhile."""

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        super().init_poolmanager(*args, **options)
        self.poolmanager.pool_classes_by_scheme = {"http": _HTTPPool, "https": _HTTPSPool}

    def send(self, *args: Any, **options: Any) -> requests.Response:
        give_back()
        return super().send(*args, **options)


def may_lead_to(host: str, address: str) -> bool:
    """Say whether a host may be at an address: any public one; another only where the operator wrote it down as it is."""
    if ipaddress.ip_address(address.partition("%")[0]).is_global:
        return True
    return host.strip("[]") in {configured for configured in _configured_hosts() if _is_plain(configured)}


def _configured_hosts() -> set[str]:
    urls = (settings.PLATFORM_API_URL, settings.PLATFORM_GOV_API_URL, *settings.PLATFORM_APP_URLS.values())
    return {urlsplit(url).hostname or "" for url in urls}


def _is_plain(host: str) -> bool:
    """Say whether a host is written as an address, or as this machine, so that no look-up decides where it is."""
    if host in LOOPBACK_HOSTS:
        return True
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
