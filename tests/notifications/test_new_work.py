"""New work is told to those who can take it, and to the team: once, and many at once as one."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from portal.access_requests.models import AccessRequest
from portal.connections.models import Connection, State
from portal.connections.services import delete_tenant
from portal.inbox.models import Rhythm
from portal.notifications.kinds import ACCESS_REQUESTS, DUE, KINDS, MAY_COME_BACK, OVERDUE, Channel, Frequency, kind_of_desk
from portal.notifications.models import Dispatch, DispatchState, Morning, Notification
from portal.notifications.services import (
    deliver_due,
    mark_all_read,
    post_due,
    set_preference,
    set_team_preference,
    set_up,
    tell_of_due_work,
)
from portal.notifications.signals import tell_of_new_work
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.tenants.models import Role
from portal.vendors.models import REVIEW_SOON, Vendor
from portal.work_items.kinds import Item, desks, kind_named
from portal.work_items.models import Pass, WorkItem
from portal.work_items.selectors import Queue
from portal.work_items.services import OLD_NEWS, catch_up, compare_all, note_overdue
from portal.work_items.tasks import sweep_near_items, sweep_overdue_items
from tests.support.listener import listening
from tests.support.members import find_member

pytestmark = pytest.mark.both

WEDNESDAY = datetime(2026, 11, 25, 10, 2, tzinfo=UTC)


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


def test_the_longest_id_of_a_request_stops_nothing(me):
    request_from(1)
    longest = "ü" * MAX_ID_LENGTH
    AccessRequest.objects.update(platform_id=longest)
    catch_up()
    assert Notification.objects.get().path == reverse("access_requests:detail", args=["acme", longest])


def test_many_at_once_are_one_notification_an_hour(me):
    for number in range(40):
        request_from(number)
    catch_up()
    assert titles(me) == ["New work: Access requests"]
    row = Notification.objects.get()
    assert row.text.endswith(", and more")
    assert row.path == "/t/acme/?desk=Access+requests&whose=team"


def test_what_comes_later_in_the_hour_is_told_once_more_and_mailed_with_the_next(me):
    set_preference(me, kind=ACCESS_REQUESTS.name, channel=Channel.EMAIL, frequency=Frequency.NOW)
    five = [item()] * 5
    with time_machine.travel(WEDNESDAY, tick=False) as clock:
        arrive(*five)
        assert deliver_due() == 1
        for minutes in (20, 40):
            clock.move_to(WEDNESDAY.replace(minute=minutes))
            mark_all_read(me)
            arrive(*five)
            assert Notification.objects.in_bell_of(me.user_id).unread().count() == 1
        assert deliver_due() == 0
        clock.move_to(WEDNESDAY.replace(hour=11, minute=0))
        assert deliver_due() == 1
        arrive(*five)
        assert deliver_due() == 1
    assert Notification.objects.count() == 3


def test_second_approvals_of_many_are_told_in_the_same_hour_and_not_to_whoever_asked(me, carol):
    arrive(*[item()] * 5, at=WEDNESDAY)
    arrive(*[item(asked_by_id=me.user_id)] * 5, at=WEDNESDAY + timedelta(minutes=18))
    assert len(titles(me)) == 1
    assert len(titles(carol)) == 2


def test_work_that_somebody_undoes_at_once_is_not_told_again(me, carol):
    arrive(item())
    arrive(item())
    assert len(titles(me)) == 1
    # Another one, and the same that waits for something else now.
    tell_of_new_work(WorkItem, kind=kind_named("access_request"), items={1: item()}, at=timezone.now())
    arrive(item(asked_by_id=carol.user_id, customer="Corvane"))
    assert len(titles(me)) == 3
    with time_machine.travel(timezone.now() + MAY_COME_BACK, tick=False):
        arrive(item())
    assert len(titles(me)) == 4


def one_of_two_is_done() -> None:
    """Have two requests told, and one of them approved soon after."""
    for number in (1, 2):
        request_from(number)
    catch_up()
    AccessRequest.objects.filter(platform_id="ar-1").update(outcome="APPROVED")
    catch_up()


def test_work_that_is_done_by_the_next_morning_is_not_mailed_as_new(me):
    with time_machine.travel(WEDNESDAY, tick=False) as clock:
        one_of_two_is_done()
        clock.move_to(WEDNESDAY + timedelta(days=1))
        assert deliver_due() == 1
    [message] = mail.outbox
    assert message.subject == "Acme: Access request: Person 2"
    assert set(Dispatch.objects.values_list("notification__path", "state")) == {
        ("/t/acme/access-requests/ar-1/", DispatchState.NOT_NEEDED),
        ("/t/acme/access-requests/ar-2/", DispatchState.SENT),
    }


def test_work_that_is_done_by_the_next_morning_is_not_posted_as_new(me):
    with time_machine.travel(WEDNESDAY, tick=False) as clock, listening() as listener:
        set_up(Channel.WEBHOOK, name="Tickets", url=listener.url, actor=me)
        set_team_preference(me, kind=ACCESS_REQUESTS.name, channel=Channel.WEBHOOK, frequency=Frequency.DAILY)
        one_of_two_is_done()
        clock.move_to(WEDNESDAY + timedelta(days=1))
        assert post_due() == 1
        assert [body["data"]["title"] for body in listener.bodies] == ["Access request: Person 2"]


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
    with time_machine.travel(timezone.now() + MAY_COME_BACK, tick=False):
        catch_up()
    stored.refresh_from_db()
    assert stored.arrived_at > before
    assert len(titles(me)) == 2


@pytest.fixture
def review(scoped):
    """A vendor's review, and the moment from which it is work."""
    comes_at = timezone.now() + timedelta(days=60)
    row = Vendor.objects.create(platform_id="v1", name="Initech", status="MANAGED", review_due_at=comes_at + REVIEW_SOON)
    catch_up()
    return row, comes_at


def test_work_ahead_is_told_when_its_time_comes_and_once(me, review):
    _, comes_at = review
    for hours, number in ((-30, 0), (-20, 0), (1, 1), (2, 1), (30, 1)):
        with time_machine.travel(comes_at + timedelta(hours=hours), tick=False):
            sweep_near_items()
            compare_all()
            catch_up(may_wait=True)
            assert Notification.objects.count() == number, hours
    assert titles(me) == ["Vendor to review: Initech"]


def test_work_ahead_that_changes_as_its_time_comes_is_told_once_too(me, review):
    row, comes_at = review
    for hours, name in ((-20, "Initech Ltd"), (1, "Initech Inc"), (2, "Initech GmbH")):
        with time_machine.travel(comes_at + timedelta(hours=hours), tick=False):
            Vendor.objects.filter(pk=row.pk).update(name=name)
            catch_up()
            sweep_near_items()
    assert titles(me) == ["Vendor to review: Initech Inc"]


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

    def test_a_tenant_that_was_deleted_has_no_morning(self, acme, alice, slack):
        WorkItem.objects.create(kind="contract", object_id=1, due_sort=self.MONDAY, arrived_at=self.MONDAY)
        delete_tenant(acme, actor=alice)
        with time_machine.travel(self.MONDAY.replace(hour=10), tick=False):
            assert tell_of_due_work() == 0
        assert not Notification.objects.exists()

    def test_nothing_due_says_nothing(self, slack):
        with time_machine.travel(self.MONDAY, tick=False):
            tell_of_due_work()
        assert not Dispatch.objects.exists()
        assert Morning.objects.filter(user=None).exists()
