"""Many documents at once: each has its own result, none is uploaded twice, and the line says where each stands."""

import unicodedata
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from portal.accounts.models import Account
from portal.audit.models import Entry
from portal.contracts.documents import MAX_EXTERNAL_ID_LENGTH, offered_id
from portal.contracts.models import Contract, Upload, UploadState
from portal.contracts.tasks import sweep_uploads
from tests.contracts.conftest import PAGE, PDF, contract, hand_in, work

QUEUE = f"{PAGE}queue/"


def choose(client, *names: str, field: str = "file", follow: bool = False, **fields: str):
    """Hand several documents in at once; one whose name says so is none."""
    files = [SimpleUploadedFile(name, b"no pdf" if "bad" in name else PDF) for name in names]
    return client.post(f"{PAGE}upload/", {field: files, **fields}, follow=follow)


@pytest.fixture
def northwind(desk) -> Account:
    account = Account(platform_id=desk.sandbox.objects(desk.tenant_id, "accounts")[0]["id"], created_at=timezone.now())
    account.name, account.name_sort, account.search, account.domain = "Northwind", "northwind", "northwind nw.test", "nw.test"
    account.save()
    return account


def test_many_are_taken_at_once_and_one_bad_file_stops_nobody(desk, analyst):
    answer = choose(analyst, "a.pdf", "bad.pdf", "b.pdf", ".pdf", executed_on="2026-02-28")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "2 accepted, 2 not accepted" in page
    assert "This is not a PDF" in page
    assert "This file has no name to create an external id from." in page
    assert sorted(Upload.objects.values_list("external_id", "executed_on")) == [
        (name, Upload.objects.all()[0].executed_on) for name in ("a", "b")
    ]
    assert str(Upload.objects.all()[0].executed_on) == "2026-02-28"


def test_when_all_are_taken_the_queue_is_shown(desk, analyst):
    answer = choose(analyst, "a.pdf", "b.pdf", follow=True)
    assert answer.redirect_chain == [(QUEUE, 302)]
    assert b"All 2 documents are on their way." in answer.content


def test_a_folder_chosen_again_uploads_only_what_is_new(desk, analyst):
    choose(analyst, "a.pdf", "b.pdf", field="folder")
    work()
    page = choose(analyst, "a.pdf", "b.pdf", "c.pdf", ".DS_Store", "notes.txt", field="folder").content.decode()
    assert "1 accepted, 2 already on the platform" in page
    assert f"{PAGE}{contract('a').platform_id}/" in page
    page = choose(analyst, "a.pdf", "b.pdf", "c.pdf", field="folder").content.decode()
    assert "0 accepted, 1 already on its way, 2 already on the platform" in page
    assert Upload.objects.count() == 3


def test_two_of_one_name_in_a_choice_are_told_apart_by_a_person(desk, analyst):
    page = choose(analyst, "MSA.pdf", "msa.pdf", "MSA.pdf").content.decode()
    assert "2 accepted, 1 not accepted" in page
    assert "Another document in this upload has the same name." in page


def test_an_external_id_is_for_one_document_only(desk, analyst):
    answer = choose(analyst, "a.pdf", "b.pdf", external_id="MSA-1")
    assert answer.status_code == 422
    assert b"Use this for a single document only" in answer.content
    assert not Upload.objects.exists()


def test_nothing_chosen_is_said(desk, analyst):
    answer = analyst.post(f"{PAGE}upload/", {})
    assert (answer.status_code, b"Choose one or more PDFs, or a folder." in answer.content) == (422, True)


def test_the_page_says_how_much_is_taken_at_a_time(desk, analyst, settings):
    page = analyst.get(f"{PAGE}upload/").content.decode()
    assert page.count(f'data-most="300" data-most-bytes="{settings.MAX_UPLOAD_BYTES}"') == 2
    assert page.count("300 files and 50 MB at a time") == 2


