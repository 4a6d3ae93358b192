"""Questionnaires are taken, assigned and extended from Today, through the desk's own service."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.questionnaires.models import AssignableUser, Questionnaire
from portal.work_items.models import WorkItem
from portal.work_items.services import catch_up
from tests.questionnaires.test_changes import add_person


@pytest.fixture
def row(desk, client, alice):
    client.force_login(alice)
    user = next(user for user in desk.objects.all(desk.tenant_id, "users") if user["isActive"])
    # The platform calls people as it likes: taking fits by the name that both sides have.
    desk.objects.save(desk.tenant_id, "users", user | {"displayName": "Alice Ames"})
    add_person("Alice Ames", user["id"])
    desk.change_there(desk.questionnaire, ownerAssignment=None)
    desk.fetch()
    return desk.questionnaire


@pytest.fixture
def act(client, row):
    def post(action, **values):
        catch_up()
        item = WorkItem.objects.get(kind="questionnaire", object_id=row.pk)
        return client.post(f"/t/acme/today/{item.pk}/{action}/", values, headers={"HX-Request": "true"})

    return post


def test_it_is_taken(desk, row, act):
    answer = act("take")
    assert answer.status_code == 200, answer.headers
    assert desk.there(row)["ownerAssignment"]["id"] == AssignableUser.objects.get().platform_id
    assert act("take").status_code == 422, "it has an owner now"


def test_it_is_assigned_by_name(desk, row, act):
    assert act("assign", value="nobody of this name").status_code == 422
    assert act("assign", value="alice ames").status_code == 200
    assert desk.there(row)["ownerAssignment"]["id"] == AssignableUser.objects.get().platform_id


def test_its_due_date_is_extended(desk, row, act):
    assert act("extend", value="7").status_code == 200
    row.refresh_from_db()
    assert row.due_at > timezone.now() + timedelta(days=6)
    catch_up()
    assert WorkItem.objects.get(kind="questionnaire", object_id=row.pk).due_sort == row.due_at


def test_without_a_due_date_its_target_is_extended(desk, row, act):
    target_at = timezone.now().replace(microsecond=0) + timedelta(days=10)
    Questionnaire.objects.filter(pk=row.pk).update(due_at=None, target_at=target_at)
    assert act("extend", value="1").status_code == 200
    row.refresh_from_db()
    assert row.due_at == target_at + timedelta(days=1)


def test_what_the_platform_refuses_is_said(desk, row, act, sandbox):
    sandbox.fail("status", method="PATCH", value=403, times=1)
    answer = act("take")
    assert answer.status_code == 422
    assert '"tone": "bad"' in answer.headers["HX-Trigger"]


@pytest.mark.parametrize("action", ["take", "assign", "extend"])
def test_a_viewer_changes_nothing(client, act, bob, wire, action):
    client.force_login(bob)
    assert act(action, value="7").status_code == 403
    assert wire.patches == []
