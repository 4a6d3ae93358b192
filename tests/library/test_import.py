"""Entries out of a CSV file: shown first, then stored."""

import json
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from portal.library.models import Entry, Origin
from portal.library.typed import REVIEW_AFTER
from tests.library.conftest import PAGE, read_file

pytestmark = pytest.mark.both
HEAD = "Question,Answer,Short answer,Tags,Products,Language,Owner email,Review by,Expires on"


def preview(client, *lines: str, head: str = HEAD, same: str = "replace"):
    file = SimpleUploadedFile("library.csv", "\n".join([head, *lines]).encode())
    return client.post(f"{PAGE}import/", {"file": file, "same": same})


def confirm(client, answer):
    return client.post(
        f"{PAGE}import/start/", {name: answer.context[key] for name, key in (("lines", "confirmed"), ("same", "same"))}
    )


def told(answer) -> list[tuple[bool, bool, bool]]:
    """Of each line whether it will be stored, whether there is such an entry, and whether something is wrong with it."""
    return [(line.is_good, line.entry is not None, bool(line.problem)) for line in answer.context["lines"]]


def test_a_file_is_shown_before_anything_is_stored(client, owner, alice):
    line = f'Do you encrypt backups?,With AES.,Yes,"Crypto, Backup",Cloud,English,{alice.email.upper()},2031-01-31,2032-01-31'
    answer = preview(client, line, "Is there a gate?,,Yes,,,,,,")
    assert told(answer) == [(True, False, False)] * 2
    assert not Entry.objects.exists()
    assert confirm(client, answer)["Location"] == PAGE
    entry = Entry.objects.get(short="Yes", text="With AES.")
    assert (entry.owner, entry.language, entry.origin) == (alice, "English", Origin.CSV)
    assert (entry.review_on.isoformat(), entry.expires_on.isoformat()) == ("2031-01-31", "2032-01-31")
    assert {str(label) for label in entry.labels.all()} == {"Crypto", "Backup", "Cloud"}
    other = Entry.objects.exclude(pk=entry.pk).get()
    assert (other.review_on, other.owner) == (timezone.localdate() + REVIEW_AFTER, None)


@pytest.mark.parametrize(
    "line",
    [
        ",An answer,,,,,,,",
        "Is it so?,,,,,,,,",
        "Is it so?,,Yes,,,,nobody@acme.example,,",
        "Is it so?,,Yes,,,,,soon,",
        "Is it so?,,Yes,,,,,,1200-01-01",
        f"Is it so?,,{'x' * 201},,,,,,",
        f"{'x' * 4001},,Yes,,,,,,",
        "Is it so?,,Yes,jane@northwind.example,,,,,",
    ],
)
def test_a_line_that_cannot_be_stored_says_why_and_the_others_are(client, owner, line):
    answer = preview(client, line, "Is there a gate?,,Yes,,,,,,")
    assert told(answer) == [(False, False, True), (True, False, False)]
    confirm(client, answer)
    assert [str(entry) for entry in Entry.objects.all()] == ["Is there a gate?"]


def test_the_same_question_twice_in_a_file_is_taken_once(client, owner):
    answer = preview(client, "Is it so?,,Yes,,,,,,", "is it SO,,No,,,,,,")
    assert told(answer) == [(True, False, False), (False, False, True)]
    confirm(client, answer)
    assert Entry.objects.get().short == "Yes"


def test_the_same_question_updates_its_entry_and_leaves_what_the_file_does_not_say(client, add, alice):
    entry = add("Is it so?", "Long.", short="Yes", tags=["T"], owner=alice, variants=[("So?", False)], language="English")
    answer = preview(client, "is it so,,No,,,-,,,")
    assert told(answer) == [(True, True, False)]
    confirm(client, answer)
    found = Entry.objects.get()
    assert (found.pk, found.short, found.text, found.owner, found.language) == (entry.pk, "No", "Long.", alice, "")
    assert (found.question, found.origin) == ("Is it so?", Origin.OWN)
    assert [str(each) for each in [*found.labels.all(), *found.variants.all()]] == ["T", "So?"]


def test_the_same_question_is_left_where_that_was_chosen(client, add):
    add("Is it so?")
    answer = preview(client, "Is it so?,,No,,,,,,", "Is there a gate?,,Yes,,,,,,", same="leave")
    assert told(answer) == [(False, True, False), (True, False, False)]
    confirm(client, answer)
    assert Entry.objects.get(question="Is it so?").short == "Yes"
    assert Entry.objects.count() == 2


def test_of_several_entries_with_the_same_question_none_is_changed(client, add):
    add("Is it so?")
    add("Is it so?")
    assert told(preview(client, "Is it so?,,No,,,,,,")) == [(False, False, True)]


def test_an_export_imported_again_changes_nothing(client, add, alice):
    add("Is it so?", "=1+1 is no formula", tags=["Zeta", "alpha"], products=["P"], owner=alice, expires_on=timezone.localdate())
    add("Is there a gate?", review_on=timezone.localdate() + timedelta(days=3))
    rows = read_file(client.post(f"{PAGE}export/"))
    content = client.post(f"{PAGE}export/")
    file = SimpleUploadedFile("library.csv", b"".join(content.streaming_content))
    answer = client.post(f"{PAGE}import/", {"file": file, "same": "replace"})
    assert len(rows) == 2
    assert told(answer) == [(False, True, False)] * 2


def test_an_owner_who_may_not_write_any_more_stays_the_owner(client, add, bob):
    add("Is it so?", owner=bob)
    content = client.post(f"{PAGE}export/")
    file = SimpleUploadedFile("library.csv", b"".join(content.streaming_content))
    assert told(client.post(f"{PAGE}import/", {"file": file, "same": "replace"})) == [(False, True, False)]
    confirm(client, preview(client, f"Is it so?,,No,,,,{bob.email},,", f"Is there a gate?,,Yes,,,,{bob.email},,"))
    assert [(entry.short, entry.owner) for entry in Entry.objects.all()] == [("No", bob)], "a new one takes an analyst"


def test_what_was_shown_is_looked_at_again_and_stored_once(client, owner):
    answer = preview(client, "Is it so?,,Yes,,,,,,")
    confirm(client, answer)
    confirm(client, answer)
    assert Entry.objects.count() == 1


@pytest.mark.parametrize(
    "lines", ["", "no json", "[[1]]", "{}", "3", json.dumps([[1, []]]), json.dumps([["x", {}]]), "[" * 100_000]
)
def test_confirmed_lines_that_are_none_store_nothing(client, owner, lines):
    assert client.post(f"{PAGE}import/start/", {"lines": lines, "same": "replace"})["Location"] == f"{PAGE}import/"
    assert not Entry.objects.exists()


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("Question,Tags", "Is it so?,T"),
        ("Answer", "Yes"),
        (HEAD, ""),
        ("\udcff".encode("utf-8", "surrogateescape").decode("latin-1"), "x"),
    ],
)
def test_a_file_that_is_none_is_refused(client, owner, head, line):
    answer = preview(client, line, head=head)
    assert answer.status_code == 422
    assert [*answer.context["form"].errors] == ["file"]
