"""Drafting all unanswered questions: what is offered, what becomes of it, and that nothing leaves unless a person saves it."""

import json

import pytest
from django.core.exceptions import PermissionDenied
from django.db import transaction

from portal.audit.models import Entry as AuditEntry
from portal.connections.signals import disconnected
from portal.library.models import EntryUse
from portal.questionnaires import services
from portal.questionnaires.models import DraftedAnswer, DraftingRun, Response
from portal.questionnaires.services import drafting_runs
from portal.questionnaires.tasks import sweep_drafting_runs, work_on_drafting_run
from portal.tenants import personal_data
from portal.tenants.models import Role
from portal.users.models import User
from tests.questionnaires.conftest import TWO_PARTS, address, fill_in, save
from tests.questionnaires.draft_sources import WRITTEN, add_verified, ask_there, draft_all, draft_of_question
from tests.support.members import find_member


@pytest.fixture
def drafted(desk, alice_here) -> Response:
    """A question that the library has drafted."""
    add_verified(alice_here)
    response = ask_there(desk)
    draft_all(response.questionnaire, alice_here)
    return desk.response


def actions() -> list[str]:
    return list(AuditEntry.objects.filter(action__contains="draft").order_by("pk").values_list("action", flat=True))


def save_draft(client, response, **parts):
    """Press Save on the form as the page shows it: the drafted values, and what the person changes in them."""
    offered = services.offered_draft(response)
    shown = {part: value if part == "p2" else json.dumps(value) for part, value in offered.values.items()}
    return client.post(address(response), {**fill_in(response, **(shown | parts)), "drafted": offered.pk})


def test_a_draft_is_offered_with_its_source_and_nothing_is_sent(desk, drafted, analyst, wire):
    row = draft_of_question(drafted)
    assert (row.state, row.reason, row.values) == ("offered", "same", {"p1": "Yes", "p2": WRITTEN})
    assert (drafted.draft_confidence, drafted.is_answered) == (row.confidence, False)
    page = analyst.get(address(drafted)).content.decode()
    assert f"/library/{row.sources[0]['id']}/" in page
    assert f'name="drafted" value="{row.pk}"' in page
    assert WRITTEN in page
    assert f"Draft · {row.confidence}%" in analyst.get(f"{address(drafted.questionnaire)}?show=drafted").content.decode()
    assert wire.patches == []
    assert not desk.there(drafted)["answerPartsValues"]


def test_saving_it_as_it_is_accepts_it_and_counts_the_use_of_its_entry(desk, drafted, analyst, wire):
    assert save_draft(analyst, drafted).status_code == 302
    assert wire.patches == [{"answerPartsValues": {"p1": "Yes", "p2": WRITTEN}}]
    row = draft_of_question(drafted)
    assert (row.state, str(row.decided_by), desk.response.draft_confidence) == ("accepted", "Alice Ames", None)
    assert EntryUse.objects.filter(entry=row.sources[0]["id"], object_id=drafted.pk).exists()
    assert actions()[-1] == "response.draft_accept"


@pytest.mark.parametrize("changed", [{"p2": "Every employee signs in with a hardware key."}, {"p1": '"No"'}, {"p2": ""}])
def test_saving_it_changed_is_told_apart(drafted, analyst, changed):
    save_draft(analyst, drafted, **changed)
    assert draft_of_question(drafted).state == "edited"


def test_an_answer_that_was_written_without_seeing_the_draft_supersedes_it(desk, drafted, analyst):
    save(analyst, drafted, p2="Written in a form that was open before.")
    assert draft_of_question(drafted).state == "superseded"
    assert desk.response.draft_confidence is None


@pytest.mark.parametrize(
    "there",
    [
        {"answerPartsValues": {"p1": "No"}},
        {"question": "Are backups encrypted?"},
        {"answerPartsSchema": {"type": "object", "properties": {"p1": {"type": "boolean"}}}},
    ],
)
def test_what_changes_on_the_platform_supersedes_it(desk, drafted, there):
    desk.change_there(drafted, **there)
    desk.fetch()
    assert draft_of_question(drafted).state == "superseded"
    assert (desk.response.draft_confidence, services.offered_draft(desk.response)) == (None, None)


def test_a_disconnect_ends_drafts_and_runs(drafted, alice_here):
    DraftingRun.objects.update(finished_at=None)
    disconnected.send(None, tenant_id=drafted.tenant_id)
    assert draft_of_question(drafted).state == "superseded"
    assert not DraftingRun.objects.filter(finished_at=None).exists()


