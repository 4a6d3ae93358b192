"""New work is told to those who can take it, and to the team: once, and many at once as one."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from portal.access_requests.models import AccessRequest
from portal.connections.models import Connection, State
from portal.inbox.models import Rhythm
from portal.notifications.kinds import ACCESS_REQUESTS, DUE, KINDS, OVERDUE, Channel, kind_of_desk
from portal.notifications.models import Dispatch, Morning, Notification
from portal.notifications.services import set_up, tell_of_due_work
from portal.notifications.signals import tell_of_new_work
from portal.tenants.models import Role
from portal.work_items.kinds import Item, desks, kind_named
from portal.work_items.models import Pass, WorkItem
from portal.work_items.selectors import Queue
from portal.work_items.services import OLD_NEWS, catch_up, note_overdue
from portal.work_items.tasks import sweep_overdue_items
from tests.support.members import find_member

pytestmark = pytest.mark.both


def item(title="Ruth Adeyemi", *, role=Role.ANALYST, **values):
    return Item(title=title, to_do="Approve or deny", url=lambda slug: f"/t/{slug}/x/", role=role, **values)


def arrive(*items, kind="access_request", at=None):
    return tell_of_new_work(WorkItem, kind=kind_named(kind), items=dict(enumerate(items)), at=at or timezone.now())


def titles(member):
    return list(Notification.objects.in_bell_of(member.user_id).order_by("id").values_list("title", flat=True))


def request_from(number):
    now = timezone.now()
    return AccessRequest.objects.create(
        platform_id=f"ar-{number}",
        name=f"Person {number}",
        email=f"p{number}@corvane.example",
        folded_email=f"p{number}@corvane.example",
        access_level="FULL_ACCESS",
        created_at=now,
        updated_at=now,
    )


def test_a_request_that_comes_is_told_to_those_who_decide(me, carol):
    request_from(1)
    catch_up()
    row = Notification.objects.get()
    # Carol is an analyst: she could not decide it.
    assert (row.user, row.kind, row.path) == (me.user, ACCESS_REQUESTS.name, "/t/acme/access-requests/ar-1/")
    assert row.title.startswith("Access request: Person 1")
    catch_up()
    assert Notification.objects.count() == 1


def test_many_at_once_are_one_notification_an_hour(me):
    for number in range(40):
        request_from(number)
    catch_up()
    assert titles(me) == ["New work: Access requests"]
    row = Notification.objects.get()
    assert row.text.endswith(", and more")
    assert row.path == "/t/acme/?desk=Access+requests&whose=team"


def test_whoever_asked_for_the_second_approval_is_not_asked_for_it(me, carol):
    arrive(item(asked_by_id=me.user_id))
    assert titles(me) == []
    assert titles(carol) == ["Access request: Ruth Adeyemi"]


def test_a_second_approval_is_new_work_for_the_others(me, scoped):
    row = request_from(1)
    catch_up()
    stored = WorkItem.objects.get()
    before = stored.arrived_at
    WorkItem.objects.update(asked_by=find_member(user=me.user).user)
    # What the desk says now is that nobody waits for it: it came back.
    AccessRequest.objects.filter(pk=row.pk).update(created_at=timezone.now())
    catch_up()
    stored.refresh_from_db()
    assert stored.arrived_at > before
    assert len(titles(me)) == 2


def test_work_that_somebody_has_is_told_to_nobody_else(me, carol, scoped):
    now = timezone.now()
    free = WorkItem(kind="questionnaire", object_id=1, arrived_at=now)
    assert free.is_to_take(now)
    for taken in ({"owner": me.user}, {"is_taken": True}, {"is_with_others": True}, {"visible_until": now}):
        assert not WorkItem(kind="questionnaire", object_id=1, arrived_at=now, **taken).is_to_take(now)


def test_every_desk_is_of_some_kind_but_those_that_tell_otherwise():
    # A mention is told by itself.
    assert {desk for desk in desks() if kind_of_desk(desk) is None} == {"Comments", "Connection", "Tags"}, (
        "told by whoever notices"
    )
    named = [desk for kind in KINDS for desk in kind.desks]
    assert sorted(named) == sorted(set(named))


class TestOverdue:
    @pytest.fixture
    def request_due(self, me, carol):
        """A request of now, and the moment at which it becomes overdue; whoever may have looked has looked."""
        request_from(1)
        catch_up()
        Notification.objects.all().delete()
        sweep_overdue_items()
        due = timezone.now() + timedelta(hours=2)
        WorkItem.objects.update(due_sort=due)
        return due

    def test_the_moment_is_told_once_to_those_who_can_do_it(self, me, carol, request_due):
        assert not Notification.objects.exists()
        for minutes, number in ((-1, 0), (1, 1), (2, 1), (90, 1)):
            with time_machine.travel(request_due + timedelta(minutes=minutes), tick=False):
                sweep_overdue_items()
            assert Notification.objects.filter(kind=OVERDUE.name).count() == number
        row = Notification.objects.get(kind=OVERDUE.name)
        assert (row.user, row.title) == (me.user, "Overdue: Person 1")
        assert row.path == "/t/acme/access-requests/ar-1/"

    def test_what_was_overdue_when_the_first_look_came_is_no_news(self, me, request_due):
        Pass.objects.update(overdue_until=None)
        with time_machine.travel(request_due + timedelta(minutes=1), tick=False):
            sweep_overdue_items()
        assert not Notification.objects.exists()

    def test_what_was_due_long_ago_is_no_news_whenever_the_last_look_was(self, me, request_due):
        Pass.objects.update(overdue_until=request_due - timedelta(days=3))
        with time_machine.travel(request_due + OLD_NEWS + timedelta(minutes=1), tick=False):
            note_overdue(timezone.now())
        assert not Notification.objects.exists()

    def test_what_its_desk_tells_of_is_not_told_again_as_overdue(self, me, connected, request_due):
        now = timezone.now()
        WorkItem.objects.all().delete()
        Connection.objects.update(state=State.NEEDS_RECONNECTION, ended_at=now - timedelta(seconds=5))
        Rhythm.objects.create(silent_since=now - timedelta(seconds=5))
        catch_up()
        Pass.objects.update(overdue_until=now - timedelta(minutes=1))
        note_overdue(timezone.now())
        queue = Queue(member=me, now=timezone.now())
        assert {item.kind for item in queue.section("overdue")} == {"connection", "silent_feed"}
        assert not Notification.objects.filter(kind=OVERDUE.name).exists()

    def test_a_look_that_comes_late_does_not_turn_the_clock_back(self, request_due):
        note_overdue(request_due)
        note_overdue(request_due - timedelta(minutes=1))
        assert Pass.objects.get().overdue_until == request_due

    def test_many_at_once_are_one_for_each_who_has_them(self, me, carol, request_due):
        for number in range(2, 8):
            request_from(number)
        catch_up()
        Notification.objects.all().delete()
        WorkItem.objects.update(due_sort=request_due)
        WorkItem.objects.filter(object_id=WorkItem.objects.earliest("object_id").object_id).update(
            owner=carol.user, is_taken=True
        )
        with time_machine.travel(request_due + timedelta(minutes=1), tick=False):
            sweep_overdue_items()
        assert titles(me) == ["Several items are overdue"]
        assert titles(carol) == ["Overdue: Person 1"]
        assert Notification.objects.get(user=me.user).path == "/t/acme/?tab=overdue"

    def test_what_somebody_outside_has_is_told_to_nobody(self, me, request_due):
        WorkItem.objects.update(is_with_others=True)
        with time_machine.travel(request_due + timedelta(minutes=1), tick=False):
            sweep_overdue_items()
        assert not Notification.objects.exists()


class TestTheMorningOfTheTeam:
    MONDAY = datetime(2026, 11, 23, 9, 10, tzinfo=UTC)

    @pytest.fixture
    def slack(self, me):
        return set_up(Channel.SLACK, name="#desk", url="https://hooks.slack.com/services/T/B/x", actor=me)

    def test_it_says_what_is_due_for_all(self, me, carol, slack):
        for owner in (me.user, carol.user, None):
            number = WorkItem.objects.count() + 1
            WorkItem.objects.create(
                kind="contract",
                object_id=number,
                due_sort=self.MONDAY,
                arrived_at=self.MONDAY,
                owner=owner,
                is_taken=bool(owner),
            )
        with time_machine.travel(self.MONDAY.replace(hour=10), tick=False):
            tell_of_due_work()
            tell_of_due_work()
        row = Notification.objects.get(user=None)
        assert (row.kind, row.title, row.path) == (DUE.name, "3 overdue", "/t/acme/?whose=team")
        assert [each.channel for each in row.dispatches.all()] == [Channel.SLACK]
        assert Morning.objects.get(user=None).day == self.MONDAY.date()

    def test_nothing_due_says_nothing(self, slack):
        with time_machine.travel(self.MONDAY, tick=False):
            tell_of_due_work()
        assert not Dispatch.objects.exists()
        assert Morning.objects.filter(user=None).exists()
