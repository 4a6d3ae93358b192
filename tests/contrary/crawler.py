"""Finding every page of the portal by following its own links, as the house tests find every address."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.contrary.house import House, body_of
from tests.contrary.page_content import places, read
from tests.contrary.words import route_of, said_wrong, telling_ids

ON_EACH_ROUTE = 5
"""Addresses of one route that are opened, each with at most so many queries as the next figure says. Of each kind of objects
the first four hold everything that is odd: no name, the longest id, nulls."""
QUERIES = 2
MOST_ALIKE, MOST_COUNTS = 3, 6
"""So often a page may send one statement with other values: more would be once a row. Tabs are counted state by state."""
VALUE = re.compile(r"'(?:[^']|'')*'|\b\d+(?:\.\d+)?\b")
VALUES = re.compile(r"\(\?(?:, \?)+\)")
LEFT_ALONE = ("accounts/", "styleguide/", "media/", "static/", "hooks/")


@dataclass
class Map:
    """The pages that were found: route -> addresses, and what each of them shows."""

    routes: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    faults: list[str] = field(default_factory=list)


def walk(house: House, *starts: str, on_each_route: int = ON_EACH_ROUTE) -> Map:
    """Open every page that some page leads to, and note what is wrong with it."""
    found, queue, seen, ids = Map(), list(starts), set(starts), telling_ids(house)
    queries: dict[str, int] = defaultdict(int)
    while queue:
        address = queue.pop(0)
        path = urlsplit(address).path
        route = route_of(path)
        if route.startswith(LEFT_ALONE) or (route == "" and path != "/"):
            if route == "" and not path.startswith(("/static/",)):
                found.faults.append(f"{address}: leads nowhere")
            continue
        queries[path] += 1
        if queries[path] > QUERIES or len({urlsplit(each).path for each in found.routes[route]}) >= on_each_route:
            continue
        for lead in look_at(house, found, route, address, ids):
            if lead not in seen:
                seen.add(lead)
                queue.append(lead)
    return found


def look_at(house: House, found: Map, route: str, address: str, ids: list[str]) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        answer = house.get(address)
    found.faults += [f"{address}: sent {each}" for each in repeated(query["sql"] for query in captured)]
    if answer.status_code >= 400:
        found.faults.append(f"{address}: {answer.status_code}")
        return []
    found.routes[route].append(address)
    content = body_of(answer)
    found.faults += [f"{address}: shows {each}" for each in house.platform.tokens.told_in(content.decode(errors="replace"))]
    if answer.status_code >= 300 or not answer["Content-Type"].startswith("text/html"):
        return [answer["Location"]] if answer.status_code in (301, 302, 303) and answer["Location"].startswith("/") else []
    reader = read(content)
    found.faults += [f"{address}: {each}" for each in said_wrong(reader, address, ids)]
    return places(reader, address)


def repeated(statements: Iterable[str]) -> list[str]:
    """Return statements that were sent too often, whatever the values in them."""
    shapes = Counter(VALUES.sub("(?)", VALUE.sub("?", each)) for each in statements)
    return [f"{number} times {shape[:300]}" for shape, number in shapes.items() if number > _most(shape)]


def _most(shape: str) -> int:
    return MOST_COUNTS if shape.startswith("SELECT COUNT(") else MOST_ALIKE
