"""Many questions, one person without a login, one link: what it opens, who is reminded, and who hears of the answers."""

from datetime import timedelta

import pytest
from django.core import mail
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from portal.library.themes import OTHER, theme_of_question
from portal.notifications.kinds import Channel
from portal.notifications.models import Notification
from portal.questionnaires.models import Asked, ExpertLink, Questionnaire, Response
from portal.questionnaires.services import notifications, nudges
from portal.questionnaires.tasks import mail_expert_links, sweep_nudges
from portal.tenants.models import Role, Tenant
from tests.questionnaires.conftest import TWO_PARTS, Desk, address, fill_in
from tests.questionnaires.test_experts import ask, at, close, path_of

pytestmark = pytest.mark.django_db
QUESTIONS = ("Is data encrypted at rest?", "How long are backups kept?", "Do visitors of the data center sign in?")


@pytest.fixture
def questions(desk: Desk) -> list[Response]:
    """Three questions that can be answered, in their order."""
    rows = list(Response.objects.filter(questionnaire=desk.questionnaire).order_by("position")[:3])
    for row, words in zip(rows, QUESTIONS, strict=True):
        desk.change_there(row, question=words, answerPartsSchema=TWO_PARTS, answerPartsValues={"p1": None, "p2": None})
    desk.fetch()
    found = Response.objects.select_related("questionnaire").filter(pk__in=[row.pk for row in rows])
    return list(found.order_by("position"))


@pytest.fixture
def links(analyst: Client, questions: list[Response]) -> list[ExpertLink]:
    ask(analyst, *questions)
    found = ExpertLink.objects.select_related("response__questionnaire", "tenant")
    return list(found.order_by("response__position"))


def list_of(link: ExpertLink) -> str:
    return f"/answer/all/{link.asking_token}/"


def open_list(link: ExpertLink) -> HttpResponse:
    return Client().get(list_of(link))


def answer(link: ExpertLink, **parts: str) -> HttpResponse:
    return Client().post(path_of(link), fill_in(link.response, **(parts or {"p2": "So it is."})))


def test_several_questions_are_one_mail_with_one_link_and_sent_once(links):
    for _ in range(2):
        mail_expert_links(links[0].tenant_id)
    [sent] = mail.outbox
    assert sent.subject == "3 questions from Acme"
    assert all(words in sent.body for words in QUESTIONS)
    assert sent.body.count("/answer/") == 1
    assert list_of(links[0]) in sent.body


def test_the_list_leads_from_one_question_to_the_next_and_says_how_far_it_is(links):
    first, second, third = links
    page = open_list(first).content.decode()
    assert "0 / 3" in page
    assert [path_of(link) in page for link in links] == [True, True, True]
    answer(second)
    thanks = Client().get(path_of(second)).content.decode()
    assert "1 / 3" in thanks
    assert f'href="{path_of(third)}">Next question' in thanks
    answer(third)
    assert f'href="{path_of(first)}">Next question' in Client().get(path_of(third)).content.decode()
    answer(first)
    assert "That was the last one" in Client().get(path_of(first)).content.decode()
    page = open_list(first).content.decode()
    assert "3 / 3" in page
    assert "everything is answered" in page


def test_what_was_answered_is_kept_when_the_link_ends_in_the_middle(links):
    answer(links[0], p2="Two people together.")
    ExpertLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    page = open_list(links[0])
    assert page.status_code == 410
    text = page.content.decode()
    assert "You answered 1 of 3 questions" in text
    assert [words for words in QUESTIONS if words in text] == [], "a link that has ended opens nothing"
    assert ExpertLink.objects.get(pk=links[0].pk).values == {"p2": "Two people together."}
    assert Response.objects.get(pk=links[0].response_id).asked == Asked.ANSWERED


def test_a_question_that_was_withdrawn_or_removed_is_not_in_the_list(analyst, links):
    analyst.post(at(links[0].response, links[0]), {"do": "revoke"})
    Response.objects.filter(pk=links[1].response_id).update(gone_at=timezone.now())
    text = open_list(links[2]).content.decode()
    assert (QUESTIONS[0] in text, QUESTIONS[1] in text, QUESTIONS[2] in text) == (False, False, True)
    assert "2 more questions need no answer" in text
    assert "0 / 1" in text


def test_all_that_is_unanswered_is_revoked_at_once(analyst, links):
    answer(links[0])
    said = analyst.post(at(links[1].response, links[1]), {"do": "revoke-all"}, follow=True).content.decode()
    assert "2 links revoked." in said
    alive = ExpertLink.objects.alive(timezone.now())
    assert [link.pk for link in alive] == [links[0].pk], "what was sent stays"


