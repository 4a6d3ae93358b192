"""Guarantee W1 for contracts: every upload arrives, and none arrives twice."""

from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone

from portal.audit.models import Entry
from portal.celery import app as celery_app
from portal.connections.models import Connection, State
from portal.connections.services import Urgency, client_for
from portal.connections.signals import connected as connected_signal
from portal.contracts import services
from portal.contracts.models import LEASE, Contract, Upload, UploadState
from portal.contracts.services.outcomes import SEND, postpone, refuse
from portal.contracts.services.uploads import claim
from portal.contracts.tasks import sweep_uploads
from portal.platform_api.errors import RateLimited
from portal.platform_api.paging import Page, Unread
from portal.sync.models import StaleMark
from portal.tenants.models import Role
from tests.conftest import SandboxHandle
from tests.contracts.conftest import CALL, PDF, contract, hand_in, only_upload, work
from tests.support.audit import recorded
from tests.support.calls import use_up
from tests.support.members import find_member, remove_members, set_role


def test_an_upload_arrives_there_and_here(desk, analyst, files, django_capture_on_commit_callbacks):
    assert hand_in(analyst, executed_on="2026-02-28").status_code == 302
    assert len(files()) == 1
    with django_capture_on_commit_callbacks(execute=True):
        work()
    [made] = desk.there("Northwind MSA")
    assert made["name"] == "Northwind MSA.pdf"
    assert made["executedDate"].startswith("2026-02-28T00:00:00")
    row = contract("Northwind MSA")
    assert (row.platform_id, row.executed_on.isoformat()) == (made["id"], "2026-02-28")
    upload = only_upload()
    assert (upload.state, upload.contract, upload.file.name) == (UploadState.DONE, row, "")
    assert files() == []
    assert StaleMark.objects.filter(kind="contract", object_id=made["id"]).exists()
    [entry] = Entry.objects.filter(target_kind="contract")
    assert (entry.action, entry.target_id, entry.actor_name) == ("contract.upload", made["id"], "Alice Ames")


def test_the_name_tells_the_platform_that_it_is_a_pdf(desk, analyst):
    hand_in(analyst, name="scan 2026.1")
    work()
    assert desk.there("scan 2026.1")[0]["name"] == "scan 2026.1.pdf"


@pytest.mark.parametrize("fault", [{"kind": "drop_answer"}, {"kind": "html"}, {"kind": "status", "value": 500}])
def test_w1_a_lost_answer_is_settled_by_looking(fault, desk, analyst, sandbox):
    hand_in(analyst, external_id="MSA-1")
    kind = fault.pop("kind")
    sandbox.fail(kind, method="POST", path=CALL, times=1, **fault)
    work()
    assert only_upload().state == UploadState.UNCERTAIN
    assert b"Being checked" in analyst.get("/t/acme/contracts/").content
    work()
    assert len(desk.there("MSA-1")) == 1
    assert Contract.objects.filter(external_id="MSA-1").count() == 1
    assert only_upload().state == UploadState.DONE
    # An answer that was lost on its way back is not sent a second time.
    assert desk.calls() == (1 if kind == "drop_answer" else 2)


def test_w1_it_looks_before_it_sends_again_even_after_the_worker_was_killed(desk, analyst, sandbox):
    hand_in(analyst, external_id="MSA-1")
    upload = only_upload()
    assert claim(upload)
    # The call had just been made when the worker died.
    desk.add_there("MSA-1", creationDate=timezone.now().isoformat())
    work()
    assert only_upload().state == UploadState.SENDING, "nobody robs a live worker"
    Upload.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    work()
    assert only_upload().state == UploadState.DONE
    assert desk.calls() == 0
    assert len(desk.there("MSA-1")) == 1


def test_o8_what_was_sent_after_the_backup_is_not_sent_again_once_that_is_restored(desk, analyst):
    hand_in(analyst, external_id="MSA-1")
    hand_in(analyst, external_id="MSA-2", content=PDF + b"%")
    copied = Upload.objects.get(external_id="MSA-2").pk
    # The first one was sent since, by the installation that is no more; of the second one nothing has left.
    desk.add_there("MSA-1", creationDate=timezone.now().isoformat())
    call_command("after_restore")
    work()
    work()
    assert [*Upload.objects.values_list("state", flat=True)] == [UploadState.DONE, UploadState.DONE]
    assert (desk.calls(), len(desk.there("MSA-1")), len(desk.there("MSA-2"))) == (1, 1, 1)
    assert Upload.objects.get(pk=copied).contract == contract("MSA-2")


