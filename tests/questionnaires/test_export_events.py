"""Events about exports: a hint that is shown at once, and looked into; in any order, of anybody (platform-api 3.4)."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from portal.inbox.routes import ROUTES as DELIVERY_ROUTES
from portal.inbox.services import process
from portal.platform_api.webhooks import ExportCompleted, ExportFailed
from portal.questionnaires.models import Export, ExportState, Questionnaire
from portal.questionnaires.services import export_verification
from portal.sync.services.marks import GONE_AFTER
from tests.questionnaires.conftest import address
from tests.questionnaires.exports import CALL, actions, ask, end_there, handle, look_at_due, only, page_of, there, work

HTMX = {"HX-Request": "true", "HX-Target": "exports"}


def test_the_event_changes_the_state_at_once(desk, analyst, deliver):
    ask(analyst, desk)
    seen = analyst.get(page_of(desk), headers=HTMX).content
    end_there(desk)
    payload = {"id": only().platform_id, "format": "csv", "requestedAt": there(desk)[0]["requestedAt"]}
    body = {
        "questionnaire": {"id": desk.questionnaire.platform_id},
        "export": payload | {"completedAt": there(desk)[0]["completedAt"]},
    }
    assert deliver(body).status_code == 204
    process(DELIVERY_ROUTES)
    assert only().state == ExportState.COMPLETED
    assert b"Ready" in analyst.get(page_of(desk), headers=HTMX).content != seen


def test_an_event_is_a_hint_and_the_look_decides(desk, analyst):
    ask(analyst, desk)
    ids = {"questionnaire_id": desk.questionnaire.platform_id, "export_id": only().platform_id}
    handle(ExportFailed(**ids, reason="It says so."))
    assert (only().state, only().reason, only().is_confirmed) == (ExportState.FAILED, "It says so.", False)
    look_at_due()
    assert only().state == ExportState.PENDING
    end_there(desk)
    handle(ExportFailed(**ids, reason="It says so."))
    look_at_due()
    handle(ExportFailed(**ids, reason="It says so, too late."))
    assert (only().state, only().reason) == (ExportState.COMPLETED, "")
    assert "questionnaire.export_failed" not in actions(desk)


def test_an_export_from_elsewhere_appears(desk, analyst):
    ids = {"questionnaire_id": desk.questionnaire.platform_id, "export_id": "e" * 24}
    requested = timezone.now() - timedelta(hours=1)
    for _ in range(2):
        handle(ExportCompleted(**ids, format="original", requested_at=requested))
    assert (only().is_elsewhere, only().asked_at, only().state) == (True, requested, ExportState.COMPLETED)
    assert b"<span>Requested elsewhere</span>" in analyst.get(page_of(desk)).content
    look_at_due()
    assert (only().state, only().is_confirmed) == (ExportState.COMPLETED, False), "a 404 may pass"
    look_at_due()
    assert only().state == ExportState.COMPLETED
    with time_machine.travel(timezone.now() + GONE_AFTER + timedelta(seconds=1), tick=False):
        look_at_due()
    assert (only().state, only().reason) == (ExportState.FAILED, "The platform no longer has this export.")


def test_q15_a_404_that_passes_loses_no_export(desk, analyst, sandbox):
    ask(analyst, desk)
    sandbox.fail("status", method="GET", path=CALL, value=404, times=1)
    work()
    assert only().state == ExportState.PENDING
    assert b"ask once more in two minutes" in analyst.get(page_of(desk)).content
    end_there(desk)
    work()
    assert (only().state, only().is_confirmed, only().reason) == (ExportState.COMPLETED, True, "")
    assert "questionnaire.export_failed" not in actions(desk)


def test_q15_the_event_of_an_export_that_only_was_not_found_finds_it_again(desk, analyst, sandbox):
    ask(analyst, desk)
    ids = {"questionnaire_id": desk.questionnaire.platform_id, "export_id": only().platform_id}
    sandbox.fail("status", method="GET", path=CALL, value=404, times=2)
    work()
    work()
    assert only().state == ExportState.FAILED
    end_there(desk)
    handle(ExportCompleted(**ids, format="csv"))
    assert only().state == ExportState.COMPLETED
    look_at_due()
    assert (only().state, only().is_confirmed) == (ExportState.COMPLETED, True)


@pytest.mark.parametrize("export_format", ["", "x" * 200, "pdf"])
def test_an_event_may_say_nothing_that_we_know(desk, analyst, export_format):
    ids = {"questionnaire_id": desk.questionnaire.platform_id, "export_id": "e" * 24}
    handle(ExportCompleted(**ids, format=export_format), ExportFailed(**ids | {"export_id": "f"}, reason=""))
    assert Export.objects.count() == 2
    assert analyst.get(page_of(desk)).status_code == 200


def test_an_event_of_a_questionnaire_that_is_not_here_yet_makes_no_row(desk):
    handle(ExportCompleted(questionnaire_id="never-seen", export_id="e" * 24, format="csv"))
    assert not Export.objects.exists()


def test_an_id_that_stands_on_another_questionnaire_moves_nothing(desk, analyst):
    ask(analyst, desk)
    other = Questionnaire.objects.exclude(pk=desk.questionnaire.pk)[0]
    handle(ExportFailed(questionnaire_id=other.platform_id, export_id=only().platform_id, reason="Not yours."))
    assert (only().questionnaire, only().state) == (desk.questionnaire, ExportState.PENDING)


def test_an_id_that_stands_on_another_questionnaire_is_nobodys_lost_answer(desk, analyst, sandbox):
    ask(analyst, desk)
    taken, other = only(), Questionnaire.objects.exclude(pk=desk.questionnaire.pk)[0]
    sandbox.fail("drop_answer", method="POST", path=CALL, times=1)
    analyst.post(f"{address(other)}exports/request/", {"format": "csv"})
    ids = {"questionnaire_id": other.platform_id, "export_id": taken.platform_id}
    handle(ExportCompleted(**ids, format="csv", requested_at=taken.asked_at))
    assert sorted(Export.objects.values_list("state", flat=True)) == [ExportState.PENDING, ExportState.UNCERTAIN]


def test_an_event_during_a_look_is_not_taken_back_by_it(desk, analyst, monkeypatch):
    """The sandbox answers at once: the event comes while the answer is on its way."""
    ask(analyst, desk)
    ids = {"questionnaire_id": desk.questionnaire.platform_id, "export_id": only().platform_id}
    real = export_verification.take

    def late(*args, **options):
        handle(ExportCompleted(**ids, format="csv"))
        real(*args, **options)

    with monkeypatch.context() as patched:
        patched.setattr(export_verification, "take", late)
        work()
    assert only().state == ExportState.COMPLETED
    assert only().due_at <= timezone.now()
    look_at_due()
    assert only().state == ExportState.PENDING


def test_s3_hostile_reasons_are_text(desk, analyst):
    ids = {"questionnaire_id": desk.questionnaire.platform_id, "export_id": "e" * 24}
    handle(ExportFailed(**ids, format="<script>x", reason="<script>alert(1)</script>"))
    page = analyst.get(page_of(desk)).content
    assert b"<script>alert" not in page
    assert b"<script>x" not in page
    assert b"&lt;script&gt;alert" in page
