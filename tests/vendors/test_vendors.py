"""The list and the page of a vendor: what is shown, found, exported, said of what could not be read, and to whom."""

import csv
from datetime import UTC, datetime, time, timedelta
from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import caches
from django.utils import timezone

from portal.audit.models import Entry
from portal.connections.models import Connection, State
from portal.connections.services import Urgency, probes
from portal.platform_api.models.vendors import VendorDocument
from portal.platform_api.paging import Collected
from portal.sync.models import StaleMark
from portal.sync.services import mark_stale
from portal.tenants.models import Role
from portal.vendors.kinds import ALL_OF_THEM, LABELS, PARTS, VENDOR
from portal.vendors.models import NO_DATE, Label, Part, PartKind, Vendor
from portal.vendors.search_hits import find_vendors, vendor_url
from portal.vendors.services.store_parts import FetchedParts, store_parts
from tests.sync.desk import two_minutes_pass
from tests.vendors.conftest import PAGE


def names_in(answer) -> list[str]:
    return [str(row) for row in answer.context["page"].rows]


def test_the_copy_is_what_the_platform_says_and_reads_no_parts(desk):
    there = desk.there("vendors")
    rows = {row.platform_id: row for row in Vendor.objects.present()}
    assert rows.keys() == there.keys()
    for key, found in there.items():
        row = rows[key]
        assert (row.name, row.status, row.inherent_risk) == (found["name"], found["status"], found["inherentRiskLevel"])
        assert (row.category, row.security_owner_id) == (found["category"]["displayName"], found["securityOwnerUserId"])
        assert row.decision_status == found["latestDecision"]["status"]
    owners = {found["securityOwnerUserId"] for found in there.values()}
    assert owners <= set(Label.objects.values_list("platform_id", flat=True)), "they are named without being asked for"
    assert not Part.objects.exists()
    assert not desk.sandbox.requests("/security-reviews")
    before = len(desk.calls("GET", "/vendor-risk-attributes"))
    desk.compare()
    assert before == len(desk.calls("GET", "/vendor-risk-attributes")) == 1, "names are not read with every comparison"


def test_q14_a_vendor_that_names_what_can_be_no_id_keeps_out_no_other(desk):
    odd, other = Vendor.objects.order_by("pk")[:2]
    half = "half \ud83d"
    desk.change("vendors", odd.platform_id, securityOwnerUserId=half, riskAttributeIds=[half], name="Odd")
    desk.change("vendors", other.platform_id, name="Renamed")
    desk.compare()
    assert set(Vendor.objects.filter(pk__in=[odd.pk, other.pk]).values_list("name", flat=True)) == {"Odd", "Renamed"}


def test_the_list_is_narrowed_sorted_and_counted(client, owner, desk):
    now = timezone.now()
    rows = list(Vendor.objects.order_by("pk"))
    Vendor.objects.update(review_due_at=None, review_due_sort=NO_DATE, inherent_risk="LOW", risk_sort=3)
    late, soon = now - timedelta(days=2), now + timedelta(days=5)
    first, second, *_ = (row for row in rows if row.status == "MANAGED")
    Vendor.objects.filter(pk=first.pk).update(review_due_at=soon, review_due_sort=soon, inherent_risk="CRITICAL", risk_sort=0)
    Vendor.objects.filter(pk=second.pk).update(review_due_at=late, review_due_sort=late, decision_status="BRAND_NEW")
    assert names_in(client.get(f"{PAGE}?sort=review"))[:2] == [second.name, first.name]
    assert names_in(client.get(f"{PAGE}?sort=risk"))[0] == first.name
    assert names_in(client.get(f"{PAGE}?review=overdue")) == [second.name]
    assert names_in(client.get(f"{PAGE}?review=soon")) == [first.name]
    assert names_in(client.get(f"{PAGE}?risk=CRITICAL")) == [first.name]
    assert names_in(client.get(f"{PAGE}?decision=BRAND_NEW")) == [second.name]
    assert "Brand new" in client.get(PAGE).content.decode(), "an unknown value is shown as it came"
    assert set(names_in(client.get(f"{PAGE}?category={first.category}"))) == {
        row.name for row in rows if row.category == first.category
    }
    shown = client.get(f"{PAGE}?tab=archived")
    archived = [row.name for row in rows if row.status == "ARCHIVED"]
    assert set(names_in(shown)) == set(archived)
    assert {tab["key"]: tab["count"] for tab in shown.context["tabs"]}["archived"] == len(archived)
    assert {tab["key"]: tab["count"] for tab in client.get(f"{PAGE}?risk=CRITICAL").context["tabs"]}[""] == 1
    # Nobody reviews what was archived.
    Vendor.objects.filter(pk=second.pk).update(status="ARCHIVED")
    assert names_in(client.get(f"{PAGE}?review=overdue")) == []
    assert names_in(client.get(f"{PAGE}?q={first.name.upper()}")) == [first.name]
    [found] = find_vendors(first.name, "acme", 5)
    assert (found.title, found.url) == (first.name, vendor_url("acme", first.platform_id))


