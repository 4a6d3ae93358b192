import itertools
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from portal.connections.models import Connection, State
from portal.connections.services import NoTrustCenter
from portal.page_refresh.services import area_version
from portal.platform_api import Page
from portal.platform_api.errors import (
    Conflict,
    InvalidIdentifier,
    NotFound,
    PermissionRefused,
    PlatformError,
    RateLimited,
    Unavailable,
    UnexpectedAnswer,
    Unreadable,
    ValidationFailed,
)
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
from portal.worker_monitoring.models import Alarm
from tests.sync.desk import FakeDesk, two_minutes_pass

CLIENT = object()
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
FIVE = {name: f"{name}1" for name in "abcde"}


def compare(desk: FakeDesk, **options) -> bool:
    return reconcile([desk.mirror], CLIENT, **options)


def make_due() -> None:
    Run.objects.update(next_due_at=timezone.now())


@pytest.fixture
def grant(desk) -> Connection:
    """Without a connection nothing is compared, and no line says more than that."""
    return Connection.objects.create(region="eu", state=State.ACTIVE)


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
    before = area_version("things")
    compare(compared)
    assert compared.rows == compared.remote
    run = Run.objects.get()
    # Of `b` an event had told us; the new one and the deletion nobody had.
    assert (run.changed, run.gone, run.missed) == (2, 1, 2)
    assert area_version("things") != before
    named = {(each.object_id, each.finding) for each in selectors.missed_report(since=LONG_AGO)}
    assert named == {("f", Finding.CHANGED), ("a", Finding.GONE)}


def test_q10_the_first_copy_blames_no_event(compared):
    assert selectors.missed_report(since=LONG_AGO) == []


def test_r3_what_has_happened_before_there_was_a_feed_was_missed_by_no_event(compared):
    compared.remote |= {"f": "f1"}
    make_due()
    feed_began_at = timezone.now()
    compare(compared)
    assert selectors.missed_changes(since=feed_began_at) == 0
    assert selectors.missed_report(since=feed_began_at) == []
    compared.remote |= {"g": "g1"}
    make_due()
    compare(compared)
    assert selectors.missed_changes(since=feed_began_at) == 1
    assert [each.object_id for each in selectors.missed_report(since=feed_began_at)] == ["g"]


def test_q10_the_report_forgets_after_a_month(compared):
    compared.remote |= {"f": "f1"}
    make_due()
    compare(compared)
    prune_missed()
    assert len(selectors.missed_report(since=LONG_AGO)) == 1
    MissedChange.objects.update(found_at=timezone.now() - timedelta(days=31))
    prune_missed()
    assert selectors.missed_report(since=LONG_AGO) == []


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


CIRCLES = {
    "itself": lambda number: "again",
    "A -> B -> A": lambda number: "AB"[number % 2],
    "ever new": lambda number: f"cursor {number}",
}


@pytest.mark.parametrize("cursor", CIRCLES.values(), ids=CIRCLES)
def test_q16_a_walk_in_a_circle_ends_with_words_and_an_alarm(grant, desk, cursor):
    asked = itertools.count()

    def page(client: object, _: str | None) -> Page:
        return Page([("a", "1"), ("b", "1")], cursor(next(asked)))

    desk.rows, desk.page = {"a": "0", "z": "kept"}, page
    start_reconcile([desk.mirror])
    assert compare(desk)
    run = Run.objects.get()
    assert next(asked) <= 10
    assert run.state == RunState.FAILED
    # What it read is kept, what it did not read is not gone, and it is not tried again for an hour.
    assert desk.rows == {"a": "1", "b": "1", "z": "kept"}
    assert desk.calls == []
    assert run.next_due_at - timezone.now() > timedelta(minutes=59)
    (kind,) = selectors.progress()
    assert (kind.tone, "does not end" in kind.description) == ("bad", True)
    alarm = Alarm.objects.get()
    assert alarm.name == f"endless list: thing of tenant {run.tenant_id}"
    desk.page = FakeDesk.page.__get__(desk)
    desk.remote = {"a": "1", "b": "1"}
    make_due()
    compare(desk)
    assert Run.objects.get().state == RunState.DONE
    assert not Alarm.objects.exists()


