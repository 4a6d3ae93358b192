import threading
from datetime import timedelta
from itertools import permutations

import pytest
from django.db import connections
from django.db.models import Q
from django.utils import timezone

from portal.connections.services import NotConnected, NoTrustCenter
from portal.page_refresh.services import area_version
from portal.platform_api.errors import (
    InvalidIdentifier,
    NotAnApiAnswer,
    PermissionRefused,
    RateLimited,
    Unavailable,
    UnexpectedAnswer,
    Unreadable,
)
from portal.platform_api.webhooks import PLACEHOLDER
from portal.sync import selectors
from portal.sync.models import LEASE, Run, RunState, StaleMark
from portal.sync.services import Result, drain, drain_tenant, mark_many, mark_stale, note_fetched, wake
from portal.sync.services.marks import claim
from portal.tenants.scope import tenant_scope
from tests.sync.desk import FakeDesk, two_minutes_pass

CLIENT = object()


def run(desk: FakeDesk, **options) -> list[str]:
    return [outcome.result for outcome in drain([desk.mirror], CLIENT, **options)]


def waiting() -> list[str]:
    return sorted(StaleMark.objects.waiting().values_list("object_id", flat=True))


def make_due() -> None:
    StaleMark.objects.waiting().update(due_at=timezone.now(), lease_owner="", lease_until=None)


def test_it_fetches_what_is_marked_and_tells_open_pages(desk):
    desk.remote = {"a": "1", "b": "2"}
    mark_many("thing", ["a", "b"])
    before = area_version("things")
    assert run(desk) == [Result.CHANGED, Result.CHANGED]
    assert desk.rows == desk.remote
    assert waiting() == []
    assert area_version("things") != before


def test_q11_a_fetch_from_before_a_persons_write_is_thrown_away_and_repeated(desk):
    desk.rows, desk.remote = {"a": "old"}, {"a": "old"}
    shown = []

    def write_meanwhile(object_id: str) -> None:
        desk.before_answer = lambda object_id: shown.append(desk.rows["a"])
        desk.remote["a"] = desk.rows["a"] = "written"
        note_fetched("thing", ["a"], fetched_at=timezone.now())

    desk.before_answer = write_meanwhile
    mark_stale("thing", "a")
    run(desk)
    assert (shown, desk.rows, waiting()) == (["written"], {"a": "written"}, [])


def test_q11_a_slow_look_does_not_put_back_when_an_object_was_fetched(desk):
    earlier, later = timezone.now() - timedelta(minutes=1), timezone.now()
    for moment in (later, earlier):
        note_fetched("thing", ["a"], fetched_at=moment)
    assert StaleMark.objects.get(object_id="a").fetched_at == later


def test_q11_a_404_means_gone_and_the_object_may_come_back(desk):
    desk.rows = {"a": "1"}
    mark_stale("thing", "a")
    run(desk)
    two_minutes_pass()
    assert run(desk) == [Result.GONE]
    assert desk.rows == {}
    desk.remote = {"a": "2"}
    mark_stale("thing", "a")
    assert run(desk) == [Result.CHANGED]
    assert desk.rows == {"a": "2"}


def test_q15_gone_is_believed_at_the_second_look_two_minutes_later(desk):
    desk.rows = {"a": "1"}
    mark_stale("thing", "a")
    assert run(desk) == [Result.WAITING]
    mark = StaleMark.objects.get()
    assert timedelta(minutes=1.9) < mark.due_at - timezone.now() <= timedelta(minutes=2)
    assert (mark.attempts, bool(mark.last_error)) == (0, True)
    # An event in between is a reason to look, and no second proof.
    mark_stale("thing", "a")
    assert run(desk) == [Result.WAITING]
    assert desk.rows == {"a": "1"}
    assert run(desk) == []
    two_minutes_pass()
    assert run(desk) == [Result.GONE]
    assert (desk.rows, waiting()) == ({}, [])


def test_q15_a_404_that_passes_leaves_nothing_behind(desk):
    desk.rows = {"a": "1"}
    mark_stale("thing", "a")
    run(desk)
    desk.remote = {"a": "1"}
    two_minutes_pass()
    assert run(desk) == [Result.UNCHANGED]
    assert desk.rows == {"a": "1"}
    # Much later it is missing again: that is the first time.
    desk.remote = {}
    mark_stale("thing", "a")
    assert run(desk) == [Result.WAITING]
    assert StaleMark.objects.get().missing_since > timezone.now() - timedelta(minutes=1)


def test_q15_a_404_of_somebody_else_never_counts(desk):
    desk.rows = {"a": "1"}
    desk.failure = NotAnApiAnswer("GET", "/things/{}", status=404)
    mark_stale("thing", "a")
    for _ in range(3):
        make_due()
        assert run(desk) == [Result.WAITING]
    assert desk.rows == {"a": "1"}
    assert StaleMark.objects.get().missing_since is None


