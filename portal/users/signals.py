"""What the database of this room needs besides its models, and what this room tells others."""

from typing import Any

from django.core.management import call_command
from django.dispatch import Signal

renamed = Signal()
"""A person has changed their name: `request`, `user`."""
factors_revoked = Signal()
"""An operator has taken away all second factors of a person, and the password: `user`."""


def make_cache_table(using: str, **_: Any) -> None:
    """Make the table that all processes count in, where CACHE_URL names no other place for it."""
    call_command("createcachetable", database=using, verbosity=0)
