"""Taken in first, checked, searched for, and only then sent."""

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from portal.access_requests.models import Viewer
from portal.audit.models import Entry
from portal.connections.services import connection_of_tenant, disconnect
from portal.deletion_requests import services, tasks
from portal.deletion_requests.models import DeletionRequest, Identity, State
from portal.tenants import personal_data
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.deletion_requests.conftest import EMAIL, MASKED, PAGE, check, erase, first_step, receive
from tests.deletion_requests.test_erasure import places_of
from tests.support.members import find_member

pytestmark = pytest.mark.once


@pytest.fixture
def analyst(client, member):
    client.force_login(member(Role.ANALYST))
    return client


def test_what_is_taken_in_is_not_sent_by_itself(analyst, jane, calls):
    row = receive(analyst, jane, note=f"mail of {jane}")
    assert (row.state, row.identity, row.note) == (State.RECEIVED, Identity.UNCHECKED, f"mail of {MASKED}")
    tasks.sweep_deletion_requests()
    tasks.finish_deletion_request(row.tenant_id, row.pk)
    services.process_request(row)
    row.refresh_from_db()
    assert (row.state, calls(), Viewer.objects.count()) == (State.RECEIVED, 0, 2)


def test_from_intake_to_certificate(analyst, jane, calls, alice):
    row = receive(analyst, jane)
    page = analyst.get(f"{PAGE}{row.reference}/review/")
    assert jane in page.content.decode()
    assert "no-store" in page["Cache-Control"]
    assert page.context["preview"].holdings == {"Access requests": 1, "Viewers": 1}
    assert f"{row.reference}/send/" not in page.content.decode()
    assert check(analyst, row, note=f"{jane} answered")["Location"] == f"{PAGE}{row.reference}/review/"
    assert analyst.post(f"{PAGE}{row.reference}/send/").status_code == 403
    analyst.force_login(alice)
    assert f"{row.reference}/send/" in analyst.get(f"{PAGE}{row.reference}/review/").content.decode()
    assert analyst.post(f"{PAGE}{row.reference}/send/", {"again": f" {jane.upper()} "}).status_code == 302
    row.refresh_from_db()
    assert (row.state, row.email, calls()) == (State.ERASED, "", 1)
    assert row.found == row.erased == {"Access requests": 1, "Viewers": 1}
    assert (row.requested_by_name, row.sent_by_name, row.identity_by_name) == (
        "Analyst of Acme",
        "Alice Ames",
        "Analyst of Acme",
    )
    assert row.identity_note == f"{MASKED} answered"
    page = analyst.get(f"{PAGE}{row.reference}/").content.decode()
    assert "Before sending, we found: 1 in Access requests, 1 in Viewers." in page
    assert places_of(jane) == []


@pytest.mark.parametrize("again", ["", "john@northwind.example", "not an address"])
def test_it_asks_for_the_address_before_it_sends_and_erases(approver, jane, calls, again):
    row = receive(approver, jane)
    check(approver, row)
    page = approver.get(f"{PAGE}{row.reference}/review/")
    section = page.content.decode().partition('aria-labelledby="send-title"')[2]
    assert jane in section
    assert "Access requests: 1, Viewers: 1" in section
    answer = approver.post(f"{PAGE}{row.reference}/send/", {"again": again})
    assert (answer.status_code, "again" in answer.context["send_form"].errors) == (422, True)
    row.refresh_from_db()
    assert (row.state, calls()) == (State.RECEIVED, 0)
    assert set(places_of(jane)) >= {"AccessRequest", "Viewer"}


def test_nothing_is_sent_before_the_identity_is_confirmed(approver, jane, calls):
    row = receive(approver, jane)
    answer = approver.post(f"{PAGE}{row.reference}/send/", follow=True)
    assert b"Record how the identity was checked first" in answer.content
    row.refresh_from_db()
    assert (row.state, calls()) == (State.RECEIVED, 0)


def test_a_failed_check_closes_the_request_and_erases_nothing(analyst, jane, calls):
    row = receive(analyst, jane)
    answer = check(analyst, row, "failed", note="somebody else answered")
    assert answer["Location"] == f"{PAGE}{row.reference}/"
    row.refresh_from_db()
    assert (row.state, row.email, row.identity, calls()) == (State.CLOSED, "", Identity.FAILED, 0)
    assert set(places_of(jane)) == {"AccessRequest", "Viewer"}
    page = analyst.get(f"{PAGE}{row.reference}/").content.decode()
    assert "The identity could not be confirmed: somebody else answered" in page
    assert analyst.get(f"{PAGE}{row.reference}/review/")["Location"] == f"{PAGE}{row.reference}/"


