"""Telling of targets: the right person, once as a warning and once when it is missed, never while the clock stands still."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.questionnaires.models import Questionnaire
from portal.questionnaires.services import reminders, set_warning
from portal.questionnaires.tasks import remind_of_targets
from portal.tenants.models import Role
from tests.conftest import make_user
from tests.questionnaires.clocks import always_open, fresh, let_wind, made, within
from tests.questionnaires.conftest import address
from tests.support.mails import delivered
from tests.support.members import add_member, find_member


@pytest.fixture
def office(scoped):
    always_open()
    within(8)
    return scoped


def miss(row):
    """Let the target's time run out, as if hours had passed."""
    past = timezone.now() - timedelta(minutes=5)
    Questionnaire.objects.filter(pk=row.pk).update(target_at=past, target_sort=past, remind_at=past)


def test_the_owner_is_warned_once_and_told_once_that_it_is_missed(office, member, settings):
    analyst = member(Role.ANALYST)
    row = made("Helios", ("IN_PROGRESS", 7), owner=analyst.name.upper())
    for _ in range(3):
        remind_of_targets()
    (warning,) = delivered()
    assert warning.to == [analyst.email]
    assert warning.subject == "Acme: Helios is near its target"
    assert f"{settings.PUBLIC_URL}{address(row)}" in warning.body
    assert "Everything else: within 8 office hours." in warning.body
    assert "It will be missed on" in warning.body
    assert "UTC unless it is done" in warning.body
    miss(row)
    for _ in range(3):
        remind_of_targets()
    assert [each.subject for each in delivered()[1:]] == ["Acme: Helios has missed its target"]
    assert fresh(row).remind_at is None


def test_before_the_last_quarter_nobody_is_mailed(office):
    made("Helios", ("IN_PROGRESS", 5.5))
    remind_of_targets()
    assert delivered() == []


def test_the_share_can_be_set(office, alice):
    row = made("Helios", ("IN_PROGRESS", 5.5))
    set_warning(50, member=find_member(user=alice))
    let_wind(row)
    remind_of_targets()
    assert [each.to for each in delivered()] == [[alice.email]]


@pytest.mark.parametrize("owner", ["", "Nobody Here", "Twin Name", "Gone Person"])
def test_without_one_member_of_that_name_the_admins_are_mailed(office, acme, alice, member, owner):
    admin = member(Role.ADMIN)
    member(Role.ANALYST)
    for number in range(2):
        add_member(tenant=acme, user=make_user(f"t{number}@acme.example", "Twin Name"), role=Role.ANALYST)
    gone = make_user("gone@acme.example", "Gone Person")
    add_member(tenant=acme, user=gone, role=Role.ANALYST)
    gone.is_active = False
    gone.save()
    made("Helios", ("IN_PROGRESS", 7), owner=owner)
    remind_of_targets()
    assert {each.to[0] for each in delivered()} == {alice.email, admin.email}


@pytest.mark.parametrize("log", [[("ON_HOLD", 1), ("IN_PROGRESS", 8)], [("COMPLETE", 1), ("IN_PROGRESS", 9.5)]])
def test_nobody_is_mailed_while_the_clock_stands_still(office, log):
    made("Helios", *log)
    remind_of_targets()
    assert delivered() == []


def test_what_was_put_on_hold_at_the_last_moment_is_not_warned_of(office):
    row = made("Helios", ("IN_PROGRESS", 7))
    # Between the sweep and the claim somebody puts it on hold.
    found = Questionnaire.objects.filter(pk=row.pk)
    stale = found.select_related("tenant", "target").get()
    found.update(remind_at=None)
    assert not reminders._tell(stale, is_missed=False)
    assert delivered() == []


def test_two_workers_tell_once(office):
    row = made("Helios", ("IN_PROGRESS", 7))
    seen = Questionnaire.objects.select_related("tenant", "target").get(pk=row.pk)
    assert [reminders._tell(seen, is_missed=False) for _ in range(2)] == [True, False]
    assert len(delivered()) == 1


def test_a_new_target_mails_nobody_about_what_was_missed_long_ago(office):
    row = made("Helios", ("IN_PROGRESS", 900))
    remind_of_targets()
    assert delivered() == []
    assert row.remind_at is None


def test_a_warning_that_is_late_by_days_is_left_out_and_the_target_is_told(scoped):
    always_open()
    within(200)
    row = made("Helios", ("IN_PROGRESS", 190))
    assert row.remind_at == row.target_at
    remind_of_targets()
    assert delivered() == []


def test_a_name_cannot_write_the_head_of_a_mail(office, alice):
    made("Helios\r\nBcc: x@evil.example", ("IN_PROGRESS", 7), platform_id="helios")
    remind_of_targets()
    (sent,) = delivered()
    assert sent.subject == "Acme: Helios Bcc: x@evil.example is near its target"
    assert sent.recipients() == [alice.email]
