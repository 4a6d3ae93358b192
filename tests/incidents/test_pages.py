"""The pages: what they show, whom they refuse, and what is said when something was done by somebody else."""

import csv
from datetime import timedelta
from io import StringIO
from urllib.parse import unquote

import pytest
import time_machine
from django.utils import timezone

from portal.accounts.models import Account
from portal.audit.models import Entry
from portal.commitments.models import Commitment
from portal.incidents import services
from portal.incidents.models import Draft, DraftTemplate, Incident, LogEntry, Notice, State, Step
from portal.incidents.placeholders import PLACEHOLDERS
from portal.incidents.services import Telling
from portal.tenants.models import Membership, Role
from portal.tenants.scope import tenant_scope
from tests.incidents.conftest import NOTICED, PAGE, make_account, make_promise, notice_of, open_one, set_standard, typed, words
from tests.support.members import find_member

AN_HOUR_LATER = NOTICED + timedelta(hours=1)
TOLD = {"told_at_0": "2026-11-20T15:00", "told_at_1": "Europe/Berlin", "way": "mail", "note": ""}


@pytest.fixture(autouse=True)
def an_hour_later():
    with time_machine.travel(AN_HOUR_LATER, tick=False):
        yield


@pytest.fixture
def incident(owner, office) -> Incident:
    """Two customers with promises, one without."""
    make_promise(make_account("Acorn"), "24 hours", contract="DPA", clause="Art. 8", page=3, notify="soc@acorn.example")
    make_promise(make_account("Birch"), "2 business days", zone="Australia/Sydney", country="AU", contract="MSA")
    make_account("Cedar")
    set_standard()
    return open_one(owner)


def page_of(incident: Incident, path: str = "") -> str:
    return f"{PAGE}{incident.pk}/{path}"


def notice_page(notice: Notice, path: str = "") -> str:
    return f"{PAGE}{notice.incident_id}/notices/{notice.pk}/{path}"


def test_without_incidents_the_list_says_what_to_do(client, owner):
    page = words(client.get(PAGE))
    assert "No incidents" in page
    assert f"{PAGE}new/" in page


def test_the_list_shows_how_far_each_incident_is(client, incident, owner):
    open_one(owner, name="Second")
    services.close_incident(Incident.objects.get(name="Second"), remark="x", member=owner)
    page = words(client.get(PAGE))
    assert "Leaked backup" in page
    assert "3 to notify, 0 notified" in page
    assert "in 23 h" in page
    assert "Second" not in page
    assert "Second" in words(client.get(f"{PAGE}?tab=closed"))
    assert "No matching incidents" in words(client.get(f"{PAGE}?q=nothing"))


def test_r3_the_list_says_at_once_where_somebody_is_to_be_told_at_once(client, owner, office):
    make_promise(make_account("Acorn"), "without undue delay", contract="DPA")
    incident = open_one(owner)
    shown = words(client.get(PAGE))
    assert '<span class="due late">Immediately</span>' in shown
    assert ">none<" not in shown
    content = b"".join(client.post(f"{PAGE}export/").streaming_content).decode("utf-8-sig")
    assert [line["Immediately"] for line in csv.DictReader(StringIO(content))] == ["yes"]
    services.mark_notified(incident, [notice_of(incident, "Acorn").pk], Telling(told_at=NOTICED, way="phone"), member=owner)
    assert "Immediately" not in words(client.get(PAGE))


def test_an_incident_is_opened_and_its_plan_appears(client, owner, office):
    make_promise(make_account("Acorn"), "24 hours", contract="DPA")
    page = words(client.post(f"{PAGE}new/", typed(notes="call the police"), follow=True))
    assert "Leaked backup" in page
    assert "Acorn" in page
    assert "in 23 h" in page
    assert "Saturday, 21 November 2026, 14:05 CET" in page
    assert "call the police" in page
    assert Incident.objects.get().noticed_at == NOTICED


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": ""}, "This field is required"),
        ({"kinds": []}, "This field is required"),
        ({"kinds": ["gossip"]}, "Select a valid choice"),
        ({"noticed_at_0": "2026-11-20T17:00"}, "This time is in the future"),
        ({"noticed_at_0": "1999-01-01T00:00"}, "Check the year"),
        ({"noticed_at_0": "soon"}, "Enter a valid date/time"),
        ({"noticed_at_0": "2026-10-25T02:30"}, "This time occurs twice, or not at all"),
        ({"noticed_at_0": "2026-03-29T02:30"}, "This time occurs twice, or not at all"),
        ({"whom": "chosen"}, "Name at least one customer"),
    ],
)
def test_what_makes_no_sense_is_shown_again_with_the_reason(client, owner, office, changes, said):
    answer = client.post(f"{PAGE}new/", typed(**changes))
    assert answer.status_code == 422
    assert said in words(answer)
    assert not Incident.objects.exists()


