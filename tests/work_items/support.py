"""What the desks say is to do, beside what the rows say."""

from dataclasses import replace

from portal.documents.models import FAR as NO_RENEWAL
from portal.documents.models import Document
from portal.risks.models import Issue
from portal.tenants.scope import all_tenants
from portal.trust_center.models import FAR as NEVER
from portal.trust_center.models import Resource
from portal.vendors.models import Vendor
from portal.work_items.kinds import Item, kinds
from portal.work_items.models import Change, WorkItem
from portal.work_items.services import STORED, _row, catch_up, compare_all

COLUMNS = STORED[:-1]


def said_by_desks() -> dict[tuple[str, int], tuple[object, ...]]:
    """Make every item anew, as each desk defines it."""
    said = {}
    for kind in kinds():
        every = list(kind.objects().order_by().model._default_manager.values_list("pk", flat=True))
        items = kind.build(every)
        if not kind.is_asked_by_tenant:
            with all_tenants("the same is said where several tenants are asked at once"):
                assert _words(kind.build(every)) == _words(items)
        for object_id, item in items.items():
            row = _row(kind, object_id, item)
            said[kind.name, object_id] = tuple(getattr(row, each) for each in COLUMNS)
    return said


def _words(items: dict[int, Item]) -> dict[int, tuple[Item, str]]:
    """Compare addresses, not the functions that make them."""
    return {key: (replace(item, url=str), item.url("acme")) for key, item in items.items()}


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


def no_work_of_other_desks() -> None:
    """Leave what questionnaires, requests and people make of work: what the seeds have of other desks moves away."""
    Resource.objects.update(renew_on=NEVER)
    Document.objects.update(renew_on=NO_RENEWAL, remind_on=NO_RENEWAL)
    Issue.objects.update(is_open=False)
    Vendor.objects.update(review_due_at=None)
