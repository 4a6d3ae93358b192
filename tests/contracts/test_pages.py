"""The pages of the contract desk: what they show, to whom, and what they refuse."""

import pytest
from django.utils import timezone

from portal.audit.models import Entry
from portal.contracts import services
from portal.contracts.mirror import mark_contract_gone
from portal.contracts.models import Contract, Reading, Upload, UploadState
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.contracts.conftest import PAGE, PDF, contract, hand_in, only_upload, work

pytestmark = pytest.mark.once

MEGABYTE = 1024 * 1024


def test_a_walk_from_the_list_to_the_upload_to_the_contract(desk, analyst):
    page = analyst.get(PAGE).content.decode()
    assert f"{PAGE}upload/" in page
    assert 'enctype="multipart/form-data"' in analyst.get(f"{PAGE}upload/").content.decode()
    page = hand_in(analyst, external_id="MSA-1", follow=True).content.decode()
    assert "Northwind MSA.pdf is on its way" in page
    assert "Waiting" in page
    work()
    page = analyst.get(PAGE).content.decode()
    assert "Northwind MSA.pdf is on its way" not in page
    assert "Waiting" not in page
    detail = f"{PAGE}{contract('MSA-1').platform_id}/"
    assert detail in page
    page = analyst.get(detail).content.decode()
    assert "MSA-1" in page
    assert "Uploaded Northwind MSA.pdf." in page


def test_a_document_whose_external_id_exists_is_kept_and_asked_about(desk, analyst, files):
    existing = Contract.objects.exclude(external_id="")[0]
    answer = hand_in(analyst, external_id=existing.external_id, follow=True)
    upload = only_upload()
    assert answer.redirect_chain == [(f"{PAGE}uploads/{upload.pk}/decide/", 302)]
    assert (upload.state, upload.contract, upload.size) == (UploadState.PRESENT, existing, len(PDF))
    assert len(files()) == 1
    services.delete_leftover_files()
    assert len(files()) == 1
    # The same once more is the same question.
    hand_in(analyst, external_id=existing.external_id)
    assert (Upload.objects.count(), len(files())) == (1, 1)


def test_a_kept_document_goes_out_under_another_id(desk, analyst, files):
    existing = Contract.objects.exclude(external_id="")[0]
    hand_in(analyst, external_id=existing.external_id)
    page = f"{PAGE}uploads/{only_upload().pk}/decide/"
    assert "It was not added to the platform" in analyst.get(page).content.decode()
    offered = analyst.get(page).context["form"]["external_id"].value()
    assert offered == f"{existing.external_id} (2)"
    taken = analyst.post(page, {"external_id": existing.external_id})
    assert (taken.status_code, set(taken.context["form"].errors)) == (422, {"external_id"})
    analyst.post(page, {"external_id": offered})
    work()
    assert only_upload().state == UploadState.DONE
    assert len(desk.there(offered)) == len(desk.there(existing.external_id)) == 1
    assert Entry.objects.filter(action="contract.upload_under").count() == 1
    assert analyst.get(page).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_a_kept_document_becomes_the_text_of_the_contract(desk, analyst, files):
    existing = Contract.objects.exclude(external_id="")[0]
    hand_in(analyst, external_id=existing.external_id)
    analyst.post(f"{PAGE}uploads/{only_upload().pk}/decide/", {"action": "text"})
    work()
    assert Reading.objects.get().contract == existing
    assert (only_upload().state, desk.calls(), files()) == (UploadState.DISCARDED, 0, [])


@pytest.mark.django_db(transaction=True)
def test_a_kept_document_is_deleted_when_the_existing_one_stays(desk, analyst, files):
    existing = Contract.objects.exclude(external_id="")[0]
    hand_in(analyst, external_id=existing.external_id)
    analyst.post(f"{PAGE}uploads/{only_upload().pk}/discard/")
    assert (only_upload().state, files()) == (UploadState.DISCARDED, [])


def test_another_document_with_the_id_of_one_on_its_way_is_kept(desk, analyst, files):
    hand_in(analyst, external_id="MSA-1")
    hand_in(analyst, external_id="MSA-1", content=PDF + b"another")
    assert sorted(Upload.objects.values_list("state", flat=True)) == ["present", "waiting"]
    assert len(files()) == 2


