"""Owner and due date on a questionnaire's own page."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.audit.models import Entry
from portal.platform_writes.outcomes import OutcomeUnknown
from portal.questionnaires.changes import Action, Change
from portal.questionnaires.models import AssignableUser
from portal.questionnaires.services import change_questionnaire
from portal.sync.models import StaleMark
from tests.questionnaires.conftest import address
from tests.support.contrary_writes import show_no_change
from tests.support.members import find_member


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

    @pytest.mark.parametrize("status", [409, 422])
    def test_what_is_refused_as_it_is_another_by_now_is_read_again(self, client, row, sandbox, status):
        StaleMark.objects.all().delete()
        sandbox.fail("status", method="PATCH", value=status, times=1)
        assert client.post(f"{address(row)}take/", headers={"HX-Request": "true"}).status_code == 422
        assert StaleMark.objects.filter(kind="questionnaire", object_id=row.platform_id, urgent=True).exists()

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


@pytest.mark.parametrize("meanwhile", [{}, {"updatedDate": "2099-11-28T12:00:00Z"}], ids=["as it was", "another field is new"])
def test_w1_what_is_accepted_and_not_shown_yet_counts_as_not_confirmed(desk, alice, monkeypatch, meanwhile):
    row = desk.questionnaire
    desk.change_there(row, **meanwhile)
    show_no_change(monkeypatch)
    change = Change(action=Action.DUE, due_at=timezone.now() + timedelta(days=8))
    StaleMark.objects.all().delete()
    with pytest.raises(OutcomeUnknown, match="accepted"):
        change_questionnaire(row, member=find_member(user=alice), change=change)
    assert StaleMark.objects.filter(kind="questionnaire", object_id=row.platform_id, urgent=True).exists()
    assert not Entry.objects.filter(action="questionnaire.due").exists()


def test_s3_what_the_platform_says_is_written_down_as_it_can_be_stored(desk, alice):
    row, user = desk.questionnaire, next(each for each in desk.objects.all(desk.tenant_id, "users") if each["isActive"])
    desk.objects.save(desk.tenant_id, "users", user | {"displayName": "Kim\x00\ud800"})
    change = Change(action=Action.ASSIGN, owner_id=user["id"], owner_name="Kim")
    change_questionnaire(row, member=find_member(user=alice), change=change)
    [entry] = Entry.objects.filter(action="questionnaire.owner")
    assert entry.details["after"] == "Kim" + "\N{REPLACEMENT CHARACTER}" * 2
