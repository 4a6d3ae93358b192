"""Reminders: once each, to the people of the incident, of all customers together."""

from datetime import timedelta

import pytest
import time_machine
from django.core import mail

from portal.incidents import services
from portal.incidents.models import LogEntry, Notice, Step
from portal.incidents.services import Telling
from portal.incidents.tasks import remind_of_deadlines
from portal.tenants.models import Role
from tests.incidents.conftest import NOTICED, facts, make_account, make_promise, notice_of, open_one
from tests.support.mails import delivered
from tests.support.members import remove_members

LATER = NOTICED + timedelta(hours=19)


@pytest.fixture
def incident(owner, office):
    """Two customers to be told within a day, one within three."""
    for name, promise in (("Acorn", "24 hours"), ("Birch", "24 hours"), ("Cedar", "72 hours")):
        make_promise(make_account(name), promise)
    with time_machine.travel(NOTICED, tick=False):
        return open_one(owner)


def sweep_at(moment) -> None:
    with time_machine.travel(moment, tick=False):
        remind_of_deadlines()
        delivered()


def test_what_is_near_is_mailed_once_and_what_has_passed_once_more(incident):
    sweep_at(NOTICED + timedelta(hours=17))
    assert mail.outbox == []
    sweep_at(LATER)
    sweep_at(LATER)
    [letter] = mail.outbox
    assert letter.subject == "Acme: 2 customers to notify soon, Leaked backup"
    assert letter.to == ["alice@acme.example"]
    assert "Acorn: by Saturday, 21 November 2026, 14:05 CET (Berlin) · Birch: by" in letter.body
    assert "Cedar" not in letter.body
    assert f"/t/acme/incidents/{incident.pk}/" in letter.body
    sweep_at(NOTICED + timedelta(hours=25))
    sweep_at(NOTICED + timedelta(hours=25))
    assert mail.outbox[1].subject == "Acme: 2 customers were not notified in time, Leaked backup"
    assert len(mail.outbox) == 2
    assert [entry.text for entry in LogEntry.objects.filter(step=Step.REMINDED)] == [
        "Reminded the admins: 2 deadlines passed.",
        "Reminded the admins: 2 deadlines near.",
    ]


def test_nobody_is_reminded_of_what_is_settled_closed_or_no_longer_concerned(incident, owner):
    telling = Telling(told_at=NOTICED, way="mail")
    services.mark_notified(incident, [notice_of(incident, "Acorn").pk], telling, member=owner)
    Notice.objects.filter(customer="Birch").update(left_at=NOTICED)
    sweep_at(LATER)
    assert mail.outbox == []
    services.close_incident(incident, remark="x", member=owner)
    sweep_at(NOTICED + timedelta(hours=73))
    assert mail.outbox == []


def test_the_people_of_the_incident_are_mailed_in_their_own_zone(incident, owner, member):
    analyst = member(Role.ANALYST)
    analyst.timezone = "Asia/Tokyo"
    analyst.save()
    services.change_incident(incident, facts(responders=[owner.user_id, analyst.pk]), seen=1, member=owner)
    sweep_at(LATER)
    assert sorted(letter.to[0] for letter in mail.outbox) == ["alice@acme.example", "analyst@acme.example"]
    assert any("22:05 JST (Tokyo)" in letter.body for letter in mail.outbox)
    # Who is no member any more hears nothing; nobody left: the admins do.
    mail.outbox.clear()
    remove_members(user=analyst)
    services.change_incident(incident, facts(responders=[analyst.pk]), seen=2, member=owner)
    sweep_at(NOTICED + timedelta(hours=25))
    assert [letter.to for letter in mail.outbox] == [["alice@acme.example"]]


def test_s7_whoever_may_not_work_on_it_is_none_of_its_people(incident, owner, member, mallory):
    analyst, viewer = member(Role.ANALYST), member(Role.VIEWER)
    services.change_incident(incident, facts(responders=[analyst.pk, viewer.pk, mallory.pk]), seen=1, member=owner)
    assert set(incident.responders.values_list("user_id", flat=True)) == {analyst.pk}


def test_many_customers_are_one_mail(owner, office):
    for number in range(30):
        make_promise(make_account(f"Umbrella {number:02}", domain=f"u{number}.example"), "24 hours")
    with time_machine.travel(NOTICED, tick=False):
        open_one(owner)
    sweep_at(LATER)
    [letter] = mail.outbox
    assert "and 27 more" in letter.body


def test_an_incident_that_is_written_down_long_after_is_not_mailed_of(owner, office):
    make_promise(make_account("Acorn"), "24 hours")
    open_one(owner, noticed_at=NOTICED - timedelta(days=90))
    sweep_at(NOTICED)
    assert mail.outbox == []
