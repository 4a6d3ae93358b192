"""The events of the auditor domains: shown at once where they state something, and followed to what they name."""

import json

import pytest

from portal.engagements.kinds import AREA
from portal.engagements.models import Engagement, EngagementPart, EvidenceItem, InformationRequest
from portal.inbox import tasks
from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.routes import ROUTES
from portal.page_refresh.services import area_version
from portal.platform_api.webhooks import parse
from portal.sandbox.webhooks.catalogue import EXAMPLES
from portal.sync.models import StaleMark
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.work_items.models import WorkItem
from tests.audits_desk.conftest import PAGE
from tests.work_items.support import kept_up

pytestmark = pytest.mark.once
OF_AUDITS = [name for name in EXAMPLES if name.startswith(("v1.information-request", "v1.evidence", "v1.control"))]


def about(row: object, key: str = "informationRequest", **facts: str) -> dict:
    return {key: {"id": row.platform_id, "auditId": row.engagement.platform_id, **facts}}


@pytest.mark.parametrize("event_type", OF_AUDITS)
def test_every_event_of_audits_has_its_route(event_type):
    assert type(parse(json.dumps(EXAMPLES[event_type]).encode(), event_type=event_type)) in ROUTES


@pytest.mark.both
def test_a_status_shows_at_once_and_is_confirmed_by_the_fetch(client, owner, desk, row, deliver):
    desk.move_request(row, "take back")
    before = area_version(AREA)
    assert deliver(about(row, oldStatus="READY_FOR_AUDIT", newStatus="NEEDS_EVIDENCE")).status_code == 204
    tasks.process_deliveries(row.tenant_id)
    row.refresh_from_db()
    assert (row.status, row.is_provisional) == ("NEEDS_EVIDENCE", True)
    assert area_version(AREA) != before
    assert "Confirming" in client.get(f"{PAGE}{row.engagement.platform_id}/requests/{row.platform_id}/").content.decode()
    desk.drain()
    row.refresh_from_db()
    assert (row.status, row.is_provisional) == ("NEEDS_EVIDENCE", False)
    assert Delivery.objects.get().state == DeliveryState.DONE


def test_q11_an_event_that_is_not_true_any_more_gives_way_to_the_fetch(desk, row, item, deliver):
    deliver(about(row, oldStatus="READY_FOR_AUDIT", newStatus="IN_LIMBO"))
    deliver(about(item, "evidence", oldStatus="READY_FOR_AUDIT", newStatus="FLAGGED"))
    tasks.process_deliveries(row.tenant_id)
    row.refresh_from_db()
    item.refresh_from_db()
    assert (row.status, item.status, item.is_provisional) == ("IN_LIMBO", "FLAGGED", True)
    desk.drain()
    row.refresh_from_db()
    item.refresh_from_db()
    assert (row.status, row.is_provisional) == ("READY_FOR_AUDIT", False)
    assert (item.status, item.is_provisional) == ("READY_FOR_AUDIT", False)


def test_equal_statuses_change_nothing_and_are_fetched(desk, item, deliver):
    deliver(about(item, "evidence", oldStatus="READY_FOR_AUDIT", newStatus="READY_FOR_AUDIT"))
    tasks.process_deliveries(item.tenant_id)
    item.refresh_from_db()
    assert item.is_provisional is False
    assert StaleMark.objects.due().filter(kind="audit_evidence", object_id=item.platform_id).exists()


def test_a_comment_and_new_evidence_are_fetched(desk, row, deliver):
    said = desk.comment(row, "It is in the folder.")
    deliver(about(row) | {"comment": {"id": said["id"]}})
    tasks.process_deliveries(row.tenant_id)
    desk.drain()
    assert EngagementPart.objects.get(kind="request_comment", platform_id=said["id"]).payload == said
    desk.take_back(said)
    deliver(about(row) | {"comment": {"id": said["id"]}})
    tasks.process_deliveries(row.tenant_id)
    desk.drain()
    assert EngagementPart.objects.get(platform_id=said["id"]).payload["deletionDate"]


def test_what_is_new_comes_with_its_audit(desk, row, item, deliver):
    InformationRequest.objects.filter(pk=row.pk).delete()
    EvidenceItem.objects.filter(pk=item.pk).delete()
    deliver(about(row, oldStatus="NEEDS_EVIDENCE", newStatus="READY_FOR_AUDIT"))
    deliver(about(item, "evidence"))
    tasks.process_deliveries(row.tenant_id)
    desk.drain()
    assert InformationRequest.objects.filter(platform_id=row.platform_id).exists()
    assert EvidenceItem.objects.filter(platform_id=item.platform_id).exists()


def test_an_audit_that_is_new_here_brings_all_of_it(desk, row, deliver):
    engagement_id = row.engagement.platform_id
    Engagement.objects.filter(pk=row.engagement_id).delete()
    deliver(about(row, oldStatus="NEEDS_EVIDENCE", newStatus="READY_FOR_AUDIT"))
    tasks.process_deliveries(row.tenant_id)
    desk.drain()
    desk.drain()
    found = Engagement.objects.get(platform_id=engagement_id)
    assert found.requests.count() == 6


def test_an_event_of_another_tenant_changes_nothing_here(desk, row, deliver, globex):
    engagement_id = row.engagement.platform_id
    with tenant_scope(globex.pk):
        theirs = Engagement.objects.create(platform_id=engagement_id, name="Theirs")
        same = {"platform_id": row.platform_id, "status": "NEEDS_EVIDENCE", "read_at": row.read_at}
        strange = InformationRequest.objects.create(engagement=theirs, name="Theirs", **same)
    deliver(about(row, oldStatus="READY_FOR_AUDIT", newStatus="AUDITOR_APPROVED"))
    tasks.process_deliveries(row.tenant_id)
    with tenant_scope(globex.pk):
        assert InformationRequest.objects.get(pk=strange.pk).status == "NEEDS_EVIDENCE"
        assert not StaleMark.objects.exists()


def test_what_is_ready_is_work_of_approvers_until_it_is_decided(desk, row, item, deliver):
    kept_up()

    def waiting() -> set[tuple[str, int]]:
        return set(WorkItem.objects.filter(kind__startswith="audit_").values_list("kind", "object_id"))

    assert ("audit_request", row.pk) in waiting()
    assert ("audit_evidence", item.pk) in waiting()
    assert {each.role for each in WorkItem.objects.filter(kind="audit_request")} == {Role.APPROVER}
    InformationRequest.objects.filter(pk=row.pk).update(status="AUDITOR_APPROVED")
    Engagement.objects.filter(pk=item.engagement_id).update(completed_at=row.read_at)
    kept_up()
    assert ("audit_request", row.pk) not in waiting()
    assert ("audit_evidence", item.pk) not in waiting()