def test_q16_a_cursor_that_is_refused_each_time_is_tried_ever_more_rarely(desk):
    desk.remote = dict(FIVE)
    page = desk.page

    def refuse(client: object, cursor: str | None) -> Page:
        if cursor:
            raise ValidationFailed("GET", "/things", status=400)
        return page(client, cursor)

    desk.page = refuse
    start_reconcile([desk.mirror])
    waits = []
    for _ in range(6):
        make_due()
        compare(desk)
        waits.append((Run.objects.get().next_due_at - timezone.now()).total_seconds())
    assert waits[-1] > 10 * waits[0]


def test_q14_items_that_cannot_be_read_are_named_and_keep_nothing_out(grant, compared):
    compared.remote |= {name: f"{name}2" for name in "abcdefg"}
    compared.unread = {"b": "email is missing", "g": "it is larger than 1 MB"}
    compared.failures = {name: Unreadable("GET", "/", model="Thing", problem=why) for name, why in compared.unread.items()}
    make_due()
    assert compare(compared)
    # The old row of `b` stays: it is there, and cannot be read.
    assert compared.rows == {name: f"{name}2" for name in "acdef"} | {"b": "b1"}
    run = Run.objects.get()
    assert (run.state, run.gone) == (RunState.DONE, 0)
    named = {each.object_id: each.problem for each in selectors.unreadable(["thing"]).named}
    assert named == compared.unread
    assert "2 could not be read" in selectors.progress()[0].description
    drain([compared.mirror], CLIENT)
    assert selectors.unreadable(["thing"]).count == 2
    # Another comparison is no reason to fetch them anew at once.
    compared.calls.clear()
    make_due()
    compare(compared)
    drain([compared.mirror], CLIENT)
    assert not {"b", "g"} & {*compared.calls}
    compared.unread, compared.failures = {}, {}
    make_due()
    compare(compared)
    assert compared.rows == compared.remote
    assert selectors.unreadable(["thing"]).count == 0


def test_q14_q15_an_item_without_an_id_may_be_any_row_that_was_not_named(compared):
    compared.unread, compared.shows_ids = {"c": "the whole is of another kind than expected"}, False
    del compared.remote["d"]
    failing = compared.remote.pop("c")
    compared.remote["c"] = failing
    fetch = compared.fetch
    compared.fetch = lambda client, object_id: fetch(client, object_id)
    make_due()
    compare(compared)
    assert set(compared.rows) == set(FIVE)
    assert selectors.unreadable(["thing"]).nameless == 1
    # `d` was not named, and its own 404 is the first of two.
    drain([compared.mirror], CLIENT)
    assert "d" in compared.rows
    two_minutes_pass()
    drain([compared.mirror], CLIENT)
    assert set(compared.rows) == set("abce")


def test_a_refusal_at_the_end_means_the_first_page_again(desk):
    refusals = [ValidationFailed("GET", "/things", status=400)]

    def finish(began_at: datetime) -> None:
        if refusals:
            raise refusals.pop()

    desk.remote = {"a": "a1"}
    mirror = replace(desk.mirror, finish=finish)
    start_reconcile([mirror])
    for _ in range(2):
        make_due()
        reconcile([mirror], CLIENT)
    assert desk.calls == ["page None", "page None"]
    assert Run.objects.get().state == RunState.DONE


@pytest.mark.parametrize(
    "failure",
    [
        InvalidIdentifier("the id is empty"),
        Unreadable("GET", "/", model="Thing", problem="x"),
        ValidationFailed("GET", "/things/{}", status=400),
        PermissionRefused("GET", "/things/{}", status=403),
        Conflict("GET", "/things/{}", status=409),
        PlatformError("GET", "/things/{}", status=410),
        ZeroDivisionError(),
    ],
    ids=lambda failure: type(failure).__name__,
)
def test_q14_a_row_that_cannot_be_looked_at_alone_does_not_stop_the_comparison(compared, failure):
    del compared.remote["a"], compared.remote["e"]
    compared.failures = {"a": failure}
    make_due()
    assert compare(compared)
    assert Run.objects.get().state == RunState.DONE
    assert set(compared.rows) == set("abcd")
    assert [each.object_id for each in selectors.unreadable(["thing"]).named] == ["a"]
    # From now on it is asked for by itself, ever more rarely, and holds no other back.
    compared.remote["b"] = "b2"
    mark_stale("thing", "b")
    drain([compared.mirror], CLIENT)
    assert compared.rows["b"] == "b2"
    assert StaleMark.objects.waiting().get().due_at > timezone.now()
    compared.calls.clear()
    make_due()
    compare(compared)
    drain([compared.mirror], CLIENT)
    assert compared.calls.count("a") == 1
    assert [each.object_id for each in selectors.unreadable(["thing"]).named] == ["a"]


