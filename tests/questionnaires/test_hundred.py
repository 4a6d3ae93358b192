"""Guarantee W4 at its full size: a hundred writes of which seven fail in different ways."""

import pytest

from portal.connections.services import Urgency, client_for
from portal.questionnaires import services
from portal.questionnaires.changes import Action, Change
from portal.questionnaires.models import BulkItem, Questionnaire
from portal.questionnaires.services.store import store_questionnaire
from tests.questionnaires.conftest import Desk, let_work
from tests.support.members import find_member

HOLD = Change(action=Action.HOLD)
PATH = "/v1/customer-trust/questionnaires"


@pytest.fixture
def member_of_acme(desk, alice):
    return find_member(user=alice)


class TestAHundred:
    @pytest.fixture
    def platform_tenant(self, sandbox):
        return sandbox.create_tenant(questionnaires=100, responses_per_questionnaire=0)

    @pytest.fixture
    def desk(self, connected, scoped, sandbox, platform_tenant):
        desk = Desk(sandbox, platform_tenant["tenant_id"])
        for remote in client_for(Urgency.PERSON).questionnaires.all():
            store_questionnaire(remote)
        return desk

    def test_w4_a_hundred_writes_of_which_seven_fail(self, desk, client, alice, member_of_acme, sandbox):
        rows = list(Questionnaire.objects.order_by("pk"))
        for row in rows[:2]:
            desk.objects.delete(desk.tenant_id, "questionnaires", row.platform_id)
        for row, status in zip(rows[10:14], (403, 409, 422, 400), strict=True):
            sandbox.fail("status", method="PATCH", path=f"{PATH}/{row.platform_id}", value=status)
        sandbox.fail("status", method="PATCH", path=f"{PATH}/{rows[20].platform_id}", value=500)
        run = services.start_bulk_run(HOLD, member=member_of_acme, questionnaires=[row.pk for row in rows])
        let_work()
        counts = BulkItem.objects.filter(run=run).counts()
        assert (counts.total, counts.done, counts.failed) == (100, 93, 7)
        failed = BulkItem.objects.filter(run=run).failed().order_by("pk")
        words = [item.description for item in failed]
        assert [item.questionnaire_id for item in failed] == [row.pk for row in (*rows[:2], *rows[10:14], rows[20])]
        assert words[0].startswith("The platform says it has no such questionnaire")
        assert words[2].startswith("This connection does not cover questionnaires")
        assert words[6].startswith("The platform is not available")
        client.force_login(alice)
        page = client.get(f"/t/acme/questionnaires/bulk/{run.pk}/").content.decode()
        assert "93 of 100" in page
        assert "Try these 7 again" in page
        assert all(str(row) in page for row in rows[10:14])

        sandbox.control("DELETE", "/faults")
        sent = len([each for each in sandbox.requests(PATH) if each["method"] == "PATCH"])
        assert client.post(f"/t/acme/questionnaires/bulk/{run.pk}/retry/").status_code == 302
        let_work()
        again = [each for each in sandbox.requests(PATH) if each["method"] == "PATCH"][sent:]
        assert len(again) == 7
        counts = BulkItem.objects.filter(run=run).counts()
        assert (counts.done, counts.failed) == (98, 2)