def test_a_moment_of_the_night_with_two_of_it_can_be_said_in_utc(client, owner, office):
    client.post(f"{PAGE}new/", typed(noticed_at_0="2026-10-25T01:30", noticed_at_1="UTC"))
    assert f"{Incident.objects.get().noticed_at:%H:%M}" == "01:30"


def test_customers_are_recognised_and_what_was_not_is_said(client, owner, office):
    for name, domain in [
        ("Acorn", "acorn.example"),
        ("Birch Bank", "birch.example"),
        ("Twin", "a.example"),
        ("Twin", "b.example"),
    ]:
        make_account(name, domain=domain, platform_id=domain)
    text = "ACORN\n@birch.example; nobody.example\nTwin\nbirc"
    answer = client.post(f"{PAGE}new/", typed(whom="chosen", customers=text))
    page = words(answer)
    assert answer.status_code == 422
    assert "3 lines do not clearly match a customer" in page
    assert "No customer matches “nobody.example”" in page
    assert "Several customers match “Twin”" in page
    assert "No customer is called “birc”. Did you mean" in page
    assert not Incident.objects.exists()
    # Whoever is meant is ticked; the line that names nobody is left out.
    client.post(f"{PAGE}new/", typed(whom="chosen", customers=text, meant=["b.example", "birch.example"], leave_out="on"))
    assert Incident.objects.get().account_ids == ["acorn.example", "b.example", "birch.example"]
    edit = words(client.get(f"{PAGE}{Incident.objects.get().pk}/edit/"))
    assert "Acorn b.example Birch Bank</textarea>" in edit


def test_the_plan_shows_the_moment_here_and_where_the_promise_is_at_home(client, incident):
    page = words(client.get(page_of(incident)))
    assert "Saturday, 21 November 2026, 14:05 CET" in page
    # Saturday and Sunday do not count: Monday, Tuesday.
    assert "Tuesday, 24 November 2026, 13:59 CET" in page
    assert "Tuesday, 24 November 2026, 23:59 AEDT (Sydney)" in page
    assert "DPA, Art. 8, page 3" in page
    assert "soc@acorn.example" in page
    assert "our standard" in page
    assert page.index("Acorn") < page.index("Cedar") < page.index("Birch")
    # The time in other zones stands on hover.
    assert "Friday, 20 November 2026, 13:05 UTC ·" in page


def test_lateness_is_said_in_words(client, incident):
    with time_machine.travel(NOTICED + timedelta(hours=26, minutes=10), tick=False):
        page = words(client.get(page_of(incident, "?tab=late")))
    assert "2 h 10 min late" in page
    assert "Birch" not in page


def test_a_page_that_shows_the_newest_is_not_drawn_again(client, incident):
    seen = client.get(page_of(incident)).context["page_version"]
    headers = {"HX-Request": "true", "Seen": seen}
    assert client.get(page_of(incident), headers=headers).status_code == 204
    services.add_remark(incident, "x", member=incident_owner(incident))
    fragment = client.get(page_of(incident), headers=headers)
    assert fragment.status_code == 200
    assert b"<html" not in fragment.content


def incident_owner(incident: Incident) -> Membership:
    return find_member(tenant=incident.tenant, role=Role.OWNER)


