"""Files and links: sent once, looked up when the answer is lost, removed by who may, and fetched through the portal."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.audit.models import Entry
from portal.connections.models import CallWindow
from portal.connections.services import Urgency, client_for
from portal.documents import services
from portal.documents.kinds import EVIDENCE
from portal.documents.models import Document, Link, Upload, UploadAttempt, UploadState
from portal.documents.services import NewLink, uploads
from portal.documents.tasks import sweep_document_uploads
from portal.page_refresh.models import Area
from portal.sync.models import StaleMark
from portal.sync.services import drain, mark_stale
from portal.tenants.models import Role
from tests.compliance_documents.conftest import CALL, PDF, page_of, send
from tests.support.members import find_member

UPLOADS = f"{CALL}/*/uploads"
LINKS = f"{CALL}/*/links"


def sent(desk) -> int:
    return len(desk.calls("POST", "/uploads"))


def no_look_after_sending(monkeypatch, sandbox) -> None:
    """Have the list fail from the moment on at which the file is sent."""
    begin = uploads._begin

    def begin_and_break(*args):
        sandbox.fail("status", method="GET", path=UPLOADS, value=503, times=9)
        return begin(*args)

    monkeypatch.setattr(uploads, "_begin", begin_and_break)


def settle(desk) -> None:
    """Have the list read that tells what came of an upload."""
    desk.drain()
    UploadAttempt.objects.update(look_at=timezone.now())
    sweep_document_uploads()
    desk.drain()


@pytest.mark.both
def test_a_file_is_uploaded_with_its_date_and_shown_at_once(client, document, desk):
    before = desk.of("uploads", document)
    answer = send(client, document, effective_on="2026-03-01", description="Signed.")
    assert answer["Location"] == page_of(document)
    [new] = [each for key, each in desk.of("uploads", document).items() if key not in before]
    assert (new["fileName"], new["description"], new["effectiveDate"][:10]) == ("pentest-2026.pdf", "Signed.", "2026-03-01")
    row = Upload.objects.get(platform_id=new["id"])
    assert (row.file_name, row.uploader, row.deleted_at) == ("pentest-2026.pdf", "An application", None)
    [entry] = Entry.objects.filter(action="document.upload")
    assert (entry.actor, entry.target_id) == (find_member(user=entry.actor).user, document.platform_id)
    assert not UploadAttempt.objects.exists()
    # The status may be another one now.
    assert StaleMark.objects.waiting().filter(kind="document_details", object_id=document.platform_id).exists()


def test_a_day_is_the_same_day_for_every_reader(client, document, desk, owner):
    owner.user.timezone = "America/New_York"
    owner.user.save()
    send(client, document, effective_on="2027-03-31")
    form = {"url": "https://wiki.acme.example/recovery", "title": "Recovery plan", "effective_on": "2027-04-15"}
    client.post(f"{page_of(document)}links/new/", form)
    page = client.get(page_of(document)).content.decode()
    assert ("31 Mar 2027" in page, "15 Apr 2027" in page) == (True, True)
    assert ("30 Mar 2027" in page, "14 Apr 2027" in page) == (False, False)
    # Without a day the platform takes the moment, which is another day there.
    Upload.objects.filter(document=document, file_name="pentest-2026.pdf").update(effective_at="2027-03-31T02:00:00Z")
    page = client.get(page_of(document)).content.decode()
    assert ("31 Mar 2027" in page, "30 Mar 2027" in page) == (False, True)


def test_what_cannot_be_sent_is_said_beside_its_field(client, document, desk, settings):
    most = f'data-most-bytes="{settings.MAX_UPLOAD_BYTES}"'
    assert most in client.get(f"{page_of(document)}upload/").content.decode(), "what the proxy refuses is told of before"
    assert b"This file is empty" in send(client, document, content=b"").content
    settings.MAX_UPLOAD_BYTES = 10
    answer = send(client, document, effective_on="someday")
    assert answer.status_code == 422
    assert {*answer.context["form"].errors} == {"file", "effective_on"}
    assert sent(desk) == 0


def test_w1_a_lost_answer_is_settled_by_the_list_and_nothing_is_sent_twice(client, document, desk, sandbox):
    sandbox.fail("drop_answer", method="POST", path=UPLOADS, times=1)
    assert send(client, document)["Location"] == page_of(document)
    assert sent(desk) == 1
    assert Upload.objects.filter(document=document, file_name="pentest-2026.pdf").count() == 1
    assert Entry.objects.filter(action="document.upload").count() == 1
    assert not UploadAttempt.objects.exists()


def test_w1_while_nobody_knows_the_page_says_so_and_refuses_a_second_one(client, document, desk, sandbox, monkeypatch):
    sandbox.fail("drop_answer", method="POST", path=UPLOADS, times=1)
    no_look_after_sending(monkeypatch, sandbox)
    assert send(client, document)["Location"] == page_of(document)
    assert UploadAttempt.objects.get().state == UploadState.UNCERTAIN
    assert "Checking whether “pentest-2026.pdf” arrived" in client.get(page_of(document)).content.decode()
    sandbox.control("DELETE", "/faults")
    monkeypatch.undo()
    again = send(client, document)
    assert again.status_code == 422
    assert again.context["refusal"].title == "Another upload to this document isn't finished"
    assert sent(desk) == 1
    settle(desk)
    assert Upload.objects.filter(document=document, file_name="pentest-2026.pdf").count() == 1
    [entry] = Entry.objects.filter(action="document.upload")
    assert entry.actor is not None
    assert not UploadAttempt.objects.exists()
    assert send(client, document, name="another.pdf").status_code == 302


def test_whoever_looks_for_an_upload_again_locks_marks_then_rows_then_the_page(document):
    begun_at = timezone.now() - timedelta(hours=1)
    attempt = UploadAttempt.objects.create(document=document, file_name="pentest-2026.pdf", begun_at=begun_at)
    with CaptureQueriesContext(connection) as queries:
        services.verify_again(attempt.pk)
    written = [each["sql"] for each in queries if not each["sql"].lstrip().startswith("SELECT")]
    models = [model for sql in written for model in (StaleMark, UploadAttempt, Area) if model._meta.db_table in sql]
    assert list(dict.fromkeys(models)) == [StaleMark, UploadAttempt, Area]


def test_w1_what_did_not_arrive_is_said_after_a_while_and_can_be_sent_again(client, document, desk, sandbox):
    sandbox.fail("status", method="POST", path=UPLOADS, value=503, times=1)
    send(client, document)
    assert desk.of("uploads", document).keys() == set(document.uploads.values_list("platform_id", flat=True))
    settle(desk)
    assert UploadAttempt.objects.get().state == UploadState.UNCERTAIN, "it may still be on its way"
    UploadAttempt.objects.update(begun_at=timezone.now() - timedelta(minutes=3))
    settle(desk)
    attempt = UploadAttempt.objects.get()
    assert attempt.is_absent
    assert "“pentest-2026.pdf” did not arrive" in client.get(page_of(document)).content.decode()
    assert not Entry.objects.filter(action="document.upload").exists()
    client.post(f"{page_of(document)}uploads/{attempt.pk}/dismiss/")
    assert not UploadAttempt.objects.exists()
    assert send(client, document).status_code == 302
    assert Upload.objects.filter(document=document, file_name="pentest-2026.pdf").count() == 1


def test_w1_an_upload_whose_process_died_is_settled_by_the_list_too(client, document, desk):
    old = timezone.now() - timedelta(minutes=6)
    known = [*desk.of("uploads", document)]
    UploadAttempt.objects.create(document=document, file_name="lost.pdf", known_ids=known[1:], begun_at=old, look_at=old)
    desk.objects.save(desk.tenant_id, "uploads", desk.of("uploads", document)[known[0]] | {"fileName": "lost.pdf"})
    settle(desk)
    assert not UploadAttempt.objects.exists()
    [entry] = Entry.objects.filter(action="document.upload")
    assert (entry.actor, entry.details) == (None, {"file": known[0]})


def test_what_the_platform_refuses_leaves_nothing_open(client, document, desk, sandbox):
    sandbox.fail("status", method="POST", path=UPLOADS, value=422, times=1)
    answer = send(client, document)
    assert answer.status_code == 422
    assert not UploadAttempt.objects.exists()
    desk.objects.delete(desk.tenant_id, "documents", document.platform_id)
    assert send(client, document).context["refusal"].title == "The platform doesn't have this anymore"
    assert not UploadAttempt.objects.exists()


def test_a_link_is_added_once_and_a_lost_answer_never_makes_two_of_it(client, document, desk, sandbox):
    form = {"url": "https://wiki.acme.example/recovery", "title": "Recovery plan", "effective_on": "2026-02-03"}

    def there() -> list[dict]:
        return [each for each in desk.of("links", document).values() if each["url"] == form["url"]]

    sandbox.fail("drop_answer", method="POST", path=LINKS, times=1)
    assert client.post(f"{page_of(document)}links/new/", form)["Location"] == page_of(document)
    [made] = there()
    assert (made["title"], made["effectiveDate"][:10]) == ("Recovery plan", "2026-02-03")
    assert Link.objects.get(platform_id=made["id"]).title == "Recovery plan"
    again = client.post(f"{page_of(document)}links/new/", form)
    assert again.context["refusal"].title == "The document already has this link"
    assert len(there()) == 1
    assert client.post(f"{page_of(document)}links/new/", form | {"url": "javascript:alert(1)"}).status_code == 422
    assert Entry.objects.filter(action="document.add_link", target_id=document.platform_id).count() == 1


def test_a_link_is_removed_by_who_may_and_asks_first(client, document, desk, member):
    link = document.links.all()[0]
    path = f"{page_of(document)}links/{link.pk}/remove/"
    assert f"Remove “{link}”?" in client.get(page_of(document)).content.decode()
    client.force_login(member(Role.ANALYST))
    assert client.post(path).status_code == 403
    assert f"Remove “{link}”?" not in client.get(page_of(document)).content.decode()
    client.force_login(member(Role.APPROVER))
    client.post(path)
    assert link.platform_id not in desk.of("links", document)
    assert not Link.objects.filter(pk=link.pk).exists()
    assert Entry.objects.filter(action="document.remove_link").count() == 1
    assert client.post(path).status_code == 404


def test_q11_lists_from_before_a_link_was_removed_do_not_bring_it_back(client, document, desk):
    link, shown = document.links.all()[0], list[bool]()
    [mirror] = [each for each in desk.mirrors if each.kind == EVIDENCE]

    def remove_meanwhile(platform, document_id):
        answer = mirror.fetch(platform, document_id)
        shown.append(Link.objects.filter(platform_id=link.platform_id).exists())
        if len(shown) == 1:
            client.post(f"{page_of(document)}links/{link.pk}/remove/")
        return answer

    late = [replace(each, fetch=remove_meanwhile) if each == mirror else each for each in desk.mirrors]
    mark_stale(EVIDENCE, document.platform_id)
    CallWindow.objects.all().delete()
    drain(late, client_for(Urgency.PERSON))
    assert link.platform_id not in desk.of("links", document)
    assert shown == [True, False], "what was asked for before is thrown away, and asked for again"


def test_a_file_is_deleted_by_who_may_and_not_offered_any_more(client, document, desk, sandbox, member):
    file = document.uploads.present()[0]
    path = f"{page_of(document)}files/{file.pk}/"
    analyst = member(Role.ANALYST)
    client.force_login(analyst)
    assert client.post(f"{path}delete/").status_code == 403
    with pytest.raises(PermissionDenied):
        services.delete_file(file, member=find_member(user=analyst))
    client.force_login(member(Role.APPROVER))
    assert f"Delete “{file}”?" in client.get(page_of(document)).content.decode()
    sandbox.fail("drop_answer", method="DELETE", path=f"{UPLOADS}/*", times=1)
    client.post(f"{path}delete/")
    assert desk.of("uploads", document)[file.platform_id]["deletionDate"]
    assert len(desk.calls("DELETE", "/uploads/")) == 1
    page = client.get(page_of(document))
    assert file not in [each for each, _, _ in page.context["files"]]
    assert Entry.objects.filter(action="document.delete_file").count() == 1
    assert client.post(f"{path}download/").status_code == 404


def test_a_file_that_somebody_else_deleted_counts_once_the_list_says_so(client, document, desk):
    file = document.uploads.present()[0]
    there = desk.of("uploads", document)[file.platform_id]
    desk.objects.save(desk.tenant_id, "uploads", there | {"deletionDate": "2026-11-01T00:00:00.000Z"})
    client.post(f"{page_of(document)}files/{file.pk}/delete/")
    assert Upload.objects.get(pk=file.pk).deleted_at is None, "a 404 may pass"
    desk.drain()
    assert Upload.objects.get(pk=file.pk).deleted_at
    assert not Entry.objects.filter(action="document.delete_file").exists()


def test_the_file_comes_whole_through_the_portal_and_that_is_written_down(client, document, desk, bob, sandbox):
    send(client, document)
    file = Upload.objects.get(file_name="pentest-2026.pdf")
    path = f"{page_of(document)}files/{file.pk}/download/"
    client.force_login(bob)
    answer = client.post(path)
    assert b"".join(answer.streaming_content) == PDF
    assert answer["Content-Disposition"] == 'attachment; filename="pentest-2026.pdf"'
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("application/octet-stream", "nosniff")
    assert Entry.objects.filter(action="document.download", actor=bob, target_id=document.platform_id).count() == 1
    sandbox.fail("status", method="GET", path=f"{UPLOADS}/*/media", value=503, times=9)
    assert client.post(path)["Location"] == page_of(document)
    assert Entry.objects.filter(action="document.download").count() == 1
    sandbox.control("DELETE", "/faults")
    Document.objects.filter(pk=document.pk).update(is_sensitive=True)
    assert client.post(path).status_code == 403
    assert b"Download" not in client.get(page_of(document)).content.split(b"files-title")[1].split(b"links-title")[0]


def test_an_analyst_may_upload_and_nobody_below(client, document, desk, member, bob):
    client.force_login(member(Role.ANALYST))
    assert send(client, document).status_code == 302
    with pytest.raises(PermissionDenied):
        services.add_link(document, NewLink(url="https://a.example", title="A"), member=find_member(user=bob))


def test_whoever_adds_or_removes_takes_the_marks_before_the_rows_and_the_area(document, desk, owner):
    link, file = document.links.all()[0], document.uploads.present()[0]
    new = NewLink(url="https://wiki.acme.example/recovery", title="Recovery plan")
    steps = (
        ("documents_link", lambda: services.remove_link(link, member=owner)),
        ("documents_upload", lambda: services.delete_file(file, member=owner)),
        ("documents_link", lambda: services.add_link(document, new, member=owner)),
    )
    for rows, step in steps:
        with CaptureQueriesContext(connection) as captured:
            step()
        written = [each["sql"] for each in captured if each["sql"].strip().startswith(("INSERT", "UPDATE", "DELETE"))]
        order = ("sync_stalemark", rows, "page_refresh_area")
        first = [next(number for number, sql in enumerate(written) if table in sql) for table in order]
        assert first == sorted(first), written
