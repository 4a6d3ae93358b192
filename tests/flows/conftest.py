import os
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from tests.environment import POSTGRESQL
from tests.support.demo import Demo

DATABASE, BROKER = "portal_walk", "redis://127.0.0.1:6379/13"


@pytest.fixture
def services() -> Iterator[dict[str, str]]:
    """Give a fresh database and broker to the demo, where this run of the suite is about those."""
    if os.environ.get("TEST_SERVICES") != "1":
        yield {}
        return
    with psycopg.connect(POSTGRESQL, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {DATABASE}")
        redis.Redis.from_url(BROKER).flushdb()
        yield {"DATABASE_URL": f"{POSTGRESQL.rpartition('/')[0]}/{DATABASE}", "CELERY_BROKER_URL": BROKER}
        connection.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")


@pytest.fixture
def demo(tmp_path: Path, services: dict[str, str]) -> Iterator[Demo]:
    """A running demo."""
    running = Demo(tmp_path / "demo", services=services).start()
    yield running
    running.stop()


def processes_of(folder: Path) -> list[str]:
    """Return the commands of the processes that work on a data folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if f"DATA_DIR={folder}".encode() in (entry / "environ").read_bytes():
                found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found
