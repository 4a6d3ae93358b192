"""Who sent a request: the one way to find the address that limits are counted by (guarantees S14, H10)."""

from ipaddress import IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest

IPV6_PREFIX = 64
"""One customer of a provider has at least so many IPv6 addresses: they count as one."""


def client_address(request: HttpRequest) -> str:
    """Return the address of the client, behind TRUSTED_PROXIES proxies that each add whom they were asked by.

    Whatever a sender writes into X-Forwarded-For stands before what those proxies add, and is ignored. With fewer entries
    than there are proxies the header was not written by all of them; then the address of the connection counts.
    """
    connection = _parsed(str(request.META.get("REMOTE_ADDR", ""))) or str(request.META.get("REMOTE_ADDR", ""))
    entries = str(request.META.get("HTTP_X_FORWARDED_FOR", "")).split(",")
    if not settings.TRUSTED_PROXIES or len(entries) < settings.TRUSTED_PROXIES:
        return connection
    return _parsed(entries[-settings.TRUSTED_PROXIES]) or connection


def client_group(request: HttpRequest) -> str:
    """Return what limits count as one client: an IPv4 address, or the network of an IPv6 address."""
    address = client_address(request)
    if ":" not in address:
        return address
    try:
        return str(IPv6Network((address.partition("%")[0], IPV6_PREFIX), strict=False).network_address)
    except ValueError:
        return address


def _parsed(entry: str) -> str:
    """Return the address in one entry, which may carry a port; empty when there is none.

    An IPv4 address that is written as an IPv6 one (`::ffff:192.0.2.7`) is itself: all of those are in one network.
    """
    text = entry.strip()
    for candidate in (text, text.partition("]")[0].lstrip("["), text.rpartition(":")[0]):
        try:
            address = ip_address(candidate)
        except ValueError:
            continue
        return str(getattr(address, "ipv4_mapped", None) or address)
    return ""