def test_somebody_is_told_and_the_log_says_by_whom_when_and_how(client, incident):
    notice = notice_of(incident, "Acorn")
    page = words(client.post(notice_page(notice, "tell/"), TOLD | {"note": "spoke to Ann"}, follow=True))
    assert "Marked Acorn as notified." in page
    assert "notified in time" in page
    notice.refresh_from_db()
    assert (notice.state, notice.way, notice.note) == (State.TOLD, "mail", "spoke to Ann")
    entry = LogEntry.objects.filter(step=Step.TOLD).get()
    assert entry.text == "Acorn was notified on 2026-11-20 14:00 UTC. Channel: Email."
    assert (entry.who, entry.note, entry.notice) == ("Alice Ames", "spoke to Ann", notice)


def test_who_was_told_late_is_said_to_have_been(client, incident):
    notice = notice_of(incident, "Acorn")
    with time_machine.travel(NOTICED + timedelta(hours=30), tick=False):
        client.post(notice_page(notice, "tell/"), TOLD | {"told_at_0": "2026-11-21T17:35"})
        page = words(client.get(page_of(incident)))
    assert "notified 3 h 30 min late" in page
    assert "3 h 30 min late. Channel: Email." in LogEntry.objects.filter(step=Step.TOLD).get().text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"told_at_0": "2026-11-20T16:00"}, "This time is in the future"),
        ({"told_at_0": "2026-11-20T14:04"}, "before the incident was noticed"),
        ({"way": "pigeon"}, "Select a valid choice"),
    ],
)
def test_what_cannot_have_been_told_so_is_refused(client, incident, changes, said):
    notice = notice_of(incident, "Acorn")
    answer = client.post(notice_page(notice, "tell/"), TOLD | changes)
    assert answer.status_code == 422
    assert said in words(answer)
    notice.refresh_from_db()
    assert notice.is_to_tell


def test_a_mistake_is_taken_back_and_both_stay_in_the_log(client, incident):
    notice = notice_of(incident, "Acorn")
    client.post(notice_page(notice, "tell/"), TOLD)
    page = words(client.post(notice_page(notice, "revert/"), {"seen": "told", "note": "wrong customer"}, follow=True))
    assert "Undone. Acorn still has to be notified." in page
    notice.refresh_from_db()
    assert (notice.state, notice.told_at, notice.way) == (State.TO_TELL, None, "")
    steps = list(LogEntry.objects.filter(notice=notice).order_by("id").values_list("step", flat=True))
    assert steps == [Step.TOLD, Step.TAKEN_BACK]
    assert "marked as notified on 2026-11-20 14:00 UTC by Alice Ames" in LogEntry.objects.get(step=Step.TAKEN_BACK).text
    # Once more: there is nothing to take back.
    page = words(client.post(notice_page(notice, "revert/"), {"seen": "told"}, follow=True))
    assert "Nothing was changed: Acorn still has to be notified." in page


def test_who_need_not_be_told_says_why(client, incident):
    notice = notice_of(incident, "Cedar")
    assert client.post(notice_page(notice, "spare/"), {"note": ""}).status_code == 422
    page = words(client.post(notice_page(notice, "spare/"), {"note": "none of their data"}, follow=True))
    assert "Cedar does not need a notice." in page
    assert "Alice Ames: none of their data" in page
    page = words(client.post(notice_page(notice, "spare/"), {"note": "again"}, follow=True))
    assert "Nothing was changed: Cedar was marked as not needed by Alice Ames." in page


def test_w4_several_are_told_and_those_whom_somebody_else_told_are_left_alone(client, incident, owner):
    keys = [each.pk for each in Notice.objects.all()]
    page = words(client.get(page_of(incident, "tell/"), {"chosen": keys}))
    assert "Mark 3 customers as notified" in page
    birch = notice_of(incident, "Birch")
    services.mark_notified(incident, [birch.pk], Telling(told_at=NOTICED, way="phone"), member=owner)
    # The number is another one now: the same person looks once more.
    answer = client.post(page_of(incident, "tell/"), TOLD | {"chosen": keys, "number": 3})
    assert answer.status_code == 422
    assert "The list has changed" in words(answer)
    page = words(client.post(page_of(incident, "tell/"), TOLD | {"chosen": keys, "number": 2}, follow=True))
    assert "Marked 2 customers as notified." in page
    birch.refresh_from_db()
    assert birch.way == "phone"
    assert LogEntry.objects.filter(step=Step.TOLD).count() == 3


