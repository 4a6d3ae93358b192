from datetime import timedelta

import pytest
from django.utils import timezone

from portal.connections.services import NoTrustCenter
from portal.live.services import stamp
from portal.platform_api.errors import PermissionRefused, RateLimited, UnexpectedAnswer, ValidationFailed
from portal.sync import selectors
from portal.sync.models import Finding, MissedChange, Run, RunState, StaleMark
from portal.sync.services import (
    drain,
    mark_stale,
    prune_missed,
    reconcile,
    reconcile_tenant,
    start_missing,
    start_reconcile,
    wake,
)
from tests.sync.desk import FakeDesk

CLIENT = object()
FIVE = {name: f"{name}1" for name in "abcde"}


def compare(desk: FakeDesk, **options) -> bool:
    return reconcile([desk.mirror], CLIENT, **options)


def make_due() -> None:
    Run.objects.update(next_due_at=timezone.now())


@pytest.fixture
def compared(desk) -> FakeDesk:
    """A desk whose first comparison is done."""
    desk.remote = dict(FIVE)
    start_reconcile([desk.mirror])
    assert compare(desk)
    desk.calls.clear()
    return desk


def test_it_brings_over_the_whole_list(compared):
    assert compared.rows == FIVE
    run = Run.objects.get()
    assert (run.state, run.seen, run.changed, run.missed) == (RunState.DONE, 5, 5, 0)
    assert timedelta(minutes=40) < run.next_due_at - timezone.now() < timedelta(minutes=80)


def test_it_is_not_repeated_before_it_is_due(compared):
    assert compare(compared)
    assert compared.calls == []


def test_q10_it_heals_and_counts_what_no_event_told(compared):
    del compared.remote["a"]
    compared.remote |= {"b": "b2", "f": "f1"}
    mark_stale("thing", "b")
    make_due()
    before = stamp("things")
    compare(compared)
    assert compared.rows == compared.remote
    run = Run.objects.get()
    # Of `b` an event had told us; the new one and the deletion nobody had.
    assert (run.changed, run.gone, run.missed) == (2, 1, 2)
    assert stamp("things") != before
    named = {(each.object_id, each.finding) for each in selectors.missed_report()}
    assert named == {("f", Finding.CHANGED), ("a", Finding.GONE)}


def test_q10_the_first_copy_blames_no_event(compared):
    assert selectors.missed_report() == []


def test_q10_the_report_forgets_after_a_month(compared):
    compared.remote |= {"f": "f1"}
    make_due()
    compare(compared)
    prune_missed()
    assert len(selectors.missed_report()) == 1
    MissedChange.objects.update(found_at=timezone.now() - timedelta(days=31))
    prune_missed()
    assert selectors.missed_report() == []


def test_q12_a_row_that_slipped_through_a_changing_list_is_not_called_gone(compared):
    def slip(object_id: str) -> None:
        # Once page one is on its way its first object is deleted: `c` moves to the page that was read already.
        compared.before_answer = lambda object_id: None
        del compared.remote["a"]

    page = compared.page
    compared.page = lambda client, cursor: (page(client, cursor), slip("a") if cursor is None else None)[0]
    make_due()
    compare(compared)
    assert compared.rows["c"] == "c1"
    assert compared.calls[-1] == "c"
    assert Run.objects.get().gone == 0


def test_it_goes_on_at_the_page_where_it_stopped(desk):
    desk.remote = dict(FIVE)
    start_reconcile([desk.mirror])

    class Killed(BaseException):
        """Like a worker that is killed: nothing of ours runs afterwards."""

    def die(object_id: str) -> None:
        if desk.calls[-1] == "page 2":
            raise Killed

    desk.before_answer = die
    with pytest.raises(Killed):
        compare(desk)
    desk.before_answer = lambda object_id: None
    Run.objects.update(lease_owner="", lease_until=None)
    assert compare(desk)
    assert desk.calls == ["page None", "page 2", "page 2", "page 4"]
    assert desk.rows == FIVE
    assert Run.objects.get().seen == 5


def test_it_hands_over_when_its_time_is_over(desk):
    desk.remote = dict(FIVE)
    start_reconcile([desk.mirror])
    assert not compare(desk, seconds=0)
    assert Run.objects.due().exists()
    assert compare(desk)
    assert desk.rows == FIVE


