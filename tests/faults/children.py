"""The processes a house is made of."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from tests.faults.nursery import Nursery
from tests.support.polls import until

ENDS_WITHIN = 30


def pids_below(pid: int) -> list[int]:
    """Return the processes that a process has started, and what these have started; none where the system has no `/proc`."""
    found = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found += [int(child) for child in children.read_text().split()]
    return [*found, *(lower for child in found for lower in pids_below(child))]


def is_alive(pid: int) -> bool:
    """Say whether a process still does something: what is dead may stand in the list until somebody asks for its code."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


class Child:
    """One process of the house, in a group of its own so that all of it can be killed at once."""

    def __init__(self, command: list[str], environment: dict[str, str], **options: Any) -> None:
        self.process = subprocess.Popen(command, env=environment, start_new_session=True, text=True, **options)

    def end(self) -> None:
        """Ask it to end, as a deploy does. Raises TimeoutExpired when it takes longer than that waits."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(ENDS_WITHIN)

    def kill(self) -> None:
        """kill -9, children included, also those in groups of their own. Afterwards nothing of it writes any more."""
        below = pids_below(self.process.pid)
        for kill, pid in ((os.killpg, self.process.pid), *((os.kill, pid) for pid in below)):
            with suppress(ProcessLookupError):
                kill(pid, signal.SIGKILL)
        self.process.wait(20)
        until(lambda: not any(map(is_alive, below)), what="the end of what it had started")


class Inside(Child):
    """A process that does what it is told; see `tests.faults.inside`. One from a nursery need not import anything."""

    def __init__(self, environment: dict[str, str], *, nursery: Nursery | None = None, **options: Any) -> None:
        if nursery:
            self.process = cast("subprocess.Popen[str]", nursery.start())
            return
        command = [sys.executable, "-m", "tests.faults.inside"]
        super().__init__(command, environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)

    def start(self, name: str, /, **options: Any) -> None:
        """Tell it to do something, and do not wait."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps([name, options]) + "\n")
        self.process.stdin.flush()

    def answer(self) -> Any:
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, f"it ended with {self.process.wait(20)}"
        found = json.loads(line)
        assert "failed" not in found, found["failed"]
        return found["answer"]

    def do(self, name: str, /, **options: Any) -> Any:
        self.start(name, **options)
        return self.answer()
