from datetime import timedelta

import pytest
from django.utils import timezone

from portal.access_requests.models import Viewer
from portal.audit.models import Entry
from portal.connections.models import Connection
from portal.connections.services import connection_of_tenant, disconnect
from portal.deletion_requests import tasks
from portal.deletion_requests.models import DeletionRequest, State
from portal.platform_api import errors
from portal.platform_api.areas.customer_trust import DeletionRequests
from portal.platform_api.models import Success
from portal.tenants import personal_data
from portal.tenants.models import Role
from portal.users.models import User
from tests.deletion_requests.conftest import CALL, MASKED, PAGE, check, confirm, erase, first_step, receive
from tests.deletion_requests.test_erasure import places_of
from tests.support.audit import recorded
from tests.support.members import remove_members, set_role

pytestmark = pytest.mark.once


def sweep(row, *, later=timedelta()):
    """Let the sweep come round, some time later."""
    DeletionRequest.objects.filter(pk=row.pk).update(due_at=row.due_at - later)
    tasks.sweep_deletion_requests()
    row.refresh_from_db()


def shown(client, row):
    return client.get(f"{PAGE}{row.reference}/").content.decode()


def copies():
    return Viewer.objects.filter(platform_id="jane").count()


@pytest.mark.parametrize("fault", [{"kind": "drop_answer"}, {"kind": "html"}, {"kind": "status", "value": 503}])
def test_w1_a_lost_answer_is_uncertain_until_the_platform_has_answered(approver, jane, sandbox, fault):
    sandbox.fail(fault["kind"], method="POST", path=CALL, times=1, value=fault.get("value"))
    row = erase(approver, jane)
    assert (row.state, row.email, copies()) == (State.UNCERTAIN, jane, 1)
    assert "uncertain and is being checked" in shown(approver, row)
    sweep(row)
    assert (row.state, row.email, row.attempts, copies()) == (State.ERASED, "", 2, 0)
    assert row.uncertain_at < row.confirmed_at <= row.erased_at
    page = shown(approver, row)
    assert "Certificate of erasure" in page
    assert "No answer from the platform; it may have erased the data." in page
    assert places_of(jane) == []


def test_w1_a_dropped_answer_has_one_effect(approver, jane, sandbox, platform_tenant):
    before = {viewer["email"] for viewer in sandbox.objects(platform_tenant["tenant_id"], "viewers")}
    victim = min(before)
    sandbox.fail("drop_answer", method="POST", path=CALL, times=1)
    row = erase(approver, victim)
    sweep(row)
    assert row.state == State.ERASED
    after = {viewer["email"] for viewer in sandbox.objects(platform_tenant["tenant_id"], "viewers")}
    assert after == before - {victim}


def test_an_uncertain_one_waits_longer_each_time_and_stays_uncertain(approver, jane, sandbox):
    sandbox.fail("drop_answer", method="POST", path=CALL, times=1)
    sandbox.fail("status", value=503, method="POST", path=CALL, times=1)
    row = erase(approver, jane)
    assert row.due_at <= timezone.now()
    sweep(row)
    assert (row.state, row.attempts) == (State.UNCERTAIN, 2)
    assert row.due_at > timezone.now() + timedelta(seconds=8)
    tasks.sweep_deletion_requests()
    row.refresh_from_db()
    assert row.attempts == 2
    sweep(row, later=timedelta(hours=1))
    assert row.state == State.ERASED


@pytest.mark.parametrize(
    ("status", "words"),
    [(403, "does not cover deletion requests"), (422, "Unprocessable Content"), (404, "no longer has this object")],
)
def test_a_refusal_erases_nothing_and_says_so(approver, jane, sandbox, calls, status, words):
    sandbox.fail("status", value=status, method="POST", path=CALL, times=1)
    row = erase(approver, jane)
    assert (row.state, copies()) == (State.REFUSED, 1)
    page = shown(approver, row)
    assert "nothing was erased here" in page
    assert words in page
    sweep(row, later=timedelta(days=1))
    assert (row.state, calls()) == (State.REFUSED, 1)


def test_a_false_answer_is_a_refusal(approver, jane, monkeypatch):
    answer = Success.read({"isSuccessful": False})
    monkeypatch.setattr(DeletionRequests, "create", lambda self, email: answer)
    row = erase(approver, jane)
    assert (row.state, copies()) == (State.REFUSED, 1)
    assert "was not successful" in shown(approver, row)


