"""Exports: asked for once, told by an event or found by looking, downloaded through the portal (platform-api 4.1.5)."""

from datetime import timedelta
from itertools import pairwise

import pytest
import time_machine
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from portal.celery import app as celery_app
from portal.connections.models import Connection, State
from portal.connections.signals import connected as connected_signal
from portal.questionnaires import services
from portal.questionnaires.models import Export, ExportState, Questionnaire
from portal.questionnaires.services.export_outcomes import pause
from portal.questionnaires.tasks import sweep_exports
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.questionnaires.exports import (
    CALL,
    actions,
    ask,
    end_there,
    fail_there,
    look_at_due,
    only,
    page_of,
    starts,
    there,
    work,
)
from tests.support.members import find_member

HTMX = {"HX-Request": "true", "HX-Target": "exports"}


@pytest.mark.parametrize("export_format", ["original", "csv"])
def test_an_export_is_asked_for_and_found_ready_by_looking(desk, analyst, export_format):
    answer = ask(analyst, desk, export_format, headers=HTMX)
    assert answer.status_code == 200
    assert b"In progress" in answer.content
    export, [made] = only(), there(desk)
    assert (export.platform_id, export.format, export.asked_by_name) == (made["id"], export_format, "Alice Ames")
    work()
    assert only().state == ExportState.PENDING
    end_there(desk)
    work()
    export = only()
    assert (export.state, export.is_confirmed, export.due_at) == (ExportState.COMPLETED, True, None)
    assert b"Download" in analyst.get(page_of(desk)).content
    assert actions(desk) == ["questionnaire.export_request"]


def test_without_a_script_it_says_so_on_the_page_it_comes_back_to(desk, analyst):
    answer = ask(analyst, desk, follow=True)
    assert answer.redirect_chain == [(page_of(desk), 302)]
    assert b"CSV: the platform is creating it." in answer.content


def test_asking_while_one_runs_shows_that_one(desk, analyst, member):
    ask(analyst, desk)
    analyst.force_login(member(Role.ANALYST))
    assert b"already in progress" in ask(analyst, desk, follow=True).content
    assert starts(desk) == 1
    ask(analyst, desk, "original")
    assert Export.objects.count() == starts(desk) == 2


def test_a_questionnaire_from_a_web_portal_has_no_original(desk, analyst):
    Questionnaire.objects.update(kind="WEBSITE")
    assert b'value="original"' not in analyst.get(page_of(desk)).content
    assert b"no original file" in ask(analyst, desk, "original", follow=True).content
    assert ask(analyst, desk, "<b>", headers=HTMX).status_code == 422
    assert (starts(desk), Export.objects.count()) == (0, 0)


def test_a_viewer_reads_and_asks_for_nothing(desk, client, bob):
    client.force_login(bob)
    assert ask(client, desk).status_code == 403
    with pytest.raises(PermissionDenied):
        services.request_export(desk.questionnaire, member=find_member(user=bob), export_format="csv")
    page = client.get(page_of(desk)).content
    assert b"No exports yet" in page
    assert b"Request an export" not in page
    assert starts(desk) == 0


def test_a_failure_has_its_reason_a_line_in_the_history_and_a_retry(desk, analyst):
    fail_there(desk)
    ask(analyst, desk)
    end_there(desk)
    work()
    assert (only().state, only().reason) == (ExportState.FAILED, "Nothing to export")
    page = analyst.get(page_of(desk)).content
    assert b"Nothing to export" in page
    assert b"Retry" in page
    assert actions(desk) == ["questionnaire.export_failed", "questionnaire.export_request"]
    ask(analyst, desk)
    assert [export.state for export in Export.objects.newest_first()] == [ExportState.PENDING, ExportState.FAILED]