def test_an_example_id_ends_as_nothing_to_fetch(desk):
    mark_stale("thing", PLACEHOLDER)
    assert run(desk) == [Result.NOTHING]
    assert waiting() == []


def test_s5_an_id_that_may_not_be_asked_for_is_not_gone(desk):
    desk.rows = {"a": "1"}
    desk.failures = {"a": InvalidIdentifier("the id is longer than 512 characters")}
    mark_stale("thing", "a")
    assert run(desk) == [Result.UNREADABLE]
    assert desk.rows == {"a": "1"}
    (named,) = selectors.unreadable(["thing"]).named
    assert (named.object_id, named.problem) == ("a", "the id is longer than 512 characters")


def test_q14_an_object_that_cannot_be_read_is_named_until_it_can(desk):
    desk.rows = {"a": "1"}
    desk.failures = {"a": Unreadable("GET", "/things/{}", model="Thing", problem="email is missing")}
    mark_stale("thing", "a")
    assert run(desk) == [Result.UNREADABLE]
    assert desk.rows == {"a": "1"}
    assert [each.problem for each in selectors.unreadable(["thing"]).named] == ["email is missing"]
    assert selectors.unreadable(["another"]).count == 0
    desk.remote, desk.failures = {"a": "2"}, {}
    make_due()
    assert run(desk) == [Result.CHANGED]
    assert selectors.unreadable(["thing"]).count == 0


@pytest.mark.parametrize("failure", [RateLimited("GET", "/x", retry_after=9.0), PermissionRefused("GET", "/x"), NotConnected()])
def test_an_event_while_the_platform_refuses_the_fetch_does_not_break_the_count(desk, failure):
    desk.failure = failure
    desk.before_answer = lambda object_id: mark_stale("thing", "a")
    mark_stale("thing", "a")
    assert run(desk) == [Result.WAITING]
    mark = StaleMark.objects.get()
    assert (mark.attempts, mark.version, mark.lease_owner) == (0, 2, "")


@pytest.mark.django_db(transaction=True)
def test_an_event_of_another_connection_does_not_break_the_count(acme):
    with tenant_scope(acme.pk):
        desk = FakeDesk(failure=PermissionRefused("GET", "/x"))
        mark_stale("thing", "a")
        desk.before_answer = lambda object_id: elsewhere(acme.pk)
        assert run(desk) == [Result.WAITING]
        assert StaleMark.objects.get().attempts == 0


def elsewhere(tenant_id: int) -> None:
    def mark() -> None:
        try:
            with tenant_scope(tenant_id):
                mark_stale("thing", "a")
        finally:
            connections.close_all()

    thread = threading.Thread(target=mark)
    thread.start()
    thread.join()


def test_a_mark_made_while_the_object_is_fetched_is_not_lost(desk):
    desk.remote = {"a": "old"}

    def change(object_id: str) -> None:
        desk.before_answer = lambda object_id: None
        desk.remote["a"] = "new"
        mark_stale("thing", "a")

    desk.before_answer = change
    mark_stale("thing", "a")
    run(desk)
    assert desk.rows == {"a": "new"}
    assert desk.calls == ["a", "a"]


def test_q3_a_worker_that_was_replaced_writes_nothing(desk):
    desk.remote = {"a": "late"}

    def lose(object_id: str) -> None:
        StaleMark.objects.update(lease_owner="another worker")

    desk.before_answer = lose
    mark_stale("thing", "a")
    assert run(desk) == [Result.LOST]
    assert desk.rows == {}


def test_q3_a_claimed_mark_is_left_to_its_worker_until_the_lease_ends(desk):
    desk.remote = {"a": "1"}
    mark_stale("thing", "a")
    assert len(claim(10, owner="dead worker")) == 1
    assert run(desk) == []
    StaleMark.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert run(desk) == [Result.CHANGED]


def test_the_lease_is_longer_than_a_task_may_run(settings):
    from portal.celery import app

    assert LEASE.total_seconds() > app.conf.task_time_limit


def test_people_are_served_first(desk):
    desk.remote = {"a": "1", "b": "2"}
    mark_stale("thing", "a")
    mark_stale("thing", "b", urgent=True)
    run(desk)
    assert desk.calls == ["b", "a"]


def test_urgent_only_leaves_the_rest(desk):
    desk.remote = {"a": "1", "b": "2"}
    mark_stale("thing", "a")
    mark_stale("thing", "b", urgent=True)
    run(desk, among=Q(urgent=True))
    assert waiting() == ["a"]


def test_it_waits_as_long_as_the_platform_says_and_asks_for_nothing_else_meanwhile(desk):
    desk.failure = RateLimited("GET", "/things/{}", retry_after=40.0)
    mark_many("thing", ["a", "b", "c"])
    run(desk)
    assert desk.calls == ["a"]
    for mark in StaleMark.objects.all():
        assert timedelta(seconds=20) < mark.due_at - timezone.now() < timedelta(seconds=60)
        assert mark.attempts == 0
        assert mark.last_error == "The platform asks us to wait: its rate limit is reached."


