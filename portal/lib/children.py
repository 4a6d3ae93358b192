"""Processes that this one starts and answers for: they end with it, whatever ends it."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

PR_SET_PDEATHSIG = 1


def start(
    command: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    when_orphaned: signal.Signals = signal.SIGTERM,
    **options: Any,
) -> subprocess.Popen[str]:
    """Start a child in a session of its own, so that Ctrl-C reaches only its parent."""
    return subprocess.Popen(  # noqa: S603 - our own commands
        command,
        env={**os.environ, **(env or {})},
        text=True,
        start_new_session=True,
        preexec_fn=partial(_end_with_parent, when_orphaned, os.getpid()) if sys.platform == "linux" else None,
        **options,
    )


def end(child: subprocess.Popen[str], *, patience: float) -> bool:
    """Ask a child to end, wait, then kill its group. False: it had to be killed."""
    child.terminate()
    with suppress(subprocess.TimeoutExpired):
        child.wait(patience)
    is_ended = child.poll() is not None
    kill_group(child)
    return is_ended


def kill_group(child: subprocess.Popen[str]) -> None:
    """kill -9 for a child and for what it has started."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
    child.wait()


def _end_with_parent(number: signal.Signals, parent: int) -> None:
    """Have the kernel send the child a signal when its parent dies without a word (kill -9)."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        os._exit(1)  # it died in between