@pytest.mark.parametrize(("status", "words"), [(403, b"does not cover"), (429, b"asks us to wait"), (422, b"rejected this")])
def test_what_the_platform_refuses_leaves_no_export_behind(desk, analyst, sandbox, status, words):
    sandbox.fail("status", method="POST", path=CALL, value=status, times=1)
    answer = ask(analyst, desk, headers=HTMX)
    assert answer.status_code == 422
    assert words in answer.content
    assert not Export.objects.exists()
    assert actions(desk) == ["questionnaire.export_refused", "questionnaire.export_request"]


def test_a_questionnaire_deleted_meanwhile_is_said(desk, analyst):
    row = desk.questionnaire
    desk.objects.delete(desk.tenant_id, "questionnaires", row.platform_id)
    assert b"says it has no such questionnaire" in ask(analyst, desk, headers=HTMX).content
    Questionnaire.objects.filter(pk=row.pk).update(gone_at=timezone.now())
    assert b"Request an export" not in analyst.get(page_of(desk)).content
    answer = ask(analyst, desk, headers=HTMX)
    assert answer.status_code == 422
    assert b"was deleted on the platform" in answer.content
    assert b"check again" not in answer.content, "it is known"


def test_it_is_looked_at_less_and_less_often_and_only_while_it_runs(desk, analyst, sandbox):
    assert [round(pause(number).total_seconds()) for number in range(7)] == [10, 15, 22, 34, 51, 60, 60]
    start = timezone.now()
    with time_machine.travel(start, tick=False) as clock:
        ask(analyst, desk)
        looks = []
        for _ in range(300):
            clock.shift(1)
            before = len(sandbox.requests(CALL))
            look_at_due()
            if len(sandbox.requests(CALL)) > before:
                looks.append((timezone.now() - start).total_seconds())
    gaps = [round(after - before) for before, after in pairwise([0, *looks])]
    assert gaps == [10, 15, 23, 34, 51, 60, 60]
    end_there(desk)
    work()
    calls = len(sandbox.requests(CALL))
    look_at_due()
    assert len(sandbox.requests(CALL)) == calls


def test_an_export_that_never_ends_is_given_up_and_may_be_asked_for_again(desk, analyst):
    ask(analyst, desk)
    with time_machine.travel(timezone.now() + timedelta(hours=2, minutes=1), tick=False):
        look_at_due()
        look_at_due()
    assert (only().state, only().due_at) == (ExportState.UNANSWERED, None)
    assert b"has not finished it in hours" in analyst.get(page_of(desk)).content


def test_without_a_connection_it_waits_and_a_new_one_wakes_it(desk, analyst, acme):
    ask(analyst, desk)
    Connection.objects.update(state=State.NEEDS_RECONNECTION)
    work()
    assert only().state == ExportState.PENDING
    assert b"The connection to the platform has ended." in analyst.get(page_of(desk)).content
    assert b"not connected" in ask(analyst, desk, "original", follow=True).content
    Connection.objects.update(state=State.ACTIVE)
    connected_signal.send(Connection, tenant_id=acme.pk)
    assert only().due_at <= timezone.now()


def test_the_sweep_looks_at_every_tenants_exports(desk, analyst, acme, globex):
    ask(analyst, desk)
    end_there(desk)
    Export.objects.update(due_at=timezone.now())
    sweep_exports()
    assert "portal.questionnaires.tasks.sweep_exports" in {each["task"] for each in celery_app.conf.beat_schedule.values()}
    look_at_due()
    assert only().state == ExportState.COMPLETED


def test_s1_another_tenant_finds_no_export(desk, client, analyst, mallory, globex):
    ask(analyst, desk)
    end_there(desk)
    work()
    export = only()
    client.force_login(mallory)
    for tenant in ("acme", "globex"):
        page = f"/t/{tenant}/questionnaires/{desk.questionnaire.platform_id}/exports/"
        assert client.get(page).status_code == 404
        assert client.post(f"{page}request/", {"format": "csv"}).status_code == 404
        assert client.post(f"{page}{export.pk}/download/").status_code == 404
    with tenant_scope(globex.pk):
        assert not Export.objects.exists()
