"""The database of the tests, for processes that they start, and who is still connected to it."""

import os
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.backends.signals import connection_created
from psycopg import Connection
from psycopg.abc import RV, PQGen

from portal.tenants.postgresql.pooled import Pooled
from tests.environment import POSTGRESQL

MAX_NAME_LENGTH = 63
MAX_CONNECTIONS = 24
"""Of one process: the requests of a page and its polls, and the threads that some tests start."""


class Patient(Pooled):
    """A pooled connection on a busy machine: how long an answer may take is tried where processes serve pages."""

    def wait(self, gen: PQGen[RV], interval: float = 0.1, timeout: float | None = None) -> RV:
        return Connection.wait(self, gen, interval, timeout)


def share_connections() -> None:
    """Have the requests of a browser take their connections from a pool, as those of a web process do.

    A new one for each costs the time of ten statements, and has to learn of every table again. Call it before the first.
    """
    database = settings.DATABASES["default"]
    # A browser holds the threads of the live server open for minutes, and each would hold its connection.
    database["CONN_MAX_AGE"] = 0
    if database["ENGINE"] == "portal.tenants.postgresql":
        database["OPTIONS"]["pool"] = {
            "min_size": 0,
            "max_size": MAX_CONNECTIONS,
            "timeout": 30,
            "connection_class": Patient,
        }


def close_shared_connections() -> None:
    """Close the pool, so that only those are left whom a test has forgotten."""
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()  # type: ignore[attr-defined]


def database_url() -> str:
    """Return what DATABASE_URL has to be for another process to open the same database."""
    name = connection.settings_dict["NAME"]
    return f"sqlite:///{name}" if connection.vendor == "sqlite" else f"{POSTGRESQL.rpartition('/')[0]}/{name}"


def name_connections() -> None:
    """Have every new connection to PostgreSQL carry the name of the test that opens it."""
    if connection.vendor == "postgresql":
        connection_created.connect(_name_connection)


def connections_left() -> list[str]:
    """Return the tests whose connections are still open, but for this one. SQLite knows of none."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT application_name FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return [name for (name,) in cursor.fetchall()]


def _name_connection(connection: Any, **_: object) -> None:
    name = os.environ.get("PYTEST_CURRENT_TEST", "no test").rpartition("/")[2]
    connection.connection.execute("SELECT set_config('application_name', %s, false)", [name[:MAX_NAME_LENGTH]])
