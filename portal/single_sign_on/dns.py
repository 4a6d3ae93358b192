"""The one place that asks the DNS."""

import dns.exception
import dns.nameserver
import dns.resolver
from django.conf import settings

from portal.lib.database import give_back

TIMEOUT_SECONDS = 4.0
MAX_VALUES = 100
"""More records than these under one name are not ours to read."""


class Unanswered(Exception):
    """The name servers gave no answer: neither that the record is there, nor that it is not."""


def txt_values(name: str) -> list[str]:
    """Return the TXT records of a name, none where it does not exist. Raises Unanswered."""
    give_back()
    try:
        answer = _resolver().resolve(name, "TXT", lifetime=TIMEOUT_SECONDS)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []
    except dns.exception.DNSException as error:
        raise Unanswered(name) from error
    return [b"".join(record.strings).decode("utf-8", "replace") for record in list(answer)[:MAX_VALUES]]


def _resolver() -> dns.resolver.Resolver:
    """Return a resolver that asks the configured servers, else those of this machine, and keeps nothing."""
    if not settings.DNS_SERVERS:
        try:
            return dns.resolver.Resolver()
        except dns.resolver.NoResolverConfiguration as error:
            raise Unanswered("no name server") from error
    resolver = dns.resolver.Resolver(configure=False)
    resolver.nameservers = [dns.nameserver.Do53Nameserver(address, port) for address, port in settings.DNS_SERVERS]
    return resolver
