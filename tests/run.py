"""Runs the suites: always on SQLite with the embedded broker, and again on PostgreSQL and Redis where they answer."""

import os
import socket
import subprocess
import sys

import psycopg
from psycopg import sql

SERVICES = {"PostgreSQL": 5432, "Redis": 6379}
SUITES = {
    # Half of the suite never touches a database, and what a browser shows does not depend on it: they need not run twice.
    # The walk through the whole demo does.
    "suite": (
        ["-m", "not faults and not counted"],
        [
            "-m",
            "not faults and not counted and not once and (not browser or processes)",
            "--ignore=tests/sandbox",
            "--ignore=tests/sandbox_seed",
            "--ignore=tests/platform_api",
            "--ignore=tests/look",
        ],
    ),
    "faults": (["-m", "faults"], ["-m", "faults and not once"]),
}


def main(suite: str, extra: list[str]) -> int:
    embedded, on_services = SUITES[suite]
    print(f"== {suite} on SQLite and the embedded broker", flush=True)
    result = run(embedded + extra, services=False)
    missing = [name for name, port in SERVICES.items() if not answers(port)]
    if missing:
        print(f"== {suite} not repeated on PostgreSQL and Redis: {', '.join(missing)} does not answer here", flush=True)
        return result or int(os.environ.get("REQUIRE_SERVICES") == "1")
    make_role()
    print(f"== {suite} on PostgreSQL and Redis", flush=True)
    return run(on_services + extra, services=True) or result


def run(arguments: list[str], *, services: bool) -> int:
    environment = {**os.environ, "TEST_SERVICES": "1" if services else "0"}
    # One more than there are processors: who waits for a browser, or for a page to ask anew, leaves its own idle.
    workers = str((os.cpu_count() or 1) + 1)
    command = [sys.executable, "-m", "pytest", "-n", workers, "--dist", "loadgroup", *arguments]
    code = subprocess.run(command, env=environment, check=False).returncode
    return 0 if code == 5 else code  # 5: this part of the suite has no test


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=2).close()
    except OSError:
        return False
    return True


def make_role() -> None:
    """Make the unprivileged role that the tests connect as."""
    with psycopg.connect("postgres://postgres@127.0.0.1:5432/postgres", autocommit=True) as connection:
        exists = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = 'portal_tests'").fetchone()
        verb = "ALTER" if exists else "CREATE"
        connection.execute(
            sql.SQL("{} ROLE portal_tests LOGIN CREATEDB NOSUPERUSER NOBYPASSRLS PASSWORD 'portal_tests'").format(sql.SQL(verb))
        )
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = 'portal_tests'").fetchone():
            connection.execute("CREATE DATABASE portal_tests OWNER portal_tests")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
