"""Guarantee W1 for intakes: an answer that was lost is settled by looking, and nothing is sent twice by itself."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.connections.models import Connection, State
from portal.questionnaires.models import Intake, IntakeState, Questionnaire
from portal.questionnaires.models.intake import LEASE
from portal.questionnaires.services.intake_outcomes import UNTIL_SURE
from tests.questionnaires.conftest import address
from tests.questionnaires.intakes import FILE_CALL, NEW, PAGE, WEBSITE_CALL, hand_in, look_now, only_intake, upload
from tests.questionnaires.test_intake import there

NAME = "Northwind review"


def page_of(analyst, intake) -> str:
    return analyst.get(f"{PAGE}intakes/{intake.pk}/").content.decode()


@pytest.mark.parametrize("fault", ["drop_answer", "html"])
@pytest.mark.parametrize("what", ["file", "address"])
def test_w1_a_lost_answer_is_settled_by_looking(desk, analyst, sandbox, fault, what):
    call = FILE_CALL if what == "file" else WEBSITE_CALL
    sandbox.fail(fault, method="POST", path=call, times=1)
    given = {"file": upload()} if what == "file" else {"url": "https://portal.example/q"}
    answer = hand_in(analyst, name=NAME, **given)
    intake = only_intake()
    assert answer["Location"] == f"{PAGE}intakes/{intake.pk}/"
    assert intake.state == IntakeState.UNCERTAIN
    assert "We could not confirm it and are checking" in page_of(analyst, intake)
    assert "Being checked" in analyst.get(PAGE).content.decode()
    look_now()
    intake.refresh_from_db()
    made = there(desk, NAME)
    if fault == "html":  # the fault came before the work
        assert (made, intake.state) == ([], IntakeState.UNCERTAIN)
        return
    assert len(made) == 1
    row = Questionnaire.objects.get(name=NAME)
    assert (intake.state, intake.questionnaire) == (IntakeState.CREATED, row)
    assert address(row) in page_of(analyst, intake)
    assert len([each for each in sandbox.requests(call) if each["method"] == "POST"]) == 1


@pytest.mark.parametrize("kind", ["DOCUMENT", "SOMETHING_NEW"])
def test_w1_a_file_is_found_again_whatever_type_the_platform_gives_it(desk, analyst, sandbox, kind):
    sandbox.fail("drop_answer", method="POST", path=FILE_CALL, times=1)
    hand_in(analyst, upload(), name=NAME)
    [made] = there(desk, NAME)
    desk.objects.save(desk.tenant_id, "questionnaires", made | {"type": kind})
    look_now()
    assert only_intake().state == IntakeState.CREATED


@pytest.mark.parametrize(("fault", "state"), [("drop_answer", IntakeState.CREATED), ("html", IntakeState.UNCERTAIN)])
def test_q14_an_intake_is_found_beside_one_that_cannot_be_read_and_is_not_absent_else(desk, analyst, sandbox, fault, state):
    row = desk.questionnaire
    desk.change_there(row, displayName=f"{NAME} of before", createdDate="2099-01-01T00:00:00.000Z", notes="x" * 1_100_000)
    Questionnaire.objects.filter(pk=row.pk).update(created_at=timezone.now())
    sandbox.fail(fault, method="POST", path=FILE_CALL, times=1)
    hand_in(analyst, upload(), name=NAME)
    Intake.objects.update(doubted_at=timezone.now() - UNTIL_SURE)
    look_now()
    assert only_intake().state == state


def test_w1_what_did_not_arrive_is_said_once_it_is_sure_and_handed_in_again_by_a_person(desk, analyst, sandbox):
    sandbox.fail("status", method="POST", path=FILE_CALL, value=502, times=1)
    hand_in(analyst, upload(), name=NAME, description="For the deal.")
    intake = only_intake()
    look_now()
    assert only_intake().state == IntakeState.UNCERTAIN, "the platform may still be at it"
    Intake.objects.update(doubted_at=timezone.now() - UNTIL_SURE)
    look_now()
    assert only_intake().state == IntakeState.ABSENT
    page = page_of(analyst, intake)
    assert "It did not arrive" in page
    assert f"{NEW}?again={intake.pk}" in page
    form = analyst.get(f"{NEW}?again={intake.pk}").content.decode()
    assert "For the deal." in form
    assert "Choose the file again" in form
    assert "Did not arrive" in analyst.get(PAGE).content.decode()
    hand_in(analyst, upload(), page=f"{NEW}?again={intake.pk}", name=NAME)
    assert len(there(desk, NAME)) == 1
    assert "Did not arrive" not in analyst.get(PAGE).content.decode()
    assert len(sandbox.requests(FILE_CALL)) == 2


def test_w1_what_did_not_arrive_is_still_told_of_when_the_second_try_is_refused(desk, analyst, sandbox):
    sandbox.fail("status", method="POST", path=FILE_CALL, value=502, times=1)
    hand_in(analyst, upload(), name=NAME)
    Intake.objects.update(doubted_at=timezone.now() - UNTIL_SURE)
    look_now()
    first = only_intake()
    sandbox.fail("status", method="POST", path=FILE_CALL, value=403, times=1)
    assert hand_in(analyst, upload(), page=f"{NEW}?again={first.pk}", name=NAME).status_code == 422
    first.refresh_from_db()
    assert (first.state, first.successor) == (IntakeState.ABSENT, None)
    assert "Did not arrive" in analyst.get(PAGE).content.decode()
    hand_in(analyst, upload(), page=f"{NEW}?again={first.pk}", name=NAME)
    assert len(there(desk, NAME)) == 1
    assert "Did not arrive" not in analyst.get(PAGE).content.decode()


def test_w1_a_process_that_died_in_the_call_is_looked_for(desk, analyst, sandbox):
    sandbox.fail("drop_answer", method="POST", path=FILE_CALL, times=1)
    hand_in(analyst, upload(), name=NAME)
    Intake.objects.update(state=IntakeState.SENDING, doubted_at=None, due_at=timezone.now() - LEASE)
    look_now()
    assert only_intake().state == IntakeState.CREATED
    assert len(there(desk, NAME)) == 1


def test_w1_two_of_one_name_are_never_taken_for_one(desk, analyst, sandbox):
    hand_in(analyst, upload(), name=NAME)
    first = only_intake()
    sandbox.fail("status", method="POST", path=FILE_CALL, value=502, times=1)
    hand_in(analyst, upload(), name=NAME)
    second = Intake.objects.get(state=IntakeState.ASKING)
    analyst.post(f"{PAGE}intakes/{second.pk}/send/")
    Intake.objects.filter(pk=second.pk).update(doubted_at=timezone.now() - UNTIL_SURE)
    look_now()
    second.refresh_from_db()
    assert second.state == IntakeState.ABSENT, "what is there came of the first one"
    assert first.questionnaire.intakes.count() == 1


def test_w1_one_of_this_name_that_was_here_before_is_not_taken_for_it(desk, analyst, sandbox):
    row = desk.questionnaire
    now = timezone.now().isoformat()
    desk.change_there(row, displayName=NAME, type="SPREADSHEET", createdDate=now, customerTrustAccountId=None)
    desk.fetch()
    hand_in(analyst, upload(), name=NAME)
    intake = Intake.objects.get(state=IntakeState.ASKING)
    sandbox.fail("status", method="POST", path=FILE_CALL, value=502, times=1)
    analyst.post(f"{PAGE}intakes/{intake.pk}/send/")
    Intake.objects.update(doubted_at=timezone.now() - UNTIL_SURE)
    look_now()
    assert only_intake().state == IntakeState.ABSENT


def test_w1_a_second_click_sends_nothing(desk, analyst, sandbox):
    sandbox.fail("drop_answer", method="POST", path=FILE_CALL, times=1)
    hand_in(analyst, upload(), name=NAME)
    hand_in(analyst, upload(), name="Another name")
    assert len(sandbox.requests(FILE_CALL)) == 1
    asked = Intake.objects.get(state=IntakeState.ASKING)
    assert "Being checked" in page_of(analyst, asked)


def test_while_the_platform_cannot_be_asked_it_stays_being_checked(desk, analyst, sandbox):
    sandbox.fail("drop_answer", method="POST", path=FILE_CALL, times=1)
    hand_in(analyst, upload(), name=NAME)
    sandbox.fail("status", method="GET", path="/v1/customer-trust/questionnaires", value=503, times=1)
    Intake.objects.update(doubted_at=timezone.now() - timedelta(hours=1))
    look_now()
    intake = only_intake()
    assert intake.state == IntakeState.UNCERTAIN
    assert intake.due_at > timezone.now()
    look_now()
    assert only_intake().state == IntakeState.CREATED


def test_without_a_connection_nothing_is_begun(desk, analyst):
    Connection.objects.update(state=State.NEEDS_RECONNECTION)
    page = hand_in(analyst, upload())
    assert page.status_code == 422
    assert "not connected" in page.content.decode()
    assert not Intake.objects.exists()
