"""Processes inside a house that need not import anything: forked from one that has imported it all and touched nothing yet.

`python -m tests.faults.nursery <fd>` waits on a socket for the ends of two pipes, forks a process that reads and answers on
them, and says its number. To import the portal takes seconds of a processor, and the fault tests start some hundred processes.
"""

import os
import random
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from typing import IO

MAX_MESSAGE = 64


class Forked:
    """One process of a nursery, as far as it is like a `subprocess.Popen`. Nobody has to wait for it: init does."""

    def __init__(self, pid: int, stdin: IO[str], stdout: IO[str]) -> None:
        self.pid, self.stdin, self.stdout = pid, stdin, stdout
        try:
            self._ended: int | None = os.pidfd_open(pid)
        except ProcessLookupError:
            self._ended = None

    def poll(self) -> int | None:
        """Return None while it runs. How it ended is not known here."""
        return None if self._ended is not None and not select.select([self._ended], [], [], 0)[0] else 0

    def wait(self, timeout: float) -> int:
        """Wait for its end. Raises TimeoutExpired."""
        if self._ended is not None:
            if not select.select([self._ended], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
            os.close(self._ended)
            self._ended = None
        return 0


class Nursery:
    """Starts processes in one environment."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-m", "tests.faults.nursery", str(theirs.fileno())]
        self._process = subprocess.Popen(command, env=dict(environment), pass_fds=[theirs.fileno()], start_new_session=True)
        theirs.close()

    def start(self) -> Forked:
        """Fork one; it waits for what it is told on its `stdin`."""
        (stdin, told), (heard, stdout) = os.pipe(), os.pipe()
        socket.send_fds(self._socket, [b"fork"], [stdin, stdout])
        os.close(stdin)
        os.close(stdout)
        pid = int(self._socket.recv(MAX_MESSAGE) or b"0")
        assert pid, "the nursery has ended"
        return Forked(pid, os.fdopen(told, "w"), os.fdopen(heard))

    def close(self) -> None:
        self._process.kill()
        self._process.wait(20)
        self._socket.close()


def serve(channel: socket.socket) -> None:
    """Fork for whoever asks, until they are gone."""
    from tests.faults import inside

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody has to be waited for
    while True:
        message, descriptors, _, _ = socket.recv_fds(channel, MAX_MESSAGE, 2)
        if not message:
            return
        pid = os.fork()
        if not pid:
            _become(channel, *descriptors)
            inside.main()
            os._exit(0)
        for descriptor in descriptors:
            os.close(descriptor)
        channel.send(str(pid).encode())


def _become(channel: socket.socket, stdin: int, stdout: int) -> None:
    """Be a process of one's own, in a group that can be killed, on the given ends."""
    os.setsid()
    channel.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.dup2(stdin, 0)
    os.dup2(stdout, 1)
    os.close(stdin)
    os.close(stdout)
    sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
    random.seed()  # two that are forked from one would draw the same


if __name__ == "__main__":
    import django

    django.setup()
    serve(socket.socket(fileno=int(sys.argv[1])))
