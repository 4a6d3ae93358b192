"""Scopes of one area that suffice besides those for everything (platform-api 2.6)."""

from collections.abc import Iterable
from dataclasses import replace

from portal.sandbox.api.route import Route


def opened_by(scope: str, routes: Iterable[Route]) -> tuple[Route, ...]:
    """Let the area's own scopes in: `:write` opens all of its endpoints, `:read` those that only read."""
    return tuple(
        replace(route, scopes=(f"{scope}:write", *((f"{scope}:read",) if route.method == "GET" else ()))) for route in routes
    )
