"""Finds every call in the portal that records an audit row, in its source.

A function that only records for others is seen through: where it is called counts, since that call can be forgotten too.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RECORDS = {("portal.audit.services", name) for name in ("record", "record_all")}
RECORDS_FOR_OTHERS = re.compile(r"_?(note|record)(_\w+)?")
"""Names of the functions that do nothing but record, and say so."""
WRITES = {"create", "save", "delete", "bulk_create", "bulk_update", "get_or_create", "update_or_create"}
type Function = tuple[str, str]
"""Module and name."""


@dataclass(frozen=True, order=True)
class AuditCall:
    """One call that records, by file and line."""

    path: str
    line: int
    inside: str
    """The function that makes it."""

    @property
    def room(self) -> str:
        return self.path.split("/")[1]

    def __str__(self) -> str:
        return f"{self.path}:{self.line} in {self.inside}()"


class Module:
    """What one file calls, and what its names stand for."""

    def __init__(self, path: Path) -> None:
        self.path = path.relative_to(ROOT).as_posix()
        self.name = self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        tree = ast.parse(path.read_text())
        self.names: dict[str, Function] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                self.names |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        self.names |= {node.name: (self.name, node.name) for node in tree.body if isinstance(node, ast.FunctionDef)}
        self.writers = {
            function.name
            for function in functions
            for node in ast.walk(function)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITES
        }
        self.calls = [(name, call) for name, call in self._calls(functions)]

    def _calls(self, functions: list[ast.FunctionDef]) -> Iterator[tuple[str, ast.Call]]:
        """Give each call with the innermost function around it."""
        inner = {id(node): function.name for function in functions for node in ast.walk(function)}
        for function in functions:
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and inner[id(node)] == function.name:
                    yield function.name, node

    def only_records(self, function: str) -> bool:
        """Say whether a function that records does nothing else."""
        is_called_so = RECORDS_FOR_OTHERS.fullmatch(function) and function not in self.writers
        return bool(is_called_so) and ".views" not in self.name

    def called(self, call: ast.Call) -> Function | None:
        """Say which function a call means, as far as names tell."""
        if isinstance(call.func, ast.Name):
            return self.names.get(call.func.id)
        if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
            module = self.names.get(call.func.value.id)
            return (".".join(module), call.func.attr) if module else None
        return None


def modules() -> list[Module]:
    paths = sorted((ROOT / "portal").rglob("*.py"))
    return [Module(path) for path in paths if not {"sandbox", "migrations"} & set(path.parts)]


def audit_calls() -> tuple[set[AuditCall], set[Function]]:
    """Return all calls that record, and the functions that only record for others."""
    found = modules()
    exported = {(module.name, name): function for module in found for name, function in module.names.items()}
    recorders: set[Function] = {*RECORDS}
    while True:
        calls = {
            (module, inside, call.lineno)
            for module in found
            for inside, call in module.calls
            if _resolved(module.called(call), exported) in recorders
        }
        more = {(module.name, inside) for module, inside, _ in calls if module.only_records(inside)} - recorders
        if not more:
            break
        recorders |= more
    sites = {AuditCall(module.path, line, inside) for module, inside, line in calls if (module.name, inside) not in recorders}
    return sites, recorders


def _resolved(function: Function | None, exported: dict[Function, Function]) -> Function | None:
    """Follow a name through the packages that hand it on."""
    seen = set()
    while function in exported and function not in seen:
        seen.add(function)
        function = exported[function]
    return function
