"""Reminders go out once for each day, to who looks after the contract; the calendar and its feed show the same days."""

from datetime import timedelta

from django.core import mail
from django.utils import timezone
from icalendar import Calendar

from portal.audit.models import Entry
from portal.contracts.models import Contract, ContractFeed, Terms
from portal.contracts.services import change_terms, remind_all, reminders, settle_notice
from portal.contracts.tasks import remind_of_contracts
from portal.tenants.models import Role
from tests.contracts.conftest import PAGE
from tests.support.mails import delivered
from tests.support.members import remove_members

CALENDAR = f"{PAGE}calendar/"


def told() -> list[str]:
    return [to for each in delivered() for to in each.to]


def said() -> str:
    return " ".join(each.body for each in delivered())


def test_the_owner_is_told_once_of_each_day(row, me, alice):
    end = timezone.localdate() + timedelta(days=29)
    change_terms(row, {"ends_on": end, "notice_number": 5, "notice_unit": "days", "owner": alice}, member=me)
    mail.outbox.clear()
    remind_of_contracts()
    remind_of_contracts()
    assert told() == [alice.email]
    [message] = mail.outbox
    assert "last day to give notice on" in message.body
    assert "In 24 days. The notice period is 5 days. Without notice it ends on" in message.body
    assert "In 29 days." in message.body
    assert message.body.count(f"/t/acme/contracts/{row.platform_id}/") == 2
    # Another end is another thing to be told of.
    change_terms(row, {"ends_on": timezone.localdate() + timedelta(days=25)}, member=me)
    mail.outbox.clear()
    assert remind_all() == 2


def test_a_notice_day_that_somebody_decided_about_is_not_told_of(row, me, monkeypatch):
    end = timezone.localdate() + timedelta(days=29)
    change_terms(row, {"ends_on": end, "notice_number": 5, "notice_unit": "days"}, member=me)
    once = reminders.notify_once

    def be_overtaken(terms, *args, **options):
        settle_notice(row, member=me)
        return once(terms, *args, **options)

    mail.outbox.clear()
    with monkeypatch.context() as patched:
        patched.setattr(reminders, "notify_once", be_overtaken)
        assert remind_all() == 1, "of the end alone"
    assert remind_all() == 0
    assert "last day to give notice" not in said()
    # Another day is open anew.
    change_terms(row, {"notice_number": 6}, member=me)
    assert remind_all() == 1
    assert "last day to give notice" in said()


def test_without_an_owner_the_admins_are_told_and_only_in_time(row, me, member):
    approver = member(Role.APPROVER)
    change_terms(row, {"ends_on": timezone.localdate() + timedelta(days=31)}, member=me)
    mail.outbox.clear()
    assert remind_all() == 0
    change_terms(
        row, {"ends_on": timezone.localdate() + timedelta(days=30), "renews_itself": True, "renewal_months": 12}, member=me
    )
    assert remind_all() == 1
    assert me.user.email in told()
    assert approver.email not in told()
    assert "renews automatically on" in mail.outbox[0].body
    assert "In 30 days. It renews for 12 months." in mail.outbox[0].body


def test_nobody_is_told_of_what_is_over_or_gone(row, me):
    change_terms(row, {"ends_on": timezone.localdate() - timedelta(days=1)}, member=me)
    assert remind_all() == 0
    change_terms(row, {"ends_on": timezone.localdate()}, member=me)
    Contract.objects.update(gone_at=timezone.now())
    assert remind_all() == 0


def test_an_owner_who_has_left_is_not_told(row, me, member):
    left = member(Role.ANALYST)
    change_terms(row, {"ends_on": timezone.localdate(), "owner": left}, member=me)
    remove_members(user=left)
    mail.outbox.clear()
    assert remind_all() == 1
    assert me.user.email in told()
    assert left.email not in told()


def test_a_day_that_is_changed_in_the_same_moment_is_not_told_of(row, me, monkeypatch):
    change_terms(row, {"ends_on": timezone.localdate() + timedelta(days=5)}, member=me)
    mail.outbox.clear()
    once = reminders.notify_once

    def be_overtaken(terms, *args, **options):
        Terms.objects.update(turns_on=timezone.localdate() + timedelta(days=400))
        return once(terms, *args, **options)

    monkeypatch.setattr(reminders, "notify_once", be_overtaken)
    assert remind_all() == 0
    assert Terms.objects.get().told_end_at is None
    assert told() == []


def test_the_calendar_shows_what_is_on_each_day(row, me, analyst):
    assert b"No dates this month." in analyst.get(CALENDAR).content
    day = timezone.localdate().replace(day=15)
    change_terms(row, {"ends_on": day, "notice_number": 1, "notice_unit": "days", "renews_on": day}, member=me)
    page = analyst.get(CALENDAR, {"month": f"{day:%Y-%m}"})
    numbers = {each.date: each.number for week in page.context["weeks"] for each in week if each.number}
    assert numbers == {day: 2, day - timedelta(days=1): 1}
    assert [entry.kind for entry in page.context["entries"]] == ["notice", "end", "renewal"]
    page = analyst.get(CALENDAR, {"month": f"{day:%Y-%m}", "day": day.isoformat()})
    assert [entry.kind for entry in page.context["entries"]] == ["end", "renewal"]
    for month, chosen in (("9999-99", "x"), ("0001-01", "9999-12-31"), ("²²²²-01", "")):
        assert analyst.get(CALENDAR, {"month": month, "day": chosen}).status_code == 200
    headers = {"HX-Request": "true", "Seen": analyst.get(CALENDAR).context["page_version"]}
    assert analyst.get(CALENDAR, headers=headers).status_code == 204


def test_the_own_feed_is_made_read_and_revoked(row, me, analyst, client):
    change_terms(
        row, {"ends_on": timezone.localdate() + timedelta(days=40), "notice_number": 1, "notice_unit": "months"}, member=me
    )
    page = analyst.post(f"{CALENDAR}feed/", follow=True).content.decode()
    path = f"/calendar/contracts/{ContractFeed.objects.get().token}.ics"
    assert path in page
    client.logout()
    answer = client.get(path)
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    events = Calendar.from_ical(answer.content).walk("VEVENT")
    assert {str(event["SUMMARY"]).partition(":")[0] for event in events} == {"Ends", "Last notice day"}
    assert timezone.localdate() + timedelta(days=40) in {event["DTSTART"].dt for event in events}
    client.force_login(me.user)
    client.post(f"{CALENDAR}feed/", {"revoke": "1"})
    assert client.get(path).status_code == 404
    assert [entry.action for entry in Entry.objects.filter(target_kind="contract_feed").order_by("pk")] == [
        "contract_feed.make",
        "contract_feed.revoke",
    ]


def test_a_feed_ends_with_its_membership_and_opens_no_other_desk(row, me, analyst, client, member):
    other = member(Role.ANALYST)
    client.force_login(other)
    client.post(f"{CALENDAR}feed/")
    token = ContractFeed.objects.get().token
    assert client.get(f"/calendar/{token}.ics").status_code == 404
    assert client.get(f"/calendar/contracts/{token}.ics").status_code == 200
    remove_members(user=other)
    assert client.get(f"/calendar/contracts/{token}.ics").status_code == 404
    assert not ContractFeed.objects.exists()
    assert not Terms.objects.exists()


def test_a_viewer_sees_the_calendar_and_has_no_feed(row, client, bob):
    client.force_login(bob)
    assert b"Your calendar" not in client.get(CALENDAR).content
    assert client.post(f"{CALENDAR}feed/").status_code == 403