def test_w4_who_is_told_in_the_same_moment_is_said_to_have_been(client, incident, owner):
    keys = [each.pk for each in Notice.objects.all()]
    services.mark_notified(incident, keys[:1], Telling(told_at=NOTICED, way="phone"), member=owner)
    outcome = services.mark_notified(incident, keys, Telling(told_at=AN_HOUR_LATER, way="mail"), member=owner)
    assert (len(outcome.told), [str(each) for each in outcome.settled_before]) == (2, ["Acorn"])


def test_all_of_a_list_are_told_at_once(client, incident):
    page = words(client.get(page_of(incident, "tell/"), {"all": "1", "q": "example"}))
    assert "Mark 3 customers as notified" in page
    client.post(page_of(incident, "tell/"), TOLD | {"all": "1", "q": "example", "number": 3})
    assert set(Notice.objects.values_list("state", flat=True)) == {State.TOLD}
    page = words(client.get(page_of(incident, "tell/"), {"all": "1"}, follow=True))
    assert "All selected customers are already settled." in page


def test_r2_before_many_are_told_all_of_them_can_be_read(client, owner, office):
    names = [str(make_account(f"Customer {number:03}")) for number in range(30)]
    incident = open_one(owner)
    html = client.get(page_of(incident, "tell/"), {"all": "1"}).content.decode()
    assert [name for name in names if name not in html] == []


def test_r2_before_a_plan_is_rebuilt_all_that_would_change_can_be_read(client, owner, office):
    names = [str(make_account(f"Customer {number:03}")) for number in range(120)]
    incident = open_one(owner)
    set_standard()
    html = client.get(page_of(incident, "replan/")).content.decode()
    assert [name for name in names if name not in html] == []


def test_the_message_is_made_of_the_template_and_kept_when_somebody_has_written_it(client, incident):
    notice = notice_of(incident, "Birch")
    page = words(client.get(notice_page(notice)))
    assert "Dear Birch team" in page
    assert "Saturday, 21 November 2026, 00:05 AEDT (Sydney)" in page
    assert "from the template “Built-in text”, not saved" in page
    client.post(notice_page(notice, "draft/"), {"subject": "About you", "text": "My words", "seen": 0})
    page = words(client.get(notice_page(notice)))
    assert "My words</textarea>" in page
    assert "Dear Birch team" not in page
    assert "Dear Birch team" in words(client.get(notice_page(notice, "?fresh=1")))
    assert Draft.objects.get().text == "My words"


def test_w2_two_people_who_write_to_one_customer_see_both_texts(client, incident):
    notice = notice_of(incident, "Birch")
    client.post(notice_page(notice, "draft/"), {"subject": "One", "text": "First text", "seen": 0})
    answer = client.post(notice_page(notice, "draft/"), {"subject": "Two", "text": "Second text", "seen": 0})
    page = words(answer)
    assert answer.status_code == 422
    assert "Someone else saved a different text" in page
    assert "First text" in page
    assert "Second text</textarea>" in page
    assert Draft.objects.get().text == "First text"
    client.post(notice_page(notice, "draft/"), {"subject": "Two", "text": "Second text", "seen": 1})
    assert Draft.objects.get().text == "Second text"


def test_w2_a_message_to_a_customer_of_an_incident_that_was_closed_stands_in_its_form(client, incident, owner):
    notice = notice_of(incident, "Birch")
    services.close_incident(incident, remark="false alarm", member=owner)
    answer = client.post(notice_page(notice, "draft/"), {"subject": "Two", "text": "What I typed", "seen": 0})
    assert answer.status_code == 409
    assert "Someone closed this incident" in words(answer)
    assert "What I typed</textarea>" in words(answer)
    assert not Draft.objects.exists()
    services.reopen_incident(incident, member=owner)
    client.post(notice_page(notice, "draft/"), {"subject": "Two", "text": "What I typed", "seen": 0})
    assert Draft.objects.get().text == "What I typed"


