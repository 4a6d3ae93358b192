"""O5: nobody shares a connection of the database with another process, and nothing keeps a process from ending."""

import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from tests.environment import POSTGRESQL
from tests.faults.house import ON_SERVICES, House
from tests.faults.test_unresponsive_worker import worker_of
from tests.support.polls import until

pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(not ON_SERVICES, reason="SQLite has no sockets"),
]
PROMPTLY = 15.0
HANGS = "couldn't stop thread"
"""What a pool says that was not closed, after it has waited five seconds for its threads."""

ASK = """
import sys, time, django
django.setup()
from portal.users.models import User
User.objects.count()
print(time.time(), flush=True)
"""
FORK = """
import os, sys
import portal.wsgi
from django.db import connection
from portal.users.models import User
assert not connection._connection_pools, "a pool is open before the fork"
assert connection.connection is None
child = os.fork()
for _ in range(20):
    User.objects.count()
connection.close()
connection.close_pool()
if child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.parametrize("role", ["web", "command"])
def test_o5_a_process_that_has_asked_the_database_ends_promptly(house: House, role: str):
    environment = house.environment | {"PORTAL_PROCESS": role}
    done = subprocess.run([sys.executable, "-c", ASK], env=environment, capture_output=True, text=True, check=True, timeout=60)
    assert HANGS not in done.stderr
    assert time.time() - float(done.stdout) < PROMPTLY


def test_o5_a_fork_after_the_import_shares_no_pool(house: House):
    subprocess.run([sys.executable, "-c", FORK], env=house.environment, check=True, timeout=60)


def test_o5_the_processes_of_a_worker_share_no_connection_and_keep_their_own(house: House):
    supervisor = house.worker("--ping", "0.5", "--concurrency", "2", pool="prefork", clock=True)
    worker = worker_of(supervisor)
    backends = until(lambda: backends_of(house), seconds=60, what="connections of the worker")
    until(lambda: len(children_of(worker)) == 3, what="two processes and the clock")
    time.sleep(2)
    of_each = [sockets_of(pid) for pid in (supervisor.process.pid, worker, *children_of(worker))]
    assert sum(map(bool, of_each)) >= 3
    assert len(set().union(*of_each)) == sum(map(len, of_each)), "a socket is shared"
    assert backends <= backends_of(house), "a task has not kept its connection"


def backends_of(house: House) -> set[int]:
    with psycopg.connect(POSTGRESQL, autocommit=True) as connection:
        found = connection.execute("SELECT pid FROM pg_stat_activity WHERE datname = %s", [house.database])
        return {pid for (pid,) in found}


def children_of(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def sockets_of(pid: int) -> set[str]:
    """Return the inodes of a process's connections to PostgreSQL."""
    open_files = {Path(each).readlink().name for each in Path(f"/proc/{pid}/fd").iterdir()}
    to_postgresql = {
        columns[9]
        for columns in map(str.split, Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:])
        if int(columns[2].partition(":")[2], 16) == 5432
    }
    return {f"socket:[{inode}]" for inode in to_postgresql} & open_files
