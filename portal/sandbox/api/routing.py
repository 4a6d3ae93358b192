"""Finds the endpoint of an address.

Flask's own router compiles every rule again for every application; with hundreds of endpoints and an application per
test that would take most of the time of the tests.
"""

from collections import defaultdict
from collections.abc import Iterable

from portal.sandbox.api.route import Route

VERSION = "v1"

type Segments = tuple[str, ...]


class Routing:
    def __init__(self, routes: Iterable[Route]) -> None:
        self._known: dict[tuple[str, int], list[tuple[Segments, Route]]] = defaultdict(list)
        for route in routes:
            for path in (route.path, *route.aliases):
                segments = tuple(path.strip("/").split("/"))
                self._known[route.method, len(segments)].append((segments, route))
        for candidates in self._known.values():
            # Literals first: `assignable-users` stands where a questionnaire's id may stand (platform-api 4.1.1).
            candidates.sort(key=lambda candidate: [is_placeholder(segment) for segment in candidate[0]])

    def find(self, method: str, asked: Segments) -> tuple[Route, dict[str, str]] | None:
        """Return the endpoint and what its placeholders stand for; paths count with and without /v1."""
        if asked[0] == VERSION:
            asked = asked[1:]
        for segments, route in self._known.get((method, len(asked)), ()):
            if all(found and (is_placeholder(known) or found == known) for known, found in zip(segments, asked, strict=True)):
                named = zip(segments, asked, strict=True)
                return route, {known[1:-1]: found for known, found in named if is_placeholder(known)}
        return None


def is_placeholder(segment: str) -> bool:
    return segment.startswith("<")
