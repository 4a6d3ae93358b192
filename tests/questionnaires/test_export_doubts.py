"""W1 for exports: the platform has no list of them, so a lost answer waits for its event, and nothing is asked twice."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from portal.platform_api.webhooks import ExportCompleted
from portal.questionnaires import services
from portal.questionnaires.models import Export, ExportState
from tests.questionnaires.exports import CALL, ask, end_there, handle, look_at_due, only, page_of, starts, there
from tests.support.members import find_member

HTMX = {"HX-Request": "true", "HX-Target": "exports"}


@pytest.mark.parametrize("fault", [{"kind": "drop_answer"}, {"kind": "html"}, {"kind": "status", "value": 500}])
def test_w1_a_lost_answer_waits_for_the_event_and_asks_nothing_twice(fault, desk, analyst, sandbox):
    kind = fault.pop("kind")
    sandbox.fail(kind, method="POST", path=CALL, times=1, **fault)
    answer = ask(analyst, desk, headers=HTMX)
    assert answer.status_code == 422
    assert b"could not confirm" in answer.content
    assert b"Being checked" in answer.content
    before = starts(desk)
    ask(analyst, desk)
    look_at_due()
    assert (only().state, starts(desk)) == (ExportState.UNCERTAIN, before)
    if kind == "drop_answer":
        end_there(desk)
        [made] = there(desk)
        requested = timezone.datetime.fromisoformat(made["requestedAt"])
        ids = {"questionnaire_id": desk.questionnaire.platform_id, "export_id": made["id"]}
        handle(ExportCompleted(**ids, format="csv", requested_at=requested))
        look_at_due()
        export = only()
        assert (export.platform_id, export.state, export.is_elsewhere) == (made["id"], ExportState.COMPLETED, False)


def test_w1_after_a_while_a_person_may_ask_again_and_the_late_event_still_counts(desk, analyst, sandbox):
    sandbox.fail("drop_answer", method="POST", path=CALL, times=1)
    ask(analyst, desk)
    first = only()
    with time_machine.travel(first.due_at + timedelta(seconds=1), tick=False):
        look_at_due()
    assert only().state == ExportState.UNANSWERED
    page = analyst.get(page_of(desk)).content
    assert b"know if the platform got the request" in page
    assert b"Request again" in page
    ask(analyst, desk)
    assert starts(desk) == 2
    requested = first.asked_at + timedelta(seconds=2)
    ids = {"questionnaire_id": desk.questionnaire.platform_id, "export_id": there(desk)[0]["id"]}
    mine = {each["id"] for each in there(desk)} - {Export.objects.exclude(pk=first.pk).get().platform_id}
    ids["export_id"] = mine.pop()
    handle(ExportCompleted(**ids, format="csv", requested_at=requested))
    first.refresh_from_db()
    assert (first.state, first.platform_id) == (ExportState.COMPLETED, ids["export_id"])
    assert Export.objects.count() == 2


def test_w1_an_event_of_another_time_or_format_is_not_of_this_request(desk, analyst, sandbox):
    sandbox.fail("drop_answer", method="POST", path=CALL, times=1)
    ask(analyst, desk)
    mine = only()
    at, ids = mine.asked_at, {"questionnaire_id": desk.questionnaire.platform_id}
    handle(
        ExportCompleted(**ids, export_id="a", format="original", requested_at=at),
        ExportCompleted(**ids, export_id="b", format="csv", requested_at=at - timedelta(hours=1)),
        ExportCompleted(**ids, export_id="c", format="csv"),
    )
    mine.refresh_from_db()
    assert mine.state == ExportState.UNCERTAIN
    assert Export.objects.filter(is_elsewhere=True).count() == 3


def test_w1_a_request_whose_process_died_becomes_uncertain(desk, alice, analyst):
    services.exports.begin(desk.questionnaire, member=find_member(user=alice), export_format="csv")
    look_at_due()
    assert only().state == ExportState.ASKING
    with time_machine.travel(timezone.now() + timedelta(seconds=151), tick=False):
        look_at_due()
    assert only().state == ExportState.UNCERTAIN
    assert starts(desk) == 0
