"""What the library learns of the questions of this desk: how often each was asked, and what was answered."""

from collections import Counter

import pytest
from django.urls import reverse

from portal.library import services
from portal.library.models import Gap, Wording
from portal.questionnaires.models import Response
from tests.questionnaires.conftest import TWO_PARTS

pytestmark = pytest.mark.django_db


def counted() -> dict[str, int]:
    return dict(Wording.objects.asked().values_list("key", "asked_count"))


def test_each_question_counts_once_however_often_it_is_read(desk):
    keys = Counter(Response.objects.exclude(question_key="").values_list("question_key", flat=True))
    assert counted() == keys
    row = desk.response
    asking = Wording.objects.get(key=row.question_key).askings.values_list("object_id", flat=True)
    assert row.questionnaire_id in asking
    desk.set_answer(None, None, question=row.question)
    assert counted() == keys
    # Another question in its place is one more; that the first one was asked stays true.
    desk.set_answer(None, None, question="Do you juggle with flaming torches?")
    assert counted() == keys + Counter([desk.response.question_key])
    assert Wording.objects.get(key=desk.response.question_key).asked_as == desk.response.pk


def test_the_list_leads_to_the_question_and_the_form_has_its_approved_answer(desk, analyst):
    question = "Do you juggle with flaming torches?"
    approved = {"question": question, "approvedBy": {"id": "u1", "displayName": "Ann"}}
    row = desk.set_answer(TWO_PARTS, {"p2": "Only in the yard."}, **approved)
    while services.compare():
        pass
    gap = Gap.objects.get(wording__key=row.question_key)
    lines = analyst.get("/t/acme/library/coverage/?theme=other&sort=number").context["lines"]
    [line] = [each for each in lines if each.gap == gap]
    url = reverse("questionnaires:response", args=["acme", row.questionnaire.platform_id, row.platform_id])
    assert (line.question.text, line.question.url, line.answered.url) == (question, url, url)
    initial = analyst.get(f"/t/acme/library/new/?gap={gap.pk}").context["form"].initial
    assert initial["question"] == question
    assert initial["text"] == "Only in the yard."
