"""How answers were made, in questions and in time: each figure stands for work that was done through the pages."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from portal.library.services import EntryContent, add_entry
from portal.questionnaires import services
from portal.questionnaires.answer_origins import DAYS
from portal.questionnaires.models import LastSave, Questionnaire, Response
from portal.questionnaires.services.saved_answers import WORK_GAP
from portal.tenants.models import Role
from tests.questionnaires.conftest import TWO_PARTS, address, fill_in, save
from tests.questionnaires.draft_sources import WRITTEN, add_verified, ask_there, draft_all

LABELS = {
    "accepted": "Draft, accepted unchanged",
    "edited": "Draft, edited",
    "library": "Inserted from the library",
    "earlier": "Inserted from an earlier answer",
    "hand": "Written by hand",
    "elsewhere": "Answered on the platform",
    "open": "Still open",
}


def shown(client, questionnaire: Questionnaire):
    return client.get(f"{address(questionnaire)}details/").context["origins"]


def counted(client, questionnaire: Questionnaire) -> dict[str, int]:
    """What the page says, by way, without what was there before anybody worked."""
    found = shown(client, questionnaire)
    assert sum(number for _, number, _ in found.lines) == found.total == questionnaire.question_count
    assert sum(percent for _, _, percent in found.lines) == 100
    by_label = {label: number for label, number, _ in found.lines}
    return {key: by_label[label] for key, label in LABELS.items() if by_label[label] and key not in ("elsewhere", "open")}


def open_question(desk, question: str = "Do you encrypt customer data at rest?") -> Response:
    return desk.set_answer(TWO_PARTS, {}, question=question, approvedBy=None, answer=None)


def save_draft(client, response: Response, **parts: str):
    offered = services.offered_draft(response)
    values = {part: value if part == "p2" else json.dumps(value) for part, value in offered.values.items()}
    sent = {**fill_in(response, **(values | parts)), "drafted": offered.pk}
    assert client.post(address(response), sent).status_code == 302


def drafted(desk, alice_here) -> Response:
    add_verified(alice_here)
    response = ask_there(desk)
    draft_all(response.questionnaire, alice_here)
    return desk.response


def test_a_question_is_open_until_it_is_answered_and_then_counts_once(desk, analyst):
    question = open_question(desk)
    before = shown(analyst, question.questionnaire)
    save(analyst, question, p2="With AES-256 in every store.")
    after = shown(analyst, question.questionnaire)
    assert before.by_origin["open"] - after.by_origin.get("open", 0) == 1
    assert after.answered - before.answered == 1
    assert counted(analyst, desk.questionnaire) == {"hand": 1}
    assert after.of_library == 0


def test_a_draft_that_is_saved_as_it_is_and_changed_later(desk, alice_here, analyst):
    response = drafted(desk, alice_here)
    assert counted(analyst, desk.questionnaire) == {}, "a draft is no answer"
    save_draft(analyst, response)
    assert counted(analyst, desk.questionnaire) == {"accepted": 1}
    assert shown(analyst, desk.questionnaire).of_library == 1
    save(analyst, desk.response, p2=f"{WRITTEN} Since May.")
    assert counted(analyst, desk.questionnaire) == {"edited": 1}
    assert shown(analyst, desk.questionnaire).of_library == 1
    save(analyst, desk.response, p1='"No"', p2="Nobody has any of that yet, because nothing else works.")
    assert counted(analyst, desk.questionnaire) == {"hand": 1}
    assert shown(analyst, desk.questionnaire).of_library == 0


def test_a_draft_that_is_edited_in_the_form(desk, alice_here, analyst):
    save_draft(analyst, drafted(desk, alice_here), p2="Every employee signs in with a hardware key.")
    assert counted(analyst, desk.questionnaire) == {"edited": 1}


@pytest.mark.parametrize(("text", "way"), [("With AES-256 in every store, today.", "library"), ("We cannot say.", "hand")])
def test_an_entry_counts_while_enough_of_it_is_there(desk, alice_here, analyst, text, way):
    entry = add_entry(EntryContent(question="Is data encrypted?", text="With AES-256 in every store."), member=alice_here)
    question = open_question(desk)
    assert analyst.post(address(question), fill_in(question, p2=text) | {"entry": [entry.pk]}).status_code == 302
    assert counted(analyst, desk.questionnaire) == {way: 1}
    assert shown(analyst, desk.questionnaire).of_library == int(way == "library")


@pytest.mark.parametrize(("text", "way"), [("Keys live in a vault, guarded.", "earlier"), ("We cannot say.", "hand")])
def test_an_earlier_answer_counts_while_enough_of_it_is_there(desk, analyst, text, way):
    question = open_question(desk)
    other = Response.objects.exclude(questionnaire=question.questionnaire).order_by("pk")[0]
    desk.change_there(other, answerPartsSchema=TWO_PARTS, answerPartsValues={"p2": "Keys live in a vault."})
    desk.fetch()
    sent = fill_in(question, p2=text) | {"earlier": [other.pk, "x", "9" * 30]}
    assert analyst.post(address(question), sent).status_code == 302
    assert counted(analyst, desk.questionnaire) == {way: 1}
    assert shown(analyst, desk.questionnaire).of_library == 0


def test_what_is_changed_on_the_platform_is_the_platforms(desk, alice_here, analyst):
    save_draft(analyst, drafted(desk, alice_here))
    before = shown(analyst, desk.questionnaire)
    desk.change_there(desk.response, answerPartsValues={"p1": "No", "p2": "Changed there."})
    desk.fetch()
    after = shown(analyst, desk.questionnaire)
    assert (before.by_origin["accepted"], after.by_origin.get("accepted", 0)) == (1, 0)
    assert after.by_origin["elsewhere"] - before.by_origin.get("elsewhere", 0) == 1
    assert after.of_library == 0


def test_a_save_without_a_change_says_nothing_new(desk, alice_here, analyst):
    save_draft(analyst, drafted(desk, alice_here))
    save(analyst, desk.response)
    assert counted(analyst, desk.questionnaire) == {"accepted": 1}


def seconds(client, questionnaire: Questionnaire) -> int:
    return shown(client, questionnaire).seconds


def saved_before(gap: timedelta) -> None:
    LastSave.objects.update(saved_at=timezone.now() - gap)


def test_time_counts_between_two_saves_of_a_person_and_long_gaps_do_not(desk, analyst, member):
    question = open_question(desk)
    save(analyst, question, p2="One.")
    assert seconds(analyst, desk.questionnaire) == 0, "what was before the first save is not known"
    saved_before(timedelta(minutes=4))
    save(analyst, desk.response, p2="Two.")
    assert 240 <= seconds(analyst, desk.questionnaire) < 270
    saved_before(WORK_GAP + timedelta(seconds=1))
    save(analyst, desk.response, p2="Three.")
    assert 240 <= seconds(analyst, desk.questionnaire) < 270
    analyst.force_login(member(Role.ANALYST))
    save(analyst, desk.response, p2="Four.")
    assert 240 <= seconds(analyst, desk.questionnaire) < 270, "somebody else's first save"


def test_no_minute_counts_twice_when_a_person_goes_from_one_questionnaire_to_another(desk, analyst):
    first = open_question(desk)
    other = Response.objects.exclude(questionnaire=first.questionnaire).order_by("pk")[0]
    desk.change_there(other, answerPartsSchema=TWO_PARTS, answerPartsValues={})
    desk.fetch()
    save(analyst, first, p2="One.")
    saved_before(timedelta(minutes=3))
    save(analyst, Response.objects.select_related("questionnaire").get(pk=other.pk), p2="Two.")
    saved_before(timedelta(minutes=2))
    save(analyst, desk.response, p2="Three.")
    there = Questionnaire.objects.get(pk=other.questionnaire_id)
    assert 180 <= seconds(analyst, there) < 200
    assert 120 <= seconds(analyst, desk.questionnaire) < 140


def test_the_page_over_all_counts_those_that_came_lately(desk, alice_here, analyst):
    save_draft(analyst, drafted(desk, alice_here))
    page = "/t/acme/questionnaires/numbers/"
    Questionnaire.objects.update(created_at=timezone.now() - timedelta(days=DAYS, seconds=1))
    assert analyst.get(page).context["questionnaire_count"] == 0
    Questionnaire.objects.filter(pk=desk.questionnaire.pk).update(created_at=timezone.now() - timedelta(days=DAYS - 1))
    services.dismiss_draft(desk.response, member=alice_here)
    save(analyst, desk.response, p2=f"{WRITTEN} Yes.")
    shown_now = analyst.get(page).context
    assert shown_now["questionnaire_count"] == 1
    assert shown_now["origins"].by_origin["edited"] == 1
    assert shown_now["origins"].total == desk.questionnaire.question_count
    assert analyst.get(page, headers={"HX-Request": "true", "Seen": shown_now["page_version"]}).status_code == 204


def test_s1_another_tenant_counts_nothing_of_it(desk, alice_here, analyst, client, mallory, globex):
    save_draft(analyst, drafted(desk, alice_here))
    client.force_login(mallory)
    assert client.get("/t/globex/questionnaires/numbers/").context["origins"].total == 0
    assert client.get("/t/acme/questionnaires/numbers/").status_code == 404