def test_w1_a_worker_that_died_before_the_call_costs_nothing(desk, analyst):
    hand_in(analyst, external_id="MSA-1")
    claim(only_upload())
    Upload.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    work()
    assert only_upload().state == UploadState.DONE
    assert (desk.calls(), len(desk.there("MSA-1"))) == (1, 1)


def test_w1_two_workers_never_send_the_same_one(desk, analyst):
    hand_in(analyst)
    first, second = only_upload(), only_upload()
    assert claim(first)
    assert not claim(second)
    assert services.run_upload(second) is False
    assert desk.calls() == 0


def test_w1_a_worker_that_wakes_up_too_late_writes_nothing(desk, analyst):
    hand_in(analyst, external_id="MSA-1")
    late = only_upload()
    claim(late)
    Upload.objects.update(lease_until=timezone.now() - LEASE)
    work()
    postpone(late, ConnectionError())
    refuse(late, "too late")
    assert only_upload().state == UploadState.DONE


def test_an_external_id_that_was_there_already_keeps_the_document(desk, analyst, files):
    hand_in(analyst, external_id="MSA-1")
    there = desk.add_there("MSA-1")
    work()
    upload = only_upload()
    assert (upload.state, upload.contract.platform_id) == (UploadState.PRESENT, there["id"])
    assert desk.there("MSA-1") == [there]
    page = analyst.get("/t/acme/contracts/").content.decode()
    assert f"uploads/{upload.pk}/decide/" in page
    assert f"/t/acme/contracts/{there['id']}/" in page
    assert len(files()) == 1


def test_a_lost_answer_is_not_taken_for_ours_when_the_contract_is_older(desk, analyst, sandbox):
    hand_in(analyst, external_id="MSA-1")
    desk.add_there("MSA-1")
    sandbox.fail("drop_answer", method="POST", path=CALL, times=1)
    work()
    work()
    assert only_upload().state == UploadState.PRESENT


def test_twelve_uploads_arrive_in_two_minutes_and_none_twice(desk, analyst, sandbox):
    for number in range(12):
        hand_in(analyst, name=f"{number}.pdf", external_id=f"batch-{number:02}")
    work()
    work()
    assert Upload.objects.filter(state=UploadState.DONE).count() == 10
    waiting = Upload.objects.filter(state=UploadState.WAITING)
    assert waiting.count() == 2
    assert all(timezone.now() < upload.due_at < timezone.now() + timedelta(seconds=75) for upload in waiting)
    assert b"about <time" in analyst.get("/t/acme/contracts/").content
    calls = desk.calls()
    work()
    assert desk.calls() == calls, "what waits costs no call"
    sandbox.advance(60)
    with time_machine.travel(timezone.now() + timedelta(seconds=75)):
        work()
    ids = [each["externalId"] for each in desk.there() if each["externalId"] and each["externalId"].startswith("batch-")]
    assert sorted(ids) == [f"batch-{number:02}" for number in range(12)]
    assert Contract.objects.filter(external_id__startswith="batch-").count() == 12


def test_a_long_queue_says_when_each_one_goes_out(desk, analyst, sandbox):
    sandbox.fail("status", value=429, method="POST", path=CALL)
    for number in range(11):
        hand_in(analyst, external_id=f"batch-{number:02}")
    work()
    assert desk.calls() == 1, "the others would only hear the same"
    page = analyst.get("/t/acme/contracts/").content.decode()
    assert "its rate limit is reached" in page
    assert "in 2 min" in page or "in 1 min" in page


def test_without_a_connection_it_waits_and_goes_out_with_the_next_one(desk, analyst, files):
    Connection.objects.update(state=State.NEEDS_RECONNECTION)
    hand_in(analyst, external_id="MSA-1")
    work()
    assert only_upload().state == UploadState.WAITING
    assert b"as soon as the tenant is connected" in analyst.get("/t/acme/contracts/").content
    work()
    assert len(files()) == 1
    Connection.objects.update(state=State.ACTIVE)
    connected_signal.send(Connection, tenant_id=only_upload().tenant_id)
    work()
    assert only_upload().state == UploadState.DONE


def test_r8_a_refusal_says_why_and_can_be_tried_again(desk, analyst, sandbox):
    hand_in(analyst, external_id="MSA-1")
    sandbox.fail("status", value=403, method="POST", path=CALL, times=1)
    with recorded("contract.refuse_upload", by=""):
        work()
    upload = only_upload()
    assert upload.state == UploadState.REFUSED
    page = analyst.get("/t/acme/contracts/").content.decode()
    assert "does not cover contracts" in page
    with recorded("contract.send_again", "contract.upload", by="Alice Ames"):
        analyst.post(f"/t/acme/contracts/uploads/{upload.pk}/send-again/")
        work()
    assert only_upload().state == UploadState.DONE


