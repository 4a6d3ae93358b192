"""What was answered before is found beside the question: the same one, those like it, any words; one tenant's only."""

import pytest
from django.db import connection

from portal.lib.text_keys import key_of, telling_words
from portal.questionnaires import fulltext
from portal.questionnaires.memory import remember, search
from portal.questionnaires.models import Questionnaire, Response
from portal.questionnaires.services import drift_detection
from portal.tenants.scope import tenant_scope
from tests.questionnaires.conftest import TWO_PARTS, address

SAME = "Do you encrypt customer data at rest?"


@pytest.fixture
def rows(desk) -> list[Response]:
    """One question of each of three questionnaires."""
    for response in Response.objects.all():
        desk.change_there(response, answerPartsValues={}, question=f"Something else {response.pk}", approvedBy=None)
    desk.fetch()
    firsts = [Response.objects.filter(questionnaire=one).order_by("position")[0] for one in Questionnaire.objects.all()[:3]]
    assert len(firsts) == 3
    return firsts


@pytest.fixture
def platform_tenant(sandbox):
    return sandbox.create_tenant(questionnaires=3, responses_per_questionnaire=4)


@pytest.fixture
def answered(desk, rows):
    """Give questions their words and answers, there and here."""

    def answer(*pairs: tuple[str, str], **changes) -> list[Response]:
        for row, (question, words) in zip(rows, pairs, strict=False):
            values = {"p2": words} if words else {}
            desk.change_there(row, question=question, answerPartsSchema=TWO_PARTS, answerPartsValues=values, **changes)
        desk.fetch()
        return [Response.objects.get(pk=row.pk) for row in rows]

    return answer


def texts(memory) -> list[str]:
    return [past.response.answer_text for past in memory.answers]


def test_the_same_question_comes_first_however_it_is_written(answered):
    asked, *_ = answered(
        (SAME, ""),
        ("Which data of customers do you encrypt at rest?", "All."),
        ("DO YOU ENCRYPT, customer data at rest", "AES-256."),
    )
    memory = remember(asked)
    assert texts(memory) == ["AES-256.", "All."]
    assert [past.is_same_question for past in memory.answers] == [True, False]


def test_other_forms_of_a_word_are_found(answered):
    asked, *_ = answered((SAME, ""), ("Describe the encryption of backups", "They are encrypted."))
    assert texts(remember(asked)) == ["They are encrypted."]


def test_an_answer_given_often_is_shown_once(answered):
    asked, *_ = answered((SAME, ""), (SAME, "Yes, with AES-256."), (SAME, "yes, with aes-256"))
    (past,) = remember(asked).answers
    assert len(past.also_in) == 1


def test_an_approved_answer_goes_before_a_newer_one(desk, answered, rows):
    asked, approved, _ = answered((SAME, ""), (SAME, "Approved."), (SAME, "Newer."))
    desk.change_there(approved, approvedBy={"id": "u1", "displayName": "Ann"})
    desk.fetch()
    assert texts(remember(asked)) == ["Approved.", "Newer."]


@pytest.mark.parametrize(("status", "is_drifting"), [("COMPLETE", True), ("IN_PROGRESS", False)])
def test_different_answers_that_were_sent_are_told(desk, answered, status, is_drifting):
    asked, *others = answered((SAME, ""), (SAME, "24 hours."), (SAME, "72 hours."))
    for row in others:
        desk.change_there(row.questionnaire, status=status, updatedDate="2099-01-01T00:00:00.000Z")
    desk.fetch()
    drift_detection.compare()
    assert remember(asked).is_drifting is is_drifting


@pytest.mark.parametrize("gone", ["the answer", "the question", "the wording"])
def test_what_is_gone_is_remembered_no_more(desk, answered, rows, gone):
    asked, other, _ = answered((SAME, ""), (SAME, "AES-256."))
    if gone == "the answer":
        desk.change_there(other, answerPartsValues={"p2": None})
    elif gone == "the question":
        desk.objects.delete(desk.tenant_id, "responses", other.platform_id)
    else:
        desk.change_there(other, question="Quite different now")
    desk.fetch()
    assert remember(asked).answers == []


def test_words_are_looked_for_in_questions_and_answers(answered):
    asked, *_ = answered(
        (SAME, ""), ("Which ciphers?", "AES in hardware modules."), ("Who has keys to modules?", "Two people.")
    )
    assert set(texts(search("hardware module", beside=asked))) == {"AES in hardware modules.", "Two people."}
    assert texts(search("zebra", beside=asked)) == []


def test_s1_another_tenants_answers_are_not_found(answered, globex):
    asked, *_ = answered((SAME, ""), (SAME, "AES-256."))
    with tenant_scope(globex.pk):
        assert fulltext.find(telling_words(SAME), most=5) == []
        assert remember(asked).answers == []


@pytest.mark.parametrize(
    "words", ['"', "' | !( & :*", "NOT AND OR", "a:b*", "tenant1", "^x NEAR(y)", "\U0001f512", "the of", "ß" * 300]
)
def test_s3_no_words_break_the_search(answered, words):
    asked, *_ = answered((words, ""), (SAME, "AES-256."))
    assert texts(search(words, beside=asked)) == []
    assert remember(asked).answers == []


def test_a_very_long_question_and_answer_can_be_stored_and_found(answered):
    long = " ".join(f"word{number}" for number in range(40_000))
    asked, *_ = answered((SAME, ""), (f"{SAME} {long}", long))
    assert len(remember(asked).answers) == 1


@pytest.mark.django_db(transaction=True)
def test_the_index_survives_a_second_migrate(answered):
    from django.apps import apps

    fulltext.keep_index(apps.get_app_config("questionnaires"), using=connection.alias)
    asked, *_ = answered((SAME, ""), (SAME, "AES-256."))
    assert texts(remember(asked)) == ["AES-256."]


@pytest.mark.parametrize(
    ("one", "other", "are_same"),
    [
        ("Do you?", "do YOU", True),
        ("Straße", "STRASSE", True),
        ("A b", "Ab", False),
        ("?!", "", True),
        ("Grün", "Gruen", False),
    ],
)
def test_two_wordings(one, other, are_same):
    assert (key_of(one) == key_of(other)) is are_same


def test_the_panel_is_a_fragment_and_a_page(client, alice, answered):
    client.force_login(alice)
    asked, *_ = answered((SAME, ""), (SAME, "AES-256."))
    page = client.get(f"{address(asked)}memory/")
    assert b"<html" in page.content
    assert b"data-insert" not in page.content
    fragment = client.get(f"{address(asked)}memory/", headers={"HX-Request": "true"})
    assert b"<html" not in fragment.content
    assert b"AES-256." in fragment.content
    assert b"data-insert" in fragment.content
    assert b"No earlier answers match" in client.get(f"{address(asked)}memory/?words=zebra").content
