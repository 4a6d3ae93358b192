"""Guarantee S11 after the erasure: the platform goes on listing a person, and nothing of it is stored again."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.access_requests.mirror import MIRRORS as ACCESS
from portal.access_requests.models import AccessRequest, Viewer
from portal.connections.models import CallWindow
from portal.connections.services import Urgency, client_for
from portal.deletion_requests.models import Outcome, SecondLook, State
from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.selectors import attention_count
from portal.inbox.services import processing, queue
from portal.inbox.tasks import process_deliveries
from portal.page_refresh.services import area_version
from portal.questionnaires.mirror import MIRRORS as QUESTIONNAIRES
from portal.questionnaires.models import Response
from portal.sandbox.changes.erasure import carry_out
from portal.sync.models import Run, StaleMark
from portal.sync.services import drain, reconcile, start_missing
from portal.tenants import personal_data
from portal.tenants.erased_people import is_erased
from portal.tenants.models import ErasedIdentifier
from portal.tenants.scope import tenant_scope
from portal.trust_center_activity.mirror import MIRRORS as INTEREST
from portal.trust_center_activity.models import Activity, Conversation, DailySum
from tests.conftest import SandboxHandle
from tests.deletion_requests.conftest import PAGE, erase
from tests.deletion_requests.test_erasure import places_of
from tests.deletion_requests.test_second_looks import come_round
from tests.support.kept import after
from tests.trust_center_activity.conftest import Center, written

pytestmark = pytest.mark.once
KINDS = {"Access requests", "Chatbot conversations", "Trust Center activity", "Viewers"}


class World:
    """The platform with one person in all its lists, who erases when it likes."""

    def __init__(self, handle, tenant_id):
        self.sandbox = handle.app.extensions["sandbox"]
        self.tenant_id = tenant_id
        self.center = Center(handle, tenant_id)
        self.handle = handle
        viewers = sorted(handle.objects(tenant_id, "viewers"), key=lambda each: each["id"])
        self.viewer = viewers[0]
        self.email = self.viewer["email"]

    def compare(self):
        """Do what the hourly comparison does over all mirrors that hold people, then fetch what it marked."""
        mirrors = [*ACCESS, *INTEREST, *QUESTIONNAIRES]
        start_missing(mirrors)
        Run.objects.update(next_due_at=timezone.now(), lease_owner="", lease_until=None)
        CallWindow.objects.all().delete()
        reconcile(mirrors, client_for(Urgency.PERSON), seconds=60)
        drain(mirrors, client_for(Urgency.PERSON))

    def request(self, key, created_at, **fields):
        """Somebody asks for access at a moment."""
        moment = written(created_at)
        body = {"id": key, "email": self.email, "name": "Vera View", "companyName": "View", "reason": "please"}
        body |= {"requestedResources": None, "accessLevel": "FULL_ACCESS", "creationDate": moment, "updatedDate": moment}
        self.sandbox.objects.add(self.tenant_id, "access-requests", body | fields)


def visited(handle: SandboxHandle, tenant_id: str) -> None:
    """Have the person visit, ask the chatbot and ask for access, and compare it."""
    found = World(handle, tenant_id)
    earlier = timezone.now() - timedelta(days=2)
    found.center.happen(
        entry_of(found.email, viewer_id=found.viewer["id"], at=earlier),
        entry_of(None, viewer_id=found.viewer["id"], at=earlier),
    )
    found.center.ask(f"I am {found.email}", email=found.email, at=earlier)
    found.request("old-request", earlier)
    found.compare()
    # An approver of answers has the same address: a colleague who was a visitor, too.
    response = Response.objects.first()
    response.payload = response.payload | {"approvedBy": {"id": "u", "organizationId": "o", "email": found.email}}
    response.save()
    found.sandbox.switches.change({"erases_at_once": False})


@pytest.fixture
@after(visited)
def world(connected, scoped, sandbox, platform_tenant):
    return World(sandbox, platform_tenant["tenant_id"])


def entry_of(email, *, viewer_id, at):
    return {
        "id": f"entry-{email}-{viewer_id}",
        "date": written(at),
        "eventType": "PAGE_VIEW",
        "details": {"page": "FAQ"},
        "viewerId": viewer_id,
        "viewerEmail": email,
        "city": None,
        "countryCode": "DE",
    }


@pytest.fixture
def erased(approver, world):
    found = personal_data.count(world.email)
    assert found.keys() >= KINDS, found
    row = erase(approver, world.email)
    assert row.state == State.ERASED
    assert places_of(world.email) == []
    return row


def test_s11_nothing_comes_back_with_the_next_sync(erased, world, approver):
    before = {kind: kind.objects.count() for kind in (Viewer, AccessRequest, Activity, Conversation)}
    sums = sum(DailySum.objects.values_list("number", flat=True))
    for _ in range(2):
        world.compare()
    assert places_of(world.email) == []
    assert {kind: kind.objects.count() for kind in before} == before
    assert sum(DailySum.objects.values_list("number", flat=True)) == sums
    # Others are there as before.
    assert Viewer.objects.count() == len(world.handle.objects(world.tenant_id, "viewers")) - 1 > 0
    assert personal_data.count(world.email) == {}


def test_s11_the_certificate_says_that_the_platform_still_lists_them(erased, world, approver):
    page = approver.get(f"{PAGE}{erased.reference}/").content.decode()
    assert 'id="still-listed"' not in page
    seen = area_version("deletion_requests")
    world.compare()
    assert area_version("deletion_requests") != seen
    page = approver.get(f"{PAGE}{erased.reference}/").content.decode()
    assert 'id="still-listed"' in page
    listed_at = ErasedIdentifier.objects.get(identifier_hash=erased.email_hash).listed_at
    assert listed_at is not None
    assert approver.get(PAGE).context["still_listed"] == {erased.email_hash}
    assert approver.get(f"{PAGE}{erased.reference}/certificate/").status_code in (200, 404)


def test_s11_it_looks_again_until_the_platform_lists_them_no_longer(erased, world, approver):
    world.compare()
    look = come_round(SecondLook.objects.get())
    assert (look.outcome, look.found) == (Outcome.STILL_LISTED, {})
    erased.refresh_from_db()
    assert erased.came_back
    carry_out(world.sandbox, world.tenant_id, email=world.email)
    look = come_round(SecondLook.objects.waiting().get())
    assert look.outcome == Outcome.NOTHING
    erased.refresh_from_db()
    assert not erased.came_back
    known = ErasedIdentifier.objects.get(identifier_hash=erased.email_hash)
    assert known.listed_at is None
    assert known.unlisted_at is not None
    assert 'id="still-listed"' not in approver.get(f"{PAGE}{erased.reference}/").content.decode()
    assert SecondLook.objects.waiting().count() == 0


def test_s11_a_request_made_after_the_erasure_is_new(erased, world):
    world.request("new-request", timezone.now() + timedelta(minutes=1))
    world.compare()
    assert list(AccessRequest.objects.filter(email=world.email).values_list("platform_id", flat=True)) == ["new-request"]
    assert not Viewer.objects.filter(email=world.email).exists()


def test_a_look_keeps_what_is_new_and_says_so(erased, world):
    carry_out(world.sandbox, world.tenant_id, email=world.email)
    world.request("new-request", timezone.now() + timedelta(minutes=1))
    world.compare()
    look = come_round(SecondLook.objects.get())
    assert look.outcome == Outcome.ANEW
    assert AccessRequest.objects.filter(platform_id="new-request").exists()
    erased.refresh_from_db()
    assert not erased.came_back


def test_s11_a_second_erasure_covers_what_came_in_between(erased, world, approver):
    world.request("new-request", timezone.now())
    world.compare()
    assert AccessRequest.objects.filter(email=world.email).exists()
    erase(approver, world.email)
    world.compare()
    assert places_of(world.email) == []


def test_s11_a_copy_that_was_on_its_way_goes_with_the_next_sync(erased, world):
    now = timezone.now()
    Viewer.objects.create(
        platform_id=world.viewer["id"], email=world.email, folded_email=world.email, created_at=now, updated_at=now
    )
    world.compare()
    assert places_of(world.email) == []


def test_s11_the_messages_of_an_erased_conversation_are_not_asked_for(erased, world, sandbox):
    world.compare()
    assert not StaleMark.objects.filter(kind="conversation-messages", due_at__isnull=False).exists()
    assert Conversation.objects.count() == len(world.handle.objects(world.tenant_id, "conversations")) - 1


@pytest.mark.parametrize("spelled", ["{}", "<{}>", "escaped"])
def test_s11_a_delivery_that_names_them_keeps_no_body(erased, world, deliver, acme, spelled):
    email = world.email.upper() if spelled == "escaped" else spelled.format(world.email.upper())
    assert deliver({"accessRequest": {"id": "x", "email": email, "status": "PENDING"}}).status_code == 204
    if spelled == "escaped":
        body = bytes(Delivery.objects.get().body).replace(b"@", b"\\u0040")
        Delivery.objects.update(body=body, is_cut=False, state=DeliveryState.PENDING, attempts=0, due_at=timezone.now())
        assert b"@" not in body
    process_deliveries(acme.pk)
    delivery = Delivery.objects.get()
    assert (delivery.is_waiting, bytes(delivery.body), delivery.is_cut) == (False, b"", True)


def test_s11_a_delivery_that_was_given_up_keeps_no_body_and_needs_nobody(erased, world, deliver, acme, monkeypatch):
    monkeypatch.setattr(queue, "MAX_ATTEMPTS", 1)
    monkeypatch.setattr(processing, "_effects", fail)
    assert deliver({"accessRequest": {"id": "x", "email": world.email, "status": "PENDING"}}).status_code == 204
    process_deliveries(acme.pk)
    delivery = Delivery.objects.get()
    assert (delivery.state, bytes(delivery.body), delivery.is_cut) == (DeliveryState.IGNORED, b"", True)
    assert attention_count() == 0


def fail(*_):
    raise ValueError("a handler that cannot")


def test_a_delivery_about_others_keeps_its_body(erased, deliver, acme):
    assert deliver({"accessRequest": {"id": "x", "email": "other@else.example", "status": "PENDING"}}).status_code == 204
    process_deliveries(acme.pk)
    assert not Delivery.objects.get().is_cut


def test_s11_who_approved_an_answer_is_erased_and_stays_so(erased, world):
    assert not any(world.email in str(payload) for payload in Response.objects.values_list("payload", flat=True))
    there = world.handle.objects(world.tenant_id, "responses")[0]
    body = there | {"approvedBy": {"id": "u", "organizationId": "o", "email": world.email}}
    parent = Response.objects.get(platform_id=there["id"]).questionnaire
    world.sandbox.objects.save(world.tenant_id, "responses", body)
    StaleMark.objects.filter(object_id=parent.platform_id).update(due_at=timezone.now())
    drain(QUESTIONNAIRES, client_for(Urgency.PERSON))
    assert places_of(world.email) == []


def test_s1_the_same_address_in_another_tenant_is_not_erased(erased, world, globex):

    assert is_erased(email=world.email.upper(), created_at=None)
    with tenant_scope(globex.pk):
        assert not is_erased(email=world.email, created_at=None)


def test_the_table_holds_no_address(erased, world):
    rows = list(ErasedIdentifier.objects.values_list("identifier_hash", "person_hash"))
    assert (erased.email_hash, erased.email_hash) in rows
    # The address, and the platform's id of the viewer.
    assert len(rows) == 2
    assert world.viewer["id"] not in str(rows)
