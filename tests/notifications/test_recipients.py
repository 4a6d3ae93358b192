"""Who is told, once; by which channel and when, as each of them has chosen."""

from datetime import UTC, datetime

import pytest
import time_machine

from portal.calendars.models import OfficeHours
from portal.notifications.kinds import DUE, KINDS, PERSONAL, Channel, Frequency
from portal.notifications.models import Dispatch, DispatchState, Notification
from portal.notifications.services import NotOffered, notify, set_preference, set_quiet
from tests.support.members import find_member

pytestmark = pytest.mark.both

WEDNESDAY = datetime(2026, 11, 25, 14, 30, tzinfo=UTC)


def choose(member, frequency, *, channel=Channel.EMAIL, kind="assigned"):
    set_preference(member, kind=kind, channel=channel, frequency=frequency)


def test_each_member_is_told_once_under_a_key(me, carol, tell):
    assert {row.user for row in tell(me, carol)} == {me.user, carol.user}
    assert tell(me, carol) == []
    assert len(tell(me, key="two")) == 1
    assert Notification.objects.count() == 3
    assert Notification.objects.latest("id").path == "/t/acme/contracts/"


def test_s1_whoever_is_no_member_here_is_told_nothing(me, globex, mallory, tell):
    assert tell(find_member(user=mallory)) == []
    assert Notification.objects.count() == 0


def test_whoever_cannot_sign_in_is_told_nothing(me, carol, tell):
    carol.user.is_active = False
    carol.user.save()
    assert tell(carol) == []


def test_a_channel_that_is_never_wanted_brings_nothing(me, tell):
    choose(me, Frequency.NEVER)
    [row] = tell(me)
    assert row.in_bell
    assert not Dispatch.objects.exists()
    choose(me, Frequency.NEVER, channel=Channel.BELL)
    assert tell(me, key="two") == []
    choose(me, Frequency.NOW)
    [row] = tell(me, key="three")
    assert not row.in_bell
    assert Dispatch.objects.count() == 1


def test_a_choice_holds_for_what_waits_too(me, carol, tell):
    thursday_nine, monday_nine = datetime(2026, 11, 26, 9, tzinfo=UTC), datetime(2026, 11, 30, 9, tzinfo=UTC)
    with time_machine.travel(WEDNESDAY, tick=False):
        choose(me, Frequency.WEEKLY)
        tell(me, carol)
        mine, hers = (Dispatch.objects.filter(notification__user=each.user_id) for each in (me, carol))
        assert mine.get().due_at == monday_nine
        for frequency, due_at in ((Frequency.DAILY, thursday_nine), (Frequency.NOW, WEDNESDAY)):
            choose(me, frequency)
            assert mine.get().due_at == due_at
        choose(me, Frequency.NEVER, kind="mention")
        assert mine.get().state == DispatchState.WAITING
        choose(me, Frequency.NEVER)
        assert mine.get().state == DispatchState.NOT_NEEDED
        assert hers.get().state == DispatchState.WAITING


def test_what_is_due_today_does_not_wait_for_another_day(me, scoped):
    [row] = notify(DUE, [me.user_id], key="one", title="1 overdue", url=lambda slug: f"/t/{slug}/", only_by=PERSONAL)
    due_at = row.dispatches.get().due_at
    choose(me, Frequency.WEEKLY, kind="due")
    assert row.dispatches.get().due_at == due_at
    choose(me, Frequency.NEVER, kind="due")
    assert row.dispatches.get().state == DispatchState.NOT_NEEDED


@pytest.mark.parametrize(
    ("frequency", "zone", "due_at"),
    [
        (Frequency.NOW, "UTC", WEDNESDAY),
        (Frequency.DAILY, "UTC", datetime(2026, 11, 26, 9, tzinfo=UTC)),
        (Frequency.DAILY, "America/Los_Angeles", datetime(2026, 11, 25, 17, tzinfo=UTC)),
        (Frequency.DAILY, "Asia/Tokyo", datetime(2026, 11, 26, 0, tzinfo=UTC)),
        (Frequency.WEEKLY, "UTC", datetime(2026, 11, 30, 9, tzinfo=UTC)),
        (Frequency.WEEKLY, "Europe/Berlin", datetime(2026, 11, 30, 8, tzinfo=UTC)),
    ],
)
def test_it_is_due_when_the_member_wants_it(me, tell, frequency, zone, due_at):
    me.user.timezone = zone
    me.user.save()
    choose(me, frequency)
    with time_machine.travel(WEDNESDAY, tick=False):
        tell(me)
    assert Dispatch.objects.get().due_at == due_at


def test_in_quiet_hours_it_waits_until_the_office_opens(me, carol, tell):
    set_quiet(me, is_quiet=True)
    friday_evening, monday_nine = datetime(2026, 11, 27, 22, tzinfo=UTC), datetime(2026, 11, 30, 9, tzinfo=UTC)
    with time_machine.travel(friday_evening, tick=False):
        tell(me, carol)
    assert dict(Dispatch.objects.values_list("notification__user", "due_at")) == {
        me.user_id: monday_nine,
        carol.user_id: friday_evening,
    }
    set_quiet(me, is_quiet=False)
    with time_machine.travel(friday_evening, tick=False):
        assert [row.dispatches.get().due_at for row in tell(me, key="two")] == [friday_evening]


def test_an_office_that_never_opens_keeps_nothing_back(me, tell):
    OfficeHours.objects.create(week=[None] * 7)
    set_quiet(me, is_quiet=True)
    with time_machine.travel(WEDNESDAY, tick=False):
        tell(me)
    assert Dispatch.objects.get().due_at == WEDNESDAY


def test_long_words_are_cut_and_kept_on_one_line(me, tell):
    [row] = tell(me, title="A\nvery " + "long " * 80, text="x" * 900)
    assert "\n" not in row.title
    assert len(row.title) == 200
    assert row.title.endswith("…")
    assert len(row.text) == 300


@pytest.mark.parametrize(
    "choice",
    [("nothing", "email", "now"), ("assigned", "fax", "now"), ("assigned", "email", "hourly"), ("due", "email", "now")],
)
def test_what_is_not_offered_is_not_kept(me, choice):
    kind, channel, frequency = choice
    with pytest.raises(NotOffered):
        set_preference(me, kind=kind, channel=channel, frequency=frequency)


def test_every_kind_can_be_switched_off_on_every_channel():
    assert all(Frequency.NEVER in offered for kind in KINDS for offered in kind.choices.values())
    assert all(set(PERSONAL) <= set(kind.choices) for kind in KINDS)
