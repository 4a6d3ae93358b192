"""Faults that tests and the console switch on: slow, broken, refusing or lying answers."""

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from portal.sandbox.values import new_id

LATENCY, STATUS, STATUS_AFTER_WORK, DROP_ANSWER, HTML, REDIRECT, REFUSE = (
    "latency",
    "status",
    "status_after_work",
    "drop_answer",
    "html",
    "redirect",
    "refuse_connection",
)
KINDS = (LATENCY, STATUS, STATUS_AFTER_WORK, DROP_ANSWER, HTML, REDIRECT, REFUSE)
OUT_OF_REACH = ("/_control", "/console", "/healthz")


@dataclass(frozen=True, kw_only=True)
class Fault:
    id: str
    kind: str
    method: str | None = None
    path: str | None = None
    """The start of a path, or a pattern with `*`; with or without /v1. None: every path."""
    value: int | float | str | None = None
    """Seconds of latency, the status, or where to redirect."""
    times: int | None = None
    """How many more requests it hits; None: all, until it is cleared."""

    def matches(self, method: str, path: str) -> bool:
        if path.startswith(OUT_OF_REACH) or (self.method and self.method.upper() != method):
            return False
        if not self.path:
            return True
        wanted, asked = without_version(self.path), without_version(path)
        return fnmatchcase(asked, wanted) if "*" in wanted else asked.startswith(wanted)


class Faults:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._faults: list[Fault] = []

    def all(self) -> list[Fault]:
        return [*self._faults]

    def add(
        self,
        kind: str,
        *,
        method: str | None = None,
        path: str | None = None,
        value: int | float | str | None = None,
        times: int | None = None,
    ) -> Fault:
        """Switch a fault on. Raises ValueError when it makes no sense."""
        problem = problem_of(kind, value=value, times=times)
        if problem:
            raise ValueError(problem)
        fault = Fault(id=new_id(), kind=kind, method=method or None, path=path or None, value=value, times=times)
        with self._lock:
            self._faults.append(fault)
        return fault

    def remove(self, fault_id: str) -> None:
        with self._lock:
            self._faults = [fault for fault in self._faults if fault.id != fault_id]

    def clear(self) -> None:
        with self._lock:
            self._faults = []

    def hit(self, method: str, path: str) -> Fault | None:
        """Sleep through all matching latencies; use up and return the first other fault that matches."""
        slow, broken = self._use(method, path)
        time.sleep(sum(float(fault.value or 0) for fault in slow))
        return broken

    def _use(self, method: str, path: str) -> tuple[list[Fault], Fault | None]:
        with self._lock:
            matching = [fault for fault in self._faults if fault.matches(method, path)]
            slow = [fault for fault in matching if fault.kind == LATENCY]
            broken = next((fault for fault in matching if fault.kind != LATENCY), None)
            used = {fault.id for fault in [*slow, *([broken] if broken else [])]}
            self._faults = [fault for fault in counted_down(self._faults, used) if fault.times != 0]
        return slow, broken


def counted_down(faults: Iterable[Fault], used: set[str]) -> Iterable[Fault]:
    for fault in faults:
        is_counted = fault.id in used and fault.times is not None
        yield replace(fault, times=fault.times - 1) if is_counted and fault.times else fault


def problem_of(kind: str, *, value: int | float | str | None, times: int | None) -> str | None:
    """Say why a fault makes no sense."""
    if kind not in KINDS:
        return f"The kind must be one of {', '.join(KINDS)}."
    if kind == LATENCY and not (isinstance(value, int | float) and 0 <= value <= 600):
        return "Latency needs its seconds as value."
    if kind in (STATUS, STATUS_AFTER_WORK) and not (isinstance(value, int) and 200 <= value <= 599):
        return "A status fault needs the status as value."
    if kind == REDIRECT and not isinstance(value, str):
        return "A redirect needs an address as value."
    return "The number of times must be at least 1." if times is not None and times < 1 else None


def without_version(path: str) -> str:
    return path.removeprefix("/v1") if path.startswith("/v1/") else path