def test_the_offered_id_is_stable():
    assert offered_id("MSA.pdf", "") == "MSA"
    assert offered_id("MSA.pdf", "acc") == "acc/MSA" != offered_id("MSA.pdf", "other")
    assert offered_id(unicodedata.normalize("NFD", "Ärzte  MSA.pdf"), "") == "Ärzte MSA"
    long, longer = (offered_id(f"{'x' * 300}{end}.pdf", "acc") for end in "ab")
    assert len(long) == MAX_EXTERNAL_ID_LENGTH
    assert long != longer


def test_the_customer_is_searched_chosen_and_told_to_the_platform(desk, analyst, northwind):
    page = analyst.get(f"{PAGE}upload/", {"customer": "north"}).content.decode()
    assert f'name="account_id" value="{northwind.platform_id}"' in page
    assert b"<html" not in analyst.get(f"{PAGE}upload/", {"customer": "north"}, headers={"HX-Request": "true"}).content
    assert b"No customer has this name" in analyst.get(f"{PAGE}upload/", {"customer": "nobody"}).content
    choose(analyst, "a.pdf", "b.pdf", account_id=northwind.platform_id)
    work()
    made = desk.there(f"{northwind.platform_id}/a")
    assert [each["customerTrustAccountId"] for each in made] == [northwind.platform_id]
    assert contract(f"{northwind.platform_id}/b").account_id == northwind.platform_id


def test_a_customer_that_is_not_known_is_refused(desk, analyst):
    answer = choose(analyst, "a.pdf", account_id="nobody")
    assert (answer.status_code, b"no longer in the portal" in answer.content) == (422, True)


def test_the_line_says_position_and_time_and_goes_on_by_itself(desk, analyst, sandbox):
    choose(analyst, *(f"{number:02}.pdf" for number in range(25)))
    rows = analyst.get(QUEUE).context["uploads"]
    assert [row.position for row in rows] == list(range(1, 26))
    assert [row.expected_at is None for row in rows] == [True] * 10 + [False] * 15
    waits = [(row.expected_at - timezone.now()).total_seconds() for row in rows[10:]]
    assert all(50 < wait <= 60 for wait in waits[:10])
    assert all(110 < wait <= 120 for wait in waits[10:])
    work()
    progress = analyst.get(QUEUE).context["progress"]
    assert (progress.done, progress.left, progress.total) == (10, 15, 25)
    rows = analyst.get(QUEUE).context["uploads"]
    assert [row.position for row in rows] == list(range(1, 16))
    assert b"15 left" in analyst.get(PAGE).content
    # Another one joins the same queue.
    choose(analyst, "late.pdf")
    assert analyst.get(QUEUE).context["progress"].total == 26


def test_what_is_sent_again_much_later_is_a_queue_of_its_own(desk, analyst, sandbox):
    hand_in(analyst, external_id=Contract.objects.exclude(external_id="")[0].external_id)
    choose(analyst, "00.pdf", "01.pdf", "02.pdf")
    sandbox.fail("status", value=403, method="POST", path="/v1/customer-trust/contracts", times=1)
    work()
    refused, kept = (Upload.objects.get(state=state) for state in (UploadState.REFUSED, UploadState.PRESENT))
    analyst.post(f"{PAGE}uploads/{refused.pk}/send-again/")
    progress = analyst.get(QUEUE).context["progress"]
    assert (progress.done, progress.total) == (0, 1)
    work()
    Upload.objects.filter(pk=kept.pk).update(trail={"seen": ["c1"]})
    analyst.post(f"{PAGE}uploads/{kept.pk}/decide/", {"external_id": "MSA-77"})
    progress = analyst.get(QUEUE).context["progress"]
    assert (progress.done, progress.total) == (0, 1)
    assert Upload.objects.get(pk=kept.pk).trail == {}


