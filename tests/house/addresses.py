"""Every address of the site, read from the URL configuration."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import connection
from django.urls import URLPattern, URLResolver, get_resolver

SAMPLES = {
    "slug": "acme",
    "int": "987654321",
    "str": "65a0ffffffffffffffffffff",
    "id": "65a0ffffffffffffffffffff",
    "path": "x",
    "uuid": "00000000-0000-4000-8000-000000000000",
}
WRITE = re.compile(r'(?:INSERT INTO|UPDATE|DELETE FROM) "(\w+)"')
OUTSIDE_OF_OURS = ("accounts/", "^accounts/", "styleguide/")


@dataclass(frozen=True)
class Address:
    """One address with sample values in its place holders, and the view behind it."""

    pattern: str
    path: str
    view: object

    @property
    def is_of_a_tenant(self) -> bool:
        return self.pattern.startswith("t/<slug:slug>/")


def addresses() -> list[Address]:
    """Return our own addresses; those of packages are theirs to test."""
    found = (Address(pattern, _sample(pattern), view) for pattern, view in _walk(get_resolver(), ""))
    return [address for address in found if not address.pattern.startswith(OUTSIDE_OF_OURS)]


def paths_of_packages() -> list[str]:
    """Return where packages take requests, as far as nothing stands in the address for something else."""
    return ["/" + pattern for pattern, _ in _walk(get_resolver(), "") if pattern.startswith("accounts/") and "<" not in pattern]


def _walk(resolver: URLResolver, prefix: str) -> Iterator[tuple[str, object]]:
    for entry in resolver.url_patterns:
        pattern = prefix + str(entry.pattern)
        if isinstance(entry, URLPattern):
            yield pattern, entry.callback
        else:
            yield from _walk(entry, pattern)


def _sample(pattern: str) -> str:
    return "/" + re.sub(r"<(?:(\w+):)?\w+>", lambda match: SAMPLES[match[1] or "str"], pattern)


@contextmanager
def written() -> Iterator[set[str]]:
    """Collect the tables that statements write to; sessions are not ours."""
    tables: set[str] = set()

    def note(execute: Callable, sql: str, *arguments: object) -> object:
        tables.update(WRITE.findall(sql))
        return execute(sql, *arguments)

    with connection.execute_wrapper(note):
        yield tables
    tables.discard("django_session")
