"""Inside pytest: runs a room's tests once and notes who meets which call, then leaves out one call at a time.

Only the tests that meet a call are run again without its row, the likely ones first, until one fails.
"""

import os
import sys
from collections import defaultdict
from pathlib import Path
from types import FrameType
from typing import Any, cast

import pytest
from _pytest.runner import runtestprotocol

from tests.mutations.audit_calls import RECORDS, ROOT, AuditCall, audit_calls

ROOM = "MUTATED_ROOM"
"""In the environment: whose calls are left out."""
MAX_TESTS_PER_CALL = 60
RECORDED = {(module.replace(".", "/"), name) for module, name in RECORDS}
LOOKS_AT_ROWS = ("history(", "Entry", "audit", "activity")


class AuditMutations:
    """Every call of one room, the tests that meet it, and what is left out at the moment."""

    def __init__(self, room: str) -> None:
        calls, recorders = audit_calls()
        self.by_place = {(call.path, call.line): call for call in calls}
        self.calls = sorted(call for call in calls if call.room == room)
        self.recorders = {(module.replace(".", "/"), name) for module, name in recorders}
        self.met: dict[AuditCall, dict[str, None]] = defaultdict(dict)
        self.seconds: dict[str, float] = defaultdict(float)
        self.failed: set[str] = set()
        self.running = ""
        self.left_out: AuditCall | None = None

    def install(self) -> None:
        """Have every row ask first whether it is the one that is left out."""
        from portal.audit.models import Entry
        from portal.tenants.managers import TenantQuerySet

        bulk_create = TenantQuerySet.bulk_create
        mutations = self

        def create_or_not(self: TenantQuerySet[Any], objs: Any, *args: Any, **options: Any) -> Any:
            call = mutations.call_behind(sys._getframe(1)) if self.model is Entry else None
            if call and mutations.running:
                mutations.met[call][mutations.running] = None
            is_left_out = call is not None and call == mutations.left_out
            return objs if is_left_out else bulk_create(self, objs, *args, **options)

        TenantQuerySet.bulk_create = create_or_not  # type: ignore[method-assign]

    def call_behind(self, frame: FrameType | None) -> AuditCall | None:
        """Find the call in a function that does not only record."""
        has_seen_record = False
        while frame:
            path = Path(frame.f_code.co_filename)
            inside = path.is_relative_to(ROOT / "portal") and path.relative_to(ROOT).as_posix()
            if inside:
                name = (inside.removesuffix(".py").removesuffix("/__init__"), frame.f_code.co_name)
                if has_seen_record and name not in self.recorders:
                    return self.by_place.get((inside, frame.f_lineno))
                has_seen_record = has_seen_record or name in RECORDED
            frame = frame.f_back
        return None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        self.running = item.nodeid
        try:
            return (yield)
        finally:
            self.running = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        if report.failed:
            self.failed.add(report.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Any:
        self.install()
        result = yield
        items = {item.nodeid: item for item in session.items}
        unnoticed = [call for call in self.calls if not self.is_noticed(call, session, items)]
        print(f"\n{len(self.calls) - len(unnoticed)} of {len(self.calls)} rows are missed by a test when they are left out.")
        session.testsfailed += len(unnoticed)
        return result

    def is_noticed(self, call: AuditCall, session: pytest.Session, items: dict[str, pytest.Item]) -> bool:
        names = sorted(
            set(self.met[call]) - self.failed, key=lambda name: (not looks_at_rows(items[name].path), self.seconds[name])
        )
        self.left_out = call
        for name in names[:MAX_TESTS_PER_CALL]:
            # What the folder and the file have set up stays for the next run; the test itself is torn down each time.
            item, around = items[name], cast(pytest.Item, items[name].parent)
            session._setupstate.teardown_exact(around)
            if any(report.failed for report in runtestprotocol(item, log=False, nextitem=around)):
                print(f"noticed    {call}   by {name}", flush=True)
                break
        else:
            print(f"UNNOTICED  {call}   met by {len(names)} tests", flush=True)
            return False
        return True


def looks_at_rows(path: Path) -> bool:
    """Say whether the tests of a file can see an audit row, as far as its words tell."""
    return any(word in path.read_text() for word in LOOKS_AT_ROWS)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(AuditMutations(os.environ[ROOM]), "audit-mutations")
