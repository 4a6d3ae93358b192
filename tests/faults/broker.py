"""A Redis or RabbitMQ of the test's own, behind a proxy that does to connections what networks do to them."""

import os
import selectors
import shutil
import signal
import socket
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

from tests.support.optional_programs import do_without
from tests.support.polls import until
from tests.support.ports import free_port


class OwnRedis:
    """Can be stopped and started again, and loses by that what it held."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("redis-server")
        if program is None:
            do_without("redis-server is not installed")
        self.port = free_port()
        self._command = [program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        until(lambda: _is_open(self.port), what="redis-server")

    def stop(self) -> None:
        self._process.kill()
        self._process.wait(10)

    def wipe(self) -> None:
        """It has lost everything by being stopped."""

    @staticmethod
    def url(port: int) -> str:
        return f"redis://127.0.0.1:{port}/0"


class OwnRabbit:
    """Can be stopped and started again; what it was to keep is lost only when it is told to lose it."""

    def __init__(self, folder: Path) -> None:
        # The distribution's wrapper on the path runs it as another user, who has no business in this folder.
        program = shutil.which("rabbitmq-server", path=f"/usr/lib/rabbitmq/bin{os.pathsep}{os.environ['PATH']}")
        if program is None:
            do_without("rabbitmq-server is not installed")
        self._program, self._folder, self.port = program, folder, free_port()
        (folder / "plugins").write_text("[].")
        nowhere = str(folder / "none")
        self._environment = {
            **os.environ,
            # Its cookie is kept there.
            "HOME": str(folder),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODENAME": f"portal-{self.port}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self.port),
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_MNESIA_BASE": str(folder / "data"),
            "RABBITMQ_LOG_BASE": str(folder / "log"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
            "RABBITMQ_CONF_ENV_FILE": nowhere,
            "RABBITMQ_CONFIG_FILE": nowhere,
        }

    def start(self) -> None:
        self._process = subprocess.Popen(
            [self._program], env=self._environment, stdout=subprocess.DEVNULL, start_new_session=True
        )
        until(lambda: _is_open(self.port), seconds=90, what="rabbitmq-server")

    def stop(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(10)

    def wipe(self) -> None:
        """Lose everything; call it while the server is stopped."""
        shutil.rmtree(self._folder / "data", ignore_errors=True)

    @staticmethod
    def url(port: int) -> str:
        return f"amqp://guest:guest@127.0.0.1:{port}//"


type Broker = OwnRedis | OwnRabbit


def _is_open(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


class Proxy:
    """Forwards TCP connections until it is told otherwise."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port: int = self._listener.getsockname()[1]
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._is_cut = False
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break every connection, and refuse new ones."""
        self._is_cut = True
        for pair in self._forget():
            for side in pair:
                close(side)

    def mend(self) -> None:
        self._is_cut = False

    def lead_to(self, port: int) -> None:
        """Forward new connections to another server."""
        self._to = port

    def fall_silent(self) -> int:
        """Forward nothing more on the connections there are, and keep them open; new ones work. Return how many there are."""
        # Whoever forwards notices that it is not asked to any more.
        self._silent = self._forget()
        return len(self._silent)

    def close(self) -> None:
        self.cut()
        self._listener.close()

    def _forget(self) -> list[tuple[socket.socket, socket.socket]]:
        pairs, self._pairs = self._pairs, []
        return pairs

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                try:
                    if self._is_cut:
                        raise ConnectionRefusedError
                    far = socket.create_connection(("127.0.0.1", self._to), timeout=2)
                except OSError:
                    close(near)
                    continue
                pair = (near, far)
                self._pairs.append(pair)
                threading.Thread(target=self._forward, args=(pair,), daemon=True).start()

    def _forward(self, pair: tuple[socket.socket, socket.socket]) -> None:
        with selectors.DefaultSelector() as waiting:
            for side, other in (pair, pair[::-1]):
                waiting.register(side, selectors.EVENT_READ, other)
            with suppress(OSError):
                while pair in self._pairs:
                    for key, _ in waiting.select(timeout=0.1):
                        if pair not in self._pairs:
                            return
                        data = key.fileobj.recv(65536)  # type: ignore[union-attr]
                        if not data:
                            raise ConnectionAbortedError
                        key.data.sendall(data)
        if pair in self._pairs:
            self._pairs.remove(pair)
            for side in pair:
                close(side)


def close(side: socket.socket) -> None:
    with suppress(OSError):
        side.shutdown(socket.SHUT_RDWR)
    side.close()
