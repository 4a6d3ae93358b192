"""In the first copy every list is read before the details of anything; afterwards, and whatever happens, nothing starves."""

import random
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from portal.connections.models import CallWindow
from portal.inbox.routes import MIRRORS
from portal.platform_api.errors import CallLimitReached, PermissionRefused, RateLimited, UnexpectedAnswer
from portal.sync.mirrors import Mirror
from portal.sync.models import Run, RunState, StaleMark
from portal.sync.services import Result, drain_tenant, mark_many, mark_stale, reconcile_tenant, start_reconcile
from portal.sync.services.lists import MAX_HELD_BACK
from tests.sync.desk import FakeDesk

ON_THEIR_WAY = [RunState.QUEUED, RunState.RUNNING, RunState.PAUSED]
IN_THE_WAY_OF_NOBODY = [RunState.BLOCKED, RunState.FAILED, RunState.DONE]
KINDS = [mirror.kind for mirror in MIRRORS]
LISTED = [mirror.kind for mirror in MIRRORS if mirror.page]


class Desk(FakeDesk):
    """Things that are listed, and what no list of them says: a detail each, fetched by itself."""

    @property
    def mirrors(self) -> tuple[Mirror, ...]:
        listed = replace(self.mirror, before_save=lambda items: mark_many("detail", [each for each, _ in items]))
        return listed, replace(self.mirror, kind="detail", page=None, is_bulk=True)

    def pages(self) -> list[str]:
        return [call for call in self.calls if call.startswith("page")]


@pytest.fixture
def desk(connected, scoped) -> Desk:
    return Desk(remote=dict.fromkeys("abcde", "1"))


def fetched(desk: Desk) -> list[str]:
    """Drain, and return what that has called for."""
    before = len(desk.calls)
    drain_tenant(desk.mirrors)
    return desk.calls[before:]


def set_run(**values: Any) -> None:
    Run.objects.update(**values)


def test_details_are_fetched_when_the_list_was_read(desk):
    start_reconcile(desk.mirrors)
    reconcile_tenant(desk.mirrors, seconds=0)
    mark_many("detail", "ab")
    assert fetched(desk) == []
    assert reconcile_tenant(desk.mirrors)
    assert sorted(fetched(desk)) == list("abcde")


@pytest.mark.parametrize("state", ON_THEIR_WAY)
def test_a_list_on_its_way_goes_before_the_details_of_anything(desk, state):
    start_reconcile(desk.mirrors)
    set_run(state=state)
    mark_stale("detail", "a")
    assert fetched(desk) == []


@pytest.mark.parametrize("state", IN_THE_WAY_OF_NOBODY)
def test_a_list_that_cannot_be_read_now_keeps_no_details_waiting(desk, state):
    start_reconcile(desk.mirrors)
    set_run(state=state, next_due_at=timezone.now() + timedelta(hours=1))
    mark_stale("detail", "a")
    assert fetched(desk) == ["a"]


@pytest.mark.parametrize("failure", [PermissionRefused("GET", "/things"), UnexpectedAnswer("GET", "/things")], ids=repr)
def test_details_of_other_kinds_come_although_one_list_is_refused(desk, failure):
    start_reconcile(desk.mirrors)
    desk.failure = failure
    reconcile_tenant(desk.mirrors)
    desk.failure = None
    mark_stale("detail", "a")
    assert fetched(desk) == ["a"]


@pytest.mark.parametrize("state", ON_THEIR_WAY)
def test_details_are_fetched_while_the_lists_are_compared_once_an_hour(desk, state):
    start_reconcile(desk.mirrors)
    set_run(state=state, finished_at=timezone.now() - timedelta(hours=1))
    mark_stale("detail", "a")
    assert fetched(desk) == ["a"]


def test_a_person_waits_for_no_list(desk):
    start_reconcile(desk.mirrors)
    mark_many("detail", "ab")
    mark_stale("detail", "c", urgent=True)
    assert fetched(desk) == ["c"]


def test_names_that_lists_show_wait_for_no_list(desk):
    listed, detail = desk.mirrors
    start_reconcile(desk.mirrors)
    mark_stale("detail", "a")
    drain_tenant([listed, replace(detail, is_named_in_lists=True)])
    assert desk.calls == ["a"]


def test_news_of_what_is_listed_wait_for_no_other_list(desk):
    start_reconcile(desk.mirrors)
    mark_stale("thing", "a")
    mark_stale("detail", "b")
    assert fetched(desk) == ["a"]


def test_a_log_that_takes_hours_keeps_no_details_waiting(desk):
    log = replace(desk.mirror, kind="log", is_log=True)
    start_reconcile([log])
    mark_stale("detail", "a")
    drain_tenant([*desk.mirrors, log])
    assert desk.calls == ["a"]