def test_the_platforms_words_are_kept_without_the_address(approver, jane, monkeypatch):
    def refuse(self, email):
        raise errors.ValidationFailed("POST", CALL, status=422, message=f"{email.upper()} is unknown, see x@y.example")

    monkeypatch.setattr(DeletionRequests, "create", refuse)
    row = erase(approver, jane)
    assert row.problem == f"The platform rejected this: {MASKED} is unknown, see <email>."
    assert set(places_of(jane)) == {"AccessRequest", "Viewer", "DeletionRequest"}


def test_a_refused_one_is_asked_again_by_a_person(approver, jane, sandbox):
    sandbox.fail("status", value=403, method="POST", path=CALL, times=1)
    row = erase(approver, jane)
    assert "Ask the platform again" in shown(approver, row)
    assert approver.post(f"{PAGE}{row.reference}/retry/").status_code == 302
    row.refresh_from_db()
    assert (row.state, copies(), places_of(jane)) == (State.ERASED, 0, [])
    assert "Asked again to erase" in shown(approver, row)


def test_a_refusal_does_not_hide_that_an_earlier_try_may_have_arrived(approver, jane, sandbox):
    sandbox.fail("drop_answer", method="POST", path=CALL, times=1)
    sandbox.fail("status", value=403, method="POST", path=CALL, times=1)
    sandbox.fail("status", value=429, method="POST", path=CALL, times=1)
    row = erase(approver, jane)
    sweep(row)
    assert (row.state, row.is_in_doubt, copies()) == (State.REFUSED, True, 1)
    assert "The platform may have carried out an earlier attempt" in shown(approver, row)
    approver.post(f"{PAGE}{row.reference}/retry/")
    row.refresh_from_db()
    assert row.state == State.UNCERTAIN
    sweep(row, later=timedelta(hours=1))
    assert (row.state, row.is_in_doubt) == (State.ERASED, False)


def test_two_people_asking_again_send_it_once(approver, jane, sandbox, calls):
    sandbox.fail("status", value=403, method="POST", path=CALL, times=1)
    row = erase(approver, jane)
    DeletionRequest.objects.filter(pk=row.pk).update(lease_until=timezone.now() + timedelta(seconds=60))
    assert "/retry/" not in shown(approver, row)
    answer = approver.post(f"{PAGE}{row.reference}/retry/", follow=True)
    assert b"Nothing was sent" in answer.content
    assert "Asked again" not in shown(approver, row)
    assert calls() == 1


def test_a_refused_one_is_closed_by_a_person_and_forgets_the_address(approver, jane, sandbox):
    sandbox.fail("status", value=403, method="POST", path=CALL, times=1)
    row = erase(approver, jane)
    assert approver.post(f"{PAGE}{row.reference}/close/").status_code == 302
    row.refresh_from_db()
    assert (row.state, row.email, copies()) == (State.CLOSED, "", 1)
    assert "Closed manually. Nothing was erased" in shown(approver, row)


@pytest.mark.parametrize("is_in_doubt", [True, False])
def test_w1_after_a_lost_answer_closing_says_of_this_portal_alone_that_nothing_was_erased(approver, jane, sandbox, is_in_doubt):
    if is_in_doubt:
        sandbox.fail("drop_answer", method="POST", path=CALL, times=1)
        erase(approver, jane)
    sandbox.fail("status", value=403, method="POST", path=CALL, times=1)
    if is_in_doubt:
        sweep(DeletionRequest.objects.get(), later=timedelta(hours=1))
    else:
        erase(approver, jane)
    row = DeletionRequest.objects.get()
    assert (row.state, row.is_in_doubt) == (State.REFUSED, is_in_doubt)
    page = approver.post(f"{PAGE}{row.reference}/close/", follow=True).content.decode()
    assert Entry.objects.get(action="deletion_request.close").details["is_in_doubt"] == is_in_doubt
    assert ("Nothing was erased." in page) != is_in_doubt


def test_w1_what_is_being_asked_again_cannot_be_closed_meanwhile(approver, jane, sandbox):
    sandbox.fail("status", value=403, method="POST", path=CALL, times=1)
    row = erase(approver, jane)
    DeletionRequest.objects.filter(pk=row.pk).update(lease_until=timezone.now() + timedelta(seconds=60))
    approver.post(f"{PAGE}{row.reference}/close/")
    row.refresh_from_db()
    assert (row.state, row.email, row.closed_at) == (State.REFUSED, jane, None)


