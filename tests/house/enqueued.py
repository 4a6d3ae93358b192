"""Every name that a task is enqueued, scheduled or routed by, read from the source of the portal."""

import ast
import importlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

from celery import Celery
from celery.app.task import Task
from celery.local import Proxy

from portal.lib import enqueue

ROOT = Path(__file__).resolve().parent.parent.parent
ENQUEUING = {enqueue.enqueue_on_commit: 0, enqueue.enqueue_in: 1, enqueue.enqueue_coalesced: 0}
"""The functions that take a task's name, and at which place."""
METHODS = {"send_task"}
OF_A_TASK = {"delay", "apply_async", "s", "si"}
MAY_ENQUEUE = re.compile(r"\b(ring\w*|send_task|delay|apply_async|si?)\(|\btask=")
LOOKS_LIKE_A_TASK = ".tasks."

START_LIKE_A_WORKER = """
import json
from celery.app.utils import find_app
app = find_app("portal")
app.loader.init_worker()
app.finalize()
print(json.dumps(sorted(app.tasks)))
"""
"""What `celery -A portal worker` does before it takes its first message."""


@dataclass(frozen=True)
class Enqueued:
    """One place that names a task. `name` is None where the source does not show which one."""

    place: str
    name: str | None


def sources() -> list[Path]:
    rooms = sorted((ROOT / "portal").rglob("*.py"))
    return [path for path in rooms if not {"migrations", "sandbox", "tests"} & set(path.parts)]


def enqueued() -> list[Enqueued]:
    """Return every place of the source that names a task."""
    return [each for path in sources() for each in _of_file(path)]


@cache
def registered() -> frozenset[str]:
    """Return the tasks that a worker knows which has just started, and has imported nothing but what it imports itself."""
    out = subprocess.run(
        [sys.executable, "-c", START_LIKE_A_WORKER], capture_output=True, text=True, check=True, cwd=ROOT, timeout=120
    ).stdout
    return frozenset(json.loads(out.splitlines()[-1]))


def _of_file(path: Path) -> Iterator[Enqueued]:
    place = path.relative_to(ROOT).as_posix()
    if path == Path(enqueue.__file__):
        return  # it takes the names of others
    text = path.read_text()
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_name(node.value):
            yield Enqueued(f"{place}:{node.lineno}", node.value)
    if not MAY_ENQUEUE.search(text):
        return  # some modules start something when they are imported
    module = importlib.import_module(".".join(path.with_suffix("").relative_to(ROOT).parts).removesuffix(".__init__"))
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and id(node) not in called and _is_enqueuing(_value(node, module)):
            yield Enqueued(f"{place}:{node.lineno}", None)  # handed to something else, with names that are not seen here
        if isinstance(node, ast.Call):
            yield from (Enqueued(f"{place}:{node.lineno}", name) for name in _of_call(node, module))


def _is_name(text: str) -> bool:
    return text.startswith("portal.") and LOOKS_LIKE_A_TASK in text and " " not in text


def _is_enqueuing(value: object) -> bool:
    return any(value is function for function in ENQUEUING)


def _of_call(call: ast.Call, module: ModuleType) -> Iterator[str | None]:
    called = _value(call.func, module)
    place = next((number for function, number in ENQUEUING.items() if called is function), None)
    if place is not None:
        yield _name(call.args[place], module)
    elif isinstance(call.func, ast.Attribute) and call.func.attr in METHODS:
        yield _name(call.args[0], module)
    elif isinstance(call.func, ast.Attribute) and call.func.attr in OF_A_TASK:
        task = _value(call.func.value, module)
        if isinstance(task, Task | Proxy):
            yield task.name
    elif isinstance(called, type):
        # A desk tells the room of bulk runs which task goes on with them.
        yield from (_name(each.value, module) for each in call.keywords if each.arg == "task")


def _name(argument: ast.expr, module: ModuleType) -> str | None:
    value = _value(argument, module)
    return value if isinstance(value, str) else None


def _value(expression: ast.expr, module: ModuleType) -> object:
    """Return what a dotted name or a constant means in a module; None for anything that is known only while it runs."""
    if isinstance(expression, ast.Constant):
        return expression.value
    if isinstance(expression, ast.Name):
        return vars(module).get(expression.id)
    if isinstance(expression, ast.Attribute):
        owner = _value(expression.value, module)
        return vars(owner).get(expression.attr) if isinstance(owner, ModuleType) else None
    return None


def scheduled(app: Celery) -> set[str]:
    return {entry["task"] for entry in app.conf.beat_schedule.values()}


def routed(app: Celery) -> set[str]:
    """Return the names that the routes of the configuration mention; patterns are none."""
    routes = app.conf.task_routes or {}
    return {str(name) for name in (routes if isinstance(routes, dict) else {}) if "*" not in str(name)}


def functions_of_tasks() -> set[str]:
    """Return the dotted names of the public functions in the modules that hold tasks."""
    found = set()
    for path in sources():
        if path.name == "tasks.py":
            module = ".".join(path.with_suffix("").relative_to(ROOT).parts)
            nodes = [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)]
            found |= {f"{module}.{node.name}" for node in nodes if not node.name.startswith("_")}
    return found
