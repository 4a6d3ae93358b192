"""The database of the tests, for processes that they start, and who is still connected to it."""

import os
from typing import Any

from django.db import connection
from django.db.backends.signals import connection_created

from tests.environment import POSTGRESQL

MAX_NAME_LENGTH = 63


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
