"""S20: whoever is not signed in leaves no file on the disk, at whatever address, and what the service writes is its own."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from tests.house.addresses import addresses, paths_of_packages

SMALL, LARGE = 1000, settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1
"""What stays in memory, and what would be written to the disk while it arrives."""
PATHS = [*(address.path for address in addresses()), *paths_of_packages()]
WRITE_SOMETHING = """
import django
django.setup()
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection
connection.cursor().execute("CREATE TABLE kept (x)")
default_storage.save("room/kept.txt", ContentFile(b"x"))
"""


def body(size: int) -> bytes:
    return encode_multipart(BOUNDARY, {"csrfmiddlewaretoken": "a" * 32, "file": ContentFile(b"x" * size, name="a.pdf")})


@pytest.mark.both
def test_s20_no_address_takes_a_file_from_somebody_who_is_not_signed_in(acme, monkeypatch):
    made: list[object] = []
    monkeypatch.setattr("django.core.files.uploadhandler.TemporaryUploadedFile", lambda *args: made.append(args))
    # Whoever asks for the token of a form reads the whole form, before any view has looked at who sends it.
    stranger = Client(enforce_csrf_checks=True, raise_request_exception=False)
    small, large = body(SMALL), body(LARGE)
    taken, statuses = [], set()
    for path in PATHS:
        for content in (small, large):
            stranger.cookies.load({settings.CSRF_COOKIE_NAME: "a" * 32})
            answer = stranger.generic("POST", path, content, MULTIPART_CONTENT)
            statuses.add(answer.status_code)
            if made or getattr(answer.wsgi_request, "_files", None) or answer.status_code >= 500:
                taken.append((path, len(content), answer.status_code))
                made.clear()
    assert len(PATHS) > 500
    assert taken == []
    assert 400 in statuses, "the large ones were refused unread"


@pytest.mark.once
@pytest.mark.processes
def test_s20_everything_that_the_service_writes_is_for_its_account_alone(tmp_path):
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    data.chmod(0o777)
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"DATA_DIR": str(data), "DJANGO_SETTINGS_MODULE": "portal.settings"}
    subprocess.run([sys.executable, "-c", WRITE_SOMETHING], env=environment, check=True, cwd=settings.BASE_DIR, umask=0)
    modes = {path.relative_to(tmp_path).as_posix(): mode_of(path) for path in (data, *data.rglob("*"))}
    assert {"data/files/room/kept.txt", "data/portal.sqlite3"} <= modes.keys()
    assert {name: oct(mode) for name, mode in modes.items() if mode & 0o077} == {}


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)