def test_s7_who_may_upload_no_longer_sends_nothing_that_waited(desk, client, member, alice):
    uploader = member(Role.ANALYST)
    client.force_login(uploader)
    Connection.objects.update(state=State.NEEDS_RECONNECTION)
    hand_in(client, external_id="MSA-1")
    work()
    set_role(Role.VIEWER, user=uploader)
    Connection.objects.update(state=State.ACTIVE)
    connected_signal.send(Connection, tenant_id=only_upload().tenant_id)
    with recorded("contract.refuse_upload", by=""):
        work()
    assert (only_upload().state, desk.calls()) == (UploadState.REFUSED, 0)
    # It goes out on the word of whoever sends it again.
    client.force_login(alice)
    with recorded("contract.send_again", "contract.upload", by="Alice Ames"):
        client.post(f"/t/acme/contracts/uploads/{only_upload().pk}/send-again/")
        work()
    assert only_upload().uploaded_by == alice
    assert len(desk.there("MSA-1")) == 1


@pytest.mark.parametrize(
    ("kind", "state", "number"), [("drop_answer", UploadState.DONE, 1), ("refuse_connection", UploadState.REFUSED, 0)]
)
def test_s7_what_left_before_the_role_was_lost_is_looked_for_and_not_sent_again(
    kind, state, number, desk, client, member, sandbox
):
    uploader = member(Role.ANALYST)
    client.force_login(uploader)
    hand_in(client, external_id="MSA-1")
    sandbox.fail(kind, method="POST", path=CALL, times=1)
    work()
    assert only_upload().state == UploadState.UNCERTAIN
    remove_members(user=uploader)
    Upload.objects.update(due_at=timezone.now())
    work()
    assert (only_upload().state, len(desk.there("MSA-1"))) == (state, number)


def test_s7_a_kept_document_goes_out_on_the_word_of_whoever_sends_it_under_another_id(desk, client, member, alice):
    uploader = member(Role.ANALYST)
    client.force_login(uploader)
    desk.add_there("MSA-1")
    hand_in(client, external_id="MSA-1")
    work()
    assert only_upload().state == UploadState.PRESENT
    remove_members(user=uploader)
    services.send_under(only_upload(), "MSA-2", member=find_member(user=alice))
    work()
    assert (only_upload().state, only_upload().uploaded_by) == (UploadState.DONE, alice)


def test_a_refusal_of_the_platform_is_shown_in_its_words(desk, analyst):
    hand_in(analyst, external_id="MSA-1")
    Path(only_upload().file.path).write_bytes(b"the platform finds that this is no PDF")
    work()
    upload = only_upload()
    assert upload.state == UploadState.REFUSED
    assert "PDF" in upload.last_error
    assert upload.last_error in analyst.get("/t/acme/contracts/").context["uploads"][0].description


def test_it_can_be_discarded_with_its_file(desk, analyst, files, django_capture_on_commit_callbacks):
    hand_in(analyst, external_id="MSA-1")
    with django_capture_on_commit_callbacks(execute=True):
        analyst.post(f"/t/acme/contracts/uploads/{only_upload().pk}/discard/")
    assert only_upload().state == UploadState.DISCARDED
    assert files() == []
    work()
    assert desk.calls() == 0
    assert Entry.objects.filter(action="contract.discard_upload").exists()


def test_one_that_is_being_sent_cannot_be_discarded(desk, analyst, files):
    hand_in(analyst)
    upload = only_upload()
    claim(upload)
    analyst.post(f"/t/acme/contracts/uploads/{upload.pk}/discard/")
    assert only_upload().state == UploadState.SENDING
    assert len(files()) == 1


def test_it_is_not_sent_again_beside_another_one_with_its_external_id(desk, analyst, sandbox):
    hand_in(analyst, external_id="MSA-1")
    sandbox.fail("status", value=403, method="POST", path=CALL, times=1)
    work()
    refused = only_upload()
    hand_in(analyst, external_id="MSA-1")
    answer = analyst.post(f"/t/acme/contracts/uploads/{refused.pk}/send-again/", follow=True)
    assert b"Another upload with the same external id" in answer.content
    refused.refresh_from_db()
    assert refused.state == UploadState.REFUSED


def test_a_file_that_a_dead_process_left_behind_is_deleted(desk, analyst, files, django_capture_on_commit_callbacks):
    hand_in(analyst)
    work()
    assert len(files()) == 1, "the commit callbacks of this test never ran"
    with django_capture_on_commit_callbacks(execute=True):
        services.delete_leftover_files()
    assert files() == []
    assert only_upload().file.name == ""


