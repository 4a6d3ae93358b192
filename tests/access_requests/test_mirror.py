"""The copy: both lists, documents and viewers become rows, and events bring them up to date in whatever order they come."""

import pytest

from portal.access_requests.models import AccessRequest, Outcome, Viewer
from portal.access_requests.services.verification import verify_outcome
from portal.connections.models import Connection
from portal.connections.services import Urgency, client_for, trust_center
from portal.platform_api import errors
from portal.platform_api.paging import PAGE_SIZE
from portal.sandbox.changes import access_requests
from portal.trust_center.models import Resource
from tests.access_requests.conftest import address, words
from tests.sync.desk import two_minutes_pass


def outcome_there(desk):
    open_ones = dict.fromkeys(desk.there("access-requests"), "PENDING")
    return open_ones | {key: found["outcome"] for key, found in desk.there("historical-access-requests").items()}


def outcome_here():
    return dict(AccessRequest.objects.present().values_list("platform_id", "outcome"))


def event(row, **more):
    return {"trustCenter": {"slugId": Connection.objects.get().slug_id}, "accessRequest": {"id": row.platform_id}, **more}


def test_it_copies_open_and_decided_requests_documents_and_viewers(desk):
    assert outcome_here() == outcome_there(desk)
    assert set(outcome_here().values()) == {"PENDING", "APPROVED", "DENIED"}
    assert set(Resource.objects.values_list("platform_id", flat=True)) == set(desk.there("resources"))
    assert set(Viewer.objects.values_list("platform_id", flat=True)) == set(desk.there("viewers"))
    for row in AccessRequest.objects.pending():
        found = desk.there("access-requests")[row.platform_id]
        assert (row.email, row.name, row.company) == (found["email"], found["name"], found["companyName"])
        assert (row.reason, row.requested_resources) == (found["reason"], found["requestedResources"])
        assert row.payload == found


def test_fetching_twice_changes_nothing(desk):
    before = list(AccessRequest.objects.order_by("id").values())
    desk.fetch()
    assert list(AccessRequest.objects.order_by("id").values()) == before


@pytest.mark.parametrize("happening", ["approved", "denied"])
def test_a_decision_there_is_found_by_an_event_that_does_not_say_which(desk, deliver, happening):
    row = desk.waiting
    desk.happen(happening, row)
    # Received and denied look alike, and an approval may be lost: the fetch decides.
    assert deliver(event(row)).status_code == 204
    desk.drain()
    row.refresh_from_db()
    assert row.outcome == happening.upper()
    assert row.is_settled


def test_an_approval_is_shown_at_once_and_then_confirmed(desk, deliver):
    row = desk.waiting
    desk.happen("approved", row)
    viewer_id = desk.viewer_of(row)["id"]
    from_event = event(row, viewer={"id": viewer_id})
    deliver(from_event)
    desk.drain()
    row.refresh_from_db()
    assert (row.outcome, row.viewer_id, row.is_provisional) == (Outcome.APPROVED, viewer_id, False)
    assert Viewer.objects.get(platform_id=viewer_id).folded_email == row.folded_email


def test_a_new_request_appears_by_its_event(desk, deliver):
    known = set(outcome_here())
    desk.happen("received")
    [new_id] = set(desk.there("access-requests")) - known
    deliver(event(AccessRequest(platform_id=new_id)))
    desk.drain()
    assert AccessRequest.objects.get(platform_id=new_id).is_pending


