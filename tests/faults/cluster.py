"""A PostgreSQL of our own, which can be crashed and frozen, and one that follows it and takes over."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.support.polls import until
from tests.support.ports import free_port

ROLE = "portal_faults"
OWNER = "postgres"
"""Whose processes they are when the tests run as root, which PostgreSQL refuses."""


def find_binaries() -> Path | None:
    """Return the folder of initdb and pg_ctl, the newest first; None where PostgreSQL is not installed or cannot be run."""
    on_path = shutil.which("pg_ctl")
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda place: int(place.parent.name), reverse=True)
    found = [place for place in [*places, *([Path(on_path).parent] if on_path else [])] if (place / "initdb").exists()]
    return found[0] if found and (os.geteuid() or _has_owner()) else None


def _has_owner() -> bool:
    try:
        pwd.getpwnam(OWNER)
    except KeyError:
        return False
    return True


class Cluster:
    """One server with durable commits, as it is installed: fsync and synchronous_commit are on by default."""

    def __init__(self, binaries: Path, folder: Path) -> None:
        self._binaries, self._folder, self.port = binaries, folder, free_port()
        self.url = url_at(self.port)

    def build(self) -> None:
        self._run("initdb", "-D", str(self._data), "-U", OWNER, "-A", "trust", "-E", "UTF8", "--no-sync")
        self.start()
        with self._as_owner() as connection:
            connection.execute(f"CREATE ROLE {ROLE} LOGIN NOSUPERUSER NOBYPASSRLS")
            connection.execute(f"CREATE DATABASE {ROLE} OWNER {ROLE}")

    def follow(self, primary: "Cluster") -> None:
        """Become a replica of another one: from now on that commits nothing which is not on both."""
        self._run(
            "pg_basebackup", "-h", "127.0.0.1", "-p", str(primary.port), "-U", OWNER, "-D", str(self._data), "-R", "-c", "fast"
        )
        self.start()
        primary.commit_on_both()

    def commit_on_both(self) -> None:
        with self._as_owner() as connection:
            connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            connection.execute("SELECT pg_reload_conf()")
            state = "SELECT sync_state FROM pg_stat_replication"
            until(lambda: connection.execute(state).fetchone() == ("sync",), what="the replica")

    def promote(self) -> None:
        """Take over from the primary, which must not run any more."""
        self._run("pg_ctl", "-D", str(self._data), "-w", "promote")

    def _as_owner(self) -> psycopg.Connection:
        return psycopg.connect(f"postgres://{OWNER}@127.0.0.1:{self.port}/postgres", autocommit=True)

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -k {self._folder}"
        self._run("pg_ctl", "-D", str(self._data), "-l", str(self._folder / "log"), "-o", options, "-w", "start")

    @property
    def is_running(self) -> bool:
        return (self._data / "postmaster.pid").exists()

    def crash(self) -> None:
        """End it without a word to anybody; it recovers from its log at the next start."""
        self._run("pg_ctl", "-D", str(self._data), "-m", "immediate", "-w", "stop")

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop all its processes where they are: connections stay open, and nothing is answered."""
        server = int((self._data / "postmaster.pid").read_text().split()[0])
        # The server first, so that it starts no other meanwhile.
        os.kill(server, signal.SIGSTOP)
        processes = [server, *map(int, Path(f"/proc/{server}/task/{server}/children").read_text().split())]
        for process in processes[1:]:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in reversed(processes):
                os.kill(process, signal.SIGCONT)

    def _run(self, program: str, *arguments: str) -> None:
        user = {} if os.geteuid() else {"user": OWNER, "group": pwd.getpwnam(OWNER).pw_gid, "extra_groups": []}
        # Not captured: the server would keep the pipe open.
        subprocess.run(
            [str(self._binaries / program), *arguments], check=True, cwd=self._folder, stdout=subprocess.DEVNULL, **user
        )


def url_at(port: int) -> str:
    """Return the address of the database, wherever it can be reached."""
    return f"postgres://{ROLE}@127.0.0.1:{port}/{ROLE}"


@contextmanager
def own_cluster(binaries: Path) -> Iterator[Cluster]:
    """Yield a running server in a folder of its own."""
    with _in_own_folder(binaries) as cluster:
        cluster.build()
        yield cluster


@contextmanager
def own_replica(binaries: Path, primary: Cluster) -> Iterator[Cluster]:
    """Yield a running replica of a server."""
    with _in_own_folder(binaries) as cluster:
        cluster.follow(primary)
        yield cluster


@contextmanager
def _in_own_folder(binaries: Path) -> Iterator[Cluster]:
    # Not among the folders of the tests: its owner could not reach it there.
    folder = Path(tempfile.mkdtemp(prefix="portal-faults-"))
    if not os.geteuid():
        shutil.chown(folder, OWNER)
    cluster = Cluster(binaries, folder)
    try:
        yield cluster
    finally:
        if cluster.is_running:
            cluster.crash()
        shutil.rmtree(folder, ignore_errors=True)
