"""Guarantee R8: each change at this desk leaves its audit row. Several changes a test, so that all of them cost little."""

from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from portal.platform_writes.outcomes import OutcomeUnknown
from portal.questionnaires import services
from portal.questionnaires.models import AssignableUser, Assignment, ExpertLink, Intake, IntakeState, Target
from portal.questionnaires.models.intake import LEASE
from portal.questionnaires.services.intake_outcomes import UNTIL_SURE, verify_outcome
from portal.questionnaires.tasks import mail_expert_links, sweep_nudges
from tests.questionnaires.conftest import TWO_PARTS, address, fill_in, save
from tests.questionnaires.intakes import PAGE, hand_in, upload
from tests.questionnaires.reviews import give_answers, seen
from tests.questionnaires.test_activity import EXPERT
from tests.support.audit import recorded

ALICE = "Alice Ames"
ANY_CALL = "/v1/customer-trust"


@pytest.fixture
def question(desk):
    return desk.set_answer(TWO_PARTS, {"p1": None, "p2": None})


def test_r8_an_answer_that_was_saved_and_one_that_nobody_can_confirm(desk, analyst, question, alice_here, sandbox, wire):
    with recorded("response.answer", by=ALICE) as rows:
        save(analyst, question, p2="New.")
    assert rows[0].details["parts"] == [{"part": "p2", "before": "", "after": "New."}]
    response, seen_one = desk.response, desk.response.answer.fingerprint
    sandbox.fail("drop_answer", method="PATCH", times=1)
    wire.before_write = lambda: sandbox.fail("status", method="GET", value=503, path=ANY_CALL)
    with recorded("response.answer_unconfirmed", by=ALICE), pytest.raises(OutcomeUnknown):
        services.update_answer(response, member=alice_here, seen=seen_one, parts={"p2": "Newer."})


def test_r8_steps_of_a_questionnaire(desk, analyst, question, alice_here, sandbox):
    at = address(question.questionnaire)
    person = AssignableUser.objects.create(platform_id=first_user(desk), name=ALICE, may_approve=True, read_at=timezone.now())
    steps = [
        ("take", {}),
        ("owner", {"owner": "nobody"}),
        ("approver", {"approver": person.platform_id}),
        ("due", {"due_on": ""}),
        ("priority", {"priority": "40"}),
        ("status", {"status": "READY_FOR_REVIEW"}),
        ("approve", {}),
        ("complete", {}),
        ("status-link", {}),
        ("status-link", {"revoke": "1"}),
    ]
    actions = [
        *("questionnaire.owner", "questionnaire.owner", "questionnaire.approver", "questionnaire.due"),
        *("questionnaire.priority", "questionnaire.status", "questionnaire.status", "questionnaire.status"),
        *("questionnaire.status_link.share", "questionnaire.status_link.revoke"),
    ]
    with recorded(*actions, by=ALICE):
        for path, sent in steps:
            assert analyst.post(f"{at}{path}/", sent).status_code == 302, path


def first_user(desk) -> str:
    return next(user["id"] for user in desk.objects.all(desk.tenant_id, "users") if user["isActive"])


def test_r8_a_status_that_nobody_can_confirm(question, alice_here, sandbox):
    with recorded("questionnaire.status_unconfirmed", by=ALICE), pytest.raises(OutcomeUnknown):
        sandbox.fail("drop_answer", method="PATCH", times=1)
        sandbox.fail("status", method="GET", value=503, path=ANY_CALL)
        services.change_status(question.questionnaire, member=alice_here, status="ON_HOLD")