def test_what_is_uncertain_or_over_cannot_be_closed(approver, jane, sandbox):
    sandbox.fail("drop_answer", method="POST", path=CALL, times=1)
    row = erase(approver, jane)
    for state in (State.UNCERTAIN, State.ERASED):
        assert row.state == state
        assert "/close/" not in shown(approver, row)
        approver.post(f"{PAGE}{row.reference}/close/")
        sweep(row)
    assert row.state == State.ERASED


def test_an_address_with_an_open_request_leads_to_it(approver, jane, sandbox, calls):
    sandbox.fail("status", value=403, method="POST", path=CALL, times=1)
    row = erase(approver, jane)
    page = approver.post(f"{PAGE}new/", first_step(jane.lower()))
    assert page.context["preview"].open_request == row
    answer = confirm(approver, jane.lower())
    assert answer["Location"] == f"{PAGE}{row.reference}/"
    assert (calls(), DeletionRequest.objects.count()) == (1, 1)


@pytest.mark.parametrize("fault", [{"kind": "status", "value": 429}, {"kind": "refuse_connection"}])
def test_what_did_not_reach_the_platform_waits_or_is_checked(approver, jane, sandbox, fault):
    sandbox.fail(fault["kind"], method="POST", path=CALL, times=1, value=fault.get("value"))
    row = erase(approver, jane)
    assert row.state in (State.WAITING, State.UNCERTAIN)
    assert copies() == 1
    sweep(row, later=timedelta(hours=1))
    assert (row.state, copies()) == (State.ERASED, 0)


def test_a_grant_that_ended_meanwhile_keeps_the_request_waiting(approver, jane, sandbox, calls, alice):
    sandbox.fail("status", value=429, method="POST", path=CALL, times=1)
    row = erase(approver, jane)
    assert (row.state, row.uncertain_at) == (State.WAITING, None)
    disconnect(connection_of_tenant(), actor=alice)
    sweep(row, later=timedelta(hours=1))
    assert (row.state, row.problem, calls()) == (State.WAITING, "The platform is not connected.", 1)
    assert "An owner has to connect this tenant" in shown(approver, row)
    answer = approver.post(f"{PAGE}{row.reference}/retry/", follow=True)
    assert b"not connected" in answer.content
    row.refresh_from_db()
    assert (row.state, copies()) == (State.WAITING, 1)


def test_the_platforms_yes_outlives_a_failure_to_erase_here(approver, jane, calls, monkeypatch, caplog):
    real = personal_data.erase

    def fail(email):
        real(email)
        raise RuntimeError(f"no room for {email}")

    monkeypatch.setattr(personal_data, "erase", fail)
    row = erase(approver, jane)
    assert (row.state, row.email, copies()) == (State.CONFIRMED, jane, 1)
    assert "not erased here yet" in shown(approver, row)
    assert jane not in caplog.text
    monkeypatch.setattr(personal_data, "erase", real)
    sweep(row, later=timedelta(hours=1))
    assert (row.state, copies(), calls()) == (State.ERASED, 0, 1)


@pytest.mark.parametrize("attempts", [0, 1])
def test_a_request_whose_worker_died_is_taken_up_again(approver, jane, calls, attempts):
    row = erase(approver, "somebody@else.example")
    DeletionRequest.objects.filter(pk=row.pk).update(
        state=State.SENDING, email="somebody@else.example", attempts=attempts, confirmed_at=None, erased_at=None
    )
    lease = timezone.now() + timedelta(seconds=60)
    DeletionRequest.objects.filter(pk=row.pk).update(lease_until=lease)
    tasks.sweep_deletion_requests()
    assert calls() == 1
    DeletionRequest.objects.filter(pk=row.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    tasks.sweep_deletion_requests()
    row.refresh_from_db()
    assert (row.state, calls()) == (State.ERASED, 2)
    assert bool(row.uncertain_at) == bool(attempts)


def test_an_attempt_that_lost_its_lease_writes_nothing(approver, jane, monkeypatch):
    def slow(self, email):
        DeletionRequest.objects.update(attempts=7)
        return Success.read({"isSuccessful": True})

    monkeypatch.setattr(DeletionRequests, "create", slow)
    row = erase(approver, jane)
    assert (row.state, row.attempts, copies()) == (State.SENDING, 7, 1)


def test_the_sweep_goes_on_after_a_request_that_fails(approver, jane, sandbox, monkeypatch):
    sandbox.fail("drop_answer", method="POST", path=CALL, times=2)
    first, second = erase(approver, jane), erase(approver, "john@northwind.example")
    real = DeletionRequests.create

    def create(self, email):
        if email == jane:
            raise ValueError(email)
        return real(self, email)

    monkeypatch.setattr(DeletionRequests, "create", create)
    tasks.sweep_deletion_requests()
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, second.state) == (State.UNCERTAIN, State.ERASED)