def test_w2_a_change_of_an_incident_that_was_closed_stands_in_its_form(client, incident, owner):
    services.close_incident(incident, remark="false alarm", member=owner)
    answer = client.post(page_of(incident, "edit/"), typed(name="Lost backup", notes="Ask the host", seen=1))
    assert answer.status_code == 409
    assert "Someone closed this incident" in words(answer)
    assert "Ask the host</textarea>" in words(answer)
    assert Incident.objects.get().name == "Leaked backup"
    services.reopen_incident(incident, member=owner)
    client.post(page_of(incident, "edit/"), typed(name="Lost backup", notes="Ask the host", seen=1))
    assert Incident.objects.get().notes == "Ask the host"


def test_a_page_that_was_refused_goes_on_asking_for_itself(client, incident):
    notice = notice_of(incident, "Birch")
    client.post(notice_page(notice, "draft/"), {"subject": "One", "text": "First text", "seen": 0})
    refused = client.post(notice_page(notice, "draft/"), {"subject": "", "text": "Second text", "seen": 1})
    assert f'hx-get="{notice_page(notice)}"' in words(refused)
    assert f'href="{notice_page(notice)}?fresh=1#message"' in words(refused)
    assert (
        client.get(notice_page(notice), headers={"HX-Request": "true", "Seen": refused.context["page_version"]}).status_code
        == 204
    )


def test_a_mail_opens_with_address_and_text(client, incident):
    notice = notice_of(incident, "Acorn")
    client.post(notice_page(notice, "draft/"), {"subject": "A & B", "text": "Line one\nLine two", "seen": 0})
    page = client.get(notice_page(notice)).content.decode()
    link = page.partition('href="mailto:')[2].partition('"')[0]
    assert unquote(link).replace("&amp;", "&") == "soc@acorn.example?subject=A & B&body=Line one\r\nLine two"
    assert "mailto:" not in client.get(notice_page(notice_of(incident, "Birch"))).content.decode()


def test_templates_are_checked_when_they_are_saved(client, incident):
    first = {"name": "Breach", "subject": "{incident}", "text": "Dear {customer}, {nonsense} {deadline.year}", "seen": 0}
    answer = client.post(f"{PAGE}templates/new/", first)
    assert answer.status_code == 422
    assert "Unknown placeholder {nonsense} and {deadline.year}." in words(answer)
    client.post(f"{PAGE}templates/new/", first | {"text": "Dear {customer}!"})
    assert "Another template has this name." in words(client.post(f"{PAGE}templates/new/", first | {"text": "x"}))
    assert "Dear Acorn!" in words(client.get(notice_page(notice_of(incident, "Acorn"))))
    template = DraftTemplate.objects.get()
    edit = f"{PAGE}templates/{template.pk}/"
    client.post(edit, first | {"text": "Hello {customer}!", "seen": 1})
    answer = client.post(edit, first | {"text": "Good day {customer}!", "seen": 1})
    assert answer.status_code == 422
    assert "Someone else saved a different text" in words(answer)
    assert "Hello Acorn!" in words(client.get(notice_page(notice_of(incident, "Acorn"))))
    client.post(f"{edit}delete/")
    assert "Built-in text" in words(client.get(f"{PAGE}templates/"))


def test_w2_what_was_typed_into_a_template_that_was_removed_makes_a_new_one(client, owner):
    said = {"name": "Breach", "subject": "{incident}", "text": "Dear {customer}!", "seen": 0}
    client.post(f"{PAGE}templates/new/", said)
    edit = f"{PAGE}templates/{DraftTemplate.objects.get().pk}/"
    client.post(f"{edit}delete/")
    answer = client.post(edit, said | {"text": "Hello {customer}!", "seen": 1})
    shown = words(answer)
    assert answer.status_code == 409
    assert "Someone else removed this template" in shown
    assert "Hello {customer}!</textarea>" in shown
    assert f'action="{PAGE}templates/new/"' in shown
    assert client.get(edit).status_code == 404
    client.post(f"{PAGE}templates/new/", said | {"text": "Hello {customer}!", "seen": answer.context["form"]["seen"].value()})
    assert DraftTemplate.objects.get().text == "Hello {customer}!"


