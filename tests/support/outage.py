"""A database that takes nothing, for this process alone."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

SETTING = {"postgresql": "SET default_transaction_read_only = {}", "sqlite": "PRAGMA query_only = {}"}


@contextmanager
def reading_only() -> Iterator[None]:
    """Let this connection write nothing. For tests that are in no transaction: one that has begun goes on writing."""
    _set("on")
    try:
        yield
    finally:
        _set("off")


def _set(value: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(SETTING[connection.vendor].format(value))
