"""O6: the embedded database under the load of one machine: many writers and a long reader, and nobody is locked out."""

import threading

import pytest
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext

from portal.inbox.models import Delivery
from portal.inbox.services import ensure_endpoints
from portal.inbox.services.intake import store_delivery
from portal.platform_api.webhooks import Verified
from portal.tenants.scope import tenant_scope

WRITERS, EACH = 8, 20

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite"),
]


def test_o6_commits_are_durable_and_readers_never_block():
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert cursor.execute("PRAGMA synchronous").fetchone() == (2,)


def test_o6_a_transaction_takes_its_turn_when_it_begins_and_waits_for_it_long_enough():
    """One that has read and then wants to write could not wait: what it has read would be old."""
    with connection.cursor() as cursor:
        assert 10_000 <= cursor.execute("PRAGMA busy_timeout").fetchone()[0] <= 20_000
    with CaptureQueriesContext(connection) as captured, transaction.atomic():
        pass
    assert captured[0]["sql"] == "BEGIN IMMEDIATE"


def test_o6_eight_writers_and_a_long_reader_are_never_locked(acme):
    with tenant_scope(acme.pk):
        endpoint = next(iter(ensure_endpoints()))
    failures: list[Exception] = []
    is_reading, is_over = threading.Event(), threading.Event()

    def write(number: int) -> None:
        try:
            with tenant_scope(acme.pk):
                for turn in range(EACH):
                    store_delivery(endpoint, Verified(f"msg_{number}_{turn}", timestamp=0, secret_index=0), body=b"{}")
        except Exception as error:
            failures.append(error)
        finally:
            connections.close_all()

    seen: list[int] = []

    def read() -> None:
        """Read one row, and hold what the database was then until everything is written."""
        try:
            with tenant_scope(acme.pk):
                rows = Delivery.objects.iterator(chunk_size=1)
                next(rows)
                is_reading.set()
                is_over.wait()
                seen.append(1 + sum(1 for _ in rows))
        except Exception as error:
            failures.append(error)
        finally:
            is_reading.set()
            connections.close_all()

    write(99)
    writers = [threading.Thread(target=write, args=(number,)) for number in range(WRITERS)]
    reader = threading.Thread(target=read)
    reader.start()
    is_reading.wait()
    for thread in writers:
        thread.start()
    for thread in writers:
        thread.join()
    is_over.set()
    reader.join()
    assert failures == []
    assert seen == [EACH], "the reader has seen what there was when it began"
    with tenant_scope(acme.pk):
        assert Delivery.objects.count() == (WRITERS + 1) * EACH