def test_the_sweep_works_for_every_tenant_in_its_own_scope(approver, jane, sandbox):
    sandbox.fail("drop_answer", method="POST", path=CALL, times=1)
    row = erase(approver, jane)
    assert Connection.objects.count() == 1
    tasks.finish_deletion_request(row.tenant_id, row.pk)
    row.refresh_from_db()
    assert row.state == State.ERASED
    tasks.finish_deletion_request(row.tenant_id, row.pk)
    tasks.finish_deletion_request(row.tenant_id, row.pk + 999)


def leave(user):
    remove_members(user=user)


def lose_the_role(user):
    set_role(Role.ANALYST, user=user)


def be_deactivated(user):
    User.objects.filter(pk=user.pk).update(is_active=False)


def be_deleted(user):
    User.objects.get(pk=user.pk).delete()


@pytest.fixture
def sender(client, member):
    """An approver who is signed in, and will not be one for long."""
    user = member(Role.APPROVER)
    client.force_login(user)
    return user


@pytest.mark.parametrize("end", [leave, lose_the_role, be_deactivated, be_deleted])
def test_s7_who_may_erase_no_longer_erases_nothing_that_waited(end, sender, client, alice, jane, sandbox, calls):
    sandbox.fail("status", value=429, method="POST", path=CALL, times=1)
    row = erase(client, jane)
    assert (row.state, row.sent_by) == (State.WAITING, sender)
    end(sender)
    with recorded("deletion_request.refuse", by=""):
        sweep(row, later=timedelta(hours=1))
    assert (row.state, row.refused_at, calls(), copies()) == (State.REFUSED, None, 1, 1)
    client.force_login(alice)
    assert "Approver of Acme can no longer send deletion requests." in shown(client, row)
    assert client.post(f"{PAGE}{row.reference}/retry/").status_code == 302
    row.refresh_from_db()
    assert (row.state, row.sent_by, row.sent_by_name) == (State.ERASED, alice, "Alice Ames")
    assert (calls(), copies()) == (2, 0)


def test_s7_a_request_that_was_checked_first_goes_on_the_word_of_who_sent_it(sender, client, jane, sandbox, calls):
    row = receive(client, jane)
    check(client, row)
    sandbox.fail("status", value=429, method="POST", path=CALL, times=1)
    client.post(f"{PAGE}{row.reference}/send/", {"again": jane})
    lose_the_role(sender)
    row.refresh_from_db()
    sweep(row, later=timedelta(hours=1))
    assert (row.state, calls(), copies()) == (State.REFUSED, 1, 1)


def test_s7_a_lost_answer_is_not_asked_for_again_by_who_may_erase_no_longer(sender, client, alice, jane, sandbox, calls):
    sandbox.fail("status", value=503, method="POST", path=CALL, times=1)
    row = erase(client, jane)
    assert row.state == State.UNCERTAIN
    asked = calls()
    lose_the_role(sender)
    sweep(row)
    assert (row.state, row.is_in_doubt, calls(), copies()) == (State.REFUSED, True, asked, 1)
    client.force_login(alice)
    assert "The platform may have carried out an earlier attempt" in shown(client, row)


def test_the_platforms_yes_is_carried_out_here_whatever_became_of_who_asked(sender, client, jane, monkeypatch):
    real = personal_data.erase

    def fail(email):
        raise RuntimeError("no room")

    monkeypatch.setattr(personal_data, "erase", fail)
    row = erase(client, jane)
    assert row.state == State.CONFIRMED
    lose_the_role(sender)
    monkeypatch.setattr(personal_data, "erase", real)
    sweep(row, later=timedelta(hours=1))
    assert (row.state, copies()) == (State.ERASED, 0)
