"""Putting a backup in the place of an installation: everything is looked at before anything is replaced."""

import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from portal.backups import archive
from portal.backups.after import prepare_to_go_on
from portal.backups.errors import BackupRefused
from portal.backups.installation import (
    DATABASE,
    FILES,
    MESSAGES,
    database_file,
    only_one_at_a_time,
    open_database,
    stored_files,
    waiting_messages,
)
from portal.backups.snapshot import check_integrity
from portal.lib.keys import ring
from portal.worker_monitoring.selectors import last_heartbeat

STAGE = "restore.unfinished"
"""Beside what it will replace, so that a part changes places at once."""
WORKER_IS_GONE_AFTER = timedelta(seconds=30)
"""A worker that runs takes a task of its supervisor every ten seconds."""
STOP_FIRST = "Stop the web processes and the workers first."


def restore_backup(source: Path, *, replaces: bool = False, without_keys: bool = False) -> Path | None:
    """Put a backup in the place of this installation; return where what was there is kept, None if there was nothing.

    Raises BackupRefused, and then nothing was replaced.
    """
    database = database_file()
    with only_one_at_a_time():
        stage = Path(settings.DATA_DIR, STAGE)
        shutil.rmtree(stage, ignore_errors=True)
        stage.mkdir(mode=0o700)
        try:
            manifest = archive.unpack(source, stage)
            _check_database(stage / DATABASE)
            if not without_keys:
                _check_keys(manifest.key_ids)
            is_empty = _is_empty(database)
            if not is_empty and not replaces:
                raise BackupRefused(f"{database.parent} holds an installation. --replace keeps it aside and restores over it.")
            kept = None if is_empty else _set_aside(database)
            _put_in_place(stage, database)
        finally:
            shutil.rmtree(stage, ignore_errors=True)
        connections.close_all()
        # A backup of an older release has older tables.
        call_command("migrate", interactive=False, verbosity=0)
        prepare_to_go_on()
    return kept


def _check_database(file: Path) -> None:
    """Refuse a database that is damaged, or that a later release has made."""
    if not file.exists():
        raise BackupRefused("The backup holds no database.")
    with closing(open_database(file)) as database:
        check_integrity(database)
        try:
            applied = {(app, name) for app, name in database.execute("SELECT app, name FROM django_migrations")}
        except sqlite3.DatabaseError as error:
            raise BackupRefused(f"The database in the backup is none of the portal: {error}") from error
    # Without a connection: what is in the folders of this code.
    loader = MigrationLoader(None)
    unknown = sorted(applied - {*loader.disk_migrations, *loader.replacements})
    if unknown:
        app, name = unknown[0]
        raise BackupRefused(f"The backup was made by a later release: this one does not know the migration {app}.{name}.")


def _check_keys(key_ids: Sequence[str]) -> None:
    missing = [key for key in key_ids if bytes.fromhex(key) not in ring().ids]
    if missing:
        raise BackupRefused(
            f"FIELD_ENCRYPTION_KEYS lacks {', '.join(missing)}, which secrets in the backup are sealed with. Put it there, "
            f"behind the first one (a backup made with --with-keys has it in {archive.KEYS}), or restore with --without-keys: "
            "connections then need a new consent."
        )


def _is_empty(database: Path) -> bool:
    has_database = database.exists() and database.stat().st_size > 0
    return not has_database and not any(path.is_file() for path in stored_files().rglob("*"))


def _set_aside(database: Path) -> Path:
    """Move the files away and link the database, so that it stays in its place until the other one takes it."""
    _refuse_while_running(database)
    kept = Path(settings.DATA_DIR, f"replaced-{datetime.now(UTC):%Y%m%dT%H%M%SZ}")
    kept.mkdir(mode=0o700)
    if database.exists():
        (kept / DATABASE).hardlink_to(database)
    if stored_files().exists():
        stored_files().rename(kept / FILES)
    return kept


def _refuse_while_running(database: Path) -> None:
    if not database.exists():
        return
    try:
        heard_at = last_heartbeat()
    except Exception:  # a database that is damaged or of another release is a reason to restore
        heard_at = None
    finally:
        connection.close()
    if heard_at and timezone.now() - heard_at < WORKER_IS_GONE_AFTER:
        raise BackupRefused(f"A worker took a task less than {WORKER_IS_GONE_AFTER.seconds} s ago. {STOP_FIRST}")
    with closing(open_database(database)) as alone:
        alone.execute("PRAGMA busy_timeout = 2000")
        try:
            # Only whoever is alone may switch the log off. What is in it is written into the file.
            alone.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.OperationalError as error:
            raise BackupRefused(f"Somebody has the database open: {error}. {STOP_FIRST}") from error
        except sqlite3.DatabaseError:
            return  # damaged: it is kept as it is


def _put_in_place(stage: Path, database: Path) -> None:
    if (stage / FILES).exists():
        (stage / FILES).replace(stored_files())
    if messages := waiting_messages():
        messages.mkdir(parents=True, exist_ok=True)
        for message in messages.glob("*.msg"):
            message.unlink()
        for message in (stage / MESSAGES).glob("*.msg"):
            message.replace(messages / message.name)
    # A log of the database before would be read as one of this.
    for end in ("-wal", "-shm", "-journal"):
        database.with_name(f"{database.name}{end}").unlink(missing_ok=True)
    # Last: from here on it counts.
    (stage / DATABASE).replace(database)
