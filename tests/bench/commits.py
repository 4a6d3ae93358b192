"""How many rows a second the database itself can commit, one to a commit: the bound of every durable answer."""

import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

from django.db import connection, connections

from tests.environment import POSTGRESQL

TABLE = """
    CREATE TABLE bench_row (
        id bigserial PRIMARY KEY, hook_id varchar(200) UNIQUE, state varchar(10), due_at timestamptz, body text
    )
"""
SCRIPT = """
INSERT INTO bench_row (hook_id, state, due_at, body)
VALUES (md5(random()::text || :client_id || clock_timestamp()), 'pending', now(), repeat('x', 300));
"""


def prepare() -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(TABLE)
            cursor.execute("CREATE INDEX ON bench_row (due_at) WHERE state = 'pending'")
        else:
            cursor.execute("CREATE TABLE bench_row (id integer PRIMARY KEY, body text)")


def tool() -> str:
    return "pgbench, prepared" if _pgbench() else "threads of this process"


def commits_a_second(clients: int, *, seconds: int = 3) -> float:
    pgbench = _pgbench()
    return _with_pgbench(pgbench, clients, seconds) if pgbench else _with_threads(clients, seconds)


def _pgbench() -> str | None:
    if connection.vendor != "postgresql":
        return None
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/pgbench"))
    return shutil.which("pgbench") or (str(installed[-1]) if installed else None)


def _with_pgbench(pgbench: str, clients: int, seconds: int) -> float:
    address = urlsplit(POSTGRESQL)
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(SCRIPT)
        script.flush()
        command = [pgbench, "-n", "-M", "prepared", "-c", str(clients), "-j", "2" if clients > 1 else "1", "-T", str(seconds)]
        command += ["-f", script.name, "-h", str(address.hostname), "-p", str(address.port), "-U", str(address.username)]
        environment = os.environ | {"PGPASSWORD": str(address.password)}
        done = subprocess.run(
            [*command, connection.settings_dict["NAME"]], capture_output=True, text=True, check=True, env=environment
        )
    found = re.search(r"tps = ([\d.]+)", done.stdout)
    assert found, done.stdout
    return float(found[1])


def _with_threads(clients: int, seconds: int) -> float:
    until, done = time.perf_counter() + seconds, []

    def commit() -> None:
        count = 0
        with connection.cursor() as cursor:
            while time.perf_counter() < until:
                cursor.execute("INSERT INTO bench_row (body) VALUES (%s)", ["x" * 400])
                count += 1
        connections.close_all()
        done.append(count)

    threads = [threading.Thread(target=commit) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(done) / seconds
