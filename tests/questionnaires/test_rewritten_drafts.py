"""Drafts of similar questions, rewritten by the language model: with a source for each sentence, or as they were found."""

from portal.language_model import services
from portal.language_model.models import ModelCall
from portal.questionnaires.drafted_answers.rewriting import MAX_FAILURES
from portal.questionnaires.models import DraftedAnswer, DraftingRun, DraftState, Response
from portal.questionnaires.services import start_drafting
from portal.questionnaires.tasks import work_on_drafting_run
from tests.language_model.conftest import model, owner, turned_on, written
from tests.questionnaires.conftest import TWO_PARTS, address
from tests.questionnaires.draft_sources import MFA, WRITTEN, add_verified, ask_there, draft_of_question

__all__ = ["model", "owner", "turned_on"]

SIMILAR = "Do employees have to use MFA?"
OTHERS = ("Must employees use MFA?", "Are employees required to use MFA?", "Is MFA mandatory for employees?")


def draft(questionnaire, member, *, rewrites: bool = True) -> DraftingRun:
    run = start_drafting(questionnaire, least=60, member=member, rewrites=rewrites)
    work_on_drafting_run(run.tenant_id, run.pk)
    run.refresh_from_db()
    return run


def test_a_similar_question_is_answered_in_its_own_words(client, alice, desk, owner, turned_on):
    add_verified(owner)
    response = ask_there(desk, SIMILAR)
    turned_on.answer = written(("Every employee signs in with a passkey.", [1]), ("We have won many prizes.", [1]))
    run = draft(response.questionnaire, owner)
    row = draft_of_question(response)
    assert (row.state, row.reason) == (DraftState.OFFERED, "near")
    assert row.values == {"p1": "Yes", "p2": "Every employee signs in with a passkey."}
    assert row.sentences == [{"text": "Every employee signs in with a passkey.", "sources": [0]}]
    client.force_login(alice)
    page = client.get(address(response)).content.decode()
    assert "check each sentence" in page
    assert "[1]" in page
    assert "rewritten by the language model" in client.get(f"{address(run.questionnaire)}drafts/{run.pk}/").content.decode()


def test_what_was_said_to_the_very_question_is_not_sent(desk, owner, turned_on):
    add_verified(owner)
    response = ask_there(desk, MFA)
    draft(response.questionnaire, owner)
    assert draft_of_question(response).values["p2"] == WRITTEN
    assert turned_on.bodies == []


def test_a_lie_leaves_the_draft_as_it_was_found(desk, owner, turned_on):
    add_verified(owner)
    response = ask_there(desk, SIMILAR)
    turned_on.answer = written(("No employee signs in with a passkey.", [1]))
    run = draft(response.questionnaire, owner)
    row = draft_of_question(response)
    assert (row.values["p2"], row.sentences) == (WRITTEN, [])
    assert (len(turned_on.bodies), run.rewriting_ended) == (1, "")


def test_a_server_that_is_down_is_left_alone_and_the_drafts_are_made(client, alice, desk, owner, turned_on):
    add_verified(owner)
    first = ask_there(desk, SIMILAR)
    others = Response.objects.filter(questionnaire=first.questionnaire).exclude(pk=first.pk).order_by("pk")
    empty = {"answerPartsSchema": TWO_PARTS, "answerPartsValues": {}, "approvedBy": None, "answer": None}
    for row, question in zip(others, OTHERS, strict=False):
        desk.change_there(row, question=question, **empty)
    desk.fetch()
    turned_on.status = 503
    run = draft(first.questionnaire, owner)
    offered = DraftedAnswer.objects.offered().filter(run=run)
    assert offered.count() > MAX_FAILURES
    assert {row.values["p2"] for row in offered} == {WRITTEN}
    assert (len(turned_on.bodies), run.rewriting_ended) == (MAX_FAILURES, "Refused by the model's server.")
    client.force_login(alice)
    assert "was stopped" in client.get(f"{address(first.questionnaire)}drafts/{run.pk}/").content.decode()


def test_it_is_offered_only_where_the_tenant_lets_its_texts_go(client, alice, desk, owner, model):
    response = ask_there(desk, SIMILAR)
    client.force_login(alice)
    page = f"{address(response.questionnaire)}drafts/"
    assert 'name="rewrites"' not in client.get(page).content.decode()
    services.switch(to=True, member=owner)
    assert 'name="rewrites"' in client.get(page).content.decode()
    client.post(page, {"least": "60", "rewrites": "on"})
    assert DraftingRun.objects.get().rewrites


def test_turned_off_during_a_run_nothing_more_is_sent(desk, owner, turned_on):
    add_verified(owner)
    response = ask_there(desk, SIMILAR)
    run = start_drafting(response.questionnaire, least=60, member=owner, rewrites=True)
    services.switch(to=False, member=owner)
    work_on_drafting_run(run.tenant_id, run.pk)
    run.refresh_from_db()
    assert run.rewriting_ended
    assert turned_on.bodies == []
    assert not ModelCall.objects.exists()