def test_q14_a_row_for_which_the_platform_fails_is_looked_at_some_times_before_the_others_go_on(compared):
    del compared.remote["a"], compared.remote["e"]
    compared.failures = {"a": Unavailable("GET", "/things/{}", status=500)}
    states = []
    for _ in range(3):
        make_due()
        compare(compared)
        states.append(Run.objects.get().state)
    assert states == [RunState.FAILED, RunState.FAILED, RunState.DONE]
    assert compared.calls.count("a") == 3
    assert set(compared.rows) == set("abcd")
    assert [each.object_id for each in selectors.unreadable(["thing"]).named] == ["a"]


def test_q14_a_row_that_no_page_named_and_that_cannot_be_stored_does_not_stop_the_comparison(compared):
    compared.removed, compared.refuses_to_store = {"a"}, "a"
    del compared.remote["e"]
    make_due()
    assert compare(compared)
    assert Run.objects.get().state == RunState.DONE
    assert set(compared.rows) == set("abcd")
    assert [each.object_id for each in selectors.unreadable(["thing"]).named] == ["a"]


def test_q15_the_list_that_names_an_object_takes_back_that_it_was_missing(compared):
    compared.failures = {"a": NotFound("GET", "/", status=404)}
    mark_stale("thing", "a")
    drain([compared.mirror], CLIENT)
    assert StaleMark.objects.get(object_id="a").missing_since
    make_due()
    compare(compared)
    assert StaleMark.objects.get(object_id="a").missing_since is None


def later(**span: float) -> None:
    """Let time pass for what was missing, and have the next comparison be due."""
    since = timezone.now() - timedelta(**span)
    StaleMark.objects.exclude(missing_since=None).update(missing_since=since)
    make_due()


def test_q15_what_still_answers_is_gone_when_two_lists_have_not_named_it(compared):
    compared.answers_for_removed, compared.removed = True, {"c"}
    make_due()
    compare(compared)
    assert set(compared.rows) == set(FIVE)
    # It is not left for the comparison of the next hour.
    assert Run.objects.get().next_due_at < timezone.now() + timedelta(minutes=3)
    later(seconds=30)
    compare(compared)
    assert set(compared.rows) == set(FIVE)
    later(minutes=2)
    compare(compared)
    assert set(compared.rows) == set("abde")
    assert Run.objects.get().gone == 1
    assert Run.objects.get().next_due_at > timezone.now() + timedelta(minutes=30)


def test_q15_a_list_that_names_it_again_ends_the_doubt(compared):
    compared.answers_for_removed, compared.removed = True, set(FIVE)
    make_due()
    compare(compared)
    compared.removed = set()
    later(minutes=2)
    compare(compared)
    compared.removed = {"c"}
    make_due()
    compare(compared)
    assert set(compared.rows) == set(FIVE)


def test_q15_what_only_lists_tell_of_takes_two_looks(compared):
    compared.has_no_get = True
    del compared.remote["c"]
    make_due()
    compare(compared)
    drain([compared.mirror], CLIENT)
    assert "c" in compared.rows
    two_minutes_pass()
    drain([compared.mirror], CLIENT)
    assert "c" not in compared.rows


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
    assert kind.description == "The platform is not connected."


def test_q15_what_was_due_while_nothing_was_connected_begins_from_its_beginning(compared):
    del compared.remote["c"]
    make_due()
    assert reconcile_tenant([compared.mirror])
    assert Run.objects.get().state == RunState.BLOCKED
    asked_at = timezone.now()
    make_due()
    assert compare(compared)
    run = Run.objects.get()
    assert (set(compared.rows), run.state, run.gone, run.seen) == (set("abde"), RunState.DONE, 1, 4)
    assert run.started_at >= asked_at


def test_a_kind_that_is_new_here_is_begun_and_the_others_are_left_alone(compared):
    done = Run.objects.get()
    start_missing([compared.mirror])
    assert Run.objects.get().finished_at == done.finished_at
    Run.objects.all().delete()
    start_missing([compared.mirror])
    assert Run.objects.get().state == RunState.QUEUED


def test_progress_is_told_in_words(compared, grant):
    (kind,) = selectors.progress()
    assert (kind.title, kind.tone, kind.description) == ("Things", "good", "5 synced")
