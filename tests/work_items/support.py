"""What the desks say is to do, beside what the rows say."""

from portal.work_items.kinds import kinds
from portal.work_items.models import Change, WorkItem
from portal.work_items.services import STORED, _row, catch_up, compare_all

COLUMNS = STORED[:-1]


def said_by_desks() -> dict[tuple[str, int], tuple[object, ...]]:
    """Make every item anew, as each desk defines it."""
    said = {}
    for kind in kinds():
        every = list(kind.objects().order_by().model._default_manager.values_list("pk", flat=True))
        for object_id, item in kind.build(every).items():
            row = _row(kind, object_id, item)
            said[kind.name, object_id] = tuple(getattr(row, each) for each in COLUMNS)
    return said


def stored() -> dict[tuple[str, int], tuple[object, ...]]:
    return {(row.kind, row.object_id): tuple(getattr(row, each) for each in COLUMNS) for row in WorkItem.objects.all()}


def kept_up() -> dict[tuple[str, int], tuple[object, ...]]:
    """Work off what has changed; the rows then have to be what the desks say, and nothing is left for the comparison."""
    work_off()
    rows = stored()
    assert rows == said_by_desks()
    compare_all()
    work_off()
    assert stored() == rows
    return rows


def work_off() -> None:
    while catch_up(may_wait=True):
        pass
    assert not Change.objects.exists()
