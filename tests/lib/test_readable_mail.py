"""R4: mail that is written down instead of sent can be read, and what it says can be copied whole."""

import io
import sys

import pytest
from django.core.mail import EmailMessage

from portal.lib.readable_mail import ConsoleBackend, FileBackend

LINK = "https://trust.example.com/invitation/" + "k" * 43 + "/?next=%2Fportfolio%2F&x=1"
BODY = f"Dear Ünal,\n\n{LINK}\n\nSigned: a line that is longer than any mail program would like to show, {'x' * 90}\n"


def message() -> EmailMessage:
    return EmailMessage("You are invited to Ärzte & Söhne", BODY, "from@example.com", ["to@example.com"])


def test_r4_a_link_stands_whole_in_the_file_of_a_mail(tmp_path):
    backend = FileBackend(file_path=str(tmp_path / "mail"), alias="default")
    assert backend.send_messages([message()]) == 1
    [file] = (tmp_path / "mail").iterdir()
    written = file.read_text()
    assert BODY in written
    assert "Subject: You are invited to Ärzte & Söhne\n" in written
    assert "Content-Transfer-Encoding: 8bit" in written


@pytest.mark.parametrize("text", ["short\n", LINK + "\n"])
def test_r4_plain_text_stays_plain(tmp_path, text):
    backend = FileBackend(file_path=str(tmp_path), alias="default")
    backend.send_messages([EmailMessage("Subject", text, "from@example.com", ["to@example.com"])])
    assert f"\n\n{text}" in next(tmp_path.iterdir()).read_text()


def test_r4_a_link_stands_whole_where_mail_is_printed(monkeypatch):
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    ConsoleBackend(alias="default", stream=out).send_messages([message()])
    assert BODY in out.getvalue()
