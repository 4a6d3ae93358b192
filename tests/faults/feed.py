"""What a process of the house can be told about the inbox and the mirror: to let time pass, and to show what is there."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from portal.connections.models import CallWindow, Connection
from portal.connections.services.calls import WINDOW
from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.services import ensure_endpoints, enter_secret
from portal.inbox.services.intake import PROCESS
from portal.lib import enqueue
from portal.sync.models import Run, RunState, StaleMark
from portal.sync.services.marks import GONE_AFTER, lock
from portal.sync.wake import DRAIN
from portal.tenants.scope import tenant_scope
from tests.support.members import find_member
from tests.support.mirrors import mirror

LEDGER = {
    "sqlite": [
        """CREATE TRIGGER faults_ledger AFTER UPDATE OF state ON inbox_delivery
           WHEN old.state = 'pending' AND new.state <> 'pending'
           BEGIN INSERT INTO faults_ledger VALUES (new.tenant_id, new.hook_id); END""",
    ],
    "postgresql": [
        """CREATE FUNCTION faults_ledger() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN INSERT INTO faults_ledger VALUES (new.tenant_id, new.hook_id); RETURN NULL; END $$""",
        """CREATE TRIGGER faults_ledger AFTER UPDATE OF state ON inbox_delivery FOR EACH ROW
           WHEN (old.state = 'pending' AND new.state <> 'pending') EXECUTE FUNCTION faults_ledger()""",
    ],
}
"""Has the database itself write down each time that a delivery was settled: the effect is in the same commit (guarantee Q2)."""


def open_ledger() -> None:
    with connection.cursor() as cursor:
        for statement in ["CREATE TABLE faults_ledger (tenant_id bigint, hook_id text)", *LEDGER[connection.vendor]]:
            cursor.execute(statement)


def close_ledger(tenant_id: int) -> list[str]:
    """Stop writing it; return the tenant's hook-ids in it, one for each time that a delivery was settled.

    Other tests leave deliveries behind that wait, and whoever works here works on them as well.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT hook_id FROM faults_ledger WHERE tenant_id = %s", [tenant_id])
        settled = [row[0] for row in cursor.fetchall()]
        on = " ON inbox_delivery" if connection.vendor == "postgresql" else ""
        cursor.execute(f"DROP TRIGGER faults_ledger{on}")
        if connection.vendor == "postgresql":
            cursor.execute("DROP FUNCTION faults_ledger")
        cursor.execute("DROP TABLE faults_ledger")
    return settled


def take_secret(tenant_id: int, secret: str) -> None:
    """Enter the secret that the platform has made; the one before it stays good for a day."""
    with tenant_scope(tenant_id):
        enter_secret(ensure_endpoints()[0], secret, actor=find_member(tenant=tenant_id).user)


def put_comparisons_off(tenant_id: int) -> None:
    """Have nothing compared for a week: what is in the mirror then came by events alone."""
    now = timezone.now()
    with tenant_scope(tenant_id):
        Run.objects.update(state=RunState.DONE, finished_at=now, next_due_at=now + timedelta(days=7))


def pass_time(tenant_id: int) -> None:
    """Let every lease, every wait and the minute of the platform's limit be over."""
    past = timezone.now() - timedelta(seconds=1)
    with tenant_scope(tenant_id):
        change(Delivery.objects.exclude(lease_until=None).order_by("pk"), lease_until=past)
        change(Delivery.objects.filter(state=DeliveryState.PENDING).order_by("pk"), due_at=past)
        change_marks(StaleMark.objects.exclude(lease_until=None), lease_until=past)
        change_marks(StaleMark.objects.waiting(), due_at=past)
        # What was missing counts as gone at a second look, two minutes later (guarantee Q15).
        change_marks(StaleMark.objects.exclude(missing_since=None), missing_since=timezone.now() - GONE_AFTER)
        Connection.objects.exclude(lease_until=None).update(lease_until=past)
        CallWindow.objects.update(started_at=past - WINDOW)


@transaction.atomic
def change(rows: QuerySet[Any], **values: Any) -> None:
    """Change rows, locked in the order in which workers lock them: whoever lets time pass must not meet them in a deadlock."""
    pks = [*rows.select_for_update().values_list("pk", flat=True)]
    rows.model.objects.filter(pk__in=pks).update(**values)


@transaction.atomic
def change_marks(rows: QuerySet[Any], **values: Any) -> None:
    """Change marks, locked as workers lock them."""
    StaleMark.objects.filter(pk__in=[mark.pk for mark in lock(rows)]).update(**values)


def ring(tenant_id: int, times: int) -> None:
    for _ in range(times):
        enqueue.enqueue_on_commit(PROCESS, tenant_id)
        enqueue.enqueue_on_commit(DRAIN, tenant_id)


def left(tenant_id: int) -> dict[str, int]:
    """Return how much has yet to be handled and to be fetched."""
    with tenant_scope(tenant_id):
        deliveries = Delivery.objects.filter(state=DeliveryState.PENDING).count()
        return {"deliveries": deliveries, "marks": StaleMark.objects.waiting().count()}


def claimed(tenant_id: int) -> int:
    """Return how many deliveries a worker has in its hands."""
    with tenant_scope(tenant_id):
        return Delivery.objects.filter(state=DeliveryState.PENDING).exclude(lease_owner="").count()


def states(tenant_id: int) -> list[tuple[str, str]]:
    """Return the hook-id and the state of every row."""
    with tenant_scope(tenant_id):
        return list(Delivery.objects.values_list("hook_id", "state"))


COMMANDS: dict[str, Callable[..., Any]] = {
    command.__name__: command
    for command in (
        *(open_ledger, close_ledger, take_secret, put_comparisons_off, pass_time, ring, left, claimed, states, mirror),
    )
}
