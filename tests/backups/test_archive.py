"""O8: the file of a backup is what was put into it, or it is refused."""

import io
import json
import os
import tarfile
from pathlib import Path

import pytest

from portal.backups import archive
from portal.backups.errors import BackupRefused

pytestmark = pytest.mark.once


@pytest.fixture
def staged(tmp_path: Path) -> Path:
    folder = tmp_path / "staged"
    (folder / "files" / "contracts").mkdir(parents=True)
    (folder / "files" / "contracts" / "a.pdf").write_bytes(b"%PDF")
    (folder / "files" / "contracts" / "a.pdf").chmod(0o644)
    (folder / "portal.sqlite3").write_bytes(os.urandom(40_000))
    return folder


@pytest.fixture
def backup(staged: Path, tmp_path: Path) -> Path:
    archive.write(tmp_path / "backup.tar.gz", staged, made_at="2026-11-23T12:00:00+00:00", key_ids=["0011"])
    return tmp_path / "backup.tar.gz"


def unpacked(backup: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "unpacked"
    folder.mkdir()
    archive.unpack(backup, folder)
    return folder


def test_o8_what_is_unpacked_is_what_was_written(backup, staged, tmp_path):
    folder = unpacked(backup, tmp_path)
    assert archive.checksums(folder) == archive.checksums(staged)


def test_o8_s20_the_file_and_all_in_it_are_for_one_account_alone(backup, tmp_path):
    assert backup.stat().st_mode & 0o777 == 0o600
    folder = unpacked(backup, tmp_path)
    assert {path.stat().st_mode & 0o077 for path in folder.rglob("*") if path.is_file()} == {0}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup.tar.gz", "staged", "unpacked"]


@pytest.mark.parametrize("keep", [0.1, 0.5, 0.99], ids=["a tenth", "half", "nearly all"])
def test_o8_a_file_that_was_cut_off_is_refused(backup, tmp_path, keep):
    content = backup.read_bytes()
    backup.write_bytes(content[: int(len(content) * keep)])
    with pytest.raises(BackupRefused, match="damaged"):
        unpacked(backup, tmp_path)


def test_o8_a_file_of_something_else_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("no backup")
    with pytest.raises(BackupRefused, match="no backup of the portal"):
        unpacked(tmp_path / "notes.txt", tmp_path)


def made_by_hand(tmp_path: Path, *members: tuple[tarfile.TarInfo, bytes], listed: dict[str, str], **facts: object) -> Path:
    """Write a backup as somebody could who wants it to do harm."""
    manifest = json.dumps({"made_at": "", "key_ids": [], "checksums": listed} | facts).encode()
    with tarfile.open(tmp_path / "by-hand.tar.gz", "w:gz") as made:
        for info, content in ((tarfile.TarInfo("manifest.json"), manifest), *members):
            info.size = len(content)
            made.addfile(info, io.BytesIO(content))
    return tmp_path / "by-hand.tar.gz"


@pytest.mark.parametrize(
    "name", ["../outside", "/etc/outside", "files/../../outside", "settings.py", "portal.sqlite3-wal", "files"]
)
def test_o8_what_does_not_belong_into_it_is_refused_and_leaves_no_file(tmp_path, name):
    backup = made_by_hand(tmp_path, (tarfile.TarInfo(name), b"x"), listed={name: "0"})
    with pytest.raises(BackupRefused):
        unpacked(backup, tmp_path)
    assert [path for path in (tmp_path / "unpacked").rglob("*") if path.is_file()] == []
    assert not (tmp_path / "outside").exists()


def test_o8_links_members_that_are_not_listed_and_listed_ones_that_lack_are_refused(tmp_path):
    link = tarfile.TarInfo("files/link")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    for number, (members, listed) in enumerate(
        [
            ([(link, b"")], {"files/link": "0"}),
            ([(tarfile.TarInfo("files/a"), b"x")], {}),
            ([], {"files/a": "0"}),
            ([(tarfile.TarInfo("files/a"), b"x")], {"files/a": "another"}),
        ]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        with pytest.raises(BackupRefused):
            unpacked(made_by_hand(folder, *members, listed=listed), folder)


def test_o8_a_backup_of_a_later_format_is_refused_by_its_number(tmp_path):
    with pytest.raises(BackupRefused, match="format 2"):
        unpacked(made_by_hand(tmp_path, listed={}, format=2), tmp_path)