def test_a_day_is_the_same_day_for_every_reader(client, owner, desk, vendor):
    owner.user.timezone = "America/New_York"
    owner.user.save()
    day = "2031-03-31T00:00:00.000Z"
    desk.change("vendors", vendor.platform_id, nextSecurityReviewDueDate=day, contractRenewalDate=day)
    desk.compare()
    for page in (vendor_url("acme", vendor.platform_id), f"{PAGE}?q={vendor.name}"):
        said = client.get(page).content.decode()
        assert ("31 Mar 2031" in said, "30 Mar 2031" in said) == (True, False)


@pytest.mark.parametrize(
    ("zone", "day"), [("America/New_York", "0001-01-01T00:00:00.000Z"), ("Asia/Tokyo", "9999-12-31T23:59:59.999Z")]
)
def test_a_day_that_the_reader_s_zone_cannot_show_is_none(client, owner, desk, vendor, zone, day):
    owner.user.timezone = zone
    owner.user.save()
    desk.change("vendors", vendor.platform_id, nextSecurityReviewDueDate=day, contractRenewalDate=day)
    desk.compare()
    vendor.refresh_from_db()
    assert (vendor.review_due_at, vendor.review_due_sort) == (None, NO_DATE)
    assert vendor.payload["contractRenewalDate"] == day
    for page in (vendor_url("acme", vendor.platform_id), f"{PAGE}?q={vendor.name}"):
        assert client.get(page).status_code == 200


@pytest.mark.parametrize("zone", ["America/New_York", "Europe/Berlin"])
def test_a_review_is_overdue_once_its_day_is_over_where_the_reader_is(client, owner, desk, zone):
    owner.user.timezone = zone
    owner.user.save()
    rows = list(Vendor.objects.exclude(status="ARCHIVED").order_by("pk")[:3])
    today = timezone.localdate(timezone=ZoneInfo(zone))
    Vendor.objects.update(review_due_at=None, review_due_sort=NO_DATE)
    for days, row in enumerate(rows, start=-1):
        due = datetime.combine(today + timedelta(days=days), time(), tzinfo=UTC)
        Vendor.objects.filter(pk=row.pk).update(review_due_at=due, review_due_sort=due)
    late, *open_ones = map(str, rows)
    first_three = client.get(f"{PAGE}?sort=review").context["rows"][:3]
    assert [(str(row), label) for row, (label, _), _ in first_three] == [
        (late, "Overdue"),
        *((each, "Due soon") for each in open_ones),
    ]
    assert names_in(client.get(f"{PAGE}?review=overdue")) == [late]
    assert sorted(names_in(client.get(f"{PAGE}?review=soon"))) == sorted(open_ones)
    pages = [client.get(vendor_url("acme", row.platform_id)).context["review"][0] for row in rows]
    assert pages == ["Overdue", "Due soon", "Due soon"]
    file = b"".join(client.post(f"{PAGE}export/?review=overdue").streaming_content).decode("utf-8-sig")
    assert [(line["Vendor"], line["Review state"]) for line in csv.DictReader(StringIO(file))] == [(late, "Overdue")]


