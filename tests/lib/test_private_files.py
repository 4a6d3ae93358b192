"""S20: the data of the service is its own, whatever the umask."""

import os
import stat

import pytest

from portal.lib.private_files import make_private


@pytest.fixture(autouse=True)
def umask():
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_s20_what_is_made_from_now_on_is_for_its_account_alone(tmp_path):
    folder = tmp_path / "data"
    make_private(folder)
    (folder / "kept.txt").write_text("x")
    (folder / "below").mkdir()
    assert [mode(path) for path in (folder, folder / "below", folder / "kept.txt")] == [0o700, 0o700, 0o600]


def test_s20_what_lay_open_is_closed(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    database = folder / "portal.sqlite3"
    database.write_text("")
    assert (mode(folder), mode(database)) == (0o755, 0o666)
    make_private(folder)
    assert (mode(folder), mode(database)) == (0o700, 0o600)
