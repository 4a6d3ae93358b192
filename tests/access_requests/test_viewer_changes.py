"""Changes of viewers: each has one effect (W1), a run says what was done and what was not (W4), roles are asked for."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from portal.access_requests.kinds import VIEWER
from portal.access_requests.mirror import MIRRORS
from portal.access_requests.models import FULL, PARTIAL, Viewer, ViewerItem, ViewerRun
from portal.access_requests.services import NotPossible, retry_viewer_run, start_viewer_run
from portal.access_requests.services.viewer_reminders import ONE_A_DAY
from portal.access_requests.tasks import sweep_viewer_runs
from portal.access_requests.viewer_changes import ViewerChange
from portal.audit.models import Entry
from portal.audit.services import history
from portal.celery import app as celery_app
from portal.connections.models import Connection, State
from portal.platform_writes.models import RunQuerySet
from portal.sync.models import StaleMark
from portal.tenants.models import Role
from tests.access_requests.viewers import CALLS, let_work, start, states, words_of
from tests.support.contrary_writes import show_no_change
from tests.support.desks import compare_late
from tests.support.members import find_member, set_role
from tests.sync.desk import two_minutes_pass

DAY = timezone.now().replace(microsecond=0) + timedelta(days=90)


@pytest.fixture
def member_of_acme(desk, alice):
    return find_member(user=alice)


@pytest.fixture
def row(desk):
    """A viewer that anything may be done with."""
    row = Viewer.objects.order_by("pk")[0]
    change_there(desk, row, expirationDate=None, accessLevel="FULL_ACCESS", resourceIds=None)
    desk.fetch()
    return fresh(row)


def change_there(desk, row, **changes):
    objects = desk.sandbox.objects
    objects.save(desk.tenant_id, "viewers", objects.get(desk.tenant_id, "viewers", row.platform_id) | changes)


def there(desk, row):
    return desk.there("viewers").get(row.platform_id)


def is_listed(desk, row):
    return row.platform_id in {found["id"] for found in desk.sandbox.objects.all(desk.tenant_id, "viewers")}


def fresh(row):
    return Viewer.objects.get(pk=row.pk)


def sent(desk, method):
    return [each for each in desk.handle.requests("/viewers/") if each["method"] == method]


def test_the_end_is_set_and_taken_away(desk, member_of_acme, row):
    run = start(member_of_acme, "extend", [row], expires_at=DAY)
    let_work()
    assert states(run) == ["done"]
    assert (fresh(row).expires_at, fresh(row).expires_sort) == (DAY, DAY)
    [entry] = history("viewer", row.platform_id)
    assert (entry.action, entry.actor_name) == ("viewer.extend", "Alice Ames")
    assert (entry.details["before"]["expires_at"], entry.details["after"]["expires_at"]) == (None, DAY.isoformat())
    start(member_of_acme, "extend", [row])
    let_work()
    assert there(desk, row)["expirationDate"] is None
    assert fresh(row).expires_at is None


def test_shrinking_leaves_some_documents_and_opens_none(desk, member_of_acme, row):
    first, second, third = [document.platform_id for document in desk.documents[:3]]
    start(member_of_acme, "shrink", [row], resource_ids=[first, second])
    let_work()
    assert (fresh(row).access_level, fresh(row).resource_ids) == (PARTIAL, [first, second])
    start(member_of_acme, "shrink", [row], resource_ids=[second, third])
    let_work()
    assert there(desk, row)["resourceIds"] == [second]
    run = start(member_of_acme, "shrink", [row], resource_ids=[third])
    let_work()
    assert states(run) == ["failed"]
    assert "Revoke access instead" in words_of(run)[0]
    assert there(desk, row)["resourceIds"] == [second]


def test_revoking_ends_the_access_and_keeps_what_was(desk, member_of_acme, row):
    run = start(member_of_acme, "revoke", [row])
    let_work()
    assert states(run) == ["done"]
    assert not is_listed(desk, row)
    after = fresh(row)
    assert after.gone_at is not None
    assert (after.is_expired, after.ending[0]) == (True, "Revoked")
    assert [entry.action for entry in history("viewer", row.platform_id)] == ["viewer.revoke"]


def test_revoking_counts_although_the_platform_answers_for_who_is_removed(desk, member_of_acme, row, monkeypatch):
    """Nothing in its answer says that somebody was removed (platform-api 4.5.3)."""
    show_no_change(monkeypatch)
    run = start(member_of_acme, "revoke", [row])
    let_work()
    assert states(run) == ["done"]
    assert fresh(row).gone_at is not None


@pytest.mark.parametrize("status", [404, 409, 422])
@pytest.mark.parametrize(("verb", "method"), [("extend", "PATCH"), ("revoke", "DELETE"), ("remind", "POST")])
def test_a_viewer_whose_change_is_refused_is_read_again(desk, member_of_acme, row, sandbox, verb, method, status):
    StaleMark.objects.all().delete()
    sandbox.fail("status", value=status, method=method, path="/v1/trust-centers", times=1)
    start(member_of_acme, verb, [row], **({"expires_at": DAY} if verb == "extend" else {}))
    let_work(turns=1)
    assert StaleMark.objects.filter(kind=VIEWER, object_id=row.platform_id, urgent=True).exists()


@pytest.mark.parametrize("meanwhile", [{}, {"updatedDate": "2026-11-28T12:00:00Z"}], ids=["as it was", "another field is new"])
@pytest.mark.parametrize("verb", ["extend", "shrink", "link"])
def test_w1_a_change_that_is_accepted_and_not_shown_yet_counts_as_not_confirmed(
    desk, member_of_acme, row, monkeypatch, verb, meanwhile
):
    terms = {
        "extend": {"expires_at": DAY},
        "shrink": {"resource_ids": [desk.documents[0].platform_id]},
        "link": {"account_id": desk.sandbox.objects.all(desk.tenant_id, "accounts")[0]["id"]},
    }
    StaleMark.objects.all().delete()
    show_no_change(monkeypatch, meanwhile=meanwhile)
    run = start(member_of_acme, verb, [row], **terms[verb])
    let_work(turns=1)
    assert states(run) == ["uncertain"]
    assert "accepted" in words_of(run)[0]
    assert not history("viewer", row.platform_id)
    assert StaleMark.objects.filter(kind=VIEWER, object_id=row.platform_id, urgent=True).exists()


def let_the_mirror_know(desk) -> None:
    desk.drain()
    two_minutes_pass()
    desk.drain()


def test_q15_a_404_that_passes_is_not_taken_as_revoked(desk, member_of_acme, row, sandbox):
    sandbox.fail("status", value=404, method="DELETE", path=CALLS, times=1)
    run = start(member_of_acme, "revoke", [row])
    let_work(turns=1)
    assert (states(run), fresh(row).gone_at) == (["uncertain"], None)
    item = ViewerItem.objects.get(run=run)
    assert item.due_at > timezone.now() + timedelta(minutes=2), "the mirror has looked twice by then"
    let_work()
    assert states(run) == ["done"]
    assert not is_listed(desk, row)


def test_what_is_revoked_already_counts_as_done_once_and_is_refused_afterwards(desk, member_of_acme, row):
    desk.sandbox.objects.remove(desk.tenant_id, "viewers", row.platform_id)
    run = start(member_of_acme, "revoke", [row])
    let_work(turns=1)
    # One 404 may pass (guarantee Q15).
    assert (states(run), fresh(row).gone_at) == (["uncertain"], None)
    let_the_mirror_know(desk)
    let_work()
    assert states(run) == ["done"]
    again = start(member_of_acme, "extend", [row], expires_at=DAY)
    let_work()
    assert states(again) == ["failed"]
    assert "no longer on the platform" in words_of(again)[0]


@pytest.mark.parametrize(("verb", "method"), [("extend", "PATCH"), ("revoke", "DELETE")])
def test_w01_an_answer_that_was_lost_is_settled_by_looking(desk, member_of_acme, row, sandbox, verb, method):
    sandbox.fail("drop_answer", method=method, path=CALLS, times=1)
    run = start(member_of_acme, verb, [row], **({"expires_at": DAY} if verb == "extend" else {}))
    let_work()
    assert states(run) == ["done"]
    assert len([each for each in sent(desk, method) if each["status"] < 400]) == 1
    assert Entry.objects.filter(action=f"viewer.{verb}").count() == 1


@pytest.mark.parametrize(("verb", "method"), [("extend", "PATCH"), ("revoke", "DELETE")])
def test_w01_what_nobody_could_confirm_is_looked_at_before_it_is_sent_again(desk, member_of_acme, row, sandbox, verb, method):
    sandbox.fail("drop_answer", method=method, path=CALLS, times=1)
    sandbox.fail("status", method=method, path=CALLS, value=503)
    sandbox.fail("status", method="GET", path="/v1/trust-centers", value=503)
    run = start(member_of_acme, verb, [row], **({"expires_at": DAY} if verb == "extend" else {}))
    let_work(turns=1)
    item = ViewerItem.objects.get(run=run)
    assert (item.state, item.is_in_doubt) == ("uncertain", True)
    assert "could not confirm" in item.description
    sandbox.control("DELETE", "/faults")
    before = len(sent(desk, method))
    let_the_mirror_know(desk)
    let_work()
    assert states(run) == ["done"]
    assert len(sent(desk, method)) == before


def test_w01_a_reminder_that_may_have_left_is_never_sent_again_by_itself(desk, member_of_acme, row, sandbox):
    sandbox.fail("drop_answer", method="POST", path=CALLS, times=1)
    run = start(member_of_acme, "remind", [row])
    let_work()
    [item] = ViewerItem.objects.filter(run=run).select_related("run")
    assert (item.state, item.state_label) == ("failed", "Not confirmed")
    assert "may have been sent" in item.description
    retry_viewer_run(run, member=member_of_acme)
    let_work()
    assert "One a day is enough" in words_of(run)[0]
    assert len(sent(desk, "POST")) == 1
    Viewer.objects.update(reminded_at=timezone.now() - ONE_A_DAY)
    retry_viewer_run(run, member=member_of_acme)
    let_work()
    assert states(run) == ["done"]


@pytest.mark.parametrize(("status", "state"), [(400, "failed"), (429, "waiting")])
def test_a_reminder_that_was_certainly_not_sent_may_be_sent_today(desk, member_of_acme, row, sandbox, status, state):
    sandbox.fail("status", method="POST", path=CALLS, value=status)
    run = start(member_of_acme, "remind", [row])
    let_work(turns=1)
    assert states(run) == [state]
    assert fresh(row).reminded_at is None
    sandbox.control("DELETE", "/faults")
    retry_viewer_run(run, member=member_of_acme)
    let_work()
    assert states(run) == ["done"]
    assert fresh(row).reminded_at is not None


def test_one_reminder_a_day_and_none_after_the_end(desk, member_of_acme, row):
    start(member_of_acme, "remind", [row])
    run = start(member_of_acme, "remind", [row])
    let_work()
    assert "One a day is enough" in words_of(run)[0]
    assert len(sent(desk, "POST")) == 1
    Viewer.objects.update(reminded_at=None, expires_sort=timezone.now())
    late = start(member_of_acme, "remind", [row])
    let_work()
    assert "access has ended" in words_of(late)[0]


def test_w04_a_run_says_what_was_done_and_what_was_not_and_why(desk, member_of_acme, sandbox):
    gone, refused, doubtful, *others = make_viewers(desk, 12)
    desk.sandbox.objects.remove(desk.tenant_id, "viewers", gone.platform_id)
    words = "The date is too far away"
    sandbox.fail("status", method="PATCH", path=f"/v1/trust-centers/*/viewers/{refused.platform_id}", value=400)
    sandbox.fail("drop_answer", method="PATCH", path=f"/v1/trust-centers/*/viewers/{doubtful.platform_id}", times=1)
    run = start(member_of_acme, "extend", [gone, refused, doubtful, *others], expires_at=DAY)
    let_work()
    assert states(run) == ["failed", "failed", *["done"] * (len(others) + 1)]
    assert "no longer on the platform" in words_of(run)[0]
    assert "platform rejected this" in words_of(run)[1], words
    assert all(there(desk, row)["expirationDate"] for row in others)
    before = len(sent(desk, "PATCH"))
    sandbox.control("DELETE", "/faults")
    assert retry_viewer_run(run, member=member_of_acme) == 2
    let_work()
    assert states(run)[:2] == ["failed", "done"]
    assert len(sent(desk, "PATCH")) - before <= 2
    assert ViewerRun.objects.get(pk=run.pk).is_over


def test_w04_what_is_tried_again_while_a_turn_ends_is_not_left_behind(desk, member_of_acme, row, sandbox, monkeypatch):
    sandbox.fail("status", method="PATCH", path=CALLS, value=400, times=1)
    run, lock = start(member_of_acme, "extend", [row], expires_at=DAY), RunQuerySet.select_for_update

    def wait_for_lock(rows, *args, **options):
        monkeypatch.setattr(RunQuerySet, "select_for_update", lock)
        assert retry_viewer_run(run, member=member_of_acme) == 1
        return lock(rows, *args, **options)

    monkeypatch.setattr(RunQuerySet, "select_for_update", wait_for_lock)
    let_work(turns=1)
    let_work()
    assert states(run) == ["done"]
    assert ViewerRun.objects.get(pk=run.pk).is_over


def make_viewers(desk, count):
    """More viewers on the platform, copied from the first one."""
    objects = desk.sandbox.objects
    model = next(iter(desk.there("viewers").values()))
    for number in range(count):
        changed = {"id": f"{number:024x}", "email": f"v{number}@many.example", "expirationDate": None}
        objects.add(desk.tenant_id, "viewers", model | changed)
    desk.fetch()
    return list(Viewer.objects.filter(domain="many.example").order_by("pk"))


def test_s7_roles_are_asked_for_at_the_beginning_and_at_work(desk, member_of_acme, row, member):
    analyst = find_member(user=member(Role.ANALYST))
    with pytest.raises(PermissionDenied):
        start(analyst, "revoke", [row])
    run = start(member_of_acme, "revoke", [row])
    with pytest.raises(PermissionDenied):
        retry_viewer_run(run, member=analyst)
    set_role(Role.ANALYST, pk=member_of_acme.pk)
    let_work()
    assert states(run) == ["failed"]
    assert is_listed(desk, row)


def test_too_many_and_nobody_are_refused(desk, member_of_acme):
    change = ViewerChange(verb="revoke")
    with pytest.raises(NotPossible):
        start_viewer_run(change, member=member_of_acme, viewers=[])
    with pytest.raises(NotPossible):
        start_viewer_run(change, member=member_of_acme, viewers=range(1001))


def test_without_a_grant_nothing_is_tried(desk, member_of_acme, row):
    run = start(member_of_acme, "revoke", [row])
    Connection.objects.update(state=State.NEEDS_RECONNECTION)
    let_work()
    assert "has ended" in words_of(run)[0]


def test_q1_the_sweep_finds_a_run_whose_bell_was_lost(
    desk, member_of_acme, row, monkeypatch, django_capture_on_commit_callbacks
):
    run = start(member_of_acme, "revoke", [row])
    rung = []
    monkeypatch.setattr(celery_app, "send_task", lambda task, args, **_: rung.append((task, args)))
    with django_capture_on_commit_callbacks(execute=True):
        sweep_viewer_runs()
    assert rung == [("portal.access_requests.tasks.work_on_viewer_run", (run.tenant_id, run.pk))]


def test_no_name_and_no_address_gets_into_the_audit(desk, member_of_acme, row):
    for verb in ("extend", "remind", "revoke"):
        start(member_of_acme, verb, [row])
        let_work()
    for entry in Entry.objects.filter(action__startswith="viewer"):
        said = f"{entry.summary} {entry.details} {entry.target_id}".casefold()
        assert row.email.casefold() not in said
        assert row.name.casefold() not in said
    assert fresh(row).access_level == FULL


def test_q11_a_list_from_before_a_revocation_brings_nobody_back(desk, member_of_acme, row):
    def revoke():
        start(member_of_acme, "revoke", [row])
        let_work()

    compare_late(MIRRORS, VIEWER, revoke)
    assert not is_listed(desk, row)
    assert fresh(row).gone_at
