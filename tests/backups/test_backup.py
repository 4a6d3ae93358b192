"""O8: a backup is one moment of an installation that goes on working."""

import errno
import json
import os
import sqlite3
import tarfile
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from portal.backups import snapshot
from portal.backups.errors import BackupRefused
from portal.backups.installation import only_one_at_a_time
from portal.lib.keys import ring

pytestmark = pytest.mark.django_db


@pytest.fixture
def installation(tmp_path: Path, settings, monkeypatch) -> Path:
    """The folder of an installation with a row, a file and a message."""
    folder = tmp_path / "data"
    (folder / "files" / "contracts" / "1").mkdir(parents=True)
    (folder / "files" / "contracts" / "1" / "a.pdf").write_bytes(b"%PDF")
    (folder / "broker" / "queue").mkdir(parents=True)
    (folder / "broker" / "queue" / "1_x.celery.msg").write_text("{}")
    (folder / "broker" / "queue" / "2_y.celery.part").write_text("{")
    with closing(sqlite3.connect(folder / "portal.sqlite3", isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE rows (number)")
        database.execute("INSERT INTO rows VALUES (1)")
    settings.DATA_DIR, settings.MEDIA_ROOT, settings.CELERY_BROKER_URL = folder, folder / "files", "filesystem://localhost"
    monkeypatch.setattr(snapshot, "database_file", lambda: folder / "portal.sqlite3")
    return folder


def contents(backup: Path) -> dict[str, bytes]:
    with tarfile.open(backup) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive}


def test_o8_the_command_writes_all_that_an_installation_is_into_a_file_below_a_folder(installation, tmp_path, capsys):
    call_command("backup", str(tmp_path))
    [backup] = tmp_path.glob("portal-*.tar.gz")
    assert str(backup) in capsys.readouterr().out
    assert {*contents(backup)} == {
        *("manifest.json", "portal.sqlite3", "files/contracts/1/a.pdf", "messages/1_x.celery.msg"),
    }
    assert [path.name for path in installation.iterdir() if "unfinished" in path.name] == []


def test_o8_keys_are_named_and_only_put_in_when_asked(installation, tmp_path, settings, connected):
    plain, with_keys = tmp_path / "plain.tar.gz", tmp_path / "with-keys.tar.gz"
    snapshot.take_backup(plain)
    snapshot.take_backup(with_keys, with_keys=True)
    found = contents(plain)
    assert json.loads(found["manifest.json"])["key_ids"] == [ring().first.hex()]
    assert [name for name, content in found.items() if settings.FIELD_ENCRYPTION_KEYS[0].encode() in content] == []
    assert contents(with_keys)["keys.env"].decode() == f"FIELD_ENCRYPTION_KEYS={settings.FIELD_ENCRYPTION_KEYS[0]}\n"


def test_o8_nothing_is_overwritten_and_two_never_run_at_once(installation, tmp_path):
    (tmp_path / "there.tar.gz").write_text("an older backup")
    with pytest.raises(CommandError, match="exists already"):
        call_command("backup", str(tmp_path / "there.tar.gz"))
    with only_one_at_a_time(), pytest.raises(CommandError, match="is running"):
        call_command("backup", str(tmp_path / "new.tar.gz"))
    assert (tmp_path / "there.tar.gz").read_text() == "an older backup"


def test_o8_no_row_is_without_its_file_and_writers_go_on_meanwhile(installation, tmp_path, monkeypatch):
    """Somebody stores a file, then its row; lets go of the row, then removes the file: again and again."""
    is_over, turns, link_all = threading.Event(), [], snapshot._link_all

    def link_slowly(*folders: Path) -> None:
        time.sleep(0.2)
        link_all(*folders)

    monkeypatch.setattr(snapshot, "_link_all", link_slowly)

    def live() -> None:
        with closing(sqlite3.connect(installation / "portal.sqlite3", timeout=20, isolation_level=None)) as database:
            while not is_over.is_set():
                file = installation / "files" / f"{len(turns)}.pdf"
                file.write_bytes(b"%PDF")
                database.execute("INSERT INTO rows VALUES (?)", [file.name])
                if len(turns) > 5:
                    gone = f"{len(turns) - 5}.pdf"
                    database.execute("DELETE FROM rows WHERE number = ?", [gone])
                    (installation / "files" / gone).unlink()
                turns.append(file.name)

    living = threading.Thread(target=live)
    living.start()
    try:
        for number in range(3):
            before = len(turns)
            backup = snapshot.take_backup(tmp_path / f"{number}.tar.gz")
            found = contents(backup)
            (tmp_path / "copy.sqlite3").write_bytes(found["portal.sqlite3"])
            with closing(sqlite3.connect(tmp_path / "copy.sqlite3")) as copy:
                named = {row[0] for row in copy.execute("SELECT number FROM rows WHERE number <> 1")}
            assert {f"files/{name}" for name in named} <= {*found}
    finally:
        is_over.set()
        living.join()
    assert len(turns) > before


def test_o8_where_files_cannot_be_linked_they_are_copied(installation, tmp_path, monkeypatch):
    def refuse(*_: object) -> None:
        raise OSError(errno.EXDEV, "another file system")

    monkeypatch.setattr(os, "link", refuse)
    assert contents(snapshot.take_backup(tmp_path / "copied.tar.gz"))["files/contracts/1/a.pdf"] == b"%PDF"


def test_o8_a_damaged_database_is_no_backup(installation, tmp_path):
    (installation / "portal.sqlite3").write_bytes(b"SQLite format 3\0" + b"\xff" * 8192)
    with pytest.raises((BackupRefused, sqlite3.DatabaseError)):
        snapshot.take_backup(tmp_path / "damaged.tar.gz")
    assert not (tmp_path / "damaged.tar.gz").exists()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="about PostgreSQL")
@pytest.mark.parametrize("command", [["backup", "x.tar.gz"], ["restore", "x.tar.gz"]], ids=lambda command: command[0])
def test_o8_a_postgresql_is_left_to_its_own_tools(command):
    with pytest.raises(CommandError, match="pg_dump"):
        call_command(*command)