def test_a_form_that_was_sent_twice_makes_one_upload(desk, analyst, files):
    hand_in(analyst, external_id="MSA-1")
    answer = hand_in(analyst, external_id="MSA-1", follow=True)
    assert b"is already on its way" in answer.content
    assert Upload.objects.count() == 1
    assert len(files()) == 1


def test_a_contract_that_is_gone_may_be_uploaded_again(desk, analyst):
    existing = Contract.objects.exclude(external_id="")[0]
    mark_contract_gone(existing.platform_id)
    hand_in(analyst, external_id=existing.external_id)
    assert only_upload().external_id == existing.external_id


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("notes.pdf", b"PK\x03\x04 not a pdf", "This is not a PDF"),
        ("empty.pdf", b"", "empty"),
        ("huge.pdf", b"%PDF-1.4" + bytes(30 * MEGABYTE), "30.0\xa0MB"),
        (".pdf", b"%PDF-1.4", "no name to create one from"),
    ],
)
def test_w2_what_cannot_be_taken_is_said_and_the_rest_of_the_form_stays(name, content, words, desk, analyst, files):
    answer = hand_in(analyst, name, content, executed_on="2026-02-28")
    assert answer.status_code == 422
    page = answer.content.decode()
    assert words in page
    assert "2026-02-28" in page
    assert not Upload.objects.exists()
    assert files() == []


def test_a_file_of_exactly_the_limit_is_taken(desk, analyst):
    assert hand_in(analyst, content=b"%PDF-1.4".ljust(25 * MEGABYTE, b" ")).status_code == 302
    assert only_upload().size == 25 * MEGABYTE
    with only_upload().file.open() as file:
        assert file.read(8) == b"%PDF-1.4"
    work()
    assert len(desk.there("Northwind MSA")) == 1


def test_an_external_id_that_is_too_long_is_said(desk, analyst):
    answer = hand_in(analyst, external_id="x" * 257)
    assert answer.status_code == 422
    assert "x" * 257 in answer.content.decode()


def test_a_viewer_looks_and_uploads_nothing(desk, client, bob):
    client.force_login(bob)
    page = client.get(PAGE)
    assert page.status_code == 200
    assert b"Upload contracts" not in page.content
    assert client.get(f"{PAGE}upload/").status_code == 403
    assert hand_in(client).status_code == 403
    assert not Upload.objects.exists()


def test_a_viewer_sees_uploads_and_cannot_steer_them(desk, client, alice, bob):
    client.force_login(alice)
    hand_in(client)
    client.force_login(bob)
    page = client.get(PAGE).content.decode()
    assert "Northwind MSA.pdf" in page
    assert "discard/" not in page
    assert client.post(f"{PAGE}uploads/{only_upload().pk}/discard/").status_code == 403


def test_an_analyst_may_upload(desk, client, member):
    client.force_login(member(Role.ANALYST))
    assert hand_in(client).status_code == 302


def test_s1_another_tenant_reaches_neither_contract_nor_upload(desk, client, alice, mallory, globex):
    client.force_login(alice)
    hand_in(client)
    upload, row = only_upload(), Contract.objects.all()[0]
    client.force_login(mallory)
    assert client.get(f"{PAGE}{row.platform_id}/").status_code == 404
    assert client.get(f"/t/globex/contracts/{row.platform_id}/").status_code == 404
    for verb in ("discard", "send-again"):
        assert client.post(f"/t/globex/contracts/uploads/{upload.pk}/{verb}/").status_code == 404
    assert row.name not in client.get("/t/globex/contracts/").content.decode()
    assert only_upload().state == "waiting"


def test_s1_the_same_external_id_of_another_tenant_is_no_hindrance(desk, client, alice, mallory, globex):
    client.force_login(alice)
    hand_in(client, external_id="MSA-1")
    client.force_login(mallory)
    client.post("/t/globex/contracts/upload/", {"file": only_upload().file.open(), "external_id": "MSA-1"})
    with tenant_scope(globex.pk):
        assert only_upload().external_id == "MSA-1"


