"""Owner and due date on a questionnaire's own page."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.questionnaires.models import AssignableUser
from tests.questionnaires.conftest import address


def add_person(name="Alice Ames", platform_id="user-alice"):
    return AssignableUser.objects.create(platform_id=platform_id, name=name, read_at=timezone.now())


class TestOneQuestionnaire:
    @pytest.fixture
    def row(self, desk, client, alice):
        client.force_login(alice)
        user = next(user for user in desk.objects.all(desk.tenant_id, "users") if user["isActive"])
        add_person("Alice Ames", user["id"])
        return desk.questionnaire

    def test_it_is_taken_and_given_back(self, desk, client, row):
        assert client.post(f"{address(row)}take/").status_code == 302
        assert desk.there(row)["ownerAssignment"]["id"] == AssignableUser.objects.get().platform_id
        answer = client.post(f"{address(row)}owner/", {"owner": "nobody"}, headers={"HX-Request": "true"})
        assert answer.status_code == 200
        assert b"No owner yet" in answer.content
        assert desk.there(row).get("ownerAssignment") is None

    def test_its_due_date_is_set(self, desk, client, row):
        day = timezone.localdate() + timedelta(days=8)
        assert client.post(f"{address(row)}due/", {"due_on": day.isoformat()}).status_code == 302
        row.refresh_from_db()
        assert timezone.localdate(row.due_at) == day
        assert client.post(f"{address(row)}due/", {"due_on": "never"}, headers={"HX-Request": "true"}).status_code == 422

    def test_w1_a_lost_answer_is_settled_by_looking(self, desk, client, row, sandbox, wire):
        sandbox.fail("drop_answer", method="PATCH", times=1)
        assert client.post(f"{address(row)}take/").status_code == 302
        assert len(wire.patches) == 1
        row.refresh_from_db()
        assert row.owner_id == AssignableUser.objects.get().platform_id

    def test_take_without_a_match_is_said(self, client, row):
        AssignableUser.objects.update(name="Somebody Else")
        answer = client.post(f"{address(row)}take/", headers={"HX-Request": "true"})
        assert answer.status_code == 422
        assert b"lists no one called" in answer.content

    @pytest.mark.parametrize("step", ["take", "owner", "due"])
    def test_a_viewer_changes_nothing(self, client, row, bob, wire, step):
        client.force_login(bob)
        assert client.post(f"{address(row)}{step}/", {"owner": "nobody"}).status_code == 403
        assert wire.patches == []