def test_every_placeholder_is_filled_in_for_each_customer(client, incident):
    text = " | ".join(f"{{{name}}}" for name in PLACEHOLDERS)
    client.post(f"{PAGE}templates/new/", {"name": "All", "subject": "x", "text": text, "seen": 0})
    make_promise(Account.objects.get(name="Acorn"), "without undue delay", contract="Side letter")
    services.replan(incident, member=incident_owner(incident))
    said = {
        "Acorn": "Acorn | Acme | security incident | Friday, 20 November 2026, 14:05 CET (Berlin) | without delay"
        " | Personal data | without undue delay | Side letter",
        "Birch": "Birch | Acme | security incident | Saturday, 21 November 2026, 00:05 AEDT (Sydney)"
        " | Tuesday, 24 November 2026, 23:59 AEDT (Sydney) | Personal data | 2 business days | MSA",
        "Cedar": "Cedar | Acme | security incident | Friday, 20 November 2026, 14:05 CET (Berlin)"
        " | Monday, 23 November 2026, 14:05 CET (Berlin) | Personal data | 72 hours | our standard",
    }
    for name, expected in said.items():
        assert f"{expected}</textarea>" in words(client.get(notice_page(notice_of(incident, name))))


def test_a_draft_never_names_the_incident_as_the_team_does(client, incident):
    page = client.get(notice_page(notice_of(incident, "Acorn")))
    message = page.context["message"]
    assert "leaked backup" not in f"{message.subject} {message.text}".casefold()
    assert 'id="names-incident"' not in page.content.decode()
    Incident.objects.update(public_title="Loss of a backup")
    message = client.get(notice_page(notice_of(incident, "Acorn"))).context["message"]
    assert "Loss of a backup" in message.subject
    assert "Loss of a backup" in message.text


@pytest.mark.parametrize(
    ("text", "title", "is_warned"),
    [
        ("About the LEAKED  backup of May", "", True),
        ("About a backup that leaked", "", False),
        ("Unleaked backups", "", False),
        # Who gives customers the same title means it.
        ("About the leaked backup", "Leaked Backup", False),
    ],
)
def test_a_draft_with_the_internal_name_is_warned_about(client, incident, text, title, is_warned):
    Incident.objects.update(public_title=title)
    page = notice_page(notice_of(incident, "Acorn"))
    client.post(f"{page}draft/", {"subject": "News", "text": text, "seen": 0})
    assert ('id="names-incident"' in client.get(page).content.decode()) == is_warned


def test_the_title_for_customers_is_asked_for_and_kept(client, incident):
    client.post(page_of(incident, "edit/"), typed(public_title=" Loss  of a backup ", seen=1))
    incident.refresh_from_db()
    assert (incident.public_title, incident.version) == ("Loss of a backup", 2)


def test_what_was_promised_without_a_moment_is_not_called_timely(client, incident):
    make_promise(Account.objects.get(name="Acorn"), "without undue delay", contract="Side letter")
    services.replan(incident, member=incident_owner(incident))
    client.post(notice_page(notice_of(incident, "Acorn"), "tell/"), TOLD)
    assert "notified after 55 min" in words(client.get(page_of(incident)))


def test_a_value_with_braces_is_no_placeholder(client, owner, office):
    make_account("{incident} & {contract}")
    incident = open_one(owner)
    page = words(client.get(notice_page(Notice.objects.get(incident=incident))))
    assert "Dear {incident} &amp; {contract} team" in page


def test_a_promise_that_changed_is_said_on_the_page_with_what_would_change(client, incident):
    assert "may be out of date" not in words(client.get(page_of(incident)))
    Commitment.objects.filter(amount=24).update(amount=12)
    with time_machine.travel(AN_HOUR_LATER + timedelta(minutes=2), tick=False):
        assert "The plan may be out of date" in words(client.get(page_of(incident)))
        page = words(client.get(page_of(incident, "replan/")))
        assert "1 deadline moved" in page
        assert "Saturday, 21 November 2026, 14:05 CET → Saturday, 21 November 2026, 02:05 CET (24 hours → 12 hours)" in page
        assert "Saturday, 21 November 2026, 14:05 CET" in words(client.get(page_of(incident)))
        page = words(client.post(page_of(incident, "replan/"), follow=True))
    assert "Plan rebuilt: 1 deadline moved." in page
    assert "may be out of date" not in page


