"""One question, one person without a login, one link: what they can do with it, and what becomes of their answer."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from portal.audit.models import Entry
from portal.notifications.models import Notification
from portal.questionnaires import services
from portal.questionnaires.models import Asked, Draft, ExpertLink, Questionnaire, Response
from portal.questionnaires.services import nudges
from portal.questionnaires.tasks import mail_expert_links, sweep_expert_links, sweep_nudges
from portal.tenants import personal_data
from portal.tenants.models import Role, Tenant
from tests.questionnaires.conftest import TWO_PARTS, address, fill_in
from tests.support.members import find_member

pytestmark = pytest.mark.django_db
EMAIL = "dana@example.test"
ASKED = {"how": "expert", "email": "Dana@Example.test", "name": "Dana Reyes", "note": "You run the key store.", "days": "7"}


@pytest.fixture
def question(desk) -> Response:
    return desk.set_answer(TWO_PARTS, {"p1": None, "p2": None}, question="Who can read the master key?")


@pytest.fixture
def link(analyst, question) -> ExpertLink:
    ask(analyst, question)
    return ExpertLink.objects.select_related("response__questionnaire", "tenant").get()


def ask(client: Client, *questions: Response, **changes: str):
    sent = {"chosen": [row.pk for row in questions], **ASKED, **changes}
    return client.post(f"{address(questions[0].questionnaire)}ask/", sent)


def path_of(link: ExpertLink) -> str:
    return f"/answer/{link.token}/"


def at(question: Response, link: ExpertLink) -> str:
    return f"{address(question)}experts/{link.pk}/"


def change(link: ExpertLink, **parts: str) -> HttpResponse:
    """Send the form again, as it is drawn for somebody who has sent it before."""
    sent = ExpertLink.objects.select_related("response__questionnaire").get(pk=link.pk)
    return Client().post(path_of(link), fill_in(sent.response, before=sent.values, **parts))


def close(question: Response, how: str) -> None:
    """Finish the questionnaire by a status, or have it gone."""
    columns = {"gone_at": timezone.now()} if how == "gone" else {"status": how}
    Questionnaire.objects.filter(pk=question.questionnaire_id).update(**columns)


def asked(question: Response) -> str:
    return Response.objects.get(pk=question.pk).asked


def test_the_mail_holds_the_question_the_note_and_the_link(link, question):
    mail_expert_links(link.tenant_id)
    [sent] = mail.outbox
    assert sent.to == [EMAIL]
    assert sent.subject == "A question from Acme"
    assert question.question in sent.body
    assert "You run the key store." in sent.body
    assert path_of(link) in sent.body
    assert asked(question) == Asked.WAITING


def test_two_workers_that_see_the_same_link_mail_it_once(link, monkeypatch):
    claim = nudges._claim

    def be_overtaken(row, column):
        monkeypatch.setattr(nudges, "_claim", claim)
        mail_expert_links(link.tenant_id)
        return claim(row, column)

    monkeypatch.setattr(nudges, "_claim", be_overtaken)
    mail_expert_links(link.tenant_id)
    assert len(mail.outbox) == 1


def test_a_mail_that_was_not_taken_is_sent_by_the_sweep(link, monkeypatch, settings):
    def refuse(*args, **options):
        raise OSError("the mail server is down")

    with monkeypatch.context() as patch:
        patch.setattr("portal.questionnaires.services.nudges.send_mail", refuse)
        mail_expert_links(link.tenant_id)
    link.refresh_from_db()
    assert link.mailed_at is None
    sweep_expert_links()
    mail_expert_links(link.tenant_id)
    assert len(mail.outbox) == 1


def test_an_open_page_learns_that_a_question_was_asked(analyst, question):
    page, list_of_asked = address(question.questionnaire), "?show=asked"
    seen = {"HX-Request": "true", "HX-Target": "questions", "Seen": page_version(analyst.get(page))}
    assert analyst.get(page, headers=seen).status_code == 204
    ask(analyst, question)
    news = analyst.get(page, headers=seen)
    assert list_of_asked in news.content.decode()


def page_version(answer) -> str:
    return answer.context["questions_version"]


def test_the_answer_comes_back_and_is_taken_over_as_a_draft(client, analyst, link, question, desk, wire):
    page = Client().get(path_of(link))
    assert question.question in page.content.decode()
    assert Client().post(path_of(link), fill_in(question, p1='"Yes"', p2="Two people together.")).status_code == 302
    assert "your answer was sent" in Client().get(path_of(link)).content.decode()
    assert asked(question) == Asked.ANSWERED
    assert desk.there(question)["answerPartsValues"] == {"p1": None, "p2": None}, "an expert writes nothing on the platform"
    pane = analyst.get(address(question)).content.decode()
    assert "Two people together." in pane
    answer = analyst.post(at(question, link), {"do": "take"}, follow=True).content.decode()
    assert "Your draft is in the form" in answer
    assert Draft.objects.get().typed == {"p1": '"Yes"', "p2": "Two people together."}
    assert "Answered by <b>Dana Reyes</b>" in answer
    assert asked(question) == Asked.NOBODY
    assert not wire.patches


LINKS = re.compile(r'<a [^>]*href="([^"]*)"')


def links_in(page: HttpResponse) -> list[str]:
    """Where a page leads, but for the way over its own head; the note on lost connections is hidden and leads to the page."""
    head, _, rest = page.content.decode().partition('<div class="link-lost" id="link-lost" role="status" hidden>')
    return [address for address in LINKS.findall(head + rest.partition("</div>")[2]) if address != "#main"]


def test_who_has_answered_reads_what_was_sent_to_whom_and_what_comes_next(analyst, link, question, desk):
    Client().post(path_of(link), fill_in(question, p1='"Yes"', p2="Two people <b>together</b>."))
    page = Client().get(path_of(link))
    text = page.content.decode()
    assert page.context["written"] == [("Answer", "Yes"), ("Explanation", "Two people <b>together</b>.")]
    assert '<div class="readable">Two people &lt;b&gt;together&lt;/b&gt;.</div>' in text
    assert "Alice Ames and teammates at Acme received it" in text
    assert "decide what goes into the questionnaire" in text
    assert "on the platform" not in text
    assert links_in(page) == []
    desk.set_answer(TWO_PARTS, {"p1": "No", "p2": "From there."})
    assert "From there." not in Client().get(path_of(link)).content.decode(), "what others wrote is not theirs to see"
    analyst.post(at(question, link), {"do": "take"})
    assert "They have read it" in Client().get(path_of(link)).content.decode()


def test_who_finds_it_right_reads_that_this_was_sent(analyst, desk):
    question = desk.set_answer(TWO_PARTS, {"p1": "Yes", "p2": "As it was."})
    ask(analyst, question)
    link = ExpertLink.objects.get()
    Client().post(path_of(link), fill_in(question))
    assert "You confirmed that the answer is right as it is." in Client().get(path_of(link)).content.decode()


def test_an_answer_that_is_emptied_is_taken_back(analyst, alice, link, question):
    Client().post(path_of(link), fill_in(question, p2="Our key is in a safe."))
    page = change(link, p2="")
    assert page.status_code == 200
    assert "You withdrew your answer" in page.content.decode()
    assert "Thank you" not in page.content.decode()
    link.refresh_from_db()
    assert (link.values, link.answered_at) == ({}, None)
    assert asked(question) == Asked.WAITING
    pane = analyst.get(address(question)).content.decode()
    assert "An expert withdrew their answer" in pane
    assert [words for words in ("in a safe", "right as it was") if words in pane] == []
    change(link, p2="In two safes.")
    told = Notification.objects.filter(user=alice).order_by("id").values_list("title", flat=True)
    said = ["An expert answered", "An expert withdrew their answer", "An expert answered"]
    assert [title.partition(":")[0] for title in told] == said


def test_a_choice_that_is_set_back_is_no_answer_of_theirs(analyst, desk):
    question = desk.set_answer(TWO_PARTS, {"p1": "Yes", "p2": "As it was."})
    ask(analyst, question)
    link = ExpertLink.objects.get()
    Client().post(path_of(link), fill_in(question, p1='"No"'))
    assert change(link, p1='"Yes"').status_code == 302
    assert ExpertLink.objects.get().values == {}
    page = Client().get(path_of(link))
    assert page.context["written"] == []
    assert "You confirmed that the answer is right as it is." in page.content.decode()
    change(link, p2="")
    assert ExpertLink.objects.get().values == {"p2": None}, "what stands there can be cleared"


def test_what_an_expert_leaves_alone_stays_as_they_sent_it(link, question):
    before = fill_in(question, p1='"Yes"')
    Client().post(path_of(link), fill_in(question, p2="Two people."))
    Client().post(path_of(link), before)
    assert ExpertLink.objects.get().values == {"p1": "Yes", "p2": "Two people."}, "also from a page of before"
    change(link, p2="Three people.")
    assert ExpertLink.objects.get().values == {"p1": "Yes", "p2": "Three people."}
    change(link, p1="")
    assert ExpertLink.objects.get().values == {"p2": "Three people."}


def test_w2_an_answer_that_is_used_replaces_no_text_of_the_analyst(analyst, link, question):
    Client().post(path_of(link), fill_in(question, p2="Two people."))
    analyst.post(f"{address(question)}draft/", fill_in(question, p2="My own words."))
    page = analyst.post(at(question, link), {"do": "take"}, follow=True).content.decode()
    assert "You have unsaved text here" in page
    assert Draft.objects.get().typed == {"p2": "My own words."}
    assert asked(question) == Asked.ANSWERED, "it still can be used"
    analyst.post(f"{address(question)}draft/", fill_in(question, p1='"Yes"'))
    analyst.post(at(question, link), {"do": "take"})
    assert Draft.objects.get().typed == {"p1": '"Yes"', "p2": "Two people."}
    assert asked(question) == Asked.NOBODY


def test_an_answer_that_is_sent_again_unchanged_stays_used(analyst, link, question):
    Client().post(path_of(link), fill_in(question, p2="Two people."))
    analyst.post(at(question, link), {"do": "take"})
    assert change(link).status_code == 302
    link.refresh_from_db()
    assert (link.was_used, asked(question)) == (True, Asked.NOBODY)
    assert Entry.objects.filter(action="response.expert.answer").count() == 1
    change(link, p2="Three people.")
    assert asked(question) == Asked.ANSWERED


def test_s9_one_link_takes_so_many_answers_a_day(link, question, monkeypatch):
    monkeypatch.setattr("portal.questionnaires.services.expert_answers.MAX_ANSWERS_A_DAY", 2)
    Client().post(path_of(link), fill_in(question, p2="One person."))
    assert change(link, p2="Two people.").status_code == 302
    page = change(link, p2="Three people.")
    assert page.status_code == 422
    assert "as many answers as it can in a day" in page.content.decode()
    assert "Three people." in page.content.decode()
    assert ExpertLink.objects.get().values == {"p2": "Two people."}
    assert Entry.objects.filter(action="response.expert.answer").count() == 2


def test_a_link_that_was_used_and_has_ended_says_that_the_answer_arrived(link, question):
    Client().post(path_of(link), fill_in(question, p2="Two people."))
    ExpertLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    page = Client().get(path_of(link))
    assert page.status_code == 410
    assert "Your answer has arrived" in page.content.decode()
    assert links_in(page) == []


def test_a_question_that_was_removed_says_so(link):
    Response.objects.update(gone_at=timezone.now())
    assert "The question was removed" in Client().get(path_of(link)).content.decode()


@pytest.mark.parametrize("address", ["/answer/x:y/", "/status/x:y/"])
def test_a_link_that_leads_nowhere_says_so_to_somebody_who_cannot_sign_in(db, address):
    page = Client().get(address)
    assert page.status_code == 404
    assert "This link doesn't work" in page.content.decode()
    assert links_in(page) == []
    assert page["Cache-Control"] == "private, no-store"


def test_who_finds_the_answer_right_says_just_that(analyst, desk):
    question = desk.set_answer(TWO_PARTS, {"p1": "Yes", "p2": "As it was."})
    ask(analyst, question)
    link = ExpertLink.objects.get()
    Client().post(path_of(link), fill_in(question))
    assert "the answer is right as it was" in analyst.get(address(question)).content.decode()
    analyst.post(at(question, link), {"do": "aside"})
    assert asked(question) == Asked.NOBODY
    assert "Answered by <b>" not in analyst.get(address(question)).content.decode(), "nothing of theirs is in the form"


def test_an_empty_answer_is_none(link, question):
    answer = Client().post(path_of(link), fill_in(question))
    assert answer.status_code == 422
    assert "There is no answer yet" in answer.content.decode()
    link.refresh_from_db()
    assert link.answered_at is None


def test_what_the_schema_forbids_is_said_and_the_text_stays(link, desk):
    schema = {"type": "object", "properties": {"p1": {"type": "string", "maxLength": 5, "title": "Short"}}}
    question = desk.set_answer(schema, {"p1": None})
    answer = Client().post(path_of(link), fill_in(question, p1="far too long"))
    assert answer.status_code == 422
    assert "far too long" in answer.content.decode()


@pytest.mark.parametrize("end", ["revoked", "expired"])
def test_w2_a_link_that_has_ended_keeps_nothing_and_gives_the_text_back(analyst, link, question, end):
    if end == "revoked":
        analyst.post(at(question, link), {"do": "revoke"})
    else:
        ExpertLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    page = Client().get(path_of(link))
    assert page.status_code == 410
    assert {"revoked": "The question was withdrawn", "expired": "The link has expired"}[end] in page.content.decode()
    assert question.question not in page.content.decode(), "a link that has ended opens nothing"
    answer = Client().post(path_of(link), fill_in(question, p2="Typed too late"))
    assert answer.status_code == 410
    assert "Typed too late" in answer.content.decode()
    link.refresh_from_db()
    assert (link.values, link.answered_at) == ({}, None)


def test_asked_again_the_old_link_ends(analyst, link, question):
    ask(analyst, question)
    assert Client().get(path_of(link)).status_code == 410
    assert ExpertLink.objects.alive(timezone.now()).count() == 1


def test_s1_a_link_opens_its_question_and_nothing_else(link, question, desk):
    page = Client().get(path_of(link))
    text = page.content.decode()
    assert page["Cache-Control"] == "private, no-store"
    other = Response.objects.filter(questionnaire=question.questionnaire).exclude(pk=question.pk).first()
    hidden = [other.question, question.questionnaire.platform_id, question.questionnaire.owner_name, "/t/acme/"]
    assert [words for words in hidden if words and words in text] == []
    forged = link.token[:-1] + ("A" if link.token[-1] != "A" else "B")
    assert Client().get(f"/answer/{forged}/").status_code == 404


def test_s6_the_address_and_the_expert_are_in_no_history(analyst, link, question):
    Client().post(path_of(link), fill_in(question, p2="Two people."))
    analyst.post(at(question, link), {"do": "revoke"})
    history = " ".join(f"{entry.summary} {entry.details}" for entry in Entry.objects.all())
    assert "by link" in history
    assert [secret for secret in (EMAIL, "Dana", str(link.public_id)) if secret in history] == []


def test_s11_a_person_is_found_and_erased(link, question):
    assert personal_data.count(EMAIL.upper()) == {"Questions to experts": 1}
    personal_data.erase(EMAIL)
    assert not ExpertLink.objects.exists()
    assert asked(question) == Asked.NOBODY


def test_reminders_go_out_once_a_day_and_before_the_date_by_themselves(analyst, link, question):
    now = timezone.now()
    mail_expert_links(link.tenant_id)
    ExpertLink.objects.update(due_at=now + timedelta(hours=20), made_at=now - timedelta(days=2))
    mail.outbox.clear()
    for _ in range(3):
        sweep_nudges()
    assert [sent.subject for sent in mail.outbox] == ["Reminder: A question from Acme"]
    answer = analyst.post(at(question, link), {"do": "nudge"}, follow=True)
    assert "You can remind them once a day" in answer.content.decode()
    ExpertLink.objects.update(nudged_at=now - timedelta(days=1, seconds=1))
    analyst.post(at(question, link), {"do": "nudge"})
    assert len(mail.outbox) == 2
    Client().post(path_of(link), fill_in(question, p2="Here it is."))
    ExpertLink.objects.update(nudged_at=None)
    sweep_nudges()
    assert len(mail.outbox) == 2, "who has answered is left alone"


@pytest.mark.parametrize("end", ["NO_LONGER_NEEDED", "COMPLETE", "gone"])
def test_a_questionnaire_that_is_closed_asks_nobody_any_more(analyst, link, question, end):
    close(question, end)
    mail_expert_links(link.tenant_id)
    assert nudges.tenants_with_mail() == []
    now = timezone.now()
    ExpertLink.objects.update(mailed_at=now, due_at=now + timedelta(hours=20), made_at=now - timedelta(days=2))
    sweep_nudges()
    answer = analyst.post(at(question, link), {"do": "nudge"}, follow=True)
    assert "the questionnaire is closed" in answer.content.decode()
    assert "No longer needed" in answer.content.decode()
    assert mail.outbox == []
    page = Client().get(path_of(link))
    assert page.status_code == 410
    assert "Your answer is no longer needed" in page.content.decode()
    late = Client().post(path_of(link), fill_in(question, p2="Typed too late"))
    assert (late.status_code, "Typed too late" in late.content.decode()) == (410, True)
    assert ExpertLink.objects.get().answered_at is None
    again = ask(analyst, question, email="kim@example.test")
    assert "This questionnaire is closed" in again.content.decode()
    assert ExpertLink.objects.count() == 1


def test_what_was_sent_before_a_questionnaire_was_closed_stays(analyst, link, question):
    Client().post(path_of(link), fill_in(question, p2="Two people."))
    close(question, "COMPLETE")
    assert "Two people." in analyst.get(address(question)).content.decode()
    assert "Your answer has arrived" in Client().get(path_of(link)).content.decode()


def test_a_reminder_has_no_zone_and_no_form_of_whoever_sends_it(analyst, alice, link, question):
    alice.timezone, alice.dates = "America/New_York", "month-12"
    alice.save()
    ExpertLink.objects.update(
        made_at=timezone.now() - timedelta(days=2),
        due_at=datetime(2099, 1, 5, 2, 30, tzinfo=UTC),
        expires_at=datetime(2099, 1, 20, 2, tzinfo=UTC),
    )
    analyst.post(at(question, link), {"do": "nudge"})
    [sent] = mail.outbox
    assert "Please answer by 5 January 2099, 02:30 UTC." in sent.body
    assert "expires on 20 January 2099." in sent.body


def test_who_has_answered_is_not_reminded_by_hand_either(analyst, link, question):
    Client().post(path_of(link), fill_in(question, p2="Here it is."))
    ExpertLink.objects.update(made_at=timezone.now() - timedelta(days=2))
    mail.outbox.clear()
    answer = analyst.post(at(question, link), {"do": "nudge"}, follow=True)
    assert "they have answered" in answer.content.decode()
    assert mail.outbox == []


def test_s9_nobody_makes_a_mail_cannon_of_it(analyst, question, monkeypatch):
    monkeypatch.setattr("portal.questionnaires.services.experts.MAX_A_DAY", 2)
    for number in range(3):
        answer = ask(analyst, question, email=f"dana{number}@example.test")
    assert answer.status_code == 422
    assert "At most 2 questions a day" in answer.content.decode()
    assert ExpertLink.objects.count() == 2


def test_two_who_ask_the_same_person_at_once_leave_one_link_that_leads_there(question, alice, monkeypatch):
    member, lock = find_member(user=alice), QuerySet.select_for_update
    expert = services.Expert(email=EMAIL)

    def wait_for_lock(rows, *args, **options):
        monkeypatch.setattr(QuerySet, "select_for_update", lock)
        services.ask_expert(expert, member=member, responses=[question])
        return lock(rows, *args, **options)

    monkeypatch.setattr(QuerySet, "select_for_update", wait_for_lock)
    [second] = services.ask_expert(expert, member=member, responses=[question])
    assert ExpertLink.objects.count() == 2
    assert ExpertLink.objects.get(revoked_at=None) == second


def test_a_question_whose_links_have_run_out_waits_for_nobody(link, question):
    ExpertLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    sweep_nudges()
    assert asked(question) == Asked.NOBODY


def test_a_viewer_asks_nobody(client, bob, question):
    client.force_login(bob)
    assert ask(client, question).status_code == 403
    assert not ExpertLink.objects.exists()


def test_the_platform_overwrites_nothing_of_it(link, question, desk):
    desk.set_answer(TWO_PARTS, {"p1": "Yes", "p2": "From the platform."})
    assert asked(question) == Asked.WAITING


def test_s1_a_viewer_may_do_none_of_it_by_any_way(link, question, bob, acme):
    viewer = find_member(user=bob, tenant=acme)
    assert viewer.role == Role.VIEWER
    expert = services.Expert(email=EMAIL)
    for step in (
        lambda: services.ask_expert(expert, member=viewer, responses=[question]),
        lambda: services.revoke_link(link, member=viewer),
        lambda: services.revoke_unanswered(link, member=viewer),
        lambda: services.take_over(link, member=viewer, typed={}),
        lambda: services.put_aside(link, member=viewer),
        lambda: services.nudge_expert(link, member=viewer),
    ):
        with pytest.raises(PermissionDenied):
            step()


def test_one_mail_is_no_job(analyst, question, monkeypatch):
    monkeypatch.setattr("portal.questionnaires.services.experts.MAX_QUESTIONS", 0)
    assert "At most 0 questions can be sent" in ask(analyst, question).content.decode()


def test_the_links_of_a_tenant_that_is_deleted_lead_nowhere(link, acme):
    Tenant.objects.filter(pk=acme.pk).update(closed_at=timezone.now())
    assert Client().get(path_of(link)).status_code == 404
