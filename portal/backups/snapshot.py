"""Taking a backup while the portal runs: one moment of the database, and the files that its rows name at that moment."""

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

from portal.backups import archive
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
from portal.tenants.sealing import keys_in_use

STAGE = "backup.unfinished"
"""Beside the files, so that they can be linked; whatever an earlier backup left there goes first."""


def take_backup(target: Path, *, with_keys: bool = False) -> Path:
    """Write a backup into a new file, or below a folder under a name of its own; return the file. Raises BackupRefused."""
    database, made_at = database_file(), datetime.now(UTC)
    if target.is_dir():
        target /= f"portal-{made_at:%Y%m%dT%H%M%SZ}.tar.gz"
    if target.exists():
        raise BackupRefused(f"{target} exists already.")
    if not database.exists():
        raise BackupRefused(f"There is no database at {database}.")
    with only_one_at_a_time():
        stage = Path(settings.DATA_DIR, STAGE)
        shutil.rmtree(stage, ignore_errors=True)
        stage.mkdir(mode=0o700)
        try:
            _copy_installation(database, stage)
            if with_keys:
                (stage / archive.KEYS).write_text(f"FIELD_ENCRYPTION_KEYS={','.join(settings.FIELD_ENCRYPTION_KEYS)}\n")
            key_ids = sorted(key.hex() for key in keys_in_use())
            archive.write(target, stage, made_at=made_at.isoformat(timespec="seconds"), key_ids=key_ids)
        finally:
            shutil.rmtree(stage, ignore_errors=True)
    return target


def _copy_installation(database: Path, stage: Path) -> None:
    with closing(open_database(database)) as writer, closing(open_database(database)) as reader:
        # While we hold the writer's place nobody commits, so no row loses its file and no file its row: files are written
        # before their row is, and removed after it has let go of them. That takes as long as linking the files does.
        writer.execute("BEGIN IMMEDIATE")
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM sqlite_master").fetchone()
        _link_all(stored_files(), stage / FILES)
        if messages := waiting_messages():
            _link_all(messages, stage / MESSAGES)
        writer.execute("ROLLBACK")
        # The reader still sees that moment; from here on everybody writes.
        _copy_database(reader, stage / DATABASE)


def _copy_database(original: sqlite3.Connection, target: Path) -> None:
    with closing(open_database(target)) as copy:
        original.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
        check_integrity(copy)


def check_integrity(database: sqlite3.Connection) -> None:
    """Raise BackupRefused where SQLite finds that a file is damaged."""
    try:
        found = [row[0] for row in database.execute("PRAGMA integrity_check(1)")]
    except sqlite3.DatabaseError as error:
        found = [str(error)]
    if found != ["ok"]:
        raise BackupRefused(f"The database is damaged: {found[0]}")


def _link_all(folder: Path, target: Path) -> None:
    """Link each file, which is never written twice; what is gone or unfinished in this moment is no part of it."""
    for path in folder.rglob("*"):
        if not path.is_file() or path.suffix == ".part":
            continue
        place = target / path.relative_to(folder)
        place.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            _link(path, place)


def _link(path: Path, place: Path) -> None:
    try:
        os.link(path, place)
    except FileNotFoundError:
        raise
    except OSError:  # a file system without links, or another one than that of the backup's stage
        shutil.copyfile(path, place)