def test_an_incident_is_changed_and_what_moved_is_said(client, incident):
    page = words(client.post(page_of(incident, "edit/"), typed(noticed_at_0="2026-11-20T10:00", seen="1"), follow=True))
    assert "Saved, and the plan was rebuilt: 2 deadlines moved." in page
    answer = client.post(page_of(incident, "edit/"), typed(name="Too late", seen="1"))
    assert answer.status_code == 422
    assert "Someone else changed this incident" in words(answer)
    assert 'name="seen" value="2"' in words(answer)
    assert "Saved. The plan is unchanged." in words(
        client.post(page_of(incident, "edit/"), typed(name="Now", noticed_at_0="2026-11-20T10:00", seen="2"), follow=True)
    )


def test_closing_with_customers_left_needs_a_word(client, incident):
    assert client.post(page_of(incident, "close/"), {"note": ""}).status_code == 422
    page = words(client.post(page_of(incident, "close/"), {"note": "false alarm"}, follow=True))
    assert "This incident is closed" in page
    assert "Closed, with 3 customers not notified." in page
    page = words(client.post(notice_page(notice_of(incident, "Acorn"), "tell/"), TOLD, follow=True))
    assert "Nothing was changed. Reopen it first." in page
    assert client.get(page_of(incident, "edit/")).status_code == 302
    assert "Incident reopened." in words(client.post(page_of(incident, "reopen/"), follow=True))


def test_the_log_is_whole_and_takes_remarks(client, incident):
    page = words(client.post(page_of(incident, "log/remark/"), {"note": "Called the regulator"}, follow=True))
    assert "Called the regulator" in page
    assert "Plan created: 3 customers to notify." in page
    assert "Nothing was added" in words(client.post(page_of(incident, "log/remark/"), {"note": " "}, follow=True))


def test_s3_plan_and_log_are_files_without_formulas(client, incident, owner):
    Notice.objects.filter(customer="Cedar").update(customer="=cmd|calc")
    services.add_remark(incident, "+SUM(A1)", member=owner)
    plan = b"".join(client.post(page_of(incident, "export/")).streaming_content).decode()
    assert "'=cmd|calc" in plan
    assert "2026-11-21T13:05:00+00:00" in plan
    assert '"DPA, Art. 8, page 3' not in plan
    assert "24 hours (DPA, Art. 8, page 3)" in plan
    log = b"".join(client.post(page_of(incident, "log/export/")).streaming_content).decode()
    assert "'+SUM(A1)" in log
    assert Entry.objects.filter(action="incident.export").count() == 2


def test_s3_the_list_is_a_file_of_what_it_shows(client, incident, owner, bob):
    other = open_one(owner)
    services.close_incident(other, remark="", member=owner)
    Incident.objects.filter(pk=incident.pk).update(name="=cmd|calc")
    assert f'action="{PAGE}export/"' in client.get(PAGE).content.decode()
    for query, state in (("", "Open"), ("?tab=closed", "Closed"), ("?q=nobody-called-it-so", "")):
        content = b"".join(client.post(f"{PAGE}export/{query}").streaming_content).decode("utf-8-sig")
        lines = list(csv.DictReader(StringIO(content)))
        rows = client.get(f"{PAGE}{query}").context["rows"]
        assert [(line["To notify"], line["Notified"]) for line in lines] == [(str(row.to_tell), str(row.told)) for row in rows]
        assert {line["State"] for line in lines} == ({state} if state else set())
        assert [line["Incident"] for line in lines] == (["'=cmd|calc"] if not query else [str(row.incident) for row in rows])
    client.force_login(bob)
    assert client.post(f"{PAGE}export/").status_code == 403


