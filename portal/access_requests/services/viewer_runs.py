"""Changes of viewers as runs: begun by an approver, worked on turn by turn, their failures tried again."""

from collections.abc import Collection
from typing import Any

from portal.access_requests.models import ViewerItem, ViewerRun
from portal.access_requests.services.outcomes import AREA
from portal.access_requests.services.viewer_changes import NotPossible, change_viewer
from portal.access_requests.services.viewer_reminders import MayHaveBeenSent
from portal.access_requests.viewer_changes import ViewerChange
from portal.access_requests.viewer_refusals import REFUSALS, refusal_message
from portal.platform_writes import bulk_worker
from portal.platform_writes.bulk import Bulk, begin, try_again
from portal.platform_writes.models import MAX_ITEMS
from portal.tenants.models import Membership, Role

WORK = "portal.access_requests.tasks.work_on_viewer_run"


def start_viewer_run(change: ViewerChange, *, member: Membership, viewers: Collection[int]) -> ViewerRun:
    """Write down that viewers are to be changed, and have a worker begin. Raises NotPossible."""
    VIEWERS.check(member)
    if not viewers:
        raise NotPossible("No one is selected.")
    if len(viewers) > MAX_ITEMS:
        raise NotPossible(f"You can change at most {MAX_ITEMS:,} people at a time. Narrow the filter first.")
    run = ViewerRun(verb=change.verb, terms=change.terms)
    return begin(VIEWERS, run, [ViewerItem(viewer_id=key) for key in viewers], member=member)


def retry_viewer_run(run: ViewerRun, *, member: Membership) -> int:
    """Have only those tried again that were not changed; return how many. From now on this member is the one who asks."""
    return try_again(VIEWERS, run, member=member)


def work_on_viewers(run: ViewerRun) -> bool:
    """Bring a run as far as one turn gets; False when another worker has it. Failures are written into the items."""
    return bulk_worker.work_on(VIEWERS, run)


def _change(item: ViewerItem, **how: Any) -> None:
    try:
        change_viewer(item.viewer, change=item.run.change, **how)
    except MayHaveBeenSent:
        item.is_in_doubt = True
        raise


VIEWERS = Bulk(
    runs=ViewerRun,
    items=ViewerItem,
    task=WORK,
    area=AREA,
    kind="viewer_run",
    action="viewer.bulk",
    role=Role.APPROVER,
    change=_change,
    refusals=REFUSALS,
    error_message=refusal_message,
)
