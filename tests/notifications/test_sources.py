"""What people are told of: mentions, what they are given to do, and each morning what is due."""

from datetime import UTC, date, datetime, timedelta
from functools import partial

import pytest
import time_machine
from django.core import mail
from django.utils import timezone

from portal.calendars.models import Holiday
from portal.comments.services import add_comment, delete_comment, edit_comment
from portal.comments.subjects import registered
from portal.contracts.models import Contract
from portal.members.services import change_role, leave, remove_member
from portal.notifications.kinds import Channel
from portal.notifications.models import Dispatch, DispatchState, Morning, Notification, TeamChannel
from portal.notifications.services import deliver_due, due_work, set_preference, tell_of_due_work
from portal.questionnaires.changes import Action, Change
from portal.questionnaires.models import Questionnaire
from portal.questionnaires.services.notifications import tell_assigned
from portal.tenants.models import Role
from portal.work_items.models import WorkItem
from tests.notifications.conftest import SETTINGS
from tests.support.members import find_member

pytestmark = pytest.mark.both

MONDAY, TUESDAY = datetime(2026, 11, 23, 9, 10, tzinfo=UTC), datetime(2026, 11, 24, 9, 10, tzinfo=UTC)


@pytest.fixture
def sheet(scoped):
    now = timezone.now()
    return Questionnaire.objects.create(
        platform_id="caiq-1", name="CAIQ", status="IN_PROGRESS", created_at=now, updated_at=now, payload={}
    )


def due_on(at, **columns):
    """Make something to do about an object that no desk knows any more: it counts, and has no words."""
    number = WorkItem.objects.count() + 1
    return WorkItem.objects.create(kind="contract", object_id=number, due_sort=at, arrived_at=at, **columns)


class TestMentions:
    @pytest.fixture
    def paper(self, scoped):
        return Contract.objects.create(platform_id="paper-1", name="Northwind MSA", created_at=timezone.now())

    def test_whoever_is_mentioned_hears_where_and_by_whom(self, me, carol, paper):
        add_comment(registered("contract"), "paper-1", "@Carol Chen, is the key 4711?", member=me)
        row = Notification.objects.get()
        assert (row.user, row.title) == (carol.user, "Alice Ames mentioned you on Northwind MSA")
        assert row.path == "/t/acme/contracts/paper-1/#comments"

    def test_what_was_said_stays_in_the_comment(self, me, carol, paper):
        add_comment(registered("contract"), "paper-1", "@Carol Chen, is the key 4711?", member=me)
        deliver_due()
        assert "4711" not in mail.outbox[0].body
        assert "4711" not in Notification.objects.get().text

    @pytest.mark.parametrize("take_back", [delete_comment, partial(edit_comment, body="Is the key 4711?")])
    def test_whoever_is_mentioned_no_more_is_not_mailed(self, me, carol, paper, take_back):
        comment, _ = add_comment(registered("contract"), "paper-1", "@Carol Chen, is the key 4711?", member=me)
        take_back(comment, member=me)
        assert deliver_due() == 0
        assert Dispatch.objects.get().state == DispatchState.NOT_NEEDED


class TestAssigned:
    def change(self, action=Action.ASSIGN, name="Carol Chen", **values):
        return Change(action=action, owner_id="u-1", owner_name=name, **values)

    @pytest.mark.parametrize(
        ("action", "title", "page"),
        [
            (Action.ASSIGN, "Alice Ames assigned CAIQ to you", ""),
            (Action.APPROVER, "Alice Ames asked you to approve CAIQ", "review/"),
            (Action.ASSIGN_QUESTIONS, "Alice Ames asked you for answers in CAIQ", ""),
        ],
    )
    def test_the_new_owner_hears_by_whom(self, me, carol, sheet, action, title, page):
        tell_assigned(sheet, self.change(action), member=me)
        row = Notification.objects.get()
        assert (row.user, row.title) == (carol.user, title)
        assert row.path == f"/t/acme/questionnaires/caiq-1/{page}"

    def test_forty_questions_at_once_are_one_notification(self, me, carol, sheet):
        for _ in range(40):
            tell_assigned(sheet, self.change(Action.ASSIGN_QUESTIONS), member=me)
        assert Notification.objects.count() == 1

    @pytest.mark.parametrize("values", [{"name": "Alice Ames"}, {"name": "Nobody"}, {"owner_type": "Team"}])
    def test_nobody_hears_of_what_they_did_or_what_is_not_theirs(self, me, carol, sheet, values):
        tell_assigned(sheet, self.change(**values), member=me)
        assert not Notification.objects.exists()

    def test_taking_an_owner_away_tells_nobody(self, me, carol, sheet):
        tell_assigned(sheet, Change(action=Action.ASSIGN), member=me)
        assert not Notification.objects.exists()


