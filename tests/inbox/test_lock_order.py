"""Whoever locks several things locks them in one order: runs, marks, rows by the platform's id, areas."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.routes import ROUTES
from portal.inbox.services import process
from portal.platform_api import Page
from portal.platform_api import models as remote
from portal.questionnaires.handlers import show_statuses
from portal.questionnaires.mirror import MIRRORS
from portal.questionnaires.models import Questionnaire
from portal.sync.models import Run, RunState, StaleMark
from portal.sync.services import TRUST_CENTER, Effects, mark_many, mark_stale, reconcile, start_reconcile
from portal.sync.services.marks import lock
from portal.tenants.scope import tenant_scope
from tests.inbox.test_two_drains import put
from tests.support.beside import Beside

pytestmark = pytest.mark.django_db(transaction=True)
IDS = ("q0", "q1", "q2")


@pytest.fixture
def rows(acme) -> None:
    """Questionnaires whose rows were made in the opposite order of their ids."""
    now = timezone.now() - timedelta(days=1)
    with tenant_scope(acme.pk):
        Questionnaire.objects.bulk_create(
            [Questionnaire(platform_id=each, created_at=now, updated_at=now) for each in reversed(IDS)]
        )


def listed(platform_id: str) -> remote.Questionnaire:
    """A questionnaire as the list has it: another one than ours, so that its responses are marked."""
    at = timezone.now().isoformat()
    body = {"id": platform_id, "displayName": "New", "status": "COMPLETE", "createdDate": at, "updatedDate": at}
    return remote.Questionnaire.read(body)


def test_q6_a_page_of_the_list_and_a_batch_of_events_do_not_meet_in_a_deadlock(acme, rows, caplog):
    [listing, responses, *_] = MIRRORS
    batches: list[Beside] = []

    def save(fetched: remote.Questionnaire) -> bool:
        saved = listing.save(fetched)
        if not batches:
            # The page holds its first row: a batch that names all of them comes in between.
            batches.append(Beside(acme.pk, lambda: process(ROUTES)))
        return saved

    page = Page([listed(each) for each in reversed(IDS)], None)
    mirrors = [replace(listing, page=lambda client, cursor: page, save=save), responses]
    with tenant_scope(acme.pk):
        put(len(IDS), len(IDS))
        start_reconcile(mirrors)
        assert reconcile(mirrors, object())
        batches[0].wait()
        assert Run.objects.get().state == RunState.DONE
        assert set(Delivery.objects.values_list("state", "attempts")) == {(DeliveryState.DONE, 1)}
        assert set(Questionnaire.objects.values_list("name", flat=True)) == {"New"}
    assert not [record for record in caplog.records if record.name.startswith(("portal.inbox", "portal.sync"))]


@pytest.mark.skipif(not connection.features.has_select_for_update, reason="this database locks no single rows")
def test_q6_a_batch_locks_the_rows_in_the_order_of_their_ids_and_holds_none_while_it_waits_for_the_first(acme, rows):
    with tenant_scope(acme.pk):
        with transaction.atomic():
            Questionnaire.objects.select_for_update().get(platform_id=IDS[0])
            batch = Beside(acme.pk, lambda: transaction.atomic(show_statuses)(dict.fromkeys(reversed(IDS), "IN_REVIEW")))
            # In a transaction of its own: PostgreSQL ends one that could not have its lock.
            try:
                with transaction.atomic():
                    others = Questionnaire.objects.select_for_update(nowait=True).filter(platform_id__in=IDS[1:])
                    free = len(others)
            except DatabaseError:
                free = 0
        batch.wait()
        assert free == len(IDS) - 1
        assert set(Questionnaire.objects.values_list("status", flat=True)) == {"IN_REVIEW"}


@pytest.mark.skipif(not connection.features.has_select_for_update, reason="this database locks no single rows")
def test_q6_the_mark_of_the_trust_center_is_locked_before_all_others(acme):
    """While it is held, what waited for the Trust Center's id is woken: who comes from the other side would be in the way."""
    with tenant_scope(acme.pk):
        mark_many("questionnaire", IDS)
        mark_stale(TRUST_CENTER, "center")
        with transaction.atomic():
            StaleMark.objects.select_for_update().get(kind=TRUST_CENTER)
            others = Beside(acme.pk, lambda: transaction.atomic(lock)(StaleMark.objects.waiting()))
            try:
                with transaction.atomic():
                    free = len(StaleMark.objects.select_for_update(nowait=True).filter(kind="questionnaire"))
            except DatabaseError:
                free = 0
        others.wait()
    assert free == len(IDS)


def test_q6_a_batch_marks_each_kind_in_one_statement_the_trust_center_first(acme):
    effects = Effects()
    effects.fetch("questionnaire", ["q1"], urgent=True)
    effects.fetch("questionnaire", ["q0"])
    effects.fetch("access_request", ["r0"])
    effects.fetch(TRUST_CENTER, ["center"], urgent=True)
    with tenant_scope(acme.pk), CaptureQueriesContext(connection) as captured:
        effects.write()
    marked = [query["sql"] for query in captured if "INSERT INTO sync_stalemark" in query["sql"]]
    order = [kind for sql in marked for kind in (TRUST_CENTER, "access_request", "questionnaire") if f"'{kind}'" in sql]
    assert order == [TRUST_CENTER, "access_request", "questionnaire"]