def test_s11_an_erased_address_is_in_no_draft(desk, drafted):
    row = draft_of_question(drafted)
    DraftedAnswer.objects.filter(pk=row.pk).update(values={"p2": "Write to Jo@Exämple.example."})
    assert personal_data.count("jo@exämple.example") == {"Drafted answers": 1}
    with transaction.atomic():
        personal_data.erase("jo@exämple.example")
    assert not DraftedAnswer.objects.filter(pk=row.pk).exists()
    assert desk.response.draft_confidence is None


def test_a_dismissed_draft_goes_and_the_same_one_does_not_come_again(desk, drafted, analyst, alice_here):
    assert analyst.post(f"{address(drafted)}dismiss-draft/").status_code == 302
    row = draft_of_question(drafted)
    assert (row.state, desk.response.draft_confidence) == ("dismissed", None)
    assert actions()[-1] == "response.draft_dismiss"
    assert WRITTEN not in analyst.get(address(drafted)).content.decode().partition('id="memory"')[0]
    draft_all(drafted.questionnaire, alice_here)
    assert (draft_of_question(drafted).state, draft_of_question(drafted).reason) == ("left-out", "dismissed")


def test_what_is_less_sure_is_left_out_with_the_reason(desk, alice_here):
    add_verified(alice_here, "Is multi-factor authentication required for contractors?")
    response = ask_there(desk)
    draft_all(response.questionnaire, alice_here)
    row = draft_of_question(response)
    assert (row.state, row.reason, row.values, desk.response.draft_confidence) == ("left-out", "scope", {}, None)
    assert row.sources


def test_the_page_counts_before_it_begins_and_tells_afterwards(desk, alice_here, analyst):
    add_verified(alice_here)
    questionnaire = ask_there(desk).questionnaire
    page = f"{address(questionnaire)}drafts/"
    total = services.questions_to_draft(questionnaire).count()
    tried, found = services.preview(questionnaire)
    assert (tried, found[75]) == (total, 1)
    assert analyst.get(page).status_code == 200
    assert not DraftingRun.objects.exists()
    assert analyst.post(page, {"least": "12"}).status_code == 422
    answer = analyst.post(page, {"least": "75"})
    run = DraftingRun.objects.get()
    assert answer.headers["Location"] == f"{page}{run.pk}/"
    assert analyst.post(page, {"least": "75"}).status_code == 422, "one run at a time"
    work_on_drafting_run(run.tenant_id, run.pk)
    told = analyst.get(f"{page}{run.pk}/").content.decode()
    assert f"1 drafted, {total - 1} not drafted" in told
    assert f"{page}{run.pk}/" not in analyst.get(page).content.decode(), "it is over"
    reason = DraftedAnswer.objects.filter(state="left-out").values_list("reason", flat=True)[0]
    assert f"?show=left&amp;reason={reason}" in analyst.get(f"{page}{run.pk}/?show=left").content.decode()


def test_a_run_goes_on_after_its_worker_died_and_ends_once(desk, alice_here):
    add_verified(alice_here)
    questionnaire = ask_there(desk).questionnaire
    run = services.start_drafting(questionnaire, least=75, member=alice_here)
    services.work_on_drafts(run, seconds=0)
    assert DraftedAnswer.objects.waiting().filter(run=run).exists()
    # The next worker died with the lease in hand.
    DraftingRun.objects.update(lease_until="2020-01-01T00:00Z")
    sweep_drafting_runs()
    assert services.due_drafting_runs() == [(run.tenant_id, run.pk)]
    work_on_drafting_run(run.tenant_id, run.pk)
    work_on_drafting_run(run.tenant_id, run.pk)
    assert not DraftedAnswer.objects.waiting().exists()
    assert actions().count("questionnaire.draft_end") == 1


def test_undo_removes_what_nobody_has_decided_on_and_stop_keeps_it(desk, alice_here, analyst):
    add_verified(alice_here)
    response = ask_there(desk)
    run = draft_all(response.questionnaire, alice_here)
    page = f"{address(response.questionnaire)}drafts/{run.pk}/stop/"
    analyst.post(page)
    assert draft_of_question(response).state == "offered"
    analyst.post(page, {"undo": "1"})
    assert (draft_of_question(response).state, desk.response.draft_confidence) == ("removed", None)
    save_again = draft_all(response.questionnaire, alice_here)
    save_draft(analyst, desk.response)
    services.stop_drafting(save_again, member=alice_here, undo=True)
    assert draft_of_question(response).state == "accepted"