def test_a_request_that_its_account_approves_on_the_platform_arrives_decided(desk, deliver, approver):
    desk.handle.control("POST", "/switches", auto_approval=True)
    known = set(outcome_here())
    account = next(iter(desk.there("accounts").values()))
    access = {"autoApprovalEnabled": True, "grantAccessOption": "INCLUDE_EVERYTHING_REQUESTED"}
    desk.sandbox.objects.save(desk.tenant_id, "accounts", account | {"accessConfig": access})
    person = {"email": f"new@{account['emailDomain']}", "name": "New One", "companyName": "New"}
    tenant = desk.sandbox.tenants.get(desk.tenant_id)
    access_requests.receive(desk.sandbox, tenant, person=person, reason="Onboarding", resource_ids=None)
    assert set(desk.there("access-requests")) <= known, "it is never open"
    [new_id] = set(desk.there("historical-access-requests")) - known
    viewer_id = next(key for key, each in desk.there("viewers").items() if each["email"] == person["email"])
    deliver(event(AccessRequest(platform_id=new_id), viewer={"id": viewer_id}))
    desk.drain()
    row = AccessRequest.objects.get(platform_id=new_id)
    assert (row.outcome, row.is_provisional, row.is_settled) == (Outcome.APPROVED, False, True)
    assert Viewer.objects.get(platform_id=viewer_id).folded_email == row.folded_email
    page = words(approver.get(address(row)))
    assert "directly on the platform" in page
    assert 'id="approve-form"' not in page


def test_an_event_that_comes_late_again_or_in_the_wrong_order_ends_in_the_same_state(desk, deliver):
    row = desk.waiting
    desk.happen("denied", row)
    for _ in range(2):
        deliver(event(row))
        desk.drain()
    row.refresh_from_db()
    assert row.outcome == Outcome.DENIED
    assert row.denial_reason == "No running deal"


def test_a_request_that_the_platform_has_nowhere_is_gone(desk, deliver):
    row = desk.waiting
    desk.sandbox.objects.delete(desk.tenant_id, "access-requests", row.platform_id)
    deliver(event(row))
    desk.drain()
    row.refresh_from_db()
    assert row.gone_at is None
    two_minutes_pass()
    desk.drain()
    row.refresh_from_db()
    assert row.gone_at


def test_q14_a_decided_request_is_found_behind_one_that_cannot_be_read(desk):
    kind, objects = "historical-access-requests", desk.sandbox.objects
    [decided] = objects.all(desk.tenant_id, kind, oldest_first=True, limit=1)
    objects.add_many(desk.tenant_id, kind, [decided | {"id": f"copy-{number}"} for number in range(PAGE_SIZE)])
    objects.add(desk.tenant_id, kind, decided | {"id": "", "email": None})
    center = trust_center(client_for(Urgency.PERSON))
    assert verify_outcome(center, decided["id"]).remote.outcome == decided["outcome"]
    # Another one may be what could not be read: nobody can say that the platform has it nowhere.
    with pytest.raises(errors.UnexpectedAnswer):
        verify_outcome(center, "unknown")


def test_a_document_that_is_named_twice_is_one_document(desk):
    first, second = [row.platform_id for row in desk.documents[:2]]
    asked = [first, second, first]
    row, viewer = desk.waiting, Viewer.objects.order_by("pk")[0]
    desk.change_there(row, accessLevel="PARTIAL_ACCESS", requestedResources=asked)
    there = desk.sandbox.objects.get(desk.tenant_id, "viewers", viewer.platform_id)
    desk.sandbox.objects.save(desk.tenant_id, "viewers", there | {"accessLevel": "PARTIAL_ACCESS", "resourceIds": asked})
    desk.fetch()
    row.refresh_from_db()
    viewer.refresh_from_db()
    assert row.requested_resources == viewer.resource_ids == [first, second]


def test_unknown_levels_and_outcomes_are_kept_as_they_came(desk):
    row = AccessRequest.objects.filter(outcome=Outcome.DENIED)[0]
    objects = desk.sandbox.objects
    there = objects.get(desk.tenant_id, "historical-access-requests", row.platform_id)
    objects.save(
        desk.tenant_id,
        "historical-access-requests",
        there | {"outcome": "WITHDRAWN", "updatedDate": "2027-01-01T00:00:00.000Z"},
    )
    desk.change_there(desk.waiting, accessLevel="WATERMARKED")
    desk.fetch()
    row.refresh_from_db()
    assert (row.outcome, row.outcome_label, row.tone) == ("WITHDRAWN", "WITHDRAWN", "muted")
    assert desk.waiting.level_label == "WATERMARKED"
