"""The text of a document is read before its file goes, and a hostile one harms nothing."""

import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from portal.audit.models import Entry
from portal.contracts import selectors, services
from portal.contracts.models import MAX_READING_ATTEMPTS, Contract, ContractPage, Reading, ReadingState
from portal.contracts.selectors import sweeps
from portal.contracts.services.text_extraction import READ, _claim, record_text_extraction
from portal.contracts.tasks import send_upload, sweep_contract_work
from portal.contracts.text_extraction import text_was_read
from portal.lib import document_text, text_extraction
from portal.lib.children import start
from portal.lib.text_extraction import MAX_AT_ONCE, document_from, read_document, reading_slot
from portal.tenants import offboarding
from portal.tenants.scope import tenant_scope
from tests.contracts.conftest import PAGE, contract, hand_in, work
from tests.contracts.papers import TERMS, endless, greedy, paper, scan


def read(content: bytes):
    with open_file(content) as file:
        return read_document(file)


def open_file(content: bytes):
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    file.write(content)
    file.seek(0)
    return file


def test_an_upload_is_read_page_by_page_and_its_file_goes(desk, analyst, files, django_capture_on_commit_callbacks):
    told = []
    receiver = lambda **about: told.append((about["tenant_id"], about["contract_id"]))  # noqa: E731
    text_was_read.connect(receiver)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            hand_in(analyst, content=paper(*TERMS), external_id="MSA-1")
            work()
    finally:
        text_was_read.disconnect(receiver)
    row = contract("MSA-1")
    assert [(page.number, page.text.strip()) for page in row.pages.all()] == list(enumerate(TERMS, start=1))
    assert row.read_at is not None
    assert told == [(row.tenant_id, row.pk)]
    assert files() == []
    page = analyst.get(f"{PAGE}{row.platform_id}/").content.decode()
    assert "Text extracted from 3 pages." in page


