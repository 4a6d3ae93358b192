"""Something that is done in another thread while the test holds a lock: it waits there, however slow the machine is."""

import threading
from collections.abc import Callable, Collection
from typing import Any

from django.db import connection, connections, transaction

from portal.tenants.scope import tenant_scope
from tests.support.polls import until

MAX_SECONDS = 120
"""Longer than any lock is waited for, and than a busy machine takes to come so far."""
WRITES = ("BEGIN", "INSERT", "UPDATE", "DELETE")
"""How the statements begin that wait on SQLite while somebody else writes."""


class Beside:
    """Work with a connection of its own. Made once it waits for the lock, or is done because it need not wait for it."""

    def __init__(self, tenant_id: int, work: Callable[[], object]) -> None:
        self._tenant_id, self._work = tenant_id, work
        self._error: BaseException | None = None
        self._statement = ""
        """What its connection works on at this moment."""
        self._process_id = 0
        """Of its connection, on PostgreSQL."""
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        until(lambda: self._waits() or not self._thread.is_alive(), seconds=MAX_SECONDS, what="a thread that waits for a lock")

    def wait(self) -> None:
        """Wait for its end. Raises what it has raised."""
        self._thread.join(MAX_SECONDS)
        assert not self._thread.is_alive()
        if self._error:
            raise self._error

    def _run(self) -> None:
        try:
            with tenant_scope(self._tenant_id), connection.execute_wrapper(self._note):
                if connection.vendor == "postgresql":
                    with connection.cursor() as cursor:
                        cursor.execute("SELECT pg_backend_pid()")
                        [self._process_id] = cursor.fetchone()
                self._work()
        except BaseException as error:
            self._error = error
        finally:
            connections.close_all()

    def _note(self, execute: Callable[..., object], sql: str, *arguments: object) -> object:
        self._statement = sql
        try:
            return execute(sql, *arguments)
        finally:
            self._statement = ""

    def _waits(self) -> bool:
        if connection.vendor != "postgresql":
            return self._statement.startswith(WRITES)
        with connection.cursor() as cursor:
            cursor.execute("SELECT cardinality(pg_blocking_pids(%s)) > 0", [self._process_id])
            return bool(cursor.fetchone()[0])


def beside_a_page(rows: Collection[Any], work: Callable[[], object]) -> None:
    """Begin some work while a page of these copies is stored, which locks them in the platform's order; wait for its end.

    To tell anything, the rows have another order in their table and by their names.
    """
    first, *others = sorted(rows, key=lambda row: row.platform_id)
    page = type(first).objects.select_for_update()
    with transaction.atomic():
        page.get(pk=first.pk)
        beside = Beside(first.tenant_id, work)
        for row in others:
            page.get(pk=row.pk)
    beside.wait()