def test_q11_a_page_never_overwrites_a_fetch_that_is_newer(desk):
    desk.remote = {"a": "old"}
    start_reconcile([desk.mirror])

    def change_meanwhile(object_id: str) -> None:
        desk.before_answer = lambda object_id: None
        desk.remote["a"] = "new"
        mark_stale("thing", "a")
        drain([desk.mirror], CLIENT)
        assert desk.rows == {"a": "new"}

    desk.before_answer = change_meanwhile
    page = desk.page
    desk.page = lambda client, cursor: (snapshot := dict(desk.remote), page(client, cursor), _page_of(snapshot))[-1]
    compare(desk)
    assert desk.rows == {"a": "new"}


def test_q11_a_fetch_on_its_way_during_a_page_is_repeated(desk):
    desk.remote = {"a": "old"}
    start_reconcile([desk.mirror])

    def compare_meanwhile(object_id: str) -> None:
        desk.before_answer = lambda object_id: None
        desk.remote["a"] = "new"
        compare(desk)
        assert desk.rows == {"a": "new"}

    desk.before_answer = compare_meanwhile
    mark_stale("thing", "a")
    drain([desk.mirror], CLIENT)
    assert desk.rows == {"a": "new"}


def _page_of(objects: dict[str, str]):
    from portal.platform_api import Page

    return Page(sorted(objects.items()), None)


def test_q12_an_item_that_cannot_be_stored_does_not_stop_the_list(desk):
    desk.remote = dict(FIVE)
    desk.refuses_to_store = "b"
    start_reconcile([desk.mirror])
    assert compare(desk)
    assert set(desk.rows) == set("acde")
    assert StaleMark.objects.waiting().get().object_id == "b"


@pytest.mark.parametrize(
    ("failure", "state"),
    [
        (RateLimited("GET", "/things", retry_after=30.0), RunState.PAUSED),
        (PermissionRefused("GET", "/things", status=403), RunState.BLOCKED),
        (NoTrustCenter(), RunState.BLOCKED),
        (UnexpectedAnswer("GET", "/things"), RunState.FAILED),
        (ZeroDivisionError(), RunState.FAILED),
    ],
)
def test_a_failure_keeps_the_rows_says_why_and_goes_on_later(compared, failure, state):
    compared.failure = failure
    make_due()
    assert compare(compared)
    run = Run.objects.get()
    assert (run.state, run.next_due_at > timezone.now(), bool(run.error)) == (state, True, True)
    assert compared.rows == FIVE
    compared.failure = None
    wake()
    assert compare(compared)
    assert Run.objects.get().state == RunState.DONE


def test_a_refused_cursor_means_the_first_page_again(desk):
    desk.remote = dict(FIVE)
    start_reconcile([desk.mirror])
    Run.objects.update(state=RunState.RUNNING, cursor="4")
    desk.failure = ValidationFailed("GET", "/things", status=400)
    compare(desk)
    assert Run.objects.get().cursor == ""
    desk.failure = None
    make_due()
    compare(desk)
    assert desk.rows == FIVE


def test_a_cursor_that_leads_back_to_itself_ends_the_list(desk):
    from portal.platform_api import Page

    desk.page = lambda client, cursor: Page([("a", "1")], "again")
    desk.remote = {"a": "1"}
    start_reconcile([desk.mirror])
    assert compare(desk)
    assert Run.objects.get().state == RunState.DONE


def test_q3_a_restart_ends_the_comparison_that_is_on_its_way(desk):
    desk.remote = dict(FIVE)
    start_reconcile([desk.mirror])

    def restart(object_id: str) -> None:
        desk.before_answer = lambda object_id: None
        start_reconcile([desk.mirror])

    desk.before_answer = restart
    compare(desk)
    assert desk.rows == {}
    assert Run.objects.get().state == RunState.QUEUED


def test_without_a_connection_it_waits_and_says_so(desk):
    start_reconcile([desk.mirror])
    assert reconcile_tenant([desk.mirror])
    (kind,) = selectors.progress()
    assert kind.words == "The platform is not connected."


def test_a_kind_that_is_new_here_is_begun_and_the_others_are_left_alone(compared):
    done = Run.objects.get()
    start_missing([compared.mirror])
    assert Run.objects.get().finished_at == done.finished_at
    Run.objects.all().delete()
    start_missing([compared.mirror])
    assert Run.objects.get().state == RunState.QUEUED


def test_progress_is_told_in_words(compared):
    (kind,) = selectors.progress()
    assert (kind.title, kind.tone, kind.words) == ("Things", "good", "5 compared, nothing missed")
