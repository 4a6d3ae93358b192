"""The processes a house is made of."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any, cast

from tests.faults.nursery import Nursery

ENDS_WITHIN = 30


class Child:
    """One process of the house, in a group of its own so that all of it can be killed at once."""

    def __init__(self, command: list[str], environment: dict[str, str], **options: Any) -> None:
        self.process = subprocess.Popen(command, env=environment, start_new_session=True, text=True, **options)

    def end(self) -> None:
        """Ask it to end, as a deploy does. Raises TimeoutExpired when it takes longer than that waits."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(ENDS_WITHIN)

    def kill(self) -> None:
        """kill -9, children included."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(20)


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
