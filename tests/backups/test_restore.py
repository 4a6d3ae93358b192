"""O8: a restore looks at everything before it replaces anything, and keeps what was there."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from portal.backups import archive, installation, restore
from portal.lib.keys import ring
from portal.worker_monitoring.services import record_heartbeat

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def make_database(file: Path, *, number: int, migration: tuple[str, str] = ("users", "0001_initial")) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("CREATE TABLE django_migrations (app, name)")
        database.execute("INSERT INTO django_migrations VALUES (?, ?)", migration)
        database.execute("CREATE TABLE rows (number)")
        database.execute("INSERT INTO rows VALUES (?)", [number])


def rows(file: Path) -> list[int]:
    with closing(sqlite3.connect(file)) as database:
        return [row[0] for row in database.execute("SELECT number FROM rows")]


@pytest.fixture
def backup(tmp_path: Path):
    """Make a backup whose database has the number 7; what is given replaces its parts."""

    def make(*, key_ids: tuple[str, ...] = (), **facts: object) -> str:
        staged = tmp_path / "staged"
        (staged / "files").mkdir(parents=True)
        (staged / "messages").mkdir()
        (staged / "files" / "new.pdf").write_text("new")
        (staged / "messages" / "1.celery.msg").write_text("{}")
        make_database(staged / "portal.sqlite3", number=7, **facts)
        archive.write(tmp_path / "backup.tar.gz", staged, made_at="", key_ids=key_ids)
        return str(tmp_path / "backup.tar.gz")

    return make


@pytest.fixture
def target(tmp_path: Path, settings, monkeypatch) -> Path:
    """An empty place for an installation. The database of the tests themselves is left alone."""
    folder = tmp_path / "data"
    folder.mkdir()
    settings.DATA_DIR, settings.MEDIA_ROOT, settings.CELERY_BROKER_URL = folder, folder / "files", "filesystem://localhost"
    settings.MIGRATION_MODULES = {}
    monkeypatch.setattr(restore, "database_file", lambda: folder / "portal.sqlite3")
    for name in ("call_command", "prepare_to_go_on"):
        monkeypatch.setattr(restore, name, lambda *_, **__: None)
    monkeypatch.setattr(restore.connections, "close_all", lambda: None)
    monkeypatch.setattr(restore.connection, "close", lambda: None)
    return folder


@pytest.fixture
def full(target: Path) -> Path:
    make_database(target / "portal.sqlite3", number=1)
    (target / "files").mkdir()
    (target / "files" / "old.pdf").write_text("old")
    (target / "broker" / "queue").mkdir(parents=True)
    (target / "broker" / "queue" / "0.celery.msg").write_text("{}")
    return target


def is_untouched(folder: Path) -> bool:
    files = [path.name for path in (folder / "files").iterdir()]
    return (rows(folder / "portal.sqlite3"), files) == ([1], ["old.pdf"]) and not [*folder.glob("re*")]


def test_o8_an_empty_place_takes_all_of_it(target, backup):
    call_command("restore", backup())
    assert rows(target / "portal.sqlite3") == [7]
    assert (target / "files" / "new.pdf").read_text() == "new"
    assert [path.name for path in (target / "broker" / "queue").iterdir()] == ["1.celery.msg"]
    assert [*target.glob("re*")] == []


def test_o8_an_installation_is_replaced_only_when_told_and_is_kept(full, backup, capsys):
    file = backup()
    with pytest.raises(CommandError, match="--replace"):
        call_command("restore", file)
    assert is_untouched(full)
    call_command("restore", file, "--replace")
    assert rows(full / "portal.sqlite3") == [7]
    assert [path.name for path in (full / "files").iterdir()] == ["new.pdf"]
    assert [path.name for path in (full / "broker" / "queue").iterdir()] == ["1.celery.msg"]
    [kept] = full.glob("replaced-*")
    assert str(kept) in capsys.readouterr().out
    assert rows(kept / "portal.sqlite3") == [1]
    assert (kept / "files" / "old.pdf").read_text() == "old"


def test_o8_files_alone_are_an_installation_too(target, backup):
    (target / "files").mkdir()
    (target / "files" / "old.pdf").write_text("old")
    with pytest.raises(CommandError, match="--replace"):
        call_command("restore", backup())


def test_o8_a_backup_of_a_later_release_is_refused(full, backup):
    with pytest.raises(CommandError, match=r"later release.*users\.0099_of_tomorrow"):
        call_command("restore", backup(migration=("users", "0099_of_tomorrow")), "--replace")
    assert is_untouched(full)


def test_o8_a_damaged_database_is_refused_although_the_file_is_whole(full, backup, monkeypatch):
    def damage(source: Path, folder: Path) -> archive.Manifest:
        manifest = unpack(source, folder)
        content = bytearray((folder / "portal.sqlite3").read_bytes())
        content[4096:6000] = b"\xff" * 1904
        (folder / "portal.sqlite3").write_bytes(content)
        return manifest

    unpack = archive.unpack
    monkeypatch.setattr(archive, "unpack", damage)
    with pytest.raises(CommandError, match="damaged"):
        call_command("restore", backup(), "--replace")
    assert is_untouched(full)


def test_o8_without_its_keys_it_is_refused_by_their_names_unless_told(full, backup):
    lost = "ab" * len(ring().first)
    file = backup(key_ids=(ring().first.hex(), lost))
    with pytest.raises(CommandError, match=f"FIELD_ENCRYPTION_KEYS lacks {lost},"):
        call_command("restore", file, "--replace")
    assert is_untouched(full)
    call_command("restore", file, "--replace", "--without-keys")
    assert rows(full / "portal.sqlite3") == [7]


def test_o8_while_a_worker_works_nothing_is_replaced(full, backup):
    record_heartbeat("portal-1@test")
    with pytest.raises(CommandError, match="worker took a task"):
        call_command("restore", backup(), "--replace")
    assert is_untouched(full)


def test_o8_while_somebody_has_the_database_open_nothing_is_replaced(full, backup):
    with closing(installation.open_database(full / "portal.sqlite3")) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("BEGIN")
        other.execute("SELECT * FROM rows").fetchone()
        with pytest.raises(CommandError, match="has the database open"):
            call_command("restore", backup(), "--replace")
    assert is_untouched(full)