def test_s1_a_list_opens_the_questions_of_its_asking_and_nothing_else(analyst, links, desk):
    other = Response.objects.filter(questionnaire=desk.questionnaire).order_by("position")[3:5]
    ask(analyst, *other, email="kim@example.test")
    page = open_list(links[0])
    text = page.content.decode()
    hidden = [*(row.question for row in other), desk.questionnaire.platform_id, "kim@example.test", "/t/acme/"]
    assert [words for words in hidden if words in text] == []
    assert page["Cache-Control"] == "private, no-store"
    token = links[0].asking_token
    forged = token[:-1] + ("A" if token[-1] != "A" else "B")
    # One kind of token is no other.
    for wrong in (f"/answer/all/{forged}/", f"/answer/all/{links[0].token}/", f"/answer/{token}/"):
        assert Client().get(wrong).status_code == 404


def test_the_list_of_a_questionnaire_that_is_closed_says_so(links):
    close(links[0].response, "NO_LONGER_NEEDED")
    page = open_list(links[0])
    assert page.status_code == 410
    assert "Your answer is no longer needed" in page.content.decode()


def test_the_list_of_a_tenant_that_is_deleted_leads_nowhere(links, acme):
    Tenant.objects.filter(pk=acme.pk).update(closed_at=timezone.now())
    assert open_list(links[0]).status_code == 404


def test_a_single_question_is_in_no_list(analyst, questions):
    ask(analyst, questions[0])
    link = ExpertLink.objects.get()
    assert link.asking is None
    assert "All questions" not in Client().get(path_of(link)).content.decode()


def test_single_questions_in_one_mail_have_each_its_own_asker_note_and_dates(analyst, member, questions):
    colleague = member(Role.ANALYST)
    other = Client()
    other.force_login(colleague)
    ask(analyst, questions[0], note="You run it.")
    ask(other, questions[1], note="You wrote it.")
    now, (first, second) = timezone.now(), ExpertLink.objects.order_by("pk")
    for number, link in enumerate((first, second), start=1):
        link.due_at, link.expires_at = now + timedelta(hours=number), now + timedelta(days=number)
        link.save()
    mail_expert_links(first.tenant_id)
    ExpertLink.objects.update(made_at=now - timedelta(days=2))
    sweep_nudges()
    assert [sent.subject for sent in mail.outbox] == ["2 questions from Acme", "Reminder: 2 questions from Acme"]
    for sent in mail.outbox:
        assert sent.body.startswith("Acme is asking for your help")
        for link, asker, note in ((first, "Alice Ames", "You run it."), (second, colleague.name, "You wrote it.")):
            due = f"{link.due_at:%d %B %Y, %H:%M}".lstrip("0")
            expires = f"{link.expires_at:%d %B %Y}".lstrip("0")
            said = [
                f"Asked by {asker}, due {due} UTC",
                f"{asker} wrote: {note}",
                path_of(link),
                f"This link expires on {expires}.",
            ]
            assert "\n".join(said[:2]) in sent.body
            assert f"{said[2]}\n{said[3]}" in sent.body


def test_for_whom_a_slow_mail_server_leaves_no_time_is_mailed_next_time(analyst, questions):
    for number, row in enumerate(questions):
        ask(analyst, row, email=f"expert{number}@example.test")
    for mail_them in (nudges.mail_expert_links, nudges.nudge_those_due):
        mail.outbox.clear()
        mail_them(seconds=-1)
        assert [sent.to for sent in mail.outbox] == [["expert0@example.test"]]
        mail_them()
        assert [sent.to for sent in mail.outbox] == [[f"expert{number}@example.test"] for number in range(3)]
        ExpertLink.objects.update(made_at=timezone.now() - timedelta(days=2), due_at=timezone.now() - timedelta(days=1))


def test_one_reminder_names_what_is_still_open_of_all_that_was_asked(analyst, links):
    mail_expert_links(links[0].tenant_id)
    answer(links[0])
    ExpertLink.objects.update(made_at=timezone.now() - timedelta(days=2), due_at=timezone.now() - timedelta(days=1))
    mail.outbox.clear()
    for _ in range(2):
        sweep_nudges()
    [sent] = mail.outbox
    assert sent.subject == "Reminder: 2 questions from Acme"
    assert list_of(links[0]) in sent.body
    assert [words in sent.body for words in QUESTIONS] == [False, True, True]
    analyst.post(at(links[1].response, links[1]), {"do": "revoke"})
    ExpertLink.objects.update(nudged_at=None)
    mail.outbox.clear()
    sweep_nudges()
    [sent] = mail.outbox
    assert sent.subject == "Reminder: A question from Acme"
    assert [words in sent.body for words in QUESTIONS] == [False, False, True]
    ExpertLink.objects.update(nudged_at=None, due_at=timezone.now() - timedelta(days=8))
    sweep_nudges()
    assert len(mail.outbox) == 1, "a week after the date it is a matter for people"


