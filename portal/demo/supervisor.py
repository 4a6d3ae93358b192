"""Runs the processes of one machine as children: starts them, prefixes their lines, and stops all when one ends."""

import signal
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import FrameType

from portal.lib import children

PATIENCE_SECONDS = 2.0
"""How long a child may take to end after SIGTERM. What it was doing waits in rows; a killed worker loses nothing."""


class Supervisor:
    """A small set of children that live and die together."""

    def __init__(self) -> None:
        self._children: dict[str, subprocess.Popen[str]] = {}
        self._stopping = threading.Event()

    def start(self, name: str, command: Sequence[str], *, env: Mapping[str, str] | None = None) -> None:
        """Start one child in a session of its own, so that Ctrl-C reaches only the supervisor."""
        child = children.start(
            command,
            env={**(env or {}), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            errors="replace",
        )
        self._children[name] = child
        threading.Thread(target=_print_lines, args=(name, child), daemon=True).start()

    def wait_until_ready(self, name: str, url: str, *, seconds: float = 30) -> None:
        """Wait for a child to answer at an address. Raises SystemExit when it ends or stays silent."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not self._stopping.is_set():
            if self._children[name].poll() is not None:
                raise SystemExit(f"{name} ended with code {self._children[name].returncode} instead of starting")
            try:
                with urllib.request.urlopen(url, timeout=1):  # noqa: S310 - our own address
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        raise SystemExit(f"{name} did not answer at {url}")

    def run(self) -> int:
        """Wait until somebody stops the demo (code 0) or a child ends by itself (code 1)."""
        while not self._stopping.wait(0.2):
            for name, child in self._children.items():
                if child.poll() is not None:
                    print(f"{name} ended with code {child.returncode}; stopping everything", flush=True)
                    return 1
        return 0

    def listen_for_signals(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)

    def stop(self) -> None:
        """End all children: ask, wait a little, then kill their groups."""
        for child in self._children.values():
            if child.poll() is None:
                child.terminate()
        deadline = time.monotonic() + PATIENCE_SECONDS
        for child in self._children.values():
            with suppress(subprocess.TimeoutExpired):
                child.wait(max(0.0, deadline - time.monotonic()))
            children.kill_group(child)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._stopping.set()


def _print_lines(name: str, child: subprocess.Popen[str]) -> None:
    for line in child.stdout or ():
        print(f"{name:>8} | {line}", end="", flush=True)