def test_when_the_day_of_a_review_is_over_depends_on_the_reader_s_zone(scoped):
    vendor = Vendor(status="MANAGED", review_due_at=datetime(2031, 3, 31, tzinfo=UTC))
    for zone, now, label in (
        ("America/New_York", datetime(2031, 3, 31, 1, tzinfo=UTC), "Due soon"),
        ("America/New_York", datetime(2031, 4, 1, 3, 59, tzinfo=UTC), "Due soon"),
        ("America/New_York", datetime(2031, 4, 1, 4, 1, tzinfo=UTC), "Overdue"),
        ("Europe/Berlin", datetime(2031, 3, 31, 21, 59, tzinfo=UTC), "Due soon"),
        ("Europe/Berlin", datetime(2031, 3, 31, 22, 1, tzinfo=UTC), "Overdue"),
    ):
        with timezone.override(ZoneInfo(zone)):
            assert vendor.review_label(now)[0] == label, (zone, now)


def test_a_page_that_is_opened_has_the_parts_of_its_vendor_read_once(client, owner, desk):
    row = Vendor.objects.order_by("pk")[0]
    page = vendor_url("acme", row.platform_id)
    assert "Fetching reviews" in client.get(page).content.decode()
    client.get(page)
    mark = StaleMark.objects.get(kind=PARTS)
    assert (mark.object_id, mark.urgent, mark.version) == (row.platform_id, True, 1)
    desk.drain()
    assert {each.vendor_id for each in Part.objects.all()} == {row.pk}
    shown = client.get(page).content.decode()
    for review in desk.there("security-reviews", row.platform_id).values():
        assert review["assessmentType"]["name"] in shown
    for finding in desk.there("vendor-findings", row.platform_id).values():
        assert finding["content"] in shown
    for document in desk.there("vendor-documents", row.platform_id).values():
        assert document["title"] in shown
    assert Part.objects.filter(kind=PartKind.REVIEW_DOCUMENT).count() == 3
    assert "No documents" in shown
    assert "Documents from older reviews" not in shown, "there are no more than are read"
    owner_id = row.security_owner_id
    assert Label.objects.get(platform_id=owner_id).name in shown
    assert owner_id not in shown, "people are named, never shown by their id"
    attributes = desk.there("vendor-risk-attributes")
    assert all(attributes[each]["name"] in shown for each in row.payload["riskAttributeIds"])
    # Fresh ones are not asked for again, old ones are.
    caches["pages"].clear()
    client.get(page)
    assert not StaleMark.objects.due().exists()
    Vendor.objects.update(parts_read_at=timezone.now() - timedelta(hours=2))
    client.get(page)
    assert StaleMark.objects.due().count() == 1


def test_parts_that_go_or_change_there_do_so_here_and_what_cannot_be_read_stays(client, owner, desk, vendor):
    findings = desk.there("vendor-findings", vendor.platform_id)
    gone, odd, other = findings
    desk.objects.delete(desk.tenant_id, "vendor-findings", gone)
    desk.change("vendor-findings", other, content="Fixed now.")
    desk.change("vendor-findings", odd, content=None)
    desk.read_parts(vendor)
    kept = {row.platform_id: row.payload["content"] for row in Part.objects.filter(kind=PartKind.FINDING)}
    assert kept == {odd: findings[odd]["content"], other: "Fixed now."}
    assert "1 item could not be read" in StaleMark.objects.get(kind=PARTS).problem
    assert "could not be read" in client.get(vendor_url("acme", vendor.platform_id)).content.decode()


def test_q14_documents_stay_while_their_review_cannot_be_read_or_is_not_found(desk):
    row = Vendor.objects.order_by("pk")[0]
    desk.read_parts(row)
    rows = Part.objects.filter(kind=PartKind.REVIEW_DOCUMENT)
    review_id, before = rows[0].review_id, set(rows.values_list("platform_id", flat=True))
    desk.sandbox.fail("status", method="GET", path="/v1/vendors/*/security-reviews/*/documents", value=404)
    desk.read_parts(row)
    assert set(rows.values_list("platform_id", flat=True)) == before
    desk.sandbox.control("DELETE", "/faults")
    desk.change("security-reviews", review_id, junk="x" * 1_100_000)
    desk.read_parts(row)
    assert "could not be read" in StaleMark.objects.get(kind=PARTS).problem
    assert set(rows.values_list("platform_id", flat=True)) == before
    desk.objects.delete(desk.tenant_id, "security-reviews", review_id)
    desk.read_parts(row)
    assert not rows.filter(review_id=review_id).exists()


