"""Drafts of the very same question are saved together: what was shown and ticked, and never over another answer."""

from datetime import timedelta

import pytest
from django.urls import reverse

from portal.audit.services import history
from portal.platform_writes.models import ItemState
from portal.questionnaires import services
from portal.questionnaires.models import BulkItem, BulkRun, DraftedAnswer, LastSave, Response, SavedAnswer
from portal.tenants.models import Role
from tests.questionnaires.conftest import let_work
from tests.questionnaires.draft_sources import MFA, WRITTEN, add_verified, ask_there, draft_all, draft_of_question

BACKUPS = "Are backups encrypted?"
RESPONSES = "/v1/customer-trust/questionnaires"


@pytest.fixture
def two(desk, alice_here) -> list[Response]:
    """Two questions of one questionnaire, each with a draft that the library has word for word."""
    add_verified(alice_here)
    add_verified(alice_here, BACKUPS, text="With AES-256.")
    first = ask_there(desk)
    other = Response.objects.filter(questionnaire=first.questionnaire, is_answered=False).exclude(pk=first.pk)[0]
    desk.change_there(other, question=BACKUPS, answerPartsSchema=first.payload["answerPartsSchema"], answerPartsValues={})
    desk.fetch()
    draft_all(first.questionnaire, alice_here)
    rows = [Response.objects.get(question=question) for question in (MFA, BACKUPS)]
    assert {draft_of_question(row).state for row in rows} == {"offered"}
    return rows


def page_of(row: Response) -> str:
    return reverse("questionnaires:save_drafts", args=["acme", row.questionnaire.platform_id])


def drafts(rows: list[Response]) -> list[int]:
    return [draft_of_question(row).pk for row in rows]


def begin(rows: list[Response], member) -> BulkRun:
    return services.save_sure_drafts(rows[0].questionnaire, drafts=drafts(rows), member=member)


def states(run: BulkRun) -> dict[str, tuple[str, str]]:
    return {str(item.response): (item.state, item.description) for item in BulkItem.objects.filter(run=run)}


def test_what_is_ticked_is_saved_as_it_was_shown_and_nothing_else(desk, two, analyst, wire):
    shown = analyst.get(page_of(two[0]))
    assert [draft.row.pk for draft in shown.context["drafts"]] == drafts(two)
    assert all(words in shown.content.decode() for words in (MFA, WRITTEN, BACKUPS, "With AES-256."))
    assert wire.patches == []
    answer = analyst.post(page_of(two[0]), {"draft": drafts(two[:1])})
    run = BulkRun.objects.get()
    assert answer.url == reverse("questionnaires:bulk_run", args=["acme", run.pk])
    let_work()
    assert wire.patches == [{"answerPartsValues": {"p1": "Yes", "p2": WRITTEN}}]
    assert [draft_of_question(row).state for row in two] == ["accepted", "offered"]
    saved = Response.objects.get(pk=two[0].pk)
    assert (saved.is_answered, saved.draft_confidence) == (True, None)
    assert {entry.action for entry in history("response", saved.platform_id)} == {"response.answer", "response.draft_accept"}
    assert "1 of 1 saved" in analyst.get(answer.url).content.decode()


def test_who_saves_many_at_once_has_spent_no_time_on_each(two, alice_here):
    begin(two, alice_here)
    let_work()
    assert list(SavedAnswer.objects.values_list("origin", "seconds")) == [("accepted", 0)] * 2
    assert not LastSave.objects.exists()


@pytest.mark.parametrize(
    "columns", [{"reason": "near"}, {"confidence": 94}, {"sentences": [{"text": "Rewritten.", "sources": [0]}]}], ids=str
)
def test_other_drafts_are_read_one_by_one(two, alice_here, analyst, columns):
    DraftedAnswer.objects.filter(pk=drafts(two)[0]).update(**columns)
    assert [draft.row.pk for draft in analyst.get(page_of(two[0])).context["drafts"]] == drafts(two)[1:]
    with pytest.raises(services.NotAllowed):
        begin(two[:1], alice_here)
    assert [item.response for item in BulkItem.objects.filter(run=begin(two, alice_here))] == two[1:]


def test_a_question_that_somebody_is_writing_at_is_left_to_them(two, alice_here, analyst):
    services.keep_draft(two[0], member=alice_here, seen=two[0].answer.fingerprint, typed={"p2": "In my own words"})
    assert [draft.row.response for draft in analyst.get(page_of(two[0])).context["drafts"]] == two[1:]


def test_nothing_ticked_saves_nothing(two, analyst, wire):
    answer = analyst.post(page_of(two[0]))
    assert (answer.status_code, BulkRun.objects.exists(), wire.patches) == (422, False, [])


def test_an_answer_that_came_meanwhile_is_not_written_over(desk, two, alice_here, wire):
    """Once the copy has it, and once only the platform does."""
    run = begin(two, alice_here)
    desk.change_there(two[0], answerPartsValues={"p1": "No"})
    desk.fetch()
    desk.change_there(two[1], answerPartsValues={"p1": "No"})
    let_work()
    assert {state for state, _ in states(run).values()} == {ItemState.FAILED}
    assert wire.patches == []
    assert [desk.there(row)["answerPartsValues"] for row in two] == [{"p1": "No"}] * 2


def test_a_draft_that_nobody_saw_is_not_saved(two, alice_here, wire):
    run = begin(two[:1], alice_here)
    DraftedAnswer.objects.filter(pk=draft_of_question(two[0]).pk).update(made_at=run.started_at + timedelta(seconds=1))
    let_work()
    assert (states(run)[MFA][0], wire.patches) == (ItemState.FAILED, [])


def test_w1_a_save_whose_answer_was_lost_is_looked_for_and_not_sent_again(desk, two, alice_here, wire, sandbox):
    run = begin(two[:1], alice_here)
    sandbox.fail("drop_answer", method="PATCH", path=RESPONSES, times=1)
    let_work()
    assert len(wire.patches) == 1
    assert states(run)[MFA][0] == ItemState.DONE
    assert draft_of_question(two[0]).state == "accepted"


def test_a_worker_that_died_after_the_call_is_followed_by_one_that_looks(desk, two, alice_here, wire):
    run = begin(two[:1], alice_here)
    desk.change_there(two[0], answerPartsValues={"p1": "Yes", "p2": WRITTEN})
    BulkItem.objects.update(state=ItemState.UNCERTAIN, is_in_doubt=True)
    desk.fetch()
    let_work()
    assert (states(run)[MFA][0], wire.patches) == (ItemState.DONE, [])
    assert draft_of_question(two[0]).state == "accepted"


def test_an_analyst_may_and_a_viewer_may_not(two, client, member):
    client.force_login(member(Role.VIEWER))
    assert client.get(page_of(two[0])).status_code == 403
    assert client.post(page_of(two[0]), {"draft": drafts(two)}).status_code == 403
    assert not BulkRun.objects.exists()


def test_another_tenant_s_drafts_are_none(two, client, mallory, globex):
    client.force_login(mallory)
    assert client.post(page_of(two[0]).replace("/acme/", "/globex/"), {"draft": drafts(two)}).status_code == 404
