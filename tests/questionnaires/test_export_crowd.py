"""W1: many people press the button in the same moment, and the platform writes one file; its event comes in that moment too."""

import threading
from collections.abc import Callable

import pytest
from django.db import connection
from django.utils import timezone

from portal.platform_api.webhooks import ExportCompleted
from portal.questionnaires import services
from portal.questionnaires.models import Export, ExportState
from portal.tenants.scope import tenant_scope
from tests.questionnaires.exports import end_there, handle, only, starts, work
from tests.support.members import find_member

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(tenant_id: int, *works: Callable[[], object]) -> list[BaseException]:
    """Do several things in the same moment, each with a connection of its own; return what went wrong."""
    gate, failures = threading.Barrier(len(works)), []

    def do(work: Callable[[], object]) -> None:
        try:
            with tenant_scope(tenant_id):
                gate.wait()
                work()
        except BaseException as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=do, args=(each,)) for each in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return failures


def test_w1_a_crowd_makes_one_export(desk, alice, acme):
    row, member = desk.questionnaire, find_member(user=alice)

    def press() -> None:
        services.request_export(row, member=member, export_format="csv")

    assert at_once(acme.pk, *[press] * 5) == []
    assert (Export.objects.count(), starts(desk)) == (1, 1)


def test_q4_an_event_that_several_workers_handle_at_once_makes_one_row(desk, acme):
    ids = {"questionnaire_id": desk.questionnaire.platform_id, "export_id": "e1"}

    def hear() -> None:
        handle(ExportCompleted(**ids, format="csv", requested_at=timezone.now()))

    assert at_once(acme.pk, *[hear] * 5) == []
    assert (only().platform_id, only().state) == ("e1", ExportState.COMPLETED)


def test_w1_looks_and_events_at_once_end_as_the_platform_says(desk, alice, acme):
    row, member = desk.questionnaire, find_member(user=alice)
    services.request_export(row, member=member, export_format="csv")
    end_there(desk)
    ids = {"questionnaire_id": row.platform_id, "export_id": only().platform_id}

    def hear() -> None:
        handle(ExportCompleted(**ids, format="csv", requested_at=timezone.now()))

    assert at_once(acme.pk, work, hear, work, hear) == []
    work()
    assert (only().state, only().is_confirmed, only().due_at) == (ExportState.COMPLETED, True, None)