def test_a_run_that_was_stopped_writes_nothing_more(desk, alice_here, monkeypatch):
    add_verified(alice_here)
    run = services.start_drafting(ask_there(desk).questionnaire, least=75, member=alice_here)
    compose = drafting_runs.compose

    def stopped_meanwhile(*given, **named):
        services.stop_drafting(run, member=alice_here, undo=False)
        return compose(*given, **named)

    monkeypatch.setattr(drafting_runs, "compose", stopped_meanwhile)
    work_on_drafting_run(run.tenant_id, run.pk)
    assert not DraftedAnswer.objects.exists()
    assert desk.response.draft_confidence is None


def test_an_answer_that_came_meanwhile_is_not_drafted_over(desk, alice_here, monkeypatch):
    add_verified(alice_here)
    run = services.start_drafting(ask_there(desk).questionnaire, least=75, member=alice_here)
    compose = drafting_runs.compose

    def answered_meanwhile(row, **named):
        Response.objects.filter(pk=row.pk).update(is_answered=True)
        return compose(row, **named)

    monkeypatch.setattr(drafting_runs, "compose", answered_meanwhile)
    work_on_drafting_run(run.tenant_id, run.pk)
    row = draft_of_question(desk.response)
    assert (row.state, row.reason, desk.response.draft_confidence) == ("left-out", "answered", None)


def test_what_changes_meanwhile_beside_question_and_form_keeps_no_draft_away(desk, alice_here, monkeypatch):
    add_verified(alice_here)
    run = services.start_drafting(ask_there(desk).questionnaire, least=75, member=alice_here)
    compose = drafting_runs.compose

    def touched_meanwhile(row, **named):
        Response.objects.filter(pk=row.pk).update(payload={**row.payload, "somethingNew": "x"})
        return compose(row, **named)

    monkeypatch.setattr(drafting_runs, "compose", touched_meanwhile)
    work_on_drafting_run(run.tenant_id, run.pk)
    assert draft_of_question(desk.response).state == "offered"
    assert not DraftedAnswer.objects.filter(reason="answered").exists()


def test_a_question_whose_form_changes_meanwhile_is_drafted_for_the_new_one(desk, alice_here, monkeypatch):
    add_verified(alice_here)
    asked = ask_there(desk)
    run = services.start_drafting(asked.questionnaire, least=75, member=alice_here)
    compose, seen = drafting_runs.compose, []

    def changed_meanwhile(row, **named):
        composed = compose(row, **named)
        if row.pk == asked.pk:
            seen.append(row.pk)
            schema = {"type": "object", "properties": {"q1": TWO_PARTS["properties"]["p2"]}}
            Response.objects.filter(pk=row.pk).update(payload={**row.payload, "answerPartsSchema": schema})
        return composed

    monkeypatch.setattr(drafting_runs, "compose", changed_meanwhile)
    work_on_drafting_run(run.tenant_id, run.pk)
    row = draft_of_question(asked)
    assert (row.state, [*row.values], len(seen)) == ("offered", ["q1"], 2)
    assert services.offered_draft(desk.response) == row


def test_a_draft_for_another_form_is_not_offered(drafted, analyst):
    assert 'name="drafted"' in analyst.get(address(drafted)).content.decode()
    DraftedAnswer.objects.update(seen="the form of before")
    assert services.offered_draft(drafted) is None


def test_s7_who_lost_the_role_drafts_nothing(desk, alice_here):
    add_verified(alice_here)
    run = services.start_drafting(ask_there(desk).questionnaire, least=75, member=alice_here)
    type(alice_here).objects.filter(pk=alice_here.pk).update(role=Role.VIEWER)
    work_on_drafting_run(run.tenant_id, run.pk)
    assert not DraftedAnswer.objects.exists()


def test_s7_who_was_deactivated_drafts_nothing(desk, alice_here):
    add_verified(alice_here)
    run = services.start_drafting(ask_there(desk).questionnaire, least=75, member=alice_here)
    User.objects.filter(pk=alice_here.user_id).update(is_active=False)
    work_on_drafting_run(run.tenant_id, run.pk)
    assert not DraftedAnswer.objects.exists()


def test_a_reader_sees_the_draft_and_decides_nothing(desk, drafted, client, member):
    reader = member(Role.VIEWER)
    client.force_login(reader)
    assert f"Draft · {drafted.draft_confidence}%" in client.get(address(drafted)).content.decode()
    for page in (f"{address(drafted)}dismiss-draft/", f"{address(drafted.questionnaire)}drafts/"):
        assert client.post(page, {"least": "75"}).status_code == 403
    with pytest.raises(PermissionDenied):
        services.dismiss_draft(drafted, member=find_member(user=reader))