def test_an_outage_ends_the_drain_after_three_calls(desk):
    desk.failure = Unavailable("GET", "/things/{}", status=503)
    mark_many("thing", [f"t{number}" for number in range(10)])
    run(desk)
    assert len(desk.calls) == 3


def test_q6_one_object_that_cannot_be_read_does_not_stop_the_others(desk):
    desk.remote = {"a": "1", "b": "2", "c": "3"}
    desk.rows = {"b": "kept"}
    desk.failures = {"b": UnexpectedAnswer("GET", "/things/{}", message="the answer is not JSON")}
    mark_many("thing", desk.remote)
    assert run(desk) == [Result.CHANGED, Result.WAITING, Result.CHANGED]
    assert desk.rows == {"a": "1", "b": "kept", "c": "3"}
    mark = StaleMark.objects.get(object_id="b")
    assert "not JSON" in mark.last_error
    assert mark.due_at > timezone.now()


def test_q6_one_object_that_cannot_be_stored_does_not_stop_the_others(desk):
    desk.remote = {"a": "1", "b": "2"}
    desk.refuses_to_store = "a"
    mark_many("thing", desk.remote)
    assert run(desk) == [Result.WAITING, Result.CHANGED]
    assert "ValueError" in StaleMark.objects.get(object_id="a").last_error


def test_tries_grow_further_apart(desk):
    desk.failures = {"a": UnexpectedAnswer("GET", "/things/{}")}
    mark_stale("thing", "a")
    waits = []
    for _ in range(4):
        make_due()
        run(desk)
        waits.append((StaleMark.objects.get().due_at - timezone.now()).total_seconds())
    assert waits == sorted(waits)
    assert waits[-1] > 6 * waits[0]


def test_a_refused_area_waits_for_a_person_and_costs_one_call(desk):
    desk.failure = PermissionRefused("GET", "/things/{}", status=403)
    mark_many("thing", ["a", "b", "c"])
    run(desk)
    assert desk.calls == ["a"]
    assert {mark.last_error for mark in StaleMark.objects.all()} == {"The connection does not cover this area."}


def test_one_object_that_is_refused_waits_alone_while_the_list_of_its_kind_is_given(desk):
    desk.remote = {"a": "1", "b": "2"}
    desk.failures = {"a": PermissionRefused("GET", "/things/{}", status=403)}
    Run.objects.create(kind="thing", title="Things", area="things", state=RunState.DONE, finished_at=timezone.now())
    mark_many("thing", ["a", "b"])
    run(desk)
    assert (desk.calls, desk.rows) == (["a", "b"], {"b": "2"})
    refused = StaleMark.objects.get(object_id="a")
    assert (refused.problem, refused.due_at > timezone.now() + timedelta(hours=5)) == ("the platform refuses to show it", True)
    StaleMark.objects.all().delete()
    Run.objects.update(state=RunState.BLOCKED)
    mark_many("thing", ["a", "b"])
    run(desk)
    assert desk.calls == ["a", "b", "a"]


@pytest.mark.parametrize("failure", [NotConnected(), NoTrustCenter()])
def test_what_waits_for_a_person_goes_on_when_woken(desk, failure):
    desk.remote = {"a": "1"}
    desk.failure = failure
    mark_stale("thing", "a")
    run(desk)
    assert run(desk) == []
    desk.failure = None
    wake()
    assert run(desk) == [Result.CHANGED]


def test_without_a_connection_everything_is_kept_and_nothing_is_asked(desk):
    mark_many("thing", ["a", "b"])
    assert drain_tenant([desk.mirror]) == []
    assert desk.calls == []
    assert waiting() == ["a", "b"]
    assert not StaleMark.objects.due().exists()


def test_a_kind_that_nobody_fetches_does_not_wait_for_ever(desk):
    mark_stale("unheard-of", "a")
    assert run(desk) == [Result.NOTHING]
    assert waiting() == []


def test_q4_the_order_of_hints_and_fetches_does_not_matter(desk):
    """Five changes of one object; hints arrive in every order and doubled, and the drain runs at any time between."""
    changes = ["created", "renamed", None, "recreated", "final"]
    for order in permutations(range(5)):
        desk.remote, desk.rows = {}, {}
        StaleMark.objects.all().delete()
        done = 0
        for hint in order:
            # The platform is at least as far as the hint that arrives.
            for change in changes[done : max(done, hint + 1)]:
                desk.remote = {"a": change} if change else {}
            done = max(done, hint + 1)
            mark_stale("thing", "a")
            if hint % 2:
                run(desk)
                mark_stale("thing", "a")
        run(desk)
        assert desk.rows == {"a": "final"}
