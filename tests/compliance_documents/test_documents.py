"""Documents become rows with their details, follow the platform, and are found by what the filters say."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.audit.models import Entry
from portal.connections.models import Connection, State
from portal.connections.services import Urgency, probes
from portal.documents import services
from portal.documents.kinds import AREA, DETAILS, DOCUMENT, EVIDENCE
from portal.documents.models import FAR, AccountUser, Document, Link, ProvenControl, Upload
from portal.documents.search_hits import document_url
from portal.documents.services.details import AT_ONCE
from portal.documents.services.store import LISTED, ONLY_DETAILED, store_document
from portal.page_refresh.services import touch_areas
from portal.platform_api.models.documents import Document as RemoteDocument
from portal.sync.models import Run, RunState, StaleMark
from portal.sync.services import mark_stale
from portal.tenants import erased_people
from portal.tenants.scope import tenant_scope
from portal.work_items.models import WorkItem
from tests.compliance_documents.conftest import CALL, PAGE, page_of
from tests.sync.desk import two_minutes_pass
from tests.work_items.support import kept_up


def shown(client, query: str = "") -> set[str]:
    return {row.platform_id for row, _ in client.get(f"{PAGE}{query}").context["rows"]}


def age(**columns: object) -> None:
    """Make what was read so old that it is read again."""
    Document.objects.update(**{name: timezone.now() - timedelta(days=2) for name in columns})


@pytest.mark.both
def test_the_list_and_its_details_are_copied_and_a_second_look_asks_for_no_more(desk):
    there = desk.there("documents")
    # Its address holds a signature, which is made for each answer.
    kept = {row.platform_id: row.payload | {"url": None} for row in Document.objects.all()}
    assert kept == {key: each | {"url": None} for key, each in there.items()}
    assert not Document.objects.filter(details_read_at=None).exists()
    for row in Document.objects.all():
        day = there[row.platform_id]["nextRenewalDate"]
        assert row.renew_on == (datetime.fromisoformat(day).date() if day else FAR)
    users = {each["id"]: each["displayName"] for each in desk.there("users").values()}
    assert {(row.owner_id, row.owner_name) for row in Document.objects.exclude(owner_id="")} == {
        (each["ownerId"], users[each["ownerId"]]) for each in there.values() if each["ownerId"]
    }
    before, calls = list(Document.objects.order_by("pk").values()), len(desk.calls("GET", "/documents/"))
    desk.compare()
    assert list(Document.objects.order_by("pk").values()) == before
    assert len(desk.calls("GET", "/documents/")) == calls
    assert not Upload.objects.exists(), "files are read when somebody opens a document, never for all"


def test_details_are_asked_for_a_few_a_minute(desk, sandbox):
    Document.objects.update(details_read_at=None)
    for _ in range(3):
        services.ask_for_details()
    assert StaleMark.objects.waiting().filter(kind=DETAILS).count() == AT_ONCE < Document.objects.count()


def test_a_tenant_that_left_is_asked_for_no_details(desk, acme):
    age(details_read_at=True)
    assert services.tenants_with_old_details() == [acme.pk]
    Connection.objects.update(state=State.DISCONNECTED)
    assert services.tenants_with_old_details() == []


def test_what_changes_there_follows_and_what_is_deleted_is_gone(client, owner, desk):
    first, second, third = [*desk.there("documents")][:3]
    desk.objects.delete(desk.tenant_id, "documents", first)
    desk.change("documents", second, uploadStatus="Under review", title="Renamed", nextRenewalDate="2031-05-04T00:00:00.000Z")
    # No event tells of a day that moved alone: it is seen once the row is a day old.
    desk.change("documents", third, nextRenewalDate="2032-05-04T00:00:00.000Z", uploadStatus="OK")
    desk.compare()
    row = Document.objects.get(platform_id=second)
    assert (row.status, row.title, row.renew_on.isoformat()) == ("Under review", "Renamed", "2031-05-04")
    assert shown(client, "?status=Under+review") == {second}
    assert Document.objects.get(platform_id=first).gone_at
    assert first not in shown(client)
    assert client.get(document_url("acme", first)).status_code == 200
    desk.change("documents", third, nextRenewalDate="2033-05-04T00:00:00.000Z")
    age(details_read_at=True)
    desk.compare()
    assert Document.objects.get(platform_id=third).renew_on.isoformat() == "2033-05-04"


def test_a_renewal_day_is_one_of_utc_in_whichever_zone_it_is_written(desk):
    row = Document.objects.exclude(renew_on=FAR).order_by("pk")[0]
    desk.change("documents", row.platform_id, nextRenewalDate="2031-05-03T17:00:00-07:00", title="Renamed")
    desk.compare()
    assert Document.objects.get(pk=row.pk).renew_on.isoformat() == "2031-05-04"


def test_details_that_the_platform_leaves_out_where_there_are_none_were_read_all_the_same(client, owner, desk):
    row = Document.objects.exclude(renew_on=FAR).order_by("pk")[0]
    there = desk.objects.get(desk.tenant_id, "documents", row.platform_id)
    without = {key: value for key, value in there.items() if key not in ONLY_DETAILED}
    desk.objects.save(desk.tenant_id, "documents", without)
    Document.objects.filter(pk=row.pk).update(details_read_at=None, are_details_old=True)
    mark_stale(DETAILS, row.platform_id, urgent=True)
    desk.drain()
    row.refresh_from_db()
    assert (row.renew_on, row.are_details_old, row.details_read_at is None) == (FAR, False, False)
    assert client.get(page_of(row)).context["renewal"][0] == "No renewal"


def test_a_list_that_leaves_details_empty_takes_none_away(desk):
    row = Document.objects.exclude(renew_on=FAR).order_by("pk")[0]
    listed = {key: row.payload[key] for key in LISTED if key in row.payload}
    assert not store_document(RemoteDocument.read(listed | dict.fromkeys(ONLY_DETAILED)))
    after = Document.objects.get(pk=row.pk)
    assert (after.renew_on, after.payload, after.details_read_at) == (row.renew_on, row.payload, row.details_read_at)


def test_the_filters_and_tabs_show_exactly_what_they_say(client, owner, desk):
    documents = desk.there("documents").values()

    def ids(fits) -> set[str]:
        return {each["id"] for each in documents if fits(each)}

    person = next(each["ownerId"] for each in documents if each["ownerId"])
    assert shown(client) == ids(lambda each: True)
    assert shown(client, "?status=Needs+document") == ids(lambda each: each["uploadStatus"] == "Needs document") != set()
    assert shown(client, f"?owner={person}") == ids(lambda each: each["ownerId"] == person)
    assert shown(client, "?owner=none") == ids(lambda each: not each["ownerId"])
    assert shown(client, "?category=People") == ids(lambda each: each["category"] == "People") != set()
    lacking = ids(lambda each: each["uploadStatus"] in ("Needs document", "Needs update"))
    assert shown(client, "?tab=lacking") == lacking
    row = Document.objects.exclude(renew_on=FAR)[0]
    Document.objects.exclude(pk=row.pk).update(remind_on=FAR)
    Document.objects.filter(pk=row.pk).update(remind_on=timezone.localdate())
    assert shown(client, "?tab=renewal") == {row.platform_id}
    assert [*client.get(f"{PAGE}?sort=renewal").context["page"].rows] == list(Document.objects.order_by("renew_on", "id"))
    assert row.platform_id in shown(client, f"?q={row.title.split()[0]}")
    assert shown(client, "?q=nothing-is-called-so") == set()


def test_the_tabs_say_how_much_they_have(client, owner, desk):
    counts = {tab["key"]: tab["count"] for tab in client.get(PAGE).context["tabs"]}
    assert counts == {key: len(shown(client, f"?tab={key}")) for key in ("", "lacking", "renewal")}


def test_the_tabs_count_what_their_links_show(client, owner, desk):
    documents = Document.objects.present()
    row = documents.lacking().exclude(owner_id="").order_by("pk")[0]
    Document.objects.update(remind_on=FAR)
    Document.objects.filter(pk=row.pk).update(remind_on=timezone.localdate())
    touch_areas(AREA)
    for query in (f"owner={row.owner_id}", f"category={row.category}", f"owner={row.owner_id}&tab=renewal"):
        tabs = client.get(f"{PAGE}?{query}").context["tabs"]
        assert {tab["count"] for tab in tabs if tab["key"] == "renewal"} == {1}
        assert {tab["key"]: tab["count"] for tab in tabs} == {tab["key"]: len(shown(client, tab["url"])) for tab in tabs}
    assert documents.lacking().count() > documents.lacking().filter(owner_id=row.owner_id).count()
    Document.objects.update(remind_on=FAR)
    Document.objects.filter(pk=row.pk).update(details_read_at=None)
    unread = client.get(f"{PAGE}?owner={row.owner_id}").context["tabs"]
    read = client.get(f"{PAGE}?owner=none").context["tabs"]
    assert [tabs[2]["count"] for tabs in (unread, read)] == ["–", 0]


def test_opening_a_document_fetches_what_belongs_to_it_and_only_once(client, owner, desk):
    row = Document.objects.filter(status="OK").order_by("pk")[0]
    page = client.get(page_of(row))
    assert b"Fetching files and links" in page.content
    client.get(page_of(row))
    marks = StaleMark.objects.waiting().filter(object_id=row.platform_id)
    assert list(marks.values_list("kind", "urgent", "version")) == [(EVIDENCE, True, 1)]
    desk.drain()
    page = client.get(page_of(row))
    files = {file.platform_id: file for file, _, _ in page.context["files"]}
    there = desk.of("uploads", row)
    assert files.keys() == {key for key, each in there.items() if not each["deletionDate"]}
    assert page.context["deleted"] == len(there) - len(files) == 1
    users = {each["id"]: each["displayName"] for each in desk.there("users").values()}
    for key, file in files.items():
        assert file.uploader == users[there[key]["uploadedBy"]["id"]]
        assert file.effective_at == datetime.fromisoformat(there[key]["effectiveDate"])
    assert {link.platform_id for link, _, _ in page.context["links"]} == {*desk.of("links", row)}
    assert set(ProvenControl.objects.values_list("platform_id", flat=True)) <= {*desk.there("controls")}
    assert not StaleMark.objects.waiting().exists()
    polled = {"HX-Request": "true", "Seen": page.context["page_version"]}
    assert client.get(page_of(row), headers=polled).status_code == 204
    touch_areas("trust_center")
    assert client.get(page_of(row), headers=polled).status_code == 200, "its controls may have a page by now"
    age(evidence_read_at=True, details_read_at=True)
    client.get(page_of(row))
    assert set(StaleMark.objects.waiting().values_list("kind", flat=True)) == {EVIDENCE, DETAILS}


def test_an_address_that_is_none_of_the_web_is_no_link(client, document, desk):
    link = document.links.all()[0]
    Link.objects.filter(pk=link.pk).update(url="javascript:alert(1)")
    Document.objects.filter(pk=document.pk).update(url="javascript:alert(2)")
    page = client.get(page_of(document)).content
    assert b'href="javascript' not in page


def test_what_the_lists_of_a_document_do_not_name_any_more_goes(client, document, desk):
    gone = document.links.all()[0]
    desk.objects.delete(desk.tenant_id, "links", gone.platform_id)
    file = document.uploads.present()[0]
    desk.objects.save(desk.tenant_id, "uploads", desk.of("uploads", document)[file.platform_id] | {"description": "Signed."})
    age(evidence_read_at=True)
    client.get(page_of(document))
    desk.drain()
    assert not Link.objects.filter(pk=gone.pk).exists()
    assert Upload.objects.get(pk=file.pk).description == "Signed."


@pytest.mark.parametrize("status", [403, 404])
def test_a_list_of_a_document_that_is_refused_or_missing_keeps_out_no_other(client, document, desk, sandbox, status):
    gone, files = document.links.all()[0], set(document.uploads.values_list("platform_id", flat=True))
    desk.objects.delete(desk.tenant_id, "links", gone.platform_id)
    sandbox.fail("status", value=status, method="GET", path=f"{CALL}/{document.platform_id}/uploads")
    age(evidence_read_at=True)
    client.get(page_of(document))
    desk.drain()
    assert not Link.objects.filter(pk=gone.pk).exists()
    assert set(document.uploads.values_list("platform_id", flat=True)) == files
    assert StaleMark.objects.get(kind=EVIDENCE, object_id=document.platform_id).problem.startswith("files: the platform ")


def test_a_renewal_day_is_work_of_the_owner_from_its_reminder_on(client, owner, alice, desk):
    row = Document.objects.exclude(renew_on=FAR).order_by("pk")[0]
    user = {"id": "u-alice", "email": alice.email, "displayName": str(alice), "isActive": True}
    desk.objects.add(desk.tenant_id, "users", user)
    day = timezone.localdate() + timedelta(days=20)

    def make(**values: object) -> Document:
        desk.change("documents", row.platform_id, **values)
        age(details_read_at=True)
        desk.compare()
        kept_up()
        return Document.objects.get(pk=row.pk)

    def items() -> list[WorkItem]:
        return list(WorkItem.objects.filter(kind="evidence_renewal", object_id=row.pk))

    made = make(nextRenewalDate=f"{day.isoformat()}T09:00:00.000Z", reminderWindow="P1W", ownerId="u-alice", uploadStatus="OK")
    assert (made.renew_on, made.remind_on) == (day, day - timedelta(days=7))
    [item] = items()
    assert (item.owner_id, item.due_sort.date(), item.visible_from.date()) == (alice.pk, day, day - timedelta(days=7))
    make(reminderWindow="P7Y")
    assert items()[0].visible_from.date() == day - timedelta(days=30)
    make(uploadStatus="Not relevant")
    assert items() == []
    make(uploadStatus="OK", deactivatedStatus={"isDeactivated": True, "reason": "Out of scope"})
    assert items() == []
    assert b"Out of scope" in client.get(page_of(row)).content


def test_more_documents_cost_no_more_queries(client, owner, desk):
    def queries() -> int:
        client.get(PAGE)
        with CaptureQueriesContext(connection) as captured:
            client.get(PAGE)
        return len(captured)

    few = queries()
    Document.objects.bulk_create([Document(platform_id=f"d{number}", title="D", title_sort="d") for number in range(200)])
    assert queries() == few


def test_s8_the_export_is_what_the_list_shows_and_is_written_down(client, owner, desk):
    content = b"".join(client.post(f"{PAGE}export/?category=HR").streaming_content).decode()
    assert {line.split(",")[0].strip('"\ufeff') for line in content.splitlines()[1:]} == shown(client, "?category=HR")
    assert Entry.objects.filter(action="document.export").count() == 1


def test_s11_an_erased_owner_has_no_name_and_gets_none_again(client, document, desk):
    user = AccountUser.objects.filter(platform_id=Document.objects.exclude(owner_id="")[0].owner_id).get()
    desk.change("documents", document.platform_id, subscribers=[user.folded_email])
    age(details_read_at=True)
    desk.compare()
    erased = erased_people.erase(user.folded_email)
    assert erased == {"Owners of documents": 1, "Subscribers of documents": 1}
    AccountUser.objects.update(read_at=timezone.now() - timedelta(days=8))
    age(details_read_at=True, evidence_read_at=True)
    desk.compare()
    client.get(page_of(document))
    desk.drain()
    assert AccountUser.objects.get(pk=user.pk).read_at > timezone.now() - timedelta(days=1)
    assert AccountUser.objects.get(pk=user.pk).name == ""
    for model, column in ((Document, "owner"), (Upload, "uploader")):
        names = model.objects.filter(**{f"{column}_id": user.platform_id}).values_list(f"{column}_name", flat=True)
        assert set(names) <= {""}
    assert user.folded_email not in str(Document.objects.get(pk=document.pk).payload)


def test_a_refused_area_and_an_unreadable_answer_are_said_and_what_is_here_stays(client, owner, desk, sandbox):
    before = shown(client)
    sandbox.fail("html", method="GET", path=CALL, times=9)
    desk.compare()
    assert Run.objects.get(kind=DOCUMENT).state == RunState.FAILED
    page = client.get(PAGE)
    assert page.context["readiness"].problems
    sandbox.control("DELETE", "/faults")
    sandbox.fail("status", value=403, path=f"{CALL}*")
    assert probes.probe(Urgency.PERSON)
    page = client.get(PAGE)
    assert b"The connection does not cover documents" in page.content
    assert {row.platform_id for row, _ in page.context["rows"]} == before
    row = Document.objects.order_by("pk")[0]
    client.get(page_of(row))
    desk.drain()
    assert client.get(page_of(row)).context["trouble"]


def test_a_file_that_cannot_be_read_is_said_and_the_others_are_shown(client, document, desk):
    broken = document.uploads.present()[0]
    there = desk.of("uploads", document)[broken.platform_id]
    desk.objects.save(desk.tenant_id, "uploads", there | {"id": broken.platform_id, "blob": "x" * 1_100_000})
    age(evidence_read_at=True)
    client.get(page_of(document))
    desk.drain()
    page = client.get(page_of(document))
    assert "could not be read" in page.context["trouble"]
    assert broken.platform_id in {file.platform_id for file, _, _ in page.context["files"]}, "it is as it was"


def test_the_search_finds_it_and_offers_it_again(client, owner, desk):
    row = Document.objects.order_by("pk")[0]
    assert page_of(row) in client.get(f"/t/acme/search/?q={row.title.split()[0]}").content.decode()
    assert client.post("/t/acme/search/opened/", {"kind": "document", "id": row.platform_id}).status_code < 400
    assert page_of(row) in client.get("/t/acme/search/?q=").content.decode()


def test_s1_another_tenant_sees_nothing_of_it(client, mallory, globex, desk):
    row = Document.objects.order_by("pk")[0]
    client.force_login(mallory)
    assert client.get(page_of(row)).status_code == 404
    assert client.get(document_url("globex", row.platform_id)).status_code == 404
    with tenant_scope(globex.pk):
        assert not Document.objects.exists()
    assert client.get("/t/globex/documents/").context["rows"] == []


def test_a_viewer_reads_and_changes_nothing(client, bob, desk):
    row = Document.objects.order_by("pk")[0]
    client.force_login(bob)
    page = client.get(page_of(row)).content
    assert b"Upload file" not in page
    for path in ("upload/", "links/new/"):
        assert client.post(f"{page_of(row)}{path}").status_code == 403
    assert client.post(f"{PAGE}export/").status_code == 403


def test_a_document_that_a_404_says_is_gone_is_gone_after_two_looks(client, document, desk):
    desk.objects.delete(desk.tenant_id, "documents", document.platform_id)
    age(evidence_read_at=True)
    client.get(page_of(document))
    desk.drain()
    assert Document.objects.get(pk=document.pk).gone_at is None
    two_minutes_pass()
    desk.drain()
    assert Document.objects.get(pk=document.pk).gone_at
    assert client.get(f"{page_of(document)}upload/").status_code == 404


def test_r3_no_renewal_is_said_to_be_due_in_none_before_the_days_were_read(client, owner, desk):
    Document.objects.update(renew_on=FAR, remind_on=FAR)
    touch_areas(AREA)
    tabs = {tab["key"]: tab["count"] for tab in client.get(PAGE).context["tabs"]}
    assert tabs["renewal"] == 0
    Document.objects.filter(pk=Document.objects.order_by("pk")[0].pk).update(details_read_at=None)
    touch_areas(AREA)
    page = client.get(f"{PAGE}?tab=renewal")
    assert {tab["key"]: tab["count"] for tab in page.context["tabs"]}["renewal"] == "–"
    assert "not all renewal dates have been fetched yet" in page.content.decode()
