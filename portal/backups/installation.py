"""Where the parts of an installation without servers are."""

import fcntl
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection

from portal.backups.errors import BackupRefused

DATABASE, FILES, MESSAGES = "portal.sqlite3", "files", "messages"
"""The parts, as a backup calls them."""
BUSY_SECONDS = 20
"""As long as the portal itself waits for a writer."""


def database_file() -> Path:
    """Return the file of the database. Raises BackupRefused where it is none."""
    if connection.vendor != "sqlite":
        raise BackupRefused(
            "DATABASE_URL names a PostgreSQL, which is copied with pg_dump and put back with pg_restore: "
            "docs/operating.md has the commands."
        )
    return Path(connection.settings_dict["NAME"])


def stored_files() -> Path:
    """Return the folder of the uploads."""
    return Path(settings.MEDIA_ROOT)


def waiting_messages() -> Path | None:
    """Return the folder in which the embedded broker keeps its messages; None where the broker is a server."""
    if not settings.CELERY_BROKER_URL.startswith("filesystem:"):
        return None
    return Path(settings.DATA_DIR, "broker", "queue")


def open_database(file: Path) -> sqlite3.Connection:
    """Open a database beside the portal; its transactions begin and end where we say so."""
    return sqlite3.connect(file, timeout=BUSY_SECONDS, isolation_level=None)


@contextmanager
def only_one_at_a_time() -> Iterator[None]:
    """Keep a second backup or restore of the same installation out. Raises BackupRefused; ends with this process."""
    with Path(settings.DATA_DIR, "backup.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BackupRefused("Another backup or restore of this installation is running.") from None
        yield
