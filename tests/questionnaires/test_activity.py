"""The Activity page: everything that was done with a questionnaire and its answers here, and the platform's own log."""

from datetime import timedelta

import lucide
import pytest
from django.test import Client
from django.utils import timezone

from portal.audit.models import Entry
from portal.questionnaires import activity
from portal.questionnaires.activity import activity_page
from portal.questionnaires.models import ExpertLink, Questionnaire, Response
from portal.tenants.models import Role
from tests.questionnaires.conftest import TWO_PARTS, address, fill_in, save

EXPERT = {"how": "expert", "email": "dana@example.test", "name": "Dana Reyes", "note": "You run the key store.", "days": "7"}


@pytest.fixture
def question(desk) -> Response:
    return desk.set_answer(TWO_PARTS, {"p1": None, "p2": "Old."}, question="Who can read the master key?")


def review(client: Client, row: Response, **said: str):
    card = f"{address(row.questionnaire)}review/{row.platform_id}/"
    return client.post(card, {"seen": client.get(card).context["seen"], **said})


def told(questionnaire: Questionnaire) -> list[tuple[str, str]]:
    """What the page tells of this portal, the oldest first."""
    events = activity_page(questionnaire).events
    return [(event["title"], event["text"]) for event in reversed(events) if ": set by" not in event["title"]]


def test_saved_answers_single_verdicts_and_the_experts_word_stand_in_it(desk, analyst, client, question, member):
    client, colleague = Client(), member(Role.APPROVER)
    save(analyst, question, p1='"Yes"', p2="Two people.")
    analyst.post(f"{address(question.questionnaire)}ask/", {"chosen": [question.pk], **EXPERT})
    link = ExpertLink.objects.get()
    Client().post(f"/answer/{link.token}/", fill_in(desk.response, p2="Three people."))
    analyst.post(f"{address(question)}experts/{link.pk}/", {"do": "aside"})
    client.force_login(colleague)
    review(client, desk.response, verdict="returned", reason="Name them.")
    review(client, desk.response, verdict="approved")
    client.post(f"{address(question.questionnaire)}review/{question.platform_id}/undo/")
    about = "“Who can read the master key?”"
    assert told(desk.questionnaire) == [
        (f"Alice Ames: Changed the answer to {about}", "empty → Yes · Old. → Two people."),
        (f"Alice Ames: Asked an outside expert: {about}. · Dana Reyes", "You run the key store."),
        (f"Dana Reyes: An expert answered by link: {about}.", "Explanation: Three people."),
        (f"Alice Ames: Dismissed an expert's answer: {about}. · Dana Reyes", ""),
        (f"Approver of Acme: Returned the answer to {about}", "Not reviewed → Returned · Name them."),
        (f"Approver of Acme: Approved the answer to {about}", "Returned → Approved"),
        (f"Approver of Acme: Undid: approved the answer to {about}", ""),
    ]
    page = analyst.get(f"{address(question.questionnaire)}activity/").content.decode()
    assert "Two people." in page
    assert "Dana Reyes: An expert answered" in page


def test_an_open_page_learns_of_a_saved_answer(analyst, question):
    at = f"{address(question.questionnaire)}activity/"
    seen = {"HX-Request": "true", "HX-Target": "events", "Seen": analyst.get(at).context["events_version"]}
    assert analyst.get(at, headers=seen).status_code == 204
    save(analyst, question, p2="New.")
    assert "Old. → New." in analyst.get(at, headers=seen).content.decode()


def test_who_was_asked_goes_with_the_link_and_the_row_stays(analyst, question):
    analyst.post(f"{address(question.questionnaire)}ask/", {"chosen": [question.pk], **EXPERT})
    Client().post(f"/answer/{ExpertLink.objects.get().token}/", fill_in(question, p2="Three people."))
    ExpertLink.objects.all().delete()
    text = str(told(question.questionnaire))
    assert "Someone outside: An expert answered" in text
    assert "Dana" not in text
    assert "Three people." not in text


def test_statuses_and_dates_are_told_in_words(analyst, question):
    at = address(question.questionnaire)
    Questionnaire.objects.filter(pk=question.questionnaire_id).update(due_at=None)
    day = timezone.localdate() + timedelta(days=30)
    analyst.post(f"{at}status/", {"status": "ON_HOLD"})
    analyst.post(f"{at}due/", {"due_on": day.isoformat()})
    texts = [text for _, text in told(question.questionnaire)]
    assert texts[0] == "In progress → On hold"
    assert texts[1].endswith(f"→ {day.day} {day:%b %Y}")


def test_answers_of_one_id_in_two_questionnaires_are_kept_apart(desk, analyst, question):
    save(analyst, question, p2="New.")
    other = Questionnaire.objects.exclude(pk=question.questionnaire_id)[0]
    twin = Response.objects.filter(questionnaire=other)[0]
    Response.objects.filter(pk=twin.pk).update(platform_id=question.platform_id)
    assert told(desk.questionnaire)
    assert not told(other)
    twin.refresh_from_db()
    assert not activity.answer_history(twin)


def test_all_of_it_is_there_on_pages_with_the_platforms_log_in_its_place(desk, analyst, question):
    now = timezone.now()
    log = [{"status": "IN_PROGRESS", "updatedAt": (now - timedelta(days=day)).isoformat()} for day in (1, 3)]
    Questionnaire.objects.filter(pk=question.questionnaire_id).update(
        payload=desk.there(desk.questionnaire) | {"statusLog": log}
    )
    target = {"target_kind": "response", "target_id": question.platform_id, "source": "person", "action": "response.answer"}
    for number in range(120):
        Entry.objects.create(
            summary=f"Row {number}",
            details={"questionnaire": question.questionnaire.platform_id},
            at=now - timedelta(days=4) + timedelta(minutes=number * 45),
            **target,
        )
    at, titles, pages = f"{address(question.questionnaire)}activity/", [], 0
    cursor = ""
    while cursor is not None:
        context = analyst.get(at, {"cursor": cursor}).context
        events, cursor = context["events"], context["page"].next_cursor
        assert events == sorted(events, key=lambda event: event["at"], reverse=True)
        titles += [(event["at"], event["title"]) for event in events]
        pages += 1
    assert pages == 3
    assert titles == sorted(titles, key=lambda each: each[0], reverse=True)
    assert len(titles) == len(set(titles)) == 122


def test_every_icon_exists():
    for icon, _ in (*activity.LOOKS.values(), activity.OTHER_LOOK, activity.UNCONFIRMED_LOOK):
        assert lucide._render_icon(icon, 16), icon
