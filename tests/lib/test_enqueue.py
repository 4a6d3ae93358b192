"""Ringing costs no connection to the database where there is no transaction to wait for."""

import pytest
from django.db import connection, transaction

from portal.lib import enqueue

TASK = "portal.inbox.tasks.process_deliveries"


@pytest.fixture
def rung(monkeypatch):
    calls = []
    monkeypatch.setattr(enqueue, "_send", lambda task, args: calls.append((task, args)))
    monkeypatch.setattr(enqueue, "_last_sent", {})
    return calls


@pytest.mark.django_db(transaction=True)
def test_outside_of_a_transaction_it_rings_at_once_and_opens_nothing(rung):
    connection.close()
    enqueue.enqueue_coalesced(TASK, 1)
    assert rung == [(TASK, (1,))]
    assert connection.connection is None


@pytest.mark.django_db(transaction=True)
def test_inside_of_one_it_rings_when_the_rows_can_be_seen(rung):
    with transaction.atomic():
        enqueue.enqueue_coalesced(TASK, 1)
        assert rung == []
    assert rung == [(TASK, (1,))]
