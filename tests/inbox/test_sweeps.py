"""What happens on the clock and after a connect: rows are found without any bell."""

import time
from datetime import timedelta

import pytest
from celery import current_app
from django.utils import timezone

from portal.celery import app
from portal.connections.models import Connection, State
from portal.inbox import tasks
from portal.inbox.routes import MIRRORS
from portal.lib import enqueue
from portal.questionnaires.models import Questionnaire
from portal.sync.models import Run, RunState, StaleMark
from portal.sync.services import mark_many
from portal.tenants.scope import tenant_scope
from tests.conftest import connect
from tests.support.comparisons import compare_all
from tests.support.polls import until
from tests.support.turns import fails_in

LISTED = sum(mirror.page is not None for mirror in MIRRORS)


@pytest.fixture
def rung(monkeypatch, django_capture_on_commit_callbacks):
    """Run something and return the bells it rang, as (task, tenant)."""

    def run(work) -> list[tuple[str, int]]:
        heard: list[tuple[str, int]] = []
        monkeypatch.setattr(enqueue, "_silent_until", 0.0)
        monkeypatch.setattr(current_app, "send_task", lambda name, args, **options: heard.append((name, *args)))
        with django_capture_on_commit_callbacks(execute=True):
            work()
        return [(name.rpartition(".")[2], *args) for name, *args in heard]

    return run


def test_a_bell_is_thrown_away_once_the_sweep_was_there(monkeypatch):
    sent: list[dict] = []
    monkeypatch.setattr(enqueue, "_silent_until", 0.0)
    monkeypatch.setattr(current_app, "send_task", lambda name, **options: sent.append(options))
    enqueue._send(tasks.RECONCILE, (1,))
    assert sent[0]["expires"] >= app.conf.beat_schedule["sweep_deliveries"]["schedule"]


def test_a_connect_starts_the_first_comparison_at_once(sandbox, platform_tenant, scoped, alice, rung):
    assert ("reconcile_tenant", scoped.pk) in rung(lambda: connect(sandbox, platform_tenant, alice))
    assert Run.objects.filter(state=RunState.QUEUED).count() == LISTED


def test_q1_a_comparison_whose_bell_was_lost_is_found(connected, scoped, rung):
    Run.objects.all().delete()
    assert rung(tasks.sweep_reconciles) == [("reconcile_tenant", scoped.pk)]
    assert Run.objects.count() == LISTED


def test_q10_the_comparison_brings_over_what_no_event_told(connected, scoped, platform_tenant, sandbox):
    tasks.sweep_reconciles()
    compare_all(scoped.pk)
    there = {row["id"] for row in sandbox.objects(platform_tenant["tenant_id"], "questionnaires")}
    assert set(Questionnaire.objects.values_list("platform_id", flat=True)) == there
    assert set(Run.objects.values_list("state", flat=True)) == {RunState.DONE}


@pytest.mark.parametrize("state", [State.DISCONNECTED, State.NEEDS_RECONNECTION])
def test_without_a_grant_nothing_is_compared(connected, scoped, rung, state):
    Connection.objects.update(state=state)
    Run.objects.update(next_due_at=timezone.now() - timedelta(days=1))
    assert rung(tasks.sweep_reconciles) == []


def test_q6_a_tenant_whose_comparisons_cannot_begin_keeps_no_other_waiting(scoped, globex, rung, monkeypatch):
    monkeypatch.setattr(tasks.sync, "start_missing", fails_in(scoped, tasks.sync.start_missing))
    monkeypatch.setattr(tasks.sync_selectors, "tenants_to_reconcile", lambda _: [scoped.pk, globex.pk])
    assert rung(tasks.sweep_reconciles) == [("reconcile_tenant", globex.pk)]


def test_q6_marks_of_every_tenant_are_found_behind_a_flood(scoped, globex, rung):
    mark_many("thing", [f"flood{number}" for number in range(30)])
    with tenant_scope(globex.pk):
        mark_many("thing", ["quiet"])
    assert rung(tasks.sweep_stale_marks) == [("drain_tenant", scoped.pk), ("drain_tenant", globex.pk)]
    StaleMark.objects.update(due_at=timezone.now() + timedelta(hours=1))
    assert rung(tasks.sweep_stale_marks) == [("drain_tenant", globex.pk)]


def test_a_burst_rings_at_once_and_once_more_for_all_that_came_meanwhile(monkeypatch, db):
    heard: list[float] = []
    monkeypatch.setattr(enqueue, "_last_sent", {})
    # Long enough for a slow machine to have rung twenty times meanwhile.
    monkeypatch.setattr(enqueue, "PAUSE_SECONDS", 2.0)
    # Not the broker's side: a bell that is still under way from elsewhere could find it down and silence this one.
    monkeypatch.setattr(enqueue, "_send", lambda task, args: heard.append(time.monotonic()))
    for _ in range(20):
        enqueue._send_once("a task", (1,))
    enqueue._send_once("a task", (2,))
    assert len(heard) == 2
    last = time.monotonic()
    # The second one for all of the others, after the last of them.
    until(lambda: len(heard) == 3, what="the bell for the others")
    assert heard[-1] > last
