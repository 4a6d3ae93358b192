"""Runs the suites: on PostgreSQL and Redis where they answer, and again on the embedded default what differs there."""

import os
import socket
import subprocess
import sys

import psycopg
from psycopg import sql

SERVICES = {"PostgreSQL": 5432, "Redis": 6379}
SUITES = {
    "suite": "not faults and not counted and not controls",
    # What to run before every commit: one database, no browser, no processes.
    "fast": "not faults and not counted and not browser and not processes",
    "controls": "controls",
    "faults": "faults",
}
ON_BOTH = {
    "suite": [
        # Locks, leases, claims and upserts.
        "tests/accounts",
        "tests/connections",
        "tests/inbox",
        "tests/page_refresh",
        "tests/sync",
        "tests/worker_monitoring",
        # Row security, searching and the pages of lists.
        "tests/house",
        "tests/search",
        "tests/tenants",
        "tests/deletion_requests/test_traces.py",
        # What a user's machine runs, seen from outside.
        "tests/flows",
        "tests/lib",
    ],
    # O1: the embedded default keeps the same guarantees.
    "faults": ["tests/faults"],
}
"""What meets the database or the broker in a way that differs; nothing else is repeated on the embedded default."""


def main(suite: str, extra: list[str]) -> int:
    chosen = ["-m", SUITES[suite], *extra]
    missing = [name for name, port in SERVICES.items() if not answers(port)]
    if missing:
        print(f"== {suite} on SQLite and the embedded broker: {', '.join(missing)} does not answer here", flush=True)
        return run(chosen, services=False) or int(os.environ.get("REQUIRE_SERVICES") == "1")
    make_role()
    print(f"== {suite} on PostgreSQL and Redis", flush=True)
    result = run(chosen, services=True)
    if suite not in ON_BOTH:
        return result
    print(f"== {suite}, what differs on SQLite and the embedded broker", flush=True)
    return run(["-m", f"({SUITES[suite]}) and (not browser or processes)", *extra, *ON_BOTH[suite]], services=False) or result


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