@pytest.mark.parametrize("status", [403, 404])
def test_a_list_of_a_vendor_that_is_refused_or_missing_keeps_out_no_other(desk, vendor, status):
    before = set(Part.objects.values_list("kind", "platform_id"))
    Part.objects.exclude(kind=PartKind.FINDING).delete()
    desk.sandbox.fail("status", method="GET", path=f"/v1/vendors/{vendor.platform_id}/findings", value=status)
    for _ in range(2):
        desk.read_parts(vendor)
        two_minutes_pass()
    assert set(Part.objects.values_list("kind", "platform_id")) == before
    assert vendor.gone_at is None
    assert StaleMark.objects.get(kind=PARTS, object_id=vendor.platform_id).problem.startswith("findings: the platform ")


@pytest.mark.both
def test_a_document_that_stands_with_two_reviews_is_one_and_does_not_change_with_each_look(vendor):
    document = VendorDocument.read({"id": "shared", "title": "Report"})
    documents = {"first": Collected([document]), "second": Collected([document])}
    assert store_parts(FetchedParts(vendor.platform_id, timezone.now(), {}, documents))
    assert not store_parts(FetchedParts(vendor.platform_id, timezone.now(), {}, documents))
    assert Part.objects.filter(platform_id="shared").count() == 1


def test_the_latest_review_is_first_whatever_the_zone_that_its_date_is_written_in(client, owner, desk):
    row = Vendor.objects.order_by("pk")[0]
    later, earlier, *_ = desk.there("security-reviews", row.platform_id)
    desk.change("security-reviews", earlier, startDate="2031-03-02T01:00:00+05:00", completionDate="2031-03-09T00:00:00Z")
    desk.change("security-reviews", later, startDate="2031-03-01T23:00:00Z", completionDate=None)
    desk.read_parts(row)
    shown = client.get(vendor_url("acme", row.platform_id)).context["parts"].reviews[:2]
    assert [each.status[0] for each in shown] == ["In progress", "Completed"]


def test_q11_an_answer_to_an_older_question_replaces_nothing_newer(desk, vendor):
    row = Part.objects.filter(kind=PartKind.FINDING)[0]
    later = timezone.now() + timedelta(minutes=1)
    Part.objects.filter(pk=row.pk).update(payload=row.payload | {"content": "Newer."}, read_at=later)
    Part.objects.create(vendor=vendor, kind=PartKind.FINDING, platform_id="new", payload=row.payload, read_at=later)
    desk.read_parts(vendor)
    assert Part.objects.get(pk=row.pk).payload["content"] == "Newer."
    assert Part.objects.filter(platform_id="new").exists()


def test_a_refused_area_and_a_tenant_without_a_connection_are_said_plainly(client, owner, desk):
    row = Vendor.objects.order_by("pk")[0]
    desk.sandbox.fail("status", path="/v1/vendors*", value=403)
    assert probes.probe(Urgency.PERSON)
    page = client.get(PAGE).content.decode()
    assert "The connection does not cover vendors" in page
    assert row.name in page, "what is here stays"
    Connection.objects.update(state=State.DISCONNECTED)
    shown = client.get(vendor_url("acme", row.platform_id)).content.decode()
    assert "were not fetched" in shown
    assert not StaleMark.objects.filter(kind=PARTS).exists(), "nobody could answer"


def test_the_export_is_what_the_list_shows_and_is_written_down(client, owner, desk, member):
    [row, *_] = Vendor.objects.filter(status="ARCHIVED")
    lines = b"".join(client.post(f"{PAGE}export/?tab=archived").streaming_content).decode()
    assert row.name in lines
    assert lines.count("\n") == Vendor.objects.filter(status="ARCHIVED").count() + 1
    assert Label.objects.get(platform_id=row.security_owner_id).name in lines
    assert Entry.objects.filter(action="vendor.export").count() == 1
    client.force_login(member(Role.VIEWER))
    assert client.post(f"{PAGE}export/").status_code == 403