def test_a_stored_file_that_is_lost_is_said_plainly(desk, analyst):
    hand_in(analyst)
    upload = only_upload()
    upload.file.storage.delete(upload.file.name)
    work()
    assert only_upload().state == UploadState.REFUSED
    assert "Upload the document again" in only_upload().last_error


def test_a_look_through_a_long_list_goes_on_where_it_had_to_stop(desk, analyst, sandbox):
    for number in range(250):
        desk.add_there(f"old-{number}", id=f"{number:024d}")
    hand_in(analyst, external_id="MSA-1")
    sandbox.fail("status", value=500, method="POST", path=CALL, times=1)
    work()
    listed = pages_read(sandbox)
    # One more call, then the minute is over.
    use_up(Urgency.NEWS, but=1)
    work()
    upload = only_upload()
    assert (upload.state, bool(upload.cursor), pages_read(sandbox) - listed) == (UploadState.UNCERTAIN, True, 1)
    assert "The portal has reached its own call limit" in upload.last_error
    with time_machine.travel(timezone.now() + timedelta(seconds=75)):
        work()
    assert only_upload().state == UploadState.DONE
    assert pages_read(sandbox) - listed == 3, "253 contracts are three pages, each read once"
    assert len(desk.there("MSA-1")) == 1


def test_q16_a_list_that_leads_in_a_circle_is_noticed_over_several_attempts(desk, analyst, monkeypatch):
    hand_in(analyst, external_id="MSA-1")
    Upload.objects.update(state=UploadState.UNCERTAIN)
    read: list[str | None] = []

    def page(self, cursor: str | None = None, **filters: object) -> Page[object]:
        if len(read) % 2:
            read.append(None)
            raise RateLimited("GET", "/contracts", retry_after=1)
        read.append(cursor)
        return Page([], "B" if cursor == "A" else "A")

    monkeypatch.setattr(type(client_for(Urgency.NEWS).contracts.all), "page", page)
    ends = []
    for _ in range(12):
        work()
        ends.append(only_upload().cursor)
        Upload.objects.update(due_at=timezone.now())
    assert "" in ends[1:], "the walk has ended, and begins again with the first page"
    assert only_upload().state == UploadState.UNCERTAIN


def test_w1_a_contract_that_cannot_be_read_may_be_the_one_that_was_sent(desk, analyst, monkeypatch):
    hand_in(analyst, external_id="MSA-1")
    Upload.objects.update(state=UploadState.UNCERTAIN)
    unread = [Unread("c-9", "creationDate is no time")]
    monkeypatch.setattr(type(client_for(Urgency.NEWS).contracts.all), "page", lambda *_, **__: Page([], None, tuple(unread)))
    work()
    assert only_upload().state == UploadState.UNCERTAIN
    assert "creationDate is no time" in only_upload().last_error
    assert desk.calls() == 0, "it is not sent a second time"
    # One that was here before is another one.
    Contract.objects.create(platform_id="c-9", external_id="MSA-0", created_at=timezone.now())
    Upload.objects.update(due_at=timezone.now())
    work()
    assert only_upload().state == UploadState.DONE


def test_a_cursor_that_the_platform_has_forgotten_means_the_first_page_again(desk, analyst, sandbox):
    hand_in(analyst, external_id="MSA-1")
    Upload.objects.update(state=UploadState.UNCERTAIN, cursor="forgotten")
    work()
    assert (only_upload().state, only_upload().cursor) == (UploadState.UNCERTAIN, "")
    Upload.objects.update(due_at=timezone.now())
    work()
    assert only_upload().state == UploadState.DONE


def test_the_sweep_rings_for_what_is_due(desk, analyst, monkeypatch, django_capture_on_commit_callbacks):
    hand_in(analyst)
    rung = []
    monkeypatch.setattr("portal.lib.enqueue._send", lambda task, args: rung.append((task, args)))
    with django_capture_on_commit_callbacks(execute=True):
        sweep_uploads()
    assert rung == [("portal.contracts.tasks.send_upload", (only_upload().tenant_id, only_upload().pk))]


def test_the_bell_names_tasks_that_exist():
    assert SEND in celery_app.tasks
    assert "portal.contracts.tasks.sweep_uploads" in {each["task"] for each in celery_app.conf.beat_schedule.values()}


def pages_read(sandbox: SandboxHandle) -> int:
    return len([each for each in sandbox.requests("/v1/contracts") if each["method"] == "GET"])