class TestMornings:
    def test_each_morning_says_once_what_is_due(self, me, alice):
        due_on(TUESDAY - timedelta(days=2), owner=alice)
        due_on(TUESDAY + timedelta(hours=3), owner=alice)
        due_on(TUESDAY + timedelta(days=3), owner=alice)
        with time_machine.travel(TUESDAY, tick=False) as clock:
            assert tell_of_due_work() == 1
            assert Notification.objects.get().title == "1 overdue, 1 due today"
            assert Notification.objects.get().path == "/t/acme/"
            clock.shift(timedelta(minutes=5))
            assert tell_of_due_work() == 0
            clock.shift(timedelta(days=1))
            assert tell_of_due_work() == 1

    def test_whoever_has_nothing_due_hears_nothing(self, me):
        with time_machine.travel(TUESDAY, tick=False):
            assert tell_of_due_work() == 0
        assert Morning.objects.get().day == TUESDAY.date()

    def test_a_member_whose_work_cannot_be_told_keeps_nobody_waiting(self, me, carol, alice, monkeypatch):
        for user in (alice, carol.user):
            due_on(MONDAY, owner=user)
        notify = due_work.notify

        def fail_for_alice(kind, user_ids, **options):
            if user_ids == [alice.pk]:
                raise ZeroDivisionError
            return notify(kind, user_ids, **options)

        monkeypatch.setattr(due_work, "notify", fail_for_alice)
        monkeypatch.setattr(due_work, "MAX_MEMBERS", 1)
        with time_machine.travel(TUESDAY, tick=False):
            assert tell_of_due_work() == 1
            assert [row.user for row in Notification.objects.all()] == [carol.user]
            monkeypatch.setattr(due_work, "notify", notify)
            assert tell_of_due_work() == 1, "she is told as soon as it can be"
            assert Notification.objects.filter(user=alice).exists()

    def test_the_morning_is_where_the_member_is(self, me, alice):
        alice.timezone = "Asia/Tokyo"
        alice.save()
        due_on(MONDAY, owner=alice)
        before, after = datetime(2026, 11, 23, 23, 50, tzinfo=UTC), datetime(2026, 11, 24, 0, 5, tzinfo=UTC)
        with time_machine.travel(before, tick=False):
            assert tell_of_due_work() == 0
        with time_machine.travel(after, tick=False):
            assert tell_of_due_work() == 1

    @pytest.mark.parametrize("free", ["2026-11-28", "2026-11-24"])
    def test_on_a_free_day_nobody_is_told(self, me, alice, free):
        Holiday.objects.create(day=TUESDAY.date(), name="Founders' day")
        due_on(MONDAY - timedelta(days=3), owner=alice)
        day = date.fromisoformat(free)
        with time_machine.travel(TUESDAY.replace(day=day.day), tick=False):
            assert tell_of_due_work() == 0

    def test_a_weekly_mail_comes_on_monday(self, me, alice):
        set_preference(me, kind="due", channel="email", frequency="weekly")
        due_on(MONDAY - timedelta(days=3), owner=alice)
        with time_machine.travel(MONDAY, tick=False):
            assert tell_of_due_work() == 1
            assert Dispatch.objects.count() == 1
        with time_machine.travel(TUESDAY, tick=False):
            assert tell_of_due_work() == 1
            assert Dispatch.objects.count() == 1
        set_preference(me, kind="due", channel="bell", frequency="never")
        with time_machine.travel(TUESDAY + timedelta(days=1), tick=False):
            assert tell_of_due_work() == 0

    def test_a_weekly_mail_comes_on_the_first_day_that_the_office_works(self, me, alice):
        set_preference(me, kind="due", channel="email", frequency="weekly")
        set_preference(me, kind="due", channel="bell", frequency="never")
        Holiday.objects.create(day=MONDAY.date(), name="Labor Day")
        due_on(MONDAY - timedelta(days=3), owner=alice)
        told = []
        for days in range(7):
            with time_machine.travel(MONDAY + timedelta(days=days), tick=False):
                told.append(tell_of_due_work())
        assert told == [0, 1, 0, 0, 0, 0, 0]

    def test_work_of_others_is_theirs(self, me, carol, alice):
        due_on(MONDAY, owner=carol.user)
        with time_machine.travel(TUESDAY, tick=False):
            tell_of_due_work()
        assert [row.user for row in Notification.objects.all()] == [carol.user]


class TestKnownSecrets:
    @pytest.fixture
    def admin(self, member, me):
        return find_member(user=member(Role.ADMIN))

    @pytest.fixture
    def signed(self, me):
        """A Slack app and a webhook, each with a secret."""
        TeamChannel.objects.create(channel=Channel.SLACK, name="#desk", url=b"-", signing_secret=b"-", workspace="T1")
        TeamChannel.objects.create(channel=Channel.WEBHOOK, name="Tickets", url=b"-", secret=b"-")

    @pytest.mark.parametrize(
        "end",
        [
            lambda gone, me: remove_member(gone, by=me),
            lambda gone, me: change_role(gone, role=Role.ANALYST, by=me),
            lambda gone, me: leave(gone),
        ],
        ids=["removed", "lower role", "left"],
    )
    def test_admins_hear_which_secrets_somebody_who_is_none_any_more_may_know(self, end, signed, me, admin, carol):
        end(admin, me)
        told = Notification.objects.order_by("path")
        assert [(row.user, row.path) for row in told] == [
            (me.user, f"{SETTINGS}team/slack/app/"),
            (me.user, f"{SETTINGS}team/webhook/"),
        ]
        assert {row.text for row in told} == {"Admin of Acme is no longer an admin or owner and may still know it."}

    def test_nobody_hears_of_a_change_that_leaves_an_admin(self, signed, me, admin):
        change_role(admin, role=Role.OWNER, by=me)
        change_role(admin, role=Role.ADMIN, by=me)
        assert not Notification.objects.exists()

    def test_nobody_hears_of_who_was_no_admin_or_of_what_has_no_secret(self, me, admin, carol):
        channel = TeamChannel.objects.create(channel=Channel.SLACK, name="#desk", url=b"-")
        remove_member(admin, by=me)
        TeamChannel.objects.filter(pk=channel.pk).update(signing_secret=b"-", workspace="T1")
        remove_member(carol, by=me)
        assert not Notification.objects.exists()