def test_names_are_shown_and_never_run(desk, analyst):
    name = "<script>alert(1)</script>"
    desk.add_there("<b>x</b>", name=name)
    desk.fetch()
    hand_in(analyst, external_id="<i>y</i>")
    page = analyst.get(PAGE).content.decode()
    assert name not in page
    assert "&lt;script&gt;" in page
    assert "<i>y</i>" not in page
    page = analyst.get(f"{PAGE}{contract('<b>x</b>').platform_id}/").content.decode()
    assert name not in page
    assert "<b>x</b>" not in page


def many(number: int) -> None:
    now = timezone.now()
    Contract.objects.bulk_create(
        Contract(platform_id=f"m{each:05}", name=f"Many {each:05}.pdf", search=f"many {each:05}.pdf", created_at=now)
        for each in range(number)
    )


def test_the_list_goes_through_every_contract_once(desk, analyst):
    many(120)
    seen: list[str] = []
    address = PAGE
    while address:
        page = analyst.get(address).context["page"]
        seen += [row.platform_id for row in page.rows]
        address = page.next_cursor and f"{PAGE}?cursor={page.next_cursor}"
    assert sorted(seen) == sorted(Contract.objects.values_list("platform_id", flat=True))


def test_the_search_finds_names_and_external_ids(desk, analyst):
    many(3)
    desk.add_there("ACME-ÄRZTE-7", name="Ärztekammer 2026.pdf")
    desk.fetch()
    for words in ("ärztekammer", "2026 ärzte-7"):
        assert [row.external_id for row in analyst.get(PAGE, {"q": words}).context["page"].rows] == ["ACME-ÄRZTE-7"]
    assert b"No matching contracts" in analyst.get(PAGE, {"q": "nobody"}).content


def test_the_order_by_execution_puts_unknown_dates_last(desk, analyst):
    Contract.objects.all().delete()
    for number, day in enumerate(["2024-05-06T00:00:00.000Z", None, "2026-01-31T00:00:00.000Z"]):
        desk.add_there(f"e{number}", id=f"e{number:023d}", executedDate=day)
    desk.fetch()
    rows = analyst.get(PAGE, {"sort": "executed"}).context["page"].rows
    assert [row.external_id for row in rows if row.external_id[:1] == "e"] == ["e2", "e0", "e1"]


def test_a_contract_that_is_gone_leaves_the_list_and_keeps_its_page(desk, analyst):
    row = Contract.objects.all()[0]
    assert mark_contract_gone(row.platform_id)
    assert f"{PAGE}{row.platform_id}/" not in analyst.get(PAGE).content.decode()
    assert b"This contract no longer exists" in analyst.get(f"{PAGE}{row.platform_id}/").content


def test_the_open_pages_are_left_alone_until_something_changes(desk, analyst):
    row = Contract.objects.all()[0]
    for address in (PAGE, f"{PAGE}{row.platform_id}/"):
        seen = analyst.get(address).context["page_version"]
        headers = {"HX-Request": "true", "Seen": seen}
        assert analyst.get(address, headers=headers).status_code == 204
        hand_in(analyst, external_id=address[-9:])
        fragment = analyst.get(address, headers=headers)
        assert fragment.status_code == 200
        assert b"<html" not in fragment.content


def test_uploads_and_contracts_hear_of_news_each_by_itself(desk, analyst):
    headers = {"HX-Request": "true", "Seen": analyst.get(PAGE).context["page_version"]}
    hand_in(analyst, external_id="N-1")
    parts = {name: analyst.get(PAGE, headers={**headers, "HX-Target": name}).content for name in ("uploads", "results")}
    for name, other in (("uploads", "results"), ("results", "uploads")):
        assert f'id="{name}"'.encode() in parts[name]
        assert f'id="{other}"'.encode() not in parts[name]
    assert b"N-1" in parts["uploads"]


def test_the_list_says_why_it_is_empty(acme, analyst, scoped):
    assert b"not connected yet" in analyst.get(PAGE).content
    assert b"will be sent once an owner connects" in analyst.get(f"{PAGE}upload/").content


def test_the_list_tells_of_the_first_copy(connected, analyst, scoped):
    assert b"Fetching the contracts" in analyst.get(PAGE).content
