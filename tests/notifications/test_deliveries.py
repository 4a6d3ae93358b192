"""Email: each notification once, several in one, tried again where the server refuses, never to those who left."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.conf import settings
from django.core import mail
from django.utils import timezone

from portal.calendars.services import add_holidays
from portal.notifications.kinds import ASSIGNED
from portal.notifications.models import Dispatch, DispatchState, Notification
from portal.notifications.services import (
    NotDelivered,
    deliver_due,
    emails,
    forget_old,
    mark_read,
    notify,
    send_test,
    set_quiet,
)
from portal.notifications.services.dispatches import KEPT, LEASE, WAITS, claim
from portal.tenants.models import Role, Tenant
from portal.tenants.scope import tenant_scope
from tests.support.mails import mails_to, path_in
from tests.support.members import add_member, remove_members
from tests.support.turns import fails_in, one_turn_each

pytestmark = pytest.mark.both

FRIDAY_EVENING, MONDAY_NINE = datetime(2026, 11, 27, 16, 57, tzinfo=UTC), datetime(2026, 11, 30, 9, tzinfo=UTC)
"""Just before the office closes, and when it opens again."""


@pytest.fixture
def refusing(monkeypatch):
    """A mail server that takes nothing."""

    def refuse(*args, **options):
        raise OSError("not now")

    monkeypatch.setattr("portal.notifications.services.emails.send_mail", refuse)
    return monkeypatch


def states() -> list[str]:
    return list(Dispatch.objects.order_by("id").values_list("state", flat=True))


def test_each_is_mailed_once_with_the_address_of_its_page(me, carol, tell):
    tell(me, carol, text="SOC 2, due Friday")
    assert deliver_due() == 2
    assert deliver_due() == 0
    [message] = mails_to("alice@acme.example", mail.outbox)
    assert message.subject == "Acme: Carol assigned CAIQ to you"
    assert "SOC 2, due Friday" in message.body
    assert f"{settings.PUBLIC_URL}/t/acme/contracts/" in message.body
    assert states() == [DispatchState.SENT] * 2


def test_what_is_due_together_is_one_mail(me, tell):
    for number in range(3):
        tell(me, key=str(number), title=f"Number {number}")
    assert deliver_due() == 1
    [message] = mail.outbox
    assert message.subject == "Acme: 3 notifications"
    assert [f"Number {number}" in message.body for number in range(3)] == [True] * 3


def test_a_line_break_in_a_name_keeps_no_mail_back(me, carol, tell, acme):
    Tenant.objects.filter(pk=acme.pk).update(name="Acme\nInc.")
    tell(me, carol, title="Carol assigned\r\nCAIQ to you")
    assert deliver_due() == 2
    assert {message.subject for message in mail.outbox} == {"Acme Inc.: Carol assigned CAIQ to you"}


def test_what_was_read_meanwhile_is_not_mailed(me, tell):
    [row] = tell(me)
    mark_read(row)
    assert deliver_due() == 0
    assert states() == [DispatchState.NOT_NEEDED]


def test_whoever_left_meanwhile_gets_nothing(me, carol, tell):
    tell(carol)
    remove_members(pk=carol.pk)
    assert deliver_due() == 0
    assert states() == [DispatchState.NOT_NEEDED]
    assert mail.outbox == []


def test_two_tenants_never_share_a_mail(me, globex, alice, tell):
    add_member(tenant=globex, user=alice, role=Role.VIEWER)
    tell(me)
    with tenant_scope(globex.pk):
        notify(ASSIGNED, [alice.pk], key="one", title="Theirs", url=lambda slug: f"/t/{slug}/")
    assert deliver_due() == 2
    assert sorted(message.subject for message in mail.outbox) == ["Acme: Carol assigned CAIQ to you", "Globex: Theirs"]


def test_a_mail_that_cannot_be_written_keeps_no_other_tenant_waiting(me, acme, globex, mallory, tell, monkeypatch):
    tell(me)
    with tenant_scope(globex.pk):
        notify(ASSIGNED, [mallory.pk], key="one", title="Theirs", url=lambda slug: f"/t/{slug}/")
    monkeypatch.setattr(emails, "render_to_string", fails_in(acme, emails.render_to_string))
    assert deliver_due() == 1
    [message] = mail.outbox
    assert message.to == [mallory.email]


def test_whoever_has_waited_longest_is_mailed_first(me, carol, tell, monkeypatch):
    tell(me, carol)
    for member, hours in ((carol, 2), (me, 1)):
        theirs = Dispatch.objects.filter(notification__user=member.user_id)
        theirs.update(due_at=timezone.now() - timedelta(hours=hours))
    one_turn_each(monkeypatch)
    for _ in range(2):
        assert deliver_due() == 1
    assert [message.to for message in mail.outbox] == [["carol@acme.example"], ["alice@acme.example"]]


def test_what_cannot_be_claimed_is_tried_once_in_a_run(me, tell, monkeypatch):
    tell(me)
    tried = []

    def refuse(*args):
        tried.append(args)
        raise ZeroDivisionError

    monkeypatch.setattr(emails, "claim", refuse)
    assert deliver_due() == 0
    assert len(tried) == 1


def test_a_server_that_refuses_is_tried_again_for_more_than_a_day_and_then_no_more(me, tell, refusing):
    now = timezone.now()
    with time_machine.travel(now, tick=False) as clock:
        tell(me)
        for wait in WAITS:
            assert deliver_due() == 0
            assert Dispatch.objects.get().due_at == timezone.now() + wait
            assert deliver_due() == 0
            clock.shift(wait)
        assert deliver_due() == 0
        assert states() == [DispatchState.FAILED]
        assert timezone.now() - now > timedelta(days=1)
        refusing.undo()
        clock.shift(timedelta(days=1))
        assert deliver_due() == 0


def test_who_is_reached_by_no_mail_sees_it_in_the_bell_once_a_day(me, tell, refusing):
    with time_machine.travel(timezone.now().replace(hour=1), tick=False) as clock:
        tell(me)
        tell(me, key="two")
        for wait in WAITS[:2]:
            deliver_due()
            clock.shift(wait)
        bell = Notification.objects.in_bell_of(me.user_id).filter(kind="email_fails")
        assert not bell.exists()
        deliver_due()
        tell(me, key="three")
        for wait in WAITS[:3]:
            deliver_due()
            clock.shift(wait)
        [row] = bell
    assert (row.title, row.path) == ("Email isn't reaching you", "/t/acme/settings/notifications/")
    assert row.icon == "mail-x"
    assert not row.dispatches.exists()


def test_a_server_that_comes_back_gets_it_once(me, tell, refusing):
    now = timezone.now()
    with time_machine.travel(now, tick=False) as clock:
        tell(me)
        deliver_due()
        refusing.undo()
        clock.shift(WAITS[0])
        assert deliver_due() == 1
        assert states() == [DispatchState.SENT]


def test_in_quiet_hours_a_retry_waits_until_the_office_opens(me, tell, refusing):
    set_quiet(me, is_quiet=True)
    with time_machine.travel(FRIDAY_EVENING, tick=False) as clock:
        tell(me)
        deliver_due()
        refusing.undo()
        clock.shift(timedelta(minutes=5))
        assert deliver_due() == 0
        row = Dispatch.objects.get()
        assert (row.due_at, row.attempts, row.lease_until) == (MONDAY_NINE, 1, None)
        clock.move_to(MONDAY_NINE)
        assert deliver_due() == 1


def test_a_holiday_that_is_entered_later_is_quiet_too(me, carol, tell):
    set_quiet(me, is_quiet=True)
    with time_machine.travel(FRIDAY_EVENING + timedelta(hours=1), tick=False) as clock:
        tell(me)
        add_holidays({MONDAY_NINE.date(): "Founders' day"}, summary="Added a holiday.", member=me)
        clock.move_to(MONDAY_NINE)
        tell(carol, key="two")
        assert deliver_due() == 1
        assert Dispatch.objects.get(notification__user=me.user_id).due_at == MONDAY_NINE + timedelta(days=1)


def test_what_another_worker_has_is_left_to_it_until_its_lease_ends(me, tell):
    now = timezone.now()
    with time_machine.travel(now, tick=False) as clock:
        tell(me)
        assert len(claim(Dispatch.objects.all(), 10)) == 1
        assert deliver_due() == 0
        clock.shift(LEASE + timedelta(seconds=1))
        assert deliver_due() == 1


def test_the_test_goes_to_oneself_and_says_when_it_does_not(me, refusing):
    with pytest.raises(NotDelivered):
        send_test(me)
    refusing.undo()
    send_test(me)
    [message] = mails_to("alice@acme.example", mail.outbox)
    assert path_in(message) == "/t/acme/settings/notifications/"


def test_what_is_older_than_half_a_year_goes(me, tell):
    tell(me, key="old")
    Notification.objects.update(made_at=timezone.now() - KEPT - timedelta(days=1))
    tell(me, key="new")
    assert forget_old() == 1
    assert list(Notification.objects.values_list("key", flat=True)) == ["new"]
    assert Dispatch.objects.count() == 1