def test_a_reminder_by_hand_is_one_mail_for_the_whole_asking(analyst, links):
    mail_expert_links(links[0].tenant_id)
    ExpertLink.objects.update(made_at=timezone.now() - timedelta(days=2))
    mail.outbox.clear()
    analyst.post(at(links[0].response, links[0]), {"do": "nudge"})
    [sent] = mail.outbox
    assert sent.subject == "Reminder: 3 questions from Acme"
    again = analyst.post(at(links[1].response, links[1]), {"do": "nudge"}, follow=True).content.decode()
    assert "You can remind them once a day" in again
    assert len(mail.outbox) == 1


def told(user: object) -> list[str]:
    rows = Notification.objects.filter(user=user).order_by("id")
    return list(rows.values_list("title", flat=True))


def test_who_asked_hears_of_the_first_answer_and_of_the_last(alice, links, desk):
    for link in links:
        answer(link)
    name = f"in {desk.questionnaire}"
    assert told(alice) == [f"An expert answered 1 of 3 questions {name}", f"An expert answered 3 of 3 questions {name}"]
    assert Notification.objects.filter(user=alice).last().path.endswith("?show=asked")


def test_who_asked_one_question_hears_of_it_and_the_team_if_it_wants_to(alice, analyst, questions, monkeypatch):
    calls = []
    monkeypatch.setattr(notifications, "notify", lambda *args, **options: calls.append((args, options)))
    ask(analyst, questions[0])
    answer(ExpertLink.objects.select_related("response__questionnaire").get())
    (mine, about), (team, to_team) = calls
    assert (mine[0].name, mine[1]) == ("assigned", [alice.pk])
    assert about["title"] == f"An expert answered: {QUESTIONS[0]}"
    assert (team[1], to_team["with_team"]) == ([], True)
    assert Channel.SLACK in team[0].choices, "a team can choose to hear of it"
    assert "Dana" not in f"{calls}", "what was told stays when the expert is erased"


def test_an_answer_that_is_changed_later_is_told_again(alice, analyst, questions):
    ask(analyst, questions[0])
    link = ExpertLink.objects.select_related("response__questionnaire").get()
    answer(link)
    answer(link, p2="On second thought, three.")
    assert len(told(alice)) == 2


def test_the_pane_says_how_far_an_asking_is_and_who_has_answered(analyst, links):
    answer(links[0], p2="Two people together.")
    pane = analyst.get(address(links[0].response)).content.decode()
    assert "1 of 3 answered" in pane
    assert "Answered by Dana Reyes" in pane
    assert "It's not in the form yet" in pane


def test_all_unanswered_questions_of_a_theme_are_asked_at_once(analyst, desk, questions):
    themes = [theme_of_question(words) for words in QUESTIONS]
    assert themes == ["encryption", "continuity", "physical"]
    page = analyst.get(f"{address(desk.questionnaire)}?theme=encryption")
    shown = {row.question for row in page.context["page"].rows}
    assert QUESTIONS[0] in shown
    assert QUESTIONS[1] not in shown
    assert f"Encryption and keys ({len(shown)})" in page.content.decode()
    rows = Response.objects.present().filter(questionnaire=desk.questionnaire, theme="encryption", is_answered=False)
    sent = {"all": "1", "how": "expert", "email": "dana@example.test", "days": "7"}
    analyst.post(f"{address(desk.questionnaire)}ask/?theme=encryption&show=unanswered", sent)
    assert set(ExpertLink.objects.values_list("response_id", flat=True)) == {row.pk for row in rows}


def test_a_theme_that_nobody_knows_narrows_nothing(analyst, desk, questions):
    page = analyst.get(f"{address(desk.questionnaire)}?theme=astrology")
    assert page.context["matching"] == Response.objects.present().filter(questionnaire=desk.questionnaire).count()
    assert theme_of_question("Please describe.") == OTHER


def test_rows_from_before_get_their_theme_with_the_next_look(desk, questions):
    Response.objects.update(theme="")
    Questionnaire.objects.update(responses_synced_at=None)
    desk.fetch()
    assert Response.objects.get(pk=questions[0].pk).theme == "encryption"
