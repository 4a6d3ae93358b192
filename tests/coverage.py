"""Writes `docs/coverage.md`: every row of the specification with its definition, its route, who uses it, and its tests."""

import ast
import re
from collections import defaultdict
from importlib import import_module
from pathlib import Path

from portal.platform_api.reference import DEFINITIONS, Definition
from portal.platform_api.webhooks import EVENT_TYPES
from portal.sandbox.api.route import Route
from portal.sandbox.api.table import ROUTES
from portal.sandbox.control.events import HAPPENINGS
from tests import portal_calls
from tests.specification import ENDPOINTS, ERRORS, EVENTS, LIMITS, OAUTH

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "coverage.md"
HEAD = """# The specification, row by row

Each row with what answers for it on both sides, and the rooms of the portal that use it. Written by `make docs`; a test fails
while a row is missing or this page is not up to date. The tests of endpoints are parameters of these:

- client: `tests/platform_api/test_calls.py`, the good answer, 404, a 401, each status, under the name of the definition;
- sandbox: `tests/sandbox/test_conventions.py` and `tests/sandbox/test_contract.py`, tokens, scopes, bodies, 404, pages, and a
  fuzz of every operation, under the method and the path.
"""
CLIENT_ROWS = "tests/platform_api/test_specification.py"
SANDBOX_ROWS = "tests/sandbox/test_specification.py"
CLIENT_EVENTS = "tests/platform_api/test_webhook_parsing.py"
SANDBOX_EVENTS = "tests/sandbox/test_deliveries.py"


class Missing(Exception):
    """A row of the specification that nobody answers for."""


def anonymous(path: str) -> str:
    """Leave the names of placeholders out: the specification and each side have their own."""
    return re.sub(r"<\w+>|{\w+}", "{}", path)


def definition_of(row: str) -> Definition:
    method, path = row.split()
    for definition in DEFINITIONS:
        if (definition.method, anonymous(definition.path)) == (method, anonymous(path)):
            return definition
    raise Missing(f"the client has no definition of {row}")


def route_of(row: str) -> tuple[Route, str]:
    method, path = row.split()
    for route in ROUTES:
        for served in (route.path, *route.aliases):
            if (route.method, anonymous(served)) == (method, anonymous(path)):
                return route, served
    raise Missing(f"the sandbox has no route for {row}")


def check_tests(path: str, names: list[str]) -> None:
    """Raise Missing unless a file has a test of each of these names."""
    found = {node.name for node in ast.walk(ast.parse((ROOT / path).read_text())) if isinstance(node, ast.FunctionDef)}
    for name in names:
        if f"test_{name}" not in found:
            raise Missing(f"{path} has no test_{name}")


def page() -> str:
    """Write the page. Raises Missing for the first row that nobody answers for."""
    parts = [endpoints(), named("4.4 - 4.6", OAUTH), events(), named("7", ERRORS), named("8", LIMITS), unused()]
    return "".join([HEAD, *parts])


def endpoints() -> str:
    parts = []
    for section, rows in ENDPOINTS.items():
        parts.append(f"\n## {section}\n\n| Row | Client | Sandbox | Portal |\n|---|---|---|---|\n")
        for row in rows:
            definition, (route, served) = definition_of(row), route_of(row)
            module, rooms = route_module(route), portal_calls.rooms_of(definition.name) or "none"
            parts.append(f"| `{row}` | `{definition.name}` | `{served}` in `{module}` | {rooms} |\n")
    return "".join(parts)


def unused() -> str:
    """Write why no page makes the other calls of the client. Raises Missing where that is not said, or not true."""
    told: dict[str, list[str]] = defaultdict(list)
    for name in sorted(portal_calls.NAMES - portal_calls.users().keys()):
        reason = portal_calls.reason_against(name)
        if not reason:
            raise Missing(f"no page makes {name}, and no reason is given")
        told[reason].append(name)
    for reason in portal_calls.UNUSED.values():
        if reason not in told:
            raise Missing(f"a reason against calls that are made: {reason}")
    head = "\n## What no page uses\n\nThe client has these calls because the platform has published them.\n\n"
    head += "| Calls | Why no page makes them |\n|---|---|\n"
    return head + "".join(f"| {', '.join(f'`{name}`' for name in names)} | {why} |\n" for why, names in told.items())


def route_module(route: Route) -> str:
    """Name the file that a route stands in."""
    for path in sorted((ROOT / "portal" / "sandbox" / "api").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        routes = getattr(import_module(name), "ROUTES", ())
        if (
            path.stem != "__init__"
            and path.parent.name != "api"
            and route.path in {each.path for each in routes if each.method == route.method}
        ):
            return path.relative_to(ROOT / "portal" / "sandbox").as_posix()
    raise Missing(f"no file has {route.method} {route.path}")


def events() -> str:
    check_tests(CLIENT_EVENTS, ["an_event_with_its_type_in_the_address"])
    check_tests(SANDBOX_EVENTS, ["the_official_library_accepts_every_event"])
    parts = ["\n## 6.2\n\n| Event | Client | Sandbox: what makes it happen |\n|---|---|---|\n"]
    for event in EVENTS:
        if event not in EVENT_TYPES or event not in HAPPENINGS:
            raise Missing(f"nobody answers for {event}")
        maker = HAPPENINGS[event]
        parts.append(f"| `{event}` | `{CLIENT_EVENTS}` | `{getattr(maker, '__name__', 'a change of its kind')}` |\n")
    return "".join(parts)


def named(section: str, rows: dict[str, str]) -> str:
    for path in (CLIENT_ROWS, SANDBOX_ROWS):
        check_tests(path, [*rows])
    head = (
        f"\n## {section}\n\nTests of both sides stand in `{CLIENT_ROWS}` and `{SANDBOX_ROWS}`.\n\n| Row | Test |\n|---|---|\n"
    )
    return head + "".join(f"| {words} | `test_{name}` |\n" for name, words in rows.items())