def test_what_the_platform_says_about_a_pause_is_what_the_line_says(desk, analyst, sandbox):
    sandbox.fail("status", value=429, method="POST", path="/v1/customer-trust/contracts")
    choose(analyst, *(f"{number:02}.pdf" for number in range(12)))
    work()
    rows = analyst.get(QUEUE).context["uploads"]
    due_at = Upload.objects.order_by("due_at")[0].due_at
    assert rows[0].expected_at == due_at > timezone.now()
    assert rows[11].expected_at == due_at + timedelta(minutes=1)


def test_all_that_wait_are_discarded_together(desk, analyst, files, django_capture_on_commit_callbacks):
    choose(analyst, *(f"{number:02}.pdf" for number in range(12)))
    work()
    answer = analyst.post(f"{QUEUE}discard/", follow=True)
    assert b"2 waiting uploads discarded" in answer.content
    assert Upload.objects.filter(state=UploadState.DISCARDED).count() == 2
    assert Upload.objects.filter(state=UploadState.DONE).count() == 10
    with django_capture_on_commit_callbacks(execute=True):
        sweep_uploads()
        work()
    assert files() == []
    [entry] = Entry.objects.filter(action="contract.discard_uploads")
    assert entry.details == {"number": 2}
    assert b"No uploads were waiting." in analyst.post(f"{QUEUE}discard/", follow=True).content


def test_a_viewer_sees_the_queue_and_steers_nothing(desk, client, alice, bob):
    client.force_login(alice)
    choose(client, "a.pdf", "b.pdf")
    client.force_login(bob)
    page = client.get(QUEUE)
    assert page.status_code == 200
    assert b"Discard" not in page.content.replace(b"Discarded", b"")
    assert client.post(f"{QUEUE}discard/").status_code == 403
    assert Upload.objects.open().count() == 2


@pytest.mark.parametrize("number", [0, 1, 60])
def test_the_queue_is_paged(number, desk, analyst):
    make_uploads(number)
    seen, address = [], QUEUE
    while address:
        answer = analyst.get(address)
        seen += [(row.position, row.upload.external_id) for row in answer.context["uploads"]]
        cursor = answer.context["page"].next_cursor
        address = cursor and f"{QUEUE}?cursor={cursor}"
    assert seen == [(at + 1, f"u{at:05}") for at in range(number)]


def test_a_queue_of_five_thousand_costs_no_more_queries_than_one_of_sixty(desk, analyst, django_assert_max_num_queries):
    make_uploads(5000)
    analyst.get(QUEUE)
    with django_assert_max_num_queries(40):
        answer = analyst.get(QUEUE)
    assert len(answer.context["uploads"]) == 50
    assert answer.context["progress"].left == 5000
    assert b"4995 more" in analyst.get(PAGE).content


def make_uploads(number: int) -> None:
    now = timezone.now()
    Upload.objects.bulk_create(
        Upload(filename=f"{at}.pdf", external_id=f"u{at:05}", uploaded_by_name="Alice", due_at=now, queue_began_at=now)
        for at in range(number)
    )


def test_the_tabs_show_what_came_of_earlier_ones(desk, analyst):
    hand_in(analyst, external_id="MSA-1")
    work()
    page = analyst.get(QUEUE, {"show": "arrived"})
    assert [row.upload.external_id for row in page.context["uploads"]] == ["MSA-1"]
    assert b"No upload is in this state." in analyst.get(QUEUE, {"show": "look"}).content
    assert b"No uploads in progress" in analyst.get(QUEUE).content


def test_a_button_leads_back_to_the_page_it_stood_on_and_nowhere_else(desk, analyst):
    for next_page, goes_to in (
        (f"{QUEUE}?show=", f"{QUEUE}?show="),
        ("https://evil.example/", PAGE),
        ("//evil.example/", PAGE),
    ):
        hand_in(analyst, external_id=goes_to[-20:] + next_page[:6])
        upload = Upload.objects.order_by("-pk")[0]
        answer = analyst.post(f"{PAGE}uploads/{upload.pk}/discard/", {"next": next_page})
        assert answer.url == goes_to
