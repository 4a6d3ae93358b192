"""Days after an erasure the desk looks again, by the hash alone."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.access_requests.models import AccessRequest, Viewer
from portal.connections.services import connection_of_tenant, disconnect
from portal.deletion_requests import tasks
from portal.deletion_requests.models import DeletionRequest, DeskSettings, Outcome, SecondLook
from portal.deletion_requests.services import verification
from portal.tenants import personal_data
from tests.deletion_requests.conftest import PAGE, erase, keep_person, receive
from tests.deletion_requests.test_erasure import places_of

pytestmark = pytest.mark.once
VIEWERS = "/viewers"


def come_round(look: SecondLook) -> SecondLook:
    """Let the day of a look come."""
    SecondLook.objects.filter(pk=look.pk, looked_at=None).update(due_at=timezone.now() - timedelta(seconds=1), lease_until=None)
    tasks.sweep_second_looks()
    look.refresh_from_db()
    return look


@pytest.fixture
def erased(approver, jane) -> DeletionRequest:
    return erase(approver, jane)


@pytest.fixture
def look(erased) -> SecondLook:
    return SecondLook.objects.get()


def test_it_waits_for_its_day(look, erased, sandbox):
    assert look.due_at == erased.erased_at + timedelta(days=7)
    tasks.sweep_second_looks()
    look.refresh_from_db()
    assert look.looked_at is None
    assert sandbox.requests(VIEWERS) == []


def test_the_tenant_says_how_long(approver, jane, acme):
    DeskSettings.objects.create(recheck_days=30)
    row = erase(approver, jane)
    assert SecondLook.objects.get().due_at == row.erased_at + timedelta(days=30)


def test_nothing_found_is_written_on_the_certificate(look, erased, approver):
    come_round(look)
    assert (look.outcome, look.was_platform_asked, look.found) == (Outcome.NOTHING, True, {})
    assert "Nothing found." in approver.get(f"{PAGE}{erased.reference}/").content.decode()
    assert SecondLook.objects.count() == 1


def test_s3_an_address_with_half_a_character_ends_no_look(look, erased, sandbox, platform_tenant):
    tenant_id, objects = platform_tenant["tenant_id"], sandbox.app.extensions["sandbox"].objects
    objects.save(tenant_id, "viewers", objects.all(tenant_id, "viewers")[0] | {"email": "kim@half\ud800.example"})
    come_round(look)
    assert (look.outcome, look.was_platform_asked) == (Outcome.NOTHING, True)


def test_a_copy_that_came_late_is_erased_again_and_looked_for_once_more(look, jane, approver, erased):
    keep_person(jane, "late")
    come_round(look)
    assert (look.outcome, look.found) == (Outcome.ERASED_AGAIN, {"Access requests": 1, "Viewers": 1})
    assert "2 rows had come back and were erased again." in approver.get(f"{PAGE}{erased.reference}/").content.decode()
    assert places_of(jane) == []
    assert AccessRequest.objects.filter(platform_id="john").exists()
    assert SecondLook.objects.waiting().count() == 1


def test_whom_the_platform_lists_needs_a_new_request(approver, connected, scoped, sandbox, platform_tenant):
    victim = min(viewer["email"] for viewer in sandbox.objects(platform_tenant["tenant_id"], "viewers"))
    keep_person(victim, "victim")
    sandbox.app.extensions["sandbox"].switches.change({"erases_at_once": False})
    row = erase(approver, victim)
    keep_person(victim, "again")
    look = come_round(SecondLook.objects.filter(looked_at=None).get())
    assert (look.outcome, look.found) == (Outcome.STILL_LISTED, {"Access requests": 1, "Viewers": 1})
    assert not Viewer.objects.filter(platform_id="again").exists()
    row.refresh_from_db()
    assert row.came_back
    assert 'id="still-listed"' in approver.get(f"{PAGE}{row.reference}/").content.decode()
    assert [each.pk for each in approver.get(f"{PAGE}?tab=attention").context["page"].rows] == [row.pk]
    receive(approver, victim)
    row.refresh_from_db()
    assert not row.came_back


def test_whom_one_list_names_is_listed_though_another_is_refused(approver, connected, scoped, sandbox, platform_tenant):
    victim = min(viewer["email"] for viewer in sandbox.objects(platform_tenant["tenant_id"], "viewers"))
    keep_person(victim, "victim")
    sandbox.app.extensions["sandbox"].switches.change({"erases_at_once": False})
    erase(approver, victim)
    sandbox.fail("status", method="GET", path="/v1/trust-centers/*/access-requests", value=403)
    look = come_round(SecondLook.objects.filter(looked_at=None).get())
    assert (look.outcome, look.was_platform_asked) == (Outcome.STILL_LISTED, True)


def test_nobody_is_said_to_be_gone_from_lists_of_which_one_is_refused(look, sandbox):
    sandbox.fail("status", method="GET", path="/v1/trust-centers/*/access-requests", value=403)
    come_round(look)
    assert (look.looked_at, look.attempts) == (None, 1)


def test_without_the_platform_it_waits_and_in_the_end_says_so(look, alice, approver, jane, erased):
    disconnect(connection_of_tenant(), actor=alice)
    come_round(look)
    assert (look.looked_at, look.attempts, look.problem) == (None, 1, "The platform is not connected.")
    assert look.due_at > timezone.now() + timedelta(minutes=30)
    SecondLook.objects.update(attempts=verification.MAX_TRIES - 1)
    come_round(look)
    assert (look.outcome, look.was_platform_asked) == (Outcome.NOTHING, False)
    assert "the platform could not be asked" in str(look)


def test_rows_that_came_back_are_kept_while_the_platform_cannot_be_asked(look, alice, jane):
    keep_person(jane, "late")
    disconnect(connection_of_tenant(), actor=alice)
    SecondLook.objects.update(attempts=verification.MAX_TRIES - 1)
    come_round(look)
    assert look.outcome == Outcome.STILL_LISTED
    assert Viewer.objects.filter(platform_id="late").exists()


@pytest.mark.parametrize("fault", [{"kind": "drop_answer"}, {"kind": "status", "value": 503}, {"kind": "html"}])
def test_w1_a_lost_answer_is_settled_by_looking_once_more(look, sandbox, jane, fault):
    keep_person(jane, "late")
    sandbox.fail(fault["kind"], method="GET", times=1, value=fault.get("value"))
    come_round(look)
    assert look.looked_at is None
    assert Viewer.objects.filter(platform_id="late").exists()
    come_round(look)
    assert look.outcome == Outcome.ERASED_AGAIN


def test_w1_who_died_while_looking_leaves_it_to_the_next(look, jane, monkeypatch):
    keep_person(jane, "late")
    real = personal_data.erase

    def die(email):
        real(email)
        raise RuntimeError(f"killed while erasing {email}")

    monkeypatch.setattr(personal_data, "erase", die)
    come_round(look)
    assert look.looked_at is None
    assert Viewer.objects.filter(platform_id="late").exists()
    tasks.sweep_second_looks()
    assert SecondLook.objects.get().attempts == 1
    monkeypatch.setattr(personal_data, "erase", real)
    come_round(look)
    assert (look.outcome, look.attempts) == (Outcome.ERASED_AGAIN, 2)


def test_an_attempt_that_lost_its_lease_writes_nothing(look, jane, monkeypatch):
    keep_person(jane, "late")

    def slow(client, *, with_history):
        SecondLook.objects.update(attempts=9)
        return []

    monkeypatch.setattr(verification, "_people_on_platform", slow)
    come_round(look)
    assert (look.looked_at, look.attempts) == (None, 9)
    assert Viewer.objects.filter(platform_id="late").exists()


def test_two_workers_look_once(look, sandbox):
    SecondLook.objects.update(due_at=timezone.now(), lease_until=timezone.now() + timedelta(seconds=60))
    tasks.check_for_returns(look.tenant_id)
    assert sandbox.requests(VIEWERS) == []


def test_the_sweep_goes_on_after_a_tenant_that_fails(look, monkeypatch, caplog, jane):
    def fail():
        raise ValueError(jane)

    monkeypatch.setattr(personal_data, "addresses", fail)
    come_round(look)
    assert look.looked_at is None
    assert jane not in caplog.text
