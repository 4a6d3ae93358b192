"""Exports and bulk changes that failed are tried again from Today, and leave it once they are settled."""

import pytest

from portal.platform_writes.models import ItemState
from portal.questionnaires import services
from portal.questionnaires.changes import Action, Change
from portal.questionnaires.models import BulkItem, Export, ExportState, Questionnaire
from portal.work_items.models import WorkItem
from portal.work_items.services import catch_up
from tests.questionnaires.conftest import let_work
from tests.questionnaires.exports import ask, end_there, fail_there, work
from tests.support.members import find_member


def items(kind: str) -> list[WorkItem]:
    catch_up()
    return list(WorkItem.objects.filter(kind=kind))


@pytest.fixture
def act(client, analyst):
    def post(item: WorkItem, action: str):
        return client.post(f"/t/acme/today/{item.pk}/{action}/", headers={"HX-Request": "true"})

    return post


def test_a_failed_export_is_asked_for_again(desk, analyst, act, alice):
    fail_there(desk)
    ask(analyst, desk)
    assert items("failed_export") == []
    end_there(desk)
    work()
    [item] = items("failed_export")
    assert (item.object_id, item.owner_id) == (desk.questionnaire.pk, alice.pk)
    answer = act(item, "export_again")
    assert answer.status_code == 200, answer.headers
    assert [export.state for export in Export.objects.newest_first()] == [ExportState.PENDING, ExportState.FAILED]
    assert items("failed_export") == []


def test_what_the_platform_refuses_of_an_export_is_said(desk, analyst, act, sandbox):
    fail_there(desk)
    ask(analyst, desk)
    end_there(desk)
    work()
    [item] = items("failed_export")
    sandbox.fail("status", method="POST", value=403, times=1)
    assert act(item, "export_again").status_code == 422
    assert items("failed_export") == [item]


@pytest.fixture
def failed_run(desk, alice, sandbox):
    sandbox.fail("status", method="PATCH", value=403, times=3)
    keys = list(Questionnaire.objects.values_list("pk", flat=True))
    run = services.start_bulk_run(Change(action=Action.HOLD), member=find_member(user=alice), questionnaires=keys)
    assert items("bulk_run") == []
    let_work()
    return run


def test_what_a_bulk_change_has_not_changed_is_tried_again(failed_run, act):
    [item] = items("bulk_run")
    assert item.object_id == failed_run.pk
    assert act(item, "retry").status_code == 200
    assert items("bulk_run") == [], "it is under way again"
    let_work()
    assert set(BulkItem.objects.values_list("state", flat=True)) == {ItemState.DONE}
    assert items("bulk_run") == []


def test_what_somebody_has_tried_again_already_is_said(failed_run, act, alice):
    [item] = items("bulk_run")
    services.retry_bulk_run(failed_run, member=find_member(user=alice))
    assert act(item, "retry").status_code == 422


def test_s2_a_viewer_tries_nothing_again(client, failed_run, act, bob, wire):
    [item] = items("bulk_run")
    client.force_login(bob)
    assert act(item, "retry").status_code == 403
    assert wire.patches == []