def test_the_plan_is_printed_whole(client, incident, owner):
    services.mark_notified(
        incident, [notice_of(incident, "Acorn").pk], Telling(told_at=AN_HOUR_LATER, way="mail"), member=owner
    )
    page = words(client.get(page_of(incident, "print/")))
    assert "1. Acorn" in page
    assert "2. Cedar" in page
    assert "Notified Friday, 20 November 2026, 15:05 CET, in time, by Alice Ames, Email" in page


def test_the_plan_is_a_pdf(client, incident):
    pytest.importorskip("fpdf")
    answer = client.get(page_of(incident, "plan.pdf"))
    assert answer["Content-Disposition"] == f'attachment; filename="incident-{incident.pk}-plan.pdf"'
    assert answer.content.startswith(b"%PDF-")


def test_a_long_plan_has_pages(client, owner, office):
    Account.objects.bulk_create(
        [Account(platform_id=f"a{n}", name=f"Umbrella {n:03}", name_sort=f"umbrella {n:03}") for n in range(120)]
    )
    incident = open_one(owner)
    page = client.get(page_of(incident))
    assert page.content.count(b'name="chosen"') == 50
    following = client.get(page_of(incident, f"?cursor={page.context['page'].next_cursor}"))
    assert b"Umbrella 050" in following.content
    assert "Mark 1 customer as notified" in words(client.get(page_of(incident, "tell/"), {"all": "1", "q": "umbrella 07 077"}))


def test_the_customers_timeline_and_the_navigation_tell_of_it(client, incident, owner):
    services.mark_notified(
        incident, [notice_of(incident, "Acorn").pk], Telling(told_at=AN_HOUR_LATER, way="mail"), member=owner
    )
    page = words(client.get("/t/acme/customers/id-acorn/"))
    assert "Notified of the incident: Leaked backup" in page
    assert "Affected by an incident: Leaked backup" in page
    assert '<span class="count urgent">2</span>' in page


def test_s1_other_tenants_and_low_roles_are_refused(client, incident, globex, mallory, bob, member):
    notice = notice_of(incident, "Acorn")
    client.force_login(bob)
    assert client.get(page_of(incident)).status_code == 200
    assert "Mark as notified</button>" not in words(client.get(notice_page(notice)))
    for path in ("edit/", "close/", "reopen/", "replan/", "tell/", "log/remark/", "export/", "log/export/"):
        assert client.post(page_of(incident, path)).status_code == 403, path
    for path in ("draft/", "tell/", "spare/", "revert/"):
        assert client.post(notice_page(notice, path)).status_code == 403, path
    client.force_login(member(Role.APPROVER))
    assert client.post(f"{PAGE}templates/new/").status_code == 403
    client.force_login(mallory)
    theirs = page_of(incident).replace("/t/acme/", "/t/globex/")
    assert client.get(theirs).status_code == 404
    assert client.get(notice_page(notice).replace("/t/acme/", "/t/globex/")).status_code == 404
    with tenant_scope(globex.pk):
        assert not Incident.objects.exists()
    # Two right ids that do not belong together.
    client.force_login(bob)
    assert client.get(f"{PAGE}{incident.pk + 1}/notices/{notice.pk}/").status_code == 404


def test_s3_hostile_texts_are_only_shown(client, owner, office):
    account = make_account("<script>alert(1)</script>")
    make_promise(
        account, "<b>at once</b>", contract="<i>MSA</i>", clause="<u>1</u>", notify="javascript:alert(1) <x@y.example>"
    )
    incident = open_one(owner, name="<img src=x onerror=alert(1)>", notes="<script>")
    for path in ("", "log/", "print/", "edit/", "replan/"):
        page = client.get(page_of(incident, path)).content.decode()
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert "<b>at once" not in page
    page = client.get(notice_page(Notice.objects.get())).content.decode()
    assert "<b>at once" not in page
    assert 'href="mailto:x@y.example?' in page


def test_the_moments_of_a_reader_elsewhere_are_theirs(client, incident, alice):
    alice.timezone = "America/New_York"
    alice.save()
    page = words(client.get(page_of(incident)))
    assert "Saturday, 21 November 2026, 08:05 EST" in page
    assert "Saturday, 21 November 2026, 14:05 CET (Berlin)" in page
    assert timezone.get_current_timezone_name() == "UTC"
