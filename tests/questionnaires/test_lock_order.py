"""Whoever changes something of a questionnaire's responses waits for who stores all of them, and neither stops the other."""

import pytest
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from portal.platform_api import models as remote
from portal.questionnaires.models import DraftedAnswer, ExpertLink, Questionnaire, Response
from portal.questionnaires.services import Expert, answer_by_link, ask_expert, dismiss_draft, start_drafting, work_on_drafts
from portal.questionnaires.services.drafted_answers import settle_draft
from portal.questionnaires.services.store import store_response
from portal.tenants.models import Membership
from tests.questionnaires.draft_sources import add_verified, ask_there, draft_all, draft_of_question
from tests.support.beside import Beside

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def response(desk, alice_here) -> Response:
    """A question that the library has drafted."""
    add_verified(alice_here)
    draft_all(ask_there(desk).questionnaire, alice_here)
    return desk.response


def stored(row: Response, **changes: object) -> Response:
    """Store a response as if it had been read by itself."""
    with transaction.atomic():
        fetched = remote.Response.read({**row.payload, **changes})
        return store_response(row.questionnaire, fetched, asked_at=timezone.now())


def ask(row: Response, member: Membership) -> ExpertLink:
    [link] = ask_expert(Expert(email="dana@example.test"), member=member, responses=[row])
    return link


@pytest.mark.parametrize("work", ["stored", "drafted", "dismissed", "saved", "asked", "answered"])
def test_q6_one_response_and_the_whole_list_do_not_meet_in_a_deadlock(acme, alice_here, response, work):
    response.is_answered = work == "saved"
    if work == "drafted":
        DraftedAnswer.objects.all().delete()
        Response.objects.filter(pk=response.pk).update(draft_confidence=None)
    run = start_drafting(response.questionnaire, least=75, member=alice_here) if work == "drafted" else None
    link = ask(response, alice_here) if work == "answered" else None
    works = {
        "stored": lambda: stored(response, question="Is it another one?"),
        "drafted": lambda: work_on_drafts(run),
        "dismissed": lambda: dismiss_draft(response, member=alice_here),
        "saved": lambda: settle_draft(response, str(draft_of_question(response).pk), parts={"p1": "Yes"}, member=alice_here),
        "asked": lambda: ask(response, alice_here),
        "answered": lambda: answer_by_link(link, seen="", parts={"p1": "Yes"}),
    }
    with transaction.atomic():
        # As who stores the list: the questionnaire, its responses, their drafts.
        Questionnaire.objects.select_for_update().get(pk=response.questionnaire_id)
        beside = Beside(acme.pk, works[work])
        Response.objects.filter(pk=response.pk).update(position=F("position"))
        DraftedAnswer.objects.filter(response=response).update(confidence=F("confidence"))
    beside.wait()


def test_two_responses_that_are_stored_at_once_are_both_counted(acme, response):
    questionnaire = response.questionnaire
    first, second = Response.objects.filter(questionnaire=questionnaire, is_answered=True).order_by("pk")[:2]
    before = questionnaire.answered_count
    empty = {"answer": None, "answerPartsValues": {}}
    with transaction.atomic():
        stored(first, **empty)
        beside = Beside(acme.pk, lambda: stored(second, **empty))
    beside.wait()
    questionnaire.refresh_from_db()
    assert questionnaire.answered_count == before - 2
