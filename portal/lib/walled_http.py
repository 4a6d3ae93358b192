"""Outgoing HTTP that reaches no address inside some network, whatever a name leads to (guarantee S4)."""

import ipaddress
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import NewConnectionError

from portal.lib.database import give_back
from portal.lib.environment import LOOPBACK_HOSTS

TRANSLATED, GLOBAL_UNICAST = ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("2000::/3")
"""Where networks without IPv4 reach its addresses (RFC 6052), and all that IPv6 has on the Internet (RFC 4291)."""

type MayLeadTo = Callable[[str, str], bool]
"""Says whether a host may be at an address."""


class _Walled:
    """A connection that is closed before anything is sent when its name led to an address inside some network.

    The address that was connected to is looked at, not the one a look-up gave before: a second look-up may answer otherwise.
    """

    host: str
    sock: Any
    may_lead_to: MayLeadTo
    max_seconds: float | None
    """For sending, and for the head of the answer: a time-out alone is begun anew with every byte that drips."""
    _cutter: threading.Timer | None = None

    def request(self, *args: Any, **options: Any) -> None:
        if self.max_seconds is not None:
            self._cutter = threading.Timer(self.max_seconds, self._cut)
            self._cutter.daemon = True
            self._cutter.start()
        try:
            super().request(*args, **options)  # type: ignore[misc]
        except BaseException:
            self._let_be()
            raise

    def getresponse(self) -> Any:
        try:
            return super().getresponse()  # type: ignore[misc]
        finally:
            self._let_be()

    def _cut(self) -> None:
        with suppress(OSError, AttributeError):
            self.sock.shutdown(socket.SHUT_RDWR)

    def _let_be(self) -> None:
        if self._cutter:
            self._cutter.cancel()

    def connect(self) -> None:
        try:
            super().connect()  # type: ignore[misc]
        except TimeoutError as error:
            # Nobody answered the TLS handshake. It would pass for an answer that did not come, and nothing was sent yet.
            raise NewConnectionError(self, "no answer to the handshake") from error  # type: ignore[arg-type]
        peer = str(self.sock.getpeername()[0])
        if not type(self).may_lead_to(self.host, peer):
            self.sock.close()
            raise NewConnectionError(self, "the name leads to a private address")  # type: ignore[arg-type]


class WalledAdapter(HTTPAdapter):
    """Sends to the addresses that a rule allows only, and holds no database connection of the pool meanwhile."""

    def __init__(self, may_lead_to: MayLeadTo, *, max_seconds: float | None = None) -> None:
        self._pools = _pools(may_lead_to, max_seconds)
        super().__init__()

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        super().init_poolmanager(*args, **options)
        self.poolmanager.pool_classes_by_scheme = self._pools

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        give_back()
        return super().send(request, *args, **options)


def is_public(address: str) -> bool:
    """Say whether an address is one of the Internet, and not inside some network, also where a gateway translates it."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped or found in TRANSLATED:
            found = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        elif found not in GLOBAL_UNICAST:
            return False
    return found.is_global and not found.is_multicast


def is_plain(host: str) -> bool:
    """Say whether a host is written as an address, or as this machine, so that no look-up decides where it is."""
    if host in LOOPBACK_HOSTS:
        return True
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _pools(may_lead_to: MayLeadTo, max_seconds: float | None) -> dict[str, type[HTTPConnectionPool]]:
    rule = {"may_lead_to": staticmethod(may_lead_to), "max_seconds": max_seconds}
    plain = type("WalledConnection", (_Walled, HTTPConnection), rule)
    secure = type("WalledSecureConnection", (_Walled, HTTPSConnection), rule)
    return {
        "http": type("WalledPool", (HTTPConnectionPool,), {"ConnectionCls": plain}),
        "https": type("WalledSecurePool", (HTTPSConnectionPool,), {"ConnectionCls": secure}),
    }
