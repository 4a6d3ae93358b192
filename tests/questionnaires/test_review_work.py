"""Reviews and questions are taken, assigned and extended from Today: by the approver, and by the owner of the question."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.questionnaires.models import AssignableUser, Assignment, Questionnaire, Response
from portal.tenants.models import Role
from portal.work_items.models import WorkItem
from portal.work_items.selectors import Line, lines_of
from portal.work_items.services import catch_up
from tests.questionnaires.conftest import address
from tests.support.members import set_role


@pytest.fixture
def people(desk, client, alice):
    """Alice, whom the platform knows, and another one; both can own and approve."""
    client.force_login(alice)
    first, second = [user for user in desk.objects.all(desk.tenant_id, "users") if user["isActive"]][:2]
    for user, name in ((first, "Alice Ames"), (second, "Bo Approver")):
        desk.objects.save(desk.tenant_id, "users", user | {"displayName": name})
        AssignableUser.objects.create(platform_id=user["id"], name=name, may_approve=True, read_at=timezone.now())
    return AssignableUser.objects.get(name="Alice Ames"), AssignableUser.objects.get(name="Bo Approver")


@pytest.fixture
def review(desk, people):
    """A questionnaire in review that nobody is to approve, owned by somebody."""
    owner = {"type": "User", "id": people[1].platform_id, "displayName": people[1].name}
    row = desk.questionnaire
    desk.change_there(row, status="IN_REVIEW", approverAssignment=None, ownerAssignment=owner)
    desk.fetch()
    return Questionnaire.objects.get(pk=row.pk)


@pytest.fixture
def asked(desk, people):
    """A question of a team, asked for by nobody who is here."""
    row = Response.objects.filter(questionnaire=desk.questionnaire).select_related("questionnaire").first()
    team = {"type": "Team", "id": "team-7", "displayName": "Infrastructure"}
    desk.change_there(row, ownerAssignment=team, answerPartsValues={})
    desk.fetch()
    Response.objects.filter(pk=row.pk).update(is_answered=False)
    return Assignment.objects.create(response=row, owner_id="team-7", note="Only the cloud part.", made_by_name="Somebody")


def line_of(kind: str, object_id: int) -> Line:
    catch_up()
    [line] = lines_of([WorkItem.objects.get(kind=kind, object_id=object_id)])
    return line


@pytest.fixture
def act(client):
    def post(kind, object_id, action, **values):
        item = line_of(kind, object_id).row
        return client.post(f"/t/acme/today/{item.pk}/{action}/", values, headers={"HX-Request": "true"})

    return post


def test_a_review_is_taken_by_becoming_its_approver(desk, people, review, act, alice):
    before = desk.there(review)["ownerAssignment"]
    assert line_of("questionnaire", review.pk).item.actions == ("take_review", "approver", "extend")
    answer = act("questionnaire", review.pk, "take_review")
    assert answer.status_code == 200, answer.headers
    there = desk.there(review)
    assert (there["approverAssignment"]["id"], there["ownerAssignment"]) == (people[0].platform_id, before)
    assert line_of("questionnaire", review.pk).row.owner_id == alice.pk
    assert act("questionnaire", review.pk, "take_review").status_code == 422, "somebody has it"


def test_a_review_is_given_to_another_approver_and_never_to_another_owner(desk, people, review, act):
    before = desk.there(review)["ownerAssignment"]
    assert act("questionnaire", review.pk, "assign", value="Alice Ames").status_code == 422
    assert act("questionnaire", review.pk, "approver", value="nobody of this name").status_code == 422
    assert act("questionnaire", review.pk, "approver", value="bo approver").status_code == 200
    there = desk.there(review)
    assert (there["approverAssignment"]["id"], there["ownerAssignment"]) == (people[1].platform_id, before)


def test_s7_an_analyst_takes_no_review(people, review, act, alice, wire):
    set_role(Role.ANALYST, user=alice)
    assert act("questionnaire", review.pk, "take_review").status_code == 403
    assert wire.patches == []


def test_a_question_of_a_team_is_taken_with_its_note(desk, people, asked, act, alice):
    assert line_of("question", asked.pk).item.actions[0] == "take_question"
    answer = act("question", asked.pk, "take_question")
    assert answer.status_code == 200, answer.headers
    assert desk.there(asked.response)["ownerAssignment"]["id"] == people[0].platform_id
    asked.refresh_from_db()
    assert (asked.owner_id, asked.note) == (people[0].platform_id, "Only the cloud part.")
    line = line_of("question", asked.pk)
    assert (line.row.owner_id, line.item.actions[0]) == (alice.pk, "assign_question")


def test_a_question_is_given_to_somebody_else(desk, people, asked, act):
    assert act("question", asked.pk, "assign_question", value="nobody of this name").status_code == 422
    assert act("question", asked.pk, "assign_question", value="Bo Approver").status_code == 200
    assert desk.there(asked.response)["ownerAssignment"]["id"] == people[1].platform_id


def test_a_question_is_extended_here_alone(client, desk, asked, act, wire):
    assert act("question", asked.pk, "extend_question", value="3").status_code == 200
    asked.refresh_from_db()
    assert asked.due_at > timezone.now() + timedelta(days=2)
    assert line_of("question", asked.pk).row.due_sort == asked.due_at
    assert wire.patches == []
    assert client.get(f"{address(desk.questionnaire)}activity/").status_code == 200


@pytest.mark.parametrize("action", ["take_question", "assign_question", "extend_question"])
def test_s2_a_viewer_changes_no_question(client, asked, act, bob, wire, action):
    client.force_login(bob)
    assert act("question", asked.pk, action, value="3").status_code == 403
    assert wire.patches == []
