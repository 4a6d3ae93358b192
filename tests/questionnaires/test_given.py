"""Who has a questionnaire since the sync brought it is told once; who took it, or was told here, is not told again."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.notifications.kinds import ASSIGNED
from portal.notifications.models import Notification
from portal.questionnaires.changes import Action, Change
from portal.questionnaires.models import AssignableUser, Questionnaire
from portal.questionnaires.services import change_questionnaire, taking
from portal.tenants.models import Role
from portal.work_items.services import catch_up
from tests.support.members import find_member


@pytest.fixture
def carol(desk, alice, member):
    """An analyst whom the platform knows under the same name; so it does Alice."""
    carol = member(Role.ANALYST)
    users = [user for user in desk.objects.all(desk.tenant_id, "users") if user["isActive"]]
    for user, person in zip(users, (alice, carol), strict=False):
        desk.objects.save(desk.tenant_id, "users", user | {"displayName": str(person)})
        AssignableUser.objects.create(platform_id=user["id"], name=str(person), may_approve=True, read_at=timezone.now())
    give(desk, desk.questionnaire, None)
    catch_up()
    Notification.objects.all().delete()
    return carol


def give(desk, row, person, kind="ownerAssignment", **changes):
    """Somebody gives it to a person on the platform itself, and the sync brings it."""
    found = person and AssignableUser.objects.get(name=str(person))
    who = found and {"type": "User", "id": found.platform_id, "displayName": found.name}
    desk.change_there(row, **{kind: who, **changes})
    desk.fetch()


def told() -> list[tuple[object, str]]:
    catch_up()
    rows = Notification.objects.filter(kind=ASSIGNED.name).order_by("id").select_related("user")
    return [(row.user, row.path) for row in rows]


def test_who_is_given_one_on_the_platform_is_told_once(desk, carol):
    row = desk.questionnaire
    give(desk, row, carol)
    page = f"/t/acme/questionnaires/{row.platform_id}/"
    assert told() == [(carol, page)]
    give(desk, row, carol, dueDate=(timezone.now() + timedelta(days=3)).isoformat())
    assert told() == [(carol, page)], "it was hers already"


def test_an_approver_is_told_when_the_review_is_theirs(desk, carol):
    row = desk.questionnaire
    give(desk, row, carol, "approverAssignment")
    assert told() == []
    give(desk, row, carol, "approverAssignment", status="IN_REVIEW")
    assert told() == [(carol, f"/t/acme/questionnaires/{row.platform_id}/review/")]


def test_who_took_it_here_is_told_nothing(desk, carol, alice):
    me = find_member(user=alice)
    change_questionnaire(desk.questionnaire, member=me, change=taking(me))
    desk.fetch()
    assert told() == []


def test_who_was_told_of_it_here_is_not_told_again_by_the_sync(desk, carol, alice):
    person = AssignableUser.objects.get(name=str(carol))
    change = Change(action=Action.ASSIGN, owner_id=person.platform_id, owner_name=person.name)
    change_questionnaire(desk.questionnaire, member=find_member(user=alice), change=change)
    desk.fetch()
    assert [user for user, _ in told()] == [carol]


def test_many_at_once_are_one_notification(desk, carol):
    now = timezone.now()
    for number in range(40):
        Questionnaire.objects.create(
            platform_id=f"many-{number}",
            name="CAIQ",
            status="IN_PROGRESS",
            owner_name=str(carol),
            created_at=now,
            updated_at=now,
        )
    assert told() == [(carol, "/t/acme/?desk=Questionnaires")]


def test_what_the_platform_still_processes_is_told_when_it_can_be_worked_on(desk, carol):
    row = desk.questionnaire
    give(desk, row, carol, status="PROCESSING")
    assert told() == []
    give(desk, row, carol, status="IN_PROGRESS")
    assert [user for user, _ in told()] == [carol]
