import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from portal.audit.services import history
from portal.questionnaires import services
from portal.questionnaires.mirror import MIRRORS
from portal.questionnaires.models import Questionnaire
from portal.questionnaires.stages import SETTABLE, STAGE_OF, STAGES, stage_of, status_label
from portal.sync.models import StaleMark
from portal.sync.services.drain import drain_tenant
from portal.tenants.models import Role
from tests.questionnaires.conftest import address
from tests.questionnaires.test_list import PAGE
from tests.support.members import find_member
from tests.sync.desk import two_minutes_pass

HTMX = {"HX-Request": "true", "HX-Target": "summary"}
STATUSES = (
    *("QUEUED_FOR_COLUMN_DETECTION", "DETECTING_COLUMNS", "WAITING_ON_COLUMN_SELECTION", "WAITING_ON_COLUMN_APPROVAL"),
    *("QUEUED_FOR_SECTION_EXTRACTION", "EXTRACTING_SECTIONS", "MAPPING_SECTIONS", "QUEUED_FOR_EXTRACTION"),
    *("EXTRACTING_QUESTIONS", "QUEUED_FOR_PROCESSING", "PROCESSING", "QUEUED_FOR_ANSWERING"),
    *("GENERATING_ANSWERS", "IN_PROGRESS", "WAITING_ON_ANSWERS", "READY_FOR_REVIEW"),
    *("IN_REVIEW", "ON_HOLD", "APPROVED", "COMPLETE"),
    *("NO_LONGER_NEEDED", "ERROR"),
)


def test_every_known_status_has_one_stage():
    assert set(STAGE_OF) == set(STATUSES)
    assert sum(len(stage.statuses) for stage in STAGES) == len(STATUSES)
    assert stage_of("NEVER_SEEN").key == "other"
    assert status_label("NEVER_SEEN") == "NEVER_SEEN"


def test_an_empty_status_is_said_in_words_wherever_it_is_shown(client, alice, desk):
    desk.change_there(desk.questionnaire, status="", statusLog=[{"status": "", "updatedAt": "2026-01-01T00:00:00.000Z"}])
    row = desk.questionnaire
    desk.fetch()
    client.force_login(alice)
    at = address(row)
    for page, words in ((at, "No status"), (f"{at}activity/", "No status: set by"), (f"{PAGE}?stage=other", "No status")):
        assert words in client.get(page).content.decode(), page
    assert b"<code></code>" not in client.get(f"{at}details/").content


@pytest.fixture
def questionnaire(desk, client, alice):
    client.force_login(alice)
    return desk.questionnaire


@pytest.mark.parametrize("status", [status for status in SETTABLE if status != "IN_PROGRESS"])
def test_an_analyst_sets_the_statuses_that_people_may_set(client, desk, questionnaire, member, status):
    client.force_login(member(Role.ANALYST))
    answer = client.post(f"{address(questionnaire)}status/", {"status": status}, headers=HTMX)
    assert answer.status_code == 200
    assert desk.there(questionnaire)["status"] == status
    questionnaire.refresh_from_db()
    assert questionnaire.status == status
    assert history("questionnaire", questionnaire.platform_id)[0].details == {"before": "IN_PROGRESS", "after": status}


@pytest.mark.parametrize("status", ["APPROVED", "COMPLETE", "PROCESSING", "", "<b>"])
def test_a_status_that_only_the_platform_gives_is_refused(client, questionnaire, wire, status):
    assert client.post(f"{address(questionnaire)}status/", {"status": status}, headers=HTMX).status_code == 422
    assert wire.sent == []


def test_it_approves_with_a_note_and_completes(client, desk, questionnaire):
    answer = client.post(f"{address(questionnaire)}approve/", {"message": "Checked with legal."}, headers=HTMX)
    assert answer.status_code == 200
    assert desk.there(questionnaire)["status"] == "APPROVED"
    assert desk.there(questionnaire)["statusLog"][0]["message"] == "Checked with legal."
    assert client.post(f"{address(questionnaire)}complete/", {"keep_answers": "on"}, headers=HTMX).status_code == 200
    questionnaire.refresh_from_db()
    assert questionnaire.status == "COMPLETE"
    assert questionnaire.completed_at


def test_q11_a_step_has_the_answers_fetched_anew(client, questionnaire):
    StaleMark.objects.all().delete()
    client.post(f"{address(questionnaire)}approve/", headers=HTMX)
    assert StaleMark.objects.waiting().filter(kind="responses", object_id=questionnaire.platform_id).exists()


@pytest.mark.parametrize("action", ["approve", "complete"])
def test_an_analyst_neither_approves_nor_completes(client, desk, questionnaire, member, wire, action):
    analyst = member(Role.ANALYST)
    client.force_login(analyst)
    assert client.post(f"{address(questionnaire)}{action}/").status_code == 403
    with pytest.raises(PermissionDenied):
        getattr(services, action)(questionnaire, member=find_member(user=analyst))
    assert wire.sent == []
    assert f"{action}/".encode() not in client.get(address(questionnaire)).content


def test_a_viewer_sets_no_status(client, bob, questionnaire, wire):
    client.force_login(bob)
    assert client.post(f"{address(questionnaire)}status/", {"status": "ON_HOLD"}).status_code == 403
    assert wire.sent == []


def test_w1_a_lost_answer_is_settled_by_looking(client, desk, questionnaire, sandbox, wire):
    sandbox.fail("drop_answer", method="POST", path="/v1/customer-trust", times=1)
    assert client.post(f"{address(questionnaire)}approve/", headers=HTMX).status_code == 200
    assert [method for method, *_ in wire.sent].count("POST") == 1
    questionnaire.refresh_from_db()
    assert questionnaire.status == "APPROVED"


def test_w1_an_unknown_outcome_is_said_and_looked_at(client, questionnaire, sandbox):
    sandbox.fail("drop_answer", method="PATCH", times=1)
    sandbox.fail("status", method="GET", value=503, path="/v1/customer-trust")
    answer = client.post(f"{address(questionnaire)}status/", {"status": "ON_HOLD"}, headers=HTMX)
    assert answer.status_code == 422
    assert b"could not confirm" in answer.content
    assert StaleMark.objects.filter(kind="questionnaire", object_id=questionnaire.platform_id, urgent=True).exists()


def test_a_refusal_is_said_without_javascript_too(client, questionnaire, sandbox):
    sandbox.fail("status", value=403, path="/v1/customer-trust")
    answer = client.post(f"{address(questionnaire)}status/", {"status": "ON_HOLD"}, follow=True)
    assert answer.redirect_chain[0][0] == address(questionnaire)
    assert b"does not cover" in answer.content


def test_a_questionnaire_deleted_meanwhile_is_said(client, desk, questionnaire):
    desk.objects.delete(desk.tenant_id, "questionnaires", questionnaire.platform_id)
    answer = client.post(f"{address(questionnaire)}status/", {"status": "ON_HOLD"}, headers=HTMX)
    assert answer.status_code == 422
    assert b"says it has no such questionnaire" in answer.content
    questionnaire.refresh_from_db()
    assert questionnaire.gone_at is None, "one 404 is not believed (Q15)"
    drain_tenant(MIRRORS)
    two_minutes_pass()
    drain_tenant(MIRRORS)
    questionnaire.refresh_from_db()
    assert questionnaire.gone_at


def test_a_questionnaire_that_is_gone_offers_nothing(client, questionnaire):
    Questionnaire.objects.filter(pk=questionnaire.pk).update(gone_at=timezone.now())
    page = client.get(address(questionnaire)).content
    assert b"no longer on the platform" in page
    assert b"Set status" not in page