def test_nobody_waits_for_ever_behind_very_long_lists(desk):
    start_reconcile(desk.mirrors)
    mark_many("detail", "ab")
    StaleMark.objects.filter(object_id="a").update(marked_at=timezone.now() - MAX_HELD_BACK)
    assert fetched(desk) == ["a"]


@pytest.mark.parametrize("seed", range(12))
def test_in_any_order_of_turns_lists_come_first_and_everything_arrives(desk, seed):
    """Turns of the drain and the comparison as chance has them, each broken off by the limit after a few calls."""
    chance = random.Random(seed)
    desk.remote = {f"t{number}": "1" for number in range(chance.randint(1, 9))}
    left = 0

    def count(_: str) -> None:
        nonlocal left
        if left == 0:
            desk.calls.pop()
            raise RateLimited("GET", "/things", retry_after=30.0)
        left -= 1

    desk.before_answer = count
    start_reconcile(desk.mirrors)
    for _ in range(200):
        left = chance.randint(1, 3)
        Run.objects.filter(state=RunState.PAUSED).update(next_due_at=timezone.now())
        StaleMark.objects.waiting().update(due_at=timezone.now())
        chance.choice([drain_tenant, reconcile_tenant])(desk.mirrors)
        if Run.objects.get().finished_at and not StaleMark.objects.waiting().exists():
            break
    else:
        raise AssertionError(f"it does not end: {desk.calls}")
    lists = desk.pages()
    assert desk.calls[: len(lists)] == lists
    assert sorted(desk.calls[len(lists) :]) == sorted(desk.remote)


def test_a_kind_whose_own_calls_are_used_up_keeps_no_other_waiting(desk):
    documents = FakeDesk(
        remote={"d": "1"}, failure=CallLimitReached("GET", "/documents", retry_after=40.0, bucket="integration")
    )
    other = replace(documents.mirror, kind="document")
    mirrors = (other, *desk.mirrors)
    start_reconcile(mirrors)
    assert reconcile_tenant(mirrors)
    states = dict(Run.objects.values_list("kind", "state"))
    assert states == {"document": RunState.PAUSED, "thing": RunState.DONE}
    set_run(finished_at=timezone.now())
    mark_many("document", ["d", "e"])
    mark_many("detail", "abcde")
    results = [outcome.result for outcome in drain_tenant(mirrors) if outcome.kind == "detail"]
    assert len(results) == 5
    assert Result.WAITING not in results
    # It was asked for once in each way, and is not counted as a failure.
    assert documents.calls == ["page None", "d"]
    marks = StaleMark.objects.filter(kind="document")
    assert {mark.attempts for mark in marks} == {0}
    assert all(timedelta(seconds=20) < mark.due_at - timezone.now() < timedelta(seconds=60) for mark in marks)


def test_lists_are_read_in_the_order_of_what_people_work_with():
    wanted = ["questionnaire", "access_request", "viewer", "account", "contract", "resource", "person", "document", "vendor"]
    wanted += ["issue", "risk_scenario", "test", "event_log_entry", "activity"]
    assert sorted(wanted, key=KINDS.index) == wanted
    logs = [mirror.kind for mirror in MIRRORS if mirror.is_log]
    assert KINDS[-len(logs) :] == logs


def first_copy(mirrors: list[Mirror], *, minutes: int) -> None:
    """Copy a tenant minute by minute within the limits on calls, the drain always before the comparison."""
    start_reconcile(mirrors)
    for _ in range(minutes):
        CallWindow.objects.all().delete()
        now = timezone.now()
        Run.objects.filter(state=RunState.PAUSED).update(next_due_at=now)
        StaleMark.objects.waiting().filter(missing_since=None).update(due_at=now)
        for turn in (drain_tenant, reconcile_tenant, drain_tenant):
            turn(mirrors)
        if not Run.objects.exclude(state=RunState.DONE).exists() and not StaleMark.objects.due().exists():
            return
    raise AssertionError(f"not copied after {minutes} minutes: {list(Run.objects.exclude(state=RunState.DONE))}")


def test_after_connecting_every_list_is_known_before_the_first_detail(connected, scoped, sandbox):
    sandbox.control("POST", "/limits", integration=None)
    unread_then: list[set[str]] = []
    lists = {mirror.kind for mirror in MIRRORS if mirror.page and not mirror.is_log}

    def noting(mirror: Mirror) -> Mirror:
        def fetch(client: Any, object_id: str) -> Any:
            unread_then.append(lists - set(Run.objects.exclude(finished_at=None).values_list("kind", flat=True)))
            return mirror.fetch(client, object_id)

        return mirror if mirror.page or mirror.is_named_in_lists else replace(mirror, fetch=fetch)

    first_copy([noting(mirror) for mirror in MIRRORS], minutes=40)
    assert unread_then
    assert not set().union(*unread_then)
    assert set(Run.objects.exclude(finished_at=None).values_list("kind", flat=True)) == set(LISTED)
