"""Requests in a file: shown before, taken in after, never sent by themselves and never kept as a file."""

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from portal.deletion_requests import services
from portal.deletion_requests.file_intake import MAX_FILE_BYTES, MAX_LINES
from portal.deletion_requests.models import DeletionRequest, Identity, Intake, State
from portal.tenants.models import Role
from tests.deletion_requests.conftest import PAGE, receive
from tests.deletion_requests.test_erasure import places_of
from tests.support.members import find_member

pytestmark = pytest.mark.once
LINES = """email,received,regulation,note
Anna@x.example,2026-01-31,GDPR,ticket 1 of anna@x.example
bert@x.example,,CCPA,
cleo@x.example,,20,
anna@X.example,,,
open@x.example,,,
no address,,,
dora@x.example,31.01.2026,,
emil@x.example,2999-01-01,,
fred@x.example,,PIPEDA,

gina@x.example,,,
"""


@pytest.fixture
def analyst(client, member, scoped):
    client.force_login(member(Role.ANALYST))
    return client


def hand_in(client, content: str | bytes, name: str = "people.csv"):
    content = content if isinstance(content, bytes) else content.encode()
    return client.post(f"{PAGE}file/", {"file": SimpleUploadedFile(name, content)})


def take_in(client, page):
    return client.post(f"{PAGE}file/receive/", {"text": page.context["form"]["text"].value()}, follow=True)


def test_the_dry_run_says_what_comes_of_every_line_and_keeps_nothing(analyst):
    receive(analyst, "open@x.example")
    page = hand_in(analyst, LINES)
    states = [(line.number, line.state) for line in page.context["lines"]]
    wrong = [(number, "wrong") for number in (7, 8, 9, 10)]
    assert states == [(2, "valid"), (3, "valid"), (4, "valid"), (5, "twice"), (6, "open"), *wrong, (12, "valid")]
    assert "no-store" in page["Cache-Control"]
    assert DeletionRequest.objects.count() == 1
    assert places_of("bert@x.example") == []


def test_the_good_lines_are_taken_in_and_not_sent(analyst, settings, tmp_path):
    receive(analyst, "open@x.example")
    answer = take_in(analyst, hand_in(analyst, LINES))
    assert b"Added 4 requests. 6 skipped." in answer.content
    rows = {row.masked_email[0]: row for row in DeletionRequest.objects.filter(intake=Intake.FILE)}
    assert sorted(rows) == ["A", "b", "c", "g"]
    assert {(row.state, row.identity) for row in rows.values()} == {(State.RECEIVED, Identity.UNCHECKED)}
    assert (rows["A"].deadline_on.isoformat(), rows["A"].note) == ("2026-02-28", "ticket 1 of A•••@x.example")
    assert (rows["b"].regulation, rows["c"].own_days) == ("ccpa", 20)
    assert rows["g"].received_on == timezone.localdate()


def test_sent_twice_it_is_taken_in_once(analyst):
    page = hand_in(analyst, "a@x.example\nb@x.example\n")
    take_in(analyst, page)
    assert b"Added 0 requests. 2 skipped." in take_in(analyst, page).content
    assert DeletionRequest.objects.count() == 2


@pytest.mark.parametrize(
    "content",
    [
        "a@x.example\nb@x.example",
        "E-Mail;Note\r\na@x.example;one\r\nb@x.example;two\r\n",
        "\ufeffnote,email\n1,a@x.example\n2,b@x.example\n",
        "email,note\na@x.example,Zürich\nb@x.example,\n".encode("cp1252"),
    ],
)
def test_files_of_several_programs_are_read(analyst, content):
    lines = hand_in(analyst, content).context["lines"]
    assert [(line.email, line.state) for line in lines] == [("a@x.example", "valid"), ("b@x.example", "valid")]


def test_an_empty_or_strange_file_says_so(analyst):
    assert b"This file has no lines" in hand_in(analyst, "email\n\n").content
    assert hand_in(analyst, "").status_code == 422
    assert hand_in(analyst, "x" * (MAX_FILE_BYTES + 1)).status_code == 422
    strange = hand_in(analyst, bytes(range(256)) * 3).context["lines"]
    assert not any(line.is_valid for line in strange)
    many = hand_in(analyst, "".join(f"p{number}@x.example\n" for number in range(MAX_LINES + 5)))
    assert (len(many.context["lines"]), many.context["has_more"]) == (MAX_LINES, True)


def test_what_is_in_the_file_is_text(analyst):
    page = hand_in(analyst, '<script>alert(1)</script>\n=cmd()@x.example,,,"<b>note</b>"\n').content
    assert b"<script>alert" not in page
    assert b"<b>note" not in page


def test_a_viewer_hands_nothing_in(client, scoped, bob):
    client.force_login(bob)
    assert client.get(f"{PAGE}file/").status_code == 403
    assert hand_in(client, LINES).status_code == 403
    assert client.post(f"{PAGE}file/receive/", {"text": LINES}).status_code == 403
    with pytest.raises(PermissionDenied):
        services.receive_many([], member=find_member(user=bob))
    assert DeletionRequest.objects.count() == 0


def test_a_form_without_lines_starts_again(analyst):
    assert analyst.post(f"{PAGE}file/receive/", {}).headers["Location"] == f"{PAGE}file/"