def test_it_hides_other_tenants(client, desk, vendor, mallory, globex):
    client.force_login(mallory)
    page = vendor_url("acme", vendor.platform_id)
    assert client.get(page).status_code == 404
    assert client.get(PAGE).status_code == 404
    assert client.get(page.replace("acme", "globex")).status_code == 404
    assert vendor.name not in client.get("/t/globex/vendors/").content.decode()


@pytest.mark.both
def test_a_vendor_that_is_a_subprocessor_is_shown_as_one_thing(client, owner, desk):
    desk.compare_trust_center()
    listed = "/t/acme/trust-center/subprocessors/"
    same, other = Vendor.objects.get(name="Nimbus Cloud"), Vendor.objects.get(name="Ledgerwick")
    page, others_page = (vendor_url("acme", row.platform_id) for row in (same, other))
    shown = client.get(page)
    url = shown.context["subprocessor_url"]
    assert f'href="{url}"' in shown.content.decode()
    assert f'href="{page}"' in client.get(url).content.decode()
    assert "Not shown as a subprocessor" in client.get(others_page).content.decode()
    # An open list hears of a vendor that is renamed, and spelling does not matter.
    assert others_page not in client.get(listed).content.decode()
    seen = client.get(listed, headers={"HX-Request": "true", "Seen": "0"}).context["page_version"]
    desk.change("vendors", other.platform_id, name="LEDGERLINE")
    desk.compare()
    again = client.get(listed, headers={"HX-Request": "true", "Seen": seen})
    assert (again.status_code, f'href="{others_page}"' in again.content.decode()) == (200, True)
    assert client.get(others_page).context["subprocessor_url"]
    # Of two vendors with the name nobody knows which one it is.
    twin = Vendor.objects.exclude(pk__in=[same.pk, other.pk])[0]
    Vendor.objects.filter(pk=twin.pk).update(name=same.name, name_sort=same.name_sort)
    assert page not in client.get(listed).content.decode()
    assert client.get(page).context["subprocessor_url"] == ""


def test_what_is_gone_can_still_be_read_and_not_changed(client, owner, desk, vendor):
    Vendor.objects.filter(pk=vendor.pk).update(gone_at=timezone.now())
    page = vendor_url("acme", vendor.platform_id)
    shown = client.get(page).content.decode()
    assert "No longer on the platform" in shown
    assert "Add finding" not in shown
    assert client.post(f"{page}status/", {"status": "ARCHIVED"}).status_code == 404
    assert client.get(f"{page}findings/new/").status_code == 404
    assert vendor.name not in client.get(PAGE).content.decode()


def test_names_are_read_again_after_a_day_and_a_narrow_grant_leaves_them_out(client, owner, desk):
    Label.objects.update(read_at=timezone.now() - timedelta(days=2))
    desk.sandbox.fail("status", path="/v1/users", value=403)
    before = Label.objects.filter(kind="user").count()
    client.get(PAGE)
    assert StaleMark.objects.due().filter(kind=LABELS).count() == 1
    desk.drain()
    assert not StaleMark.objects.due().filter(kind=VENDOR).exists()
    assert Label.objects.filter(kind="user").count() == before, "what was refused stays as it was"
    assert Label.objects.filter(kind="risk", read_at__gt=timezone.now() - timedelta(hours=1)).exists()


def test_q14_a_name_that_cannot_be_read_stays_and_one_that_is_not_listed_goes(desk):
    unread, gone, *_ = Label.objects.filter(kind="user").order_by("platform_id")
    desk.change("users", unread.platform_id, junk="x" * 1_100_000)
    desk.objects.delete(desk.tenant_id, "users", gone.platform_id)
    mark_stale(LABELS, ALL_OF_THEM, urgent=True)
    desk.drain()
    kept = dict(Label.objects.filter(kind="user").values_list("platform_id", "name"))
    assert kept[unread.platform_id] == unread.name
    assert gone.platform_id not in kept
