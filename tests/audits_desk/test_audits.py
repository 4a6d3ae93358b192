"""The audits of a firm and what each consists of: copied, listed, found, exported, and silent where the grant ends."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from portal.connections.models import Answer, Capability
from portal.connections.policy import Urgency
from portal.connections.services.probes import probe
from portal.engagements.models import Engagement, EngagementControl, EngagementPart, EvidenceItem, InformationRequest, PartKind
from portal.sync.models import StaleMark
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.audits_desk.conftest import PAGE, Desk

pytestmark = pytest.mark.once


def page_of(audit: Engagement, tab: str = "") -> str:
    return f"{PAGE}{audit.platform_id}/{tab}"


@pytest.mark.both
def test_the_copy_equals_what_the_platform_has(desk):
    there = desk.there("audits")
    assert {row.platform_id: row.payload for row in Engagement.objects.all()} == there
    for model, kind in ((InformationRequest, "information-requests"), (EngagementControl, "audit-controls")):
        assert {row.platform_id: row.payload for row in model.objects.all()} == desk.there(kind)
    rows = {row.platform_id: row for row in EvidenceItem.objects.all()}
    for key, said in desk.there("audit-evidence").items():
        assert rows[key].payload == said
        assert rows[key].status == said["status"].upper().replace(" ", "_"), "words become what events say"


def test_the_list_shows_audits_with_their_figures(client, owner, desk, audit):
    shown = client.get(PAGE).content.decode()
    assert all(str(each) in shown for each in Engagement.objects.open())
    assert audit.customer in shown
    assert "Ready for audit" in shown
    over = Engagement.objects.exclude(completed_at=None)[0]
    assert str(over) not in shown
    assert str(over) in client.get(f"{PAGE}?tab=completed").content.decode()
    lines = b"".join(client.post(f"{PAGE}export/?tab=all")).decode()
    assert all(each.platform_id in lines for each in Engagement.objects.all())
    assert "Ready for audit: 2" in lines


@pytest.mark.parametrize(("zone", "begins", "is_over"), [("America/New_York", 5, 5), ("UTC", 0, 0), ("Asia/Tokyo", -9, -9)])
def test_an_audit_is_in_its_window_from_the_first_day_to_the_end_of_the_last_where_the_reader_is(zone, begins, is_over):
    first, last = datetime(2031, 1, 10, tzinfo=UTC), datetime(2031, 1, 20, tzinfo=UTC)
    audit = Engagement(starts_at=first, ends_at=last)
    minute = timedelta(minutes=1)
    begin, end = first + timedelta(hours=begins), last + timedelta(days=1, hours=is_over)
    with timezone.override(zone):
        states = [audit.state(at)[0] for at in (begin - minute, begin, end - minute, end)]
    assert states == ["Not started", "In progress", "In progress", "Past its window"]


def test_r3_an_audit_that_was_not_read_says_so(client, owner, desk, audit):
    Engagement.objects.filter(pk=audit.pk).update(parts_read_at=None)
    InformationRequest.objects.filter(engagement=audit).delete()
    assert "Not checked yet" in client.get(PAGE).content.decode()
    assert "Not checked yet" in b"".join(client.post(f"{PAGE}export/")).decode()
    shown = client.get(page_of(audit)).content.decode()
    assert "No information requests" not in shown
    assert StaleMark.objects.due().filter(kind="engagement_parts", object_id=audit.platform_id).exists(), "it is asked for"


def test_the_tabs_of_an_audit(client, owner, desk, audit):
    shown = client.get(page_of(audit)).content.decode()
    requests = InformationRequest.objects.filter(engagement=audit)
    assert requests.count() == 6
    assert all(str(each) in shown for each in requests)
    narrowed = client.get(f"{page_of(audit)}?status=AUDITOR_FLAGGED").content.decode()
    assert [str(each) in narrowed for each in requests] == [each.status == "AUDITOR_FLAGGED" for each in requests]
    evidence = client.get(page_of(audit, "evidence/")).content.decode()
    assert all(str(each) in evidence for each in EvidenceItem.objects.filter(engagement=audit))
    controls = client.get(page_of(audit, "controls/")).content.decode()
    assert all(str(each) in controls for each in EngagementControl.objects.filter(engagement=audit))
    assert "Not assessed" in controls


def test_q12_an_unknown_status_stays_readable(client, owner, desk, row, item):
    desk.change("information-requests", row.platform_id, approvalStatus="IN_LIMBO")
    desk.change("audit-evidence", item.platform_id, status="Under review")
    desk.read(row.engagement)
    desk.read(item.engagement)
    assert "In limbo" in client.get(page_of(row.engagement)).content.decode()
    row.refresh_from_db()
    item.refresh_from_db()
    assert (row.status, item.status) == ("IN_LIMBO", "UNDER_REVIEW")
    detail = client.get(f"{PAGE}{row.engagement.platform_id}/requests/{row.platform_id}/").content.decode()
    assert "In limbo" in detail
    assert 'data-open-dialog="accept"' not in detail


def test_what_a_list_names_no_longer_is_gone_and_what_is_newer_than_the_list_stays(desk, audit):
    first, second = InformationRequest.objects.filter(engagement=audit).order_by("pk")[:2]
    desk.objects.delete(desk.tenant_id, "information-requests", first.platform_id)
    desk.objects.delete(desk.tenant_id, "information-requests", second.platform_id)
    InformationRequest.objects.filter(pk=second.pk).update(read_at=timezone.now() + timedelta(hours=1))
    desk.read(audit)
    first.refresh_from_db()
    second.refresh_from_db()
    assert first.gone_at
    assert second.gone_at is None


@pytest.mark.both
def test_what_has_moved_to_another_audit_moves_here_too_and_stops_nothing(desk, audit):
    other = Engagement.objects.present().exclude(pk=audit.pk).order_by("pk")[0]
    row = InformationRequest.objects.present().filter(engagement=audit).order_by("pk")[0]
    body = desk.objects.get(desk.tenant_id, "information-requests", row.platform_id)
    desk.objects.delete(desk.tenant_id, "information-requests", row.platform_id)
    desk.objects.add(desk.tenant_id, "information-requests", body, parent_id=other.platform_id)
    for each in (other, audit):
        desk.read(each)
        row.refresh_from_db()
        assert (row.engagement, row.gone_at) == (other, None)


def test_search_finds_audits_requests_and_evidence(client, owner, desk, row, item):
    for words in (str(row), str(item), str(row.engagement)):
        assert words in client.get("/t/acme/search/", {"q": words}).content.decode()


def test_a_grant_without_auditor_scopes_says_so_and_asks_nothing(client, alice, connected, scoped, sandbox, platform_tenant):
    desk = Desk(sandbox, platform_tenant["tenant_id"])
    desk.compare()
    assert probe(Urgency.PERSON)
    assert desk.calls("GET", "/audits") == []
    assert Capability.objects.get(area="audits").answer == Answer.UNKNOWN
    client.force_login(alice)
    shown = client.get(PAGE).content.decode()
    assert 'id="not-covered"' in shown
    assert "No open audits" not in shown
    assert f'href="{PAGE}"' not in client.get("/t/acme/vendors/").content.decode(), "the navigation does not lead there"


def test_the_navigation_of_a_firm_leads_to_its_audits(client, owner, desk):
    assert f'href="{PAGE}"' in client.get("/t/acme/vendors/").content.decode()
    assert 'id="not-covered"' not in client.get(PAGE).content.decode()
    assert probe(Urgency.PERSON)
    assert Capability.objects.get(area="audits").answer == Answer.YES


def test_a_platform_that_refuses_audits_is_named(client, owner, desk, sandbox):
    Capability.objects.update_or_create(area="audits", defaults={"answer": Answer.NO})
    assert "The connection does not cover audits" in client.get(PAGE).content.decode()


def test_another_tenant_sees_none_of_it(client, mallory, globex, desk, audit, row, item):
    client.force_login(mallory)
    for path in (page_of(audit), f"{page_of(audit)}requests/{row.platform_id}/"):
        assert client.get(path).status_code == 404
    theirs = path_of_globex(row)
    assert client.get(theirs).status_code == 404
    assert client.post(f"{theirs}accept/").status_code == 404
    with tenant_scope(globex.pk):
        assert not InformationRequest.objects.exists()


def path_of_globex(row: InformationRequest) -> str:
    return f"/t/globex/audits/{row.engagement.platform_id}/requests/{row.platform_id}/"


def test_a_viewer_reads_and_gets_no_button(client, desk, row, member):
    client.force_login(member(Role.VIEWER))
    shown = client.get(f"{PAGE}{row.engagement.platform_id}/requests/{row.platform_id}/").content.decode()
    assert str(row) in shown
    assert "data-open-dialog" not in shown.split("<main")[1]
    assert client.post(f"{PAGE}export/").status_code == 403


def test_a_snapshot_of_a_test_tells_what_the_test_saw(client, owner, desk, row):
    [snapshot] = [found for piece in desk.of(row, "request-evidence") for found in desk.of_id(piece["id"], "test-snapshots")]
    shown = client.get(f"{PAGE}{row.engagement.platform_id}/requests/{row.platform_id}/").content.decode()
    assert snapshot["apiRequests"][0]["url"] in shown
    assert snapshot["outOfScopeResources"][0]["reason"] in shown
    pieces = [piece["id"] for piece in desk.of(row, "request-evidence") if desk.of_id(piece["id"], "test-snapshots")]
    assert re.findall(r'<details id="([^"]*)">', shown) == [f"snapshot-{piece}" for piece in pieces], "a poll leaves it open"
    # One whose evidence the platform has no more goes with it.
    [piece] = pieces
    desk.change("request-evidence", piece, deletionDate="2026-11-01T00:00:00.000Z")
    desk.read(row)
    assert not EngagementPart.objects.of(row, PartKind.TEST_SNAPSHOT).exists()


@pytest.mark.parametrize("status", [403, 404, 500, None])
def test_q14_a_snapshot_that_is_refused_or_cannot_be_read_stays_and_keeps_out_nothing_else(client, owner, desk, row, status):
    [snapshot] = [found for piece in desk.of(row, "request-evidence") for found in desk.of_id(piece["id"], "test-snapshots")]
    if status:
        desk.sandbox.fail("status", method="GET", path="/v1/audits/*/test-snapshot", value=status)
    else:
        desk.change("test-snapshots", snapshot["id"], junk="x" * 1_100_000)
    desk.comment(row, "Said meanwhile.")
    desk.read(row)
    shown = client.get(f"{PAGE}{row.engagement.platform_id}/requests/{row.platform_id}/").content.decode()
    assert "Said meanwhile." in shown
    assert snapshot["apiRequests"][0]["url"] in shown, "what cannot be read stays as it was"
    assert StaleMark.objects.get(object_id=row.platform_id).problem
    desk.sandbox.control("DELETE", "/faults")
    desk.change("test-snapshots", snapshot["id"], junk="")
    desk.read(row)
    assert not StaleMark.objects.get(object_id=row.platform_id).problem
