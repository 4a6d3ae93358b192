"""What the database of this room needs besides its models."""

from typing import Any

from django.core.management import call_command


def make_cache_table(using: str, **_: Any) -> None:
    """Make the table that all processes count in, where CACHE_URL names no other place for it."""
    call_command("createcachetable", database=using, verbosity=0)