@pytest.mark.parametrize("missing", [{"outcome": ""}, {"note": ""}, {"checked_on": "2999-01-01"}])
def test_an_incomplete_check_is_refused(analyst, jane, missing):
    row = receive(analyst, jane)
    said = {"outcome": "confirmed", "note": "a call", "checked_on": timezone.localdate().isoformat()} | missing
    answer = analyst.post(f"{PAGE}{row.reference}/identity/", said)
    row.refresh_from_db()
    assert (answer.status_code, row.identity) == (422, Identity.UNCHECKED)


def test_what_was_sent_cannot_be_checked_or_sent_again(approver, jane, calls):
    row = erase(approver, jane)
    assert b"sent or closed in the meantime" in approver.get(check(approver, row)["Location"]).content
    approver.post(f"{PAGE}{row.reference}/send/", {"again": jane})
    row.refresh_from_db()
    assert (row.state, calls()) == (State.ERASED, 1)


def test_a_request_that_was_only_received_is_closed_by_an_approver(approver, jane):
    row = receive(approver, jane)
    approver.post(f"{PAGE}{row.reference}/close/")
    row.refresh_from_db()
    assert (row.state, row.email) == (State.CLOSED, "")


def test_without_a_connection_it_is_taken_in_but_not_sent(approver, jane, alice, calls):
    disconnect(connection_of_tenant(), actor=alice)
    row = receive(approver, jane)
    check(approver, row)
    assert b"This tenant is not connected" in approver.get(f"{PAGE}{row.reference}/review/").content
    assert b"not connected" in approver.post(f"{PAGE}{row.reference}/send/", {"again": jane}, follow=True).content
    row.refresh_from_db()
    assert (row.state, calls()) == (State.RECEIVED, 0)


def test_the_same_person_again_leads_to_the_open_request(analyst, jane):
    row = receive(analyst, jane)
    assert receive(analyst, f" {jane.upper()} ") == row
    form = first_step("other@x.example")
    first, second = (analyst.post(f"{PAGE}receive/", form)["Location"] for _ in range(2))
    assert first == second
    assert DeletionRequest.objects.count() == 2


def test_the_audit_names_nobody(analyst, jane):
    row = receive(analyst, jane, note=f"about {jane}")
    check(analyst, row, note=f"{jane.upper()} answered")
    entries = Entry.objects.filter(target_id=row.reference)
    assert [entry.action for entry in entries] == ["deletion_request.identity_confirmed", "deletion_request.receive"]
    assert not any(jane.casefold() in str(vars(entry)).casefold() for entry in entries)


def test_a_viewer_takes_nothing_in(client, jane, bob):
    client.force_login(bob)
    assert client.get(f"{PAGE}receive/").status_code == 403
    assert client.post(f"{PAGE}receive/", first_step(jane)).status_code == 403
    new = services.NewRequest(email=jane, received_on=timezone.localdate(), regulation="gdpr")
    member = find_member(user=bob)
    with pytest.raises(PermissionDenied):
        services.receive(new, member=member)
    row = services.receive(new, member=None)
    with pytest.raises(PermissionDenied):
        services.note_identity(row, outcome="confirmed", note="x", checked_on=timezone.localdate(), member=member)
    with pytest.raises(PermissionDenied):
        services.send(row, member=member)
    assert client.get(f"{PAGE}{row.reference}/review/").status_code == 403
    page = client.get(f"{PAGE}{row.reference}/").content.decode()
    assert "Waiting to be checked" in page
    assert jane not in page


def test_s1_another_tenants_request_is_not_there(approver, jane, globex):
    with tenant_scope(globex.pk):
        new = services.NewRequest(email=EMAIL, received_on=timezone.localdate(), regulation="gdpr")
        foreign = services.receive(new, member=None)
    for tail in ("review/", "certificate.pdf"):
        assert approver.get(f"{PAGE}{foreign.reference}/{tail}").status_code == 404
    for tail in ("identity/", "send/", "close/"):
        assert approver.post(f"{PAGE}{foreign.reference}/{tail}").status_code == 404
    assert receive(approver, EMAIL) != foreign


def test_a_member_with_this_address_is_told_apart(approver, jane):
    row = receive(approver, "alice@acme.example")
    page = approver.get(f"{PAGE}{row.reference}/review/").content.decode()
    assert "A member of this tenant has this address" in page
    assert "This portal has nothing about this address" in page


def test_what_was_found_is_what_is_erased(jane):
    found = personal_data.count(jane)
    assert found == {"Access requests": 1, "Viewers": 1} == personal_data.erase(jane)
    assert personal_data.count(jane) == {}
