"""Runs the suites: on PostgreSQL and Redis where they answer, and again on the embedded default what differs there.

What fails is tried once more, alone. What passes then is named under `== unsteady` and does not fail the run: it is a defect of
the same day, but no reason to throw away the rest.
"""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import psycopg
import pytest
from psycopg import sql

from tests.touched import touched_cases

SERVICES = {"PostgreSQL": 5432, "Redis": 6379}
SUITES = {
    "suite": "not faults and not counted and not controls and not moods",
    # What to run before every commit: what differs from main, on one database, without browser and processes.
    "fast": "not faults and not counted and not moods and not browser and not processes",
    "controls": "controls",
    "moods": "moods",
    "faults": "faults",
    # What waits for a browser or a process: beside a busy processor it takes longer, and it may not fail.
    "steady": "(browser or processes) and not faults and not counted and not controls and not moods",
}
ON_BOTH = {
    "suite": [
        # Locks, leases, claims and upserts.
        "tests/accounts",
        "tests/audit",
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
"""Rooms that meet the database or the broker in a way that differs. Of the others what is marked `both` is repeated."""

ONLY_IN = {"faults": ["tests/faults", "tests/flows"]}
"""Where all cases of a suite are, when it is a small one: to read the other files takes half a minute."""

TESTS_FAILED = pytest.ExitCode.TESTS_FAILED
NO_TEST = pytest.ExitCode.NO_TESTS_COLLECTED
MAX_UNSTEADY = 5
"""More than these at once have one cause, and it is none of chance."""
GROUP = re.compile(r"@[^@\]]+$")
"""What pytest-xdist adds to the id of a case that is bound to others."""

SLOWEST_FILES = 40
STEADY_RUNS = int(os.environ.get("STEADY_RUNS", "10"))


def main(suite: str, extra: list[str]) -> int:
    chosen = ["-m", SUITES[suite], *extra, *(touched() if suite == "fast" and not extra else [])]
    missing = [name for name, port in SERVICES.items() if not answers(port)]
    if missing:
        print(f"== {suite} on SQLite and the embedded broker: {', '.join(missing)} does not answer here", flush=True)
        return run(chosen, services=False) or int(os.environ.get("REQUIRE_SERVICES") == "1")
    make_role()
    print(f"== {suite} on PostgreSQL and Redis", flush=True)
    if suite == "steady":
        return run_often(chosen)
    result = run([*chosen, *ONLY_IN.get(suite, [])], services=True)
    if suite not in ON_BOTH:
        return result
    print(f"== {suite}, what differs on SQLite and the embedded broker", flush=True)
    chosen = f"({SUITES[suite]}) and not once and (not browser or processes)"
    return run(["-m", chosen, *extra, *repeated(suite)], services=False, is_again=True) or result


def touched() -> list[str]:
    """Return where the cases are that concern what differs from `main`, and print them; nothing stands for all cases."""
    found = touched_cases()
    print("== what differs from main concerns", "everything" if found is None else " ".join(found), flush=True)
    return found or []


def repeated(suite: str) -> list[str]:
    """Return where the cases are that are repeated on the embedded default: the folders, and files with cases marked `both`."""
    if suite in ONLY_IN:
        return ON_BOTH[suite]
    marked = [path for path in sorted(Path("tests").rglob("test_*.py")) if "pytest.mark.both" in path.read_text()]
    return [*ON_BOTH[suite], *(str(path) for path in marked if not is_in(path, ON_BOTH[suite]))]


def is_in(path: Path, places: list[str]) -> bool:
    """Say whether a file is one of these, or lies in one of them."""
    return any(path.is_relative_to(place) for place in places)


def run(arguments: list[str], *, services: bool, is_again: bool = False, workers: int = 0) -> int:
    """Run pytest in `workers` processes, and what failed a second time. Return 0, or the exit code that says what is wrong.

    `is_again`: these cases have run on the other database a moment ago, and looked at their pages.
    """
    environment = {**os.environ, "TEST_SERVICES": "1" if services else "0", "TEST_AGAIN": "1" if is_again else "0"}
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "-o", f"cache_dir={folder}", *arguments]
        report = Path(folder, "report.xml")
        code = run_in_parallel([*command, "--junitxml", str(report)], environment, workers)
        print_slowest_files(report)
        if code == NO_TEST:
            return 0
        return look_again(command, Path(folder), environment) if code == TESTS_FAILED else code


def run_in_parallel(command: list[str], environment: dict[str, str], workers: int = 0) -> int:
    # One more than there are processors: who waits for a browser, or for a page to ask anew, leaves its own idle.
    workers = workers or (os.cpu_count() or 1) + 1
    parallel = [*command, "-n", str(workers), "--dist", "loadgroup", "--durations", "30"]
    return subprocess.run(parallel, env=environment, check=False).returncode


def print_slowest_files(report: Path) -> None:
    """Print where the time of a run went: the seconds of all cases of a file together, over all workers."""
    seconds: Counter[str] = Counter()
    cases: Counter[str] = Counter()
    for case in ElementTree.parse(report).iter("testcase") if report.exists() else ():
        name = case.get("classname", "")
        seconds[name] += float(case.get("time", 0))
        cases[name] += 1
    print(f"== slowest {SLOWEST_FILES} files, of {sum(seconds.values()):.0f} seconds of all workers")
    print(
        *(f"{spent:7.1f}s {cases[name]:5} cases {name}" for name, spent in seconds.most_common(SLOWEST_FILES)),
        sep="\n",
        flush=True,
    )


def run_often(arguments: list[str]) -> int:
    """Run pytest STEADY_RUNS times beside a busy loop on each processor; print how often each case has failed."""
    environment = {**os.environ, "TEST_SERVICES": "1"}
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    failures: Counter[str] = Counter()
    code = 0
    try:
        for number in range(1, STEADY_RUNS + 1):
            print(f"== run {number} of {STEADY_RUNS}", flush=True)
            with tempfile.TemporaryDirectory() as folder:
                command = [sys.executable, "-m", "pytest", "-o", f"cache_dir={folder}", *arguments]
                code = run_in_parallel(command, environment) or code
                failures.update(note_failed(Path(folder)))
    finally:
        for process in busy:
            process.kill()
    print(
        f"== failures in {STEADY_RUNS} runs",
        *(f"{count} {case}" for case, count in failures.most_common()),
        sep="\n",
        flush=True,
    )
    return code


def look_again(command: list[str], folder: Path, environment: dict[str, str]) -> int:
    """Run alone what has failed. Return 0 where each of at most MAX_UNSTEADY cases passes now."""
    failed = note_failed(folder)
    if not all("::" in case for case in failed):
        return TESTS_FAILED  # not a case: what was collected differs from one process to another
    if not 0 < len(failed) <= MAX_UNSTEADY:
        print(f"== {len(failed)} failed: more than {MAX_UNSTEADY} have no second look", flush=True)
        return TESTS_FAILED
    print("== what failed, once more, alone", flush=True)
    report = folder / "second-look.xml"
    second = [*command, "--last-failed", "--last-failed-no-failures", "none", "-n", "0", "--junitxml", str(report)]
    code = subprocess.run(second, env=environment, check=False).returncode
    # An exit code of 0 alone says nothing of a case that was not reached, not found again, or skipped.
    if code or note_failed(folder) or has_skipped(report):
        return code or TESTS_FAILED
    print("== unsteady", *failed, sep="\n", flush=True)
    return 0


def note_failed(folder: Path) -> list[str]:
    """Return the ids of what pytest's cache holds as failed, under the names that they have without worker processes."""
    cache = folder / "v/cache/lastfailed"
    if not cache.exists():
        return []
    failed = [GROUP.sub("", case) for case in json.loads(cache.read_text())]
    cache.write_text(json.dumps(dict.fromkeys(failed, True)))
    return failed


def has_skipped(report: Path) -> bool:
    return any(suite.get("skipped") != "0" for suite in ElementTree.parse(report).iter("testsuite"))


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
        # As the portal's database is set up (docs/operating.md): what a plan is said to cost in new tables is a guess.
        connection.execute("ALTER ROLE portal_tests SET jit = off")
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = 'portal_tests'").fetchone():
            connection.execute("CREATE DATABASE portal_tests OWNER portal_tests")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
