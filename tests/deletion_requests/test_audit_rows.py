"""Guarantee R8: each step of a deletion request leaves its audit row, and none of them the person's address."""

from datetime import timedelta

from django.utils import timezone

from portal.deletion_requests import services, tasks
from portal.deletion_requests.models import DeletionRequest, SecondLook
from tests.deletion_requests.conftest import CALL, PAGE, check, erase, receive
from tests.support.audit import recorded
from tests.support.members import find_member

ALICE = "Alice Ames"


def test_r8_from_taking_it_in_to_the_second_look(approver, jane):
    with recorded("deletion_request.receive", "deletion_request.identity_confirmed", by=ALICE):
        row = receive(approver, jane)
        check(approver, row)
    with recorded("deletion_request.submit", "deletion_request.erase") as rows:
        approver.post(f"{PAGE}{row.reference}/send/", {"again": jane})
    assert [entry.actor_name for entry in rows] == [ALICE, ""]
    SecondLook.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    with recorded("deletion_request.second_look", by="") as looks:
        tasks.sweep_second_looks()
    assert jane.casefold() not in str([(entry.summary, entry.details) for entry in (*rows, *looks)]).casefold()


def test_r8_a_refusal_asked_again_and_closed(approver, jane, sandbox):
    sandbox.fail("status", value=403, method="POST", path=CALL, times=2)
    with recorded("deletion_request.submit", "deletion_request.refuse"):
        row = erase(approver, jane)
    with recorded("deletion_request.ask_again", "deletion_request.refuse"):
        approver.post(f"{PAGE}{row.reference}/retry/")
    with recorded("deletion_request.close", by=ALICE):
        approver.post(f"{PAGE}{row.reference}/close/")


def test_r8_an_identity_that_was_not_confirmed(approver, jane):
    row = receive(approver, jane)
    with recorded("deletion_request.identity_failed", by=ALICE):
        check(approver, row, "failed", "Somebody else answered.")
    assert DeletionRequest.objects.get().closed_at


def test_r8_the_settings_and_the_public_page(scoped, alice):
    member = find_member(user=alice)
    with recorded("deletion_request.settings", "deletion_request.link.make", "deletion_request.link.revoke", by=ALICE):
        services.set_desk_settings(regulation="ccpa", own_days=30, recheck_days=7, member=member)
        services.make_link(member=member)
        services.revoke_link(member=member)
