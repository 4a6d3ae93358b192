from collections.abc import Collection
from datetime import datetime

from django.dispatch import Signal

from portal.work_items.kinds import Kind
from portal.work_items.models import WorkItem
from portal.work_items.selectors import Line

arrived = Signal()
"""Work that nobody has came to the tenant in scope, or came back, or its time came.

Arguments: `kind`, `items` by the key of the desk's row, and `at`. Sent in the transaction that stores it.
"""
given = Signal()
"""Work that a member has came to them: it is new, its time came, or somebody else had it before.

Arguments: `kind`, `items` by the key of the desk's row, and `at`. Sent in the transaction that stores it.
"""
overdue = Signal()
"""The due moment of work has passed in the tenant in scope.

Arguments: `lines`, at most a hundred, and `at`. Sent in the transaction that notes how far it was looked.
"""


def send_news(kind: Kind, lines: Collection[Line], *, at: datetime) -> None:
    """Send of work of one kind what can be done now: by anybody, or by the member who has it."""
    if free := {line.row.object_id: line.item for line in lines if line.row.is_to_take(at)}:
        arrived.send(WorkItem, kind=kind, items=free, at=at)
    if owned := {line.row.object_id: line.item for line in lines if line.row.is_given(at)}:
        given.send(WorkItem, kind=kind, items=owned, at=at)