def test_r8_questions_to_people(desk, analyst, question):
    at = f"{address(question.questionnaire)}ask/"
    with recorded("response.expert.ask", "response.expert.revoke", "response.expert.ask", by=ALICE):
        analyst.post(at, {"chosen": [question.pk], **EXPERT})
        analyst.post(f"{address(question)}experts/{ExpertLink.objects.get().pk}/", {"do": "revoke"})
        analyst.post(at, {"chosen": [question.pk], **EXPERT})
    link = ExpertLink.objects.get(revoked_at=None)
    where = f"{address(question)}experts/{link.pk}/"
    mail_expert_links(link.tenant_id)
    ExpertLink.objects.update(made_at=timezone.now() - timedelta(days=2))
    with recorded("response.expert.remind", by=ALICE):
        analyst.post(where, {"do": "nudge"})
    ExpertLink.objects.update(nudged_at=None, due_at=timezone.now() + timedelta(hours=2))
    with recorded("response.expert.remind", by="") as rows:
        sweep_nudges()
    assert rows[0].source == "system"
    for steps in (["take"], ["aside"]):
        with recorded("response.expert.answer", by="") as rows:
            Client().post(f"/answer/{link.token}/", fill_in(desk.response, p2=f"Answer to {steps}"))
        assert rows[0].details == {"questionnaire": question.questionnaire.platform_id, "link": link.pk}
        with recorded("response.expert.use", by=ALICE):
            analyst.post(where, {"do": steps[0]})


def test_r8_an_owner_who_was_reminded(analyst, question, alice):
    type(question).objects.filter(pk=question.pk).update(owner_id="u1", owner_name=ALICE)
    asked = {"owner_id": "u1", "made_by": alice, "made_by_name": ALICE, "made_at": timezone.now() - timedelta(days=2)}
    Assignment.objects.create(response=question, **asked)
    with recorded("response.remind", by=ALICE):
        analyst.post(f"{address(question)}nudge/")
    Assignment.objects.update(nudged_at=None, due_at=timezone.now() + timedelta(hours=2))
    with recorded("response.remind", by=""):
        sweep_nudges()
    assert len(mail.outbox) == 2


def test_r8_verdicts_and_their_undoing(desk, alice_here, reviewer):
    first, second = give_answers(desk, 2)
    name = str(reviewer.user)
    with recorded("response.returned", "response.approved", "response.undo", by=name):
        services.decide(first, member=reviewer, verdict="returned", seen=seen(first), reason="Too short.")
        services.decide(second, member=reviewer, verdict="approved", seen=seen(second))
        services.undo(second, member=reviewer)


def test_r8_targets_rules_and_files(analyst, desk, alice_here):
    targets = "/t/acme/questionnaires/targets/"
    with recorded("target.add", "target.change", "target.warning", "target.delete", by=ALICE):
        analyst.post(f"{targets}add/", {"condition": "everything", "hours": "40"})
        target = Target.objects.get()
        analyst.post(f"{targets}{target.pk}/", {"hours": "20"})
        analyst.post(f"{targets}warning/", {"percent": "25"})
        analyst.post(f"{targets}{target.pk}/delete/")
    with recorded("questionnaire.rules", "questionnaire.export", by=ALICE):
        services.set_four_eyes(True, member=alice_here)
        analyst.post("/t/acme/questionnaires/export/")


def test_r8_what_became_of_an_intake(desk, analyst, sandbox):
    with recorded("questionnaire.intake", by=ALICE):
        hand_in(analyst, upload(), name="Northwind")
    hand_in(analyst, upload(), name="Northwind")
    asking = Intake.objects.get(state=IntakeState.ASKING)
    with recorded("questionnaire.intake_discard", by=ALICE):
        analyst.post(f"{PAGE}intakes/{asking.pk}/discard/")
    sandbox.fail("status", method="POST", path=ANY_CALL, value=403, times=1)
    with recorded("questionnaire.intake_refused", by=ALICE):
        hand_in(analyst, url="https://portal.example/refused", name="Refused")
    lost = Intake.objects.create(
        name="Lost",
        kind="WEBSITE",
        url="https://portal.example/lost",
        state=IntakeState.UNCERTAIN,
        doubted_at=timezone.now() - UNTIL_SURE - LEASE,
        due_at=timezone.now(),
    )
    with recorded("questionnaire.intake_absent", by="") as rows:
        verify_outcome(lost)
    assert rows[0].source == "sync"