def test_a_scan_says_that_there_is_no_text_in_it(desk, analyst):
    hand_in(analyst, content=scan(2), external_id="MSA-1")
    work()
    row = contract("MSA-1")
    assert (row.read_at, row.pages.count()) == (None, 0)
    assert b"No text found on 2 pages" in analyst.get(f"{PAGE}{row.platform_id}/").content


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (paper("Secret.", password="swordfish"), "protected by a password"),
        (b"%PDF-1.4\nnothing that could be read", "damaged"),
        (b"%PDF-1.7\n" + b"1 0 obj << /Kids [1 0 R] >>\n" * 2000, "damaged"),
    ],
    ids=["password", "broken", "senseless"],
)
def test_what_cannot_be_read_says_why_and_harms_nothing(
    content, words, desk, analyst, files, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        hand_in(analyst, content=content, external_id="MSA-1")
        work()
    row = contract("MSA-1")
    page = analyst.get(f"{PAGE}{row.platform_id}/").content.decode()
    assert "read the document." in page
    assert words in page
    assert row.read_at is None
    assert files() == []


def test_a_document_without_an_end_is_ended():
    begun = time.monotonic()
    assert not read(endless()).has_text
    assert time.monotonic() - begun < 60


def test_a_small_file_that_takes_much_memory_is_ended():
    content = greedy()
    assert len(content) < 2000
    assert "more time or memory" in read(content).problem


def test_no_more_than_two_documents_are_read_at_a_time(monkeypatch):
    children = []
    most = []

    def start_counted(*args, **options):
        children.append(start(*args, **options))
        most.append(sum(each.poll() is None for each in children))
        return children[-1]

    monkeypatch.setattr(text_extraction, "start", start_counted)
    with ThreadPoolExecutor(6) as pool:
        documents = list(pool.map(read, [paper("Terms.")] * 6))
    assert all(each.has_text for each in documents)
    assert max(most) == MAX_AT_ONCE == 2


def test_a_document_that_others_keep_waiting_is_left_to_the_sweep_and_counts_no_try(desk, analyst, monkeypatch):
    hand_in(analyst, content=paper(*TERMS), external_id="MSA-1")
    send_only()
    monkeypatch.setattr(text_extraction, "MAX_WAIT_SECONDS", 0)
    with reading_slot(), reading_slot():
        work()
        reading = Reading.objects.get()
        assert (reading.state, reading.tries, reading.lease_until) == (ReadingState.WAITING, 0, None)
    work()
    assert contract("MSA-1").pages.count() == 3


def test_a_process_that_is_killed_gives_what_it_has_written():
    lines = ["[9]\n", '[1, "first"]\n', '[2, "sec']
    document = document_from(lines)
    assert (document.page_count, document.pages) == (9, {1: "first"})
    assert "first 1 of 9 pages" in document.remark
    assert "more time or memory" in document_from(["[9]\n"]).problem
    assert "damaged" in document_from([f'["{document_text.BROKEN}"]\n']).problem


def test_what_no_database_holds_is_replaced():
    assert document_text.UNSTORABLE.sub("?", "a\x00b\ud800") == "a?b?"


def test_a_contract_of_the_platform_gets_its_text_by_hand(desk, analyst, files, django_capture_on_commit_callbacks):
    there = desk.add_there("ELSEWHERE")
    desk.fetch()
    address = f"{PAGE}{there['id']}/"
    assert b"No readable PDF was uploaded here" in analyst.get(address).content
    with django_capture_on_commit_callbacks(execute=True):
        analyst.post(f"{address}document/", {"file": SimpleUploadedFile("x.pdf", paper(*TERMS))})
        work()
    assert contract("ELSEWHERE").pages.count() == 3
    assert (desk.calls(), files()) == (0, [])
    assert Entry.objects.filter(action="contract.hand_in").exists()
    answer = analyst.post(f"{address}document/", {"file": SimpleUploadedFile("x.pdf", b"PK no pdf")})
    assert (answer.status_code, b"This is not a PDF" in answer.content) == (422, True)


def test_a_document_that_replaces_another_one_is_read_anew_and_a_bad_one_replaces_nothing(desk, analyst):
    hand_in(analyst, content=paper(*TERMS), external_id="MSA-1")
    work()
    address = f"{PAGE}{contract('MSA-1').platform_id}/"
    analyst.post(f"{address}document/", {"file": SimpleUploadedFile("x.pdf", paper("Amended."))})
    work()
    assert [page.text.strip() for page in contract("MSA-1").pages.all()] == ["Amended."]
    analyst.post(f"{address}document/", {"file": SimpleUploadedFile("x.pdf", scan())})
    work()
    assert [page.text.strip() for page in contract("MSA-1").pages.all()] == ["Amended."]
    assert b"The earlier text is kept." in analyst.get(address).content


def test_a_person_removes_the_text(desk, analyst):
    hand_in(analyst, content=paper(*TERMS), external_id="MSA-1")
    work()
    address = f"{PAGE}{contract('MSA-1').platform_id}/"
    analyst.post(f"{address}text/remove/")
    row = contract("MSA-1")
    assert (row.read_at, row.pages.count()) == (None, 0)
    assert b"The text was removed." in analyst.get(address).content
    assert Entry.objects.filter(action="contract.remove_text").exists()
    assert b"no text to remove" in analyst.post(f"{address}text/remove/", follow=True).content


def test_two_workers_never_read_the_same_document_and_a_late_one_writes_nothing(desk, analyst):
    hand_in(analyst, content=paper(*TERMS), external_id="MSA-1")
    send_only()
    first, second = Reading.objects.get(), Reading.objects.get()
    assert _claim(first)
    assert not services.run_reading(second)
    Reading.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    work()
    pages = contract("MSA-1").pages.count()
    assert pages == 3
    record_text_extraction(first, read(paper("Too late.")))
    assert contract("MSA-1").pages.count() == pages


def test_a_document_at_which_workers_die_is_given_up(desk, analyst):
    hand_in(analyst, content=paper(*TERMS), external_id="MSA-1")
    send_only()
    Reading.objects.update(tries=MAX_READING_ATTEMPTS, lease_until=timezone.now() - timedelta(seconds=1))
    work()
    assert Reading.objects.get().description == "Text extraction stopped partway several times."


def test_a_document_that_waits_is_found_by_the_sweep(desk, analyst, monkeypatch, django_capture_on_commit_callbacks):
    hand_in(analyst, content=paper(*TERMS), external_id="MSA-1")
    send_only()
    rung = []
    monkeypatch.setattr("portal.lib.enqueue._send", lambda task, args: rung.append((task, args)))
    with django_capture_on_commit_callbacks(execute=True):
        sweep_contract_work()
    reading = Reading.objects.get()
    assert rung == [(READ, (reading.tenant_id, reading.pk))]


def test_the_documents_of_one_tenant_hide_none_of_another(acme, globex, monkeypatch):
    monkeypatch.setattr(sweeps, "AT_ONCE", 3)
    for tenant, number in ((acme, 5), (globex, 2)):
        with tenant_scope(tenant.pk):
            for each in range(number):
                row = Contract.objects.create(platform_id=f"c{each}", name="MSA", created_at=timezone.now())
                Reading.objects.create(contract=row)
    assert [tenant_id for tenant_id, _ in selectors.due_readings()] == [acme.pk, globex.pk, acme.pk]


def send_only() -> None:
    for tenant_id, upload_id in selectors.due_uploads():
        send_upload(tenant_id, upload_id)


def test_s1_another_tenant_reaches_no_text(desk, client, alice, mallory, globex):
    client.force_login(alice)
    hand_in(client, content=paper(*TERMS), external_id="MSA-1")
    work()
    platform_id = contract("MSA-1").platform_id
    client.force_login(mallory)
    for path in ("text/", "text/remove/", "document/", "fields/", "delete/"):
        for verb in (client.get, client.post):
            assert verb(f"/t/globex/contracts/{platform_id}/{path}").status_code in (404, 405)
    assert b"Breaches" not in client.get("/t/globex/contracts/?q=breaches&place=text").content
    assert contract("MSA-1").pages.count() == 3


def test_a_tenant_that_leaves_takes_its_texts_and_their_files_along(desk, analyst, files):
    hand_in(analyst, content=paper(*TERMS), external_id="MSA-1")
    send_only()
    tenant_id = contract("MSA-1").tenant_id
    assert len(files()) == 1
    with tenant_scope(tenant_id):
        offboarding.write_export(BytesIO())
        offboarding.purge()
    assert not Contract.objects.exists()
    assert not ContractPage.objects.exists()
    assert files() == []
