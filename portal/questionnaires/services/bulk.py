"""Starting a bulk run, and having its failures tried again."""

from collections.abc import Collection

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.lib.bell import ring
from portal.live.services import changed
from portal.questionnaires.changes import Change
from portal.questionnaires.models import MOST_ITEMS, BulkItem, BulkRun, ItemState, Response
from portal.questionnaires.services.deciding import NotAllowed
from portal.tenants.models import Membership, Role
from portal.tenants.scope import all_tenants

WORK = "portal.questionnaires.tasks.work_on_bulk_run"
BULK_RUN = "bulk_run"
"""The kind of a run in the history."""
BATCH = 200
MOST_SWEPT = 500


def start_bulk_run(change: Change, *, member: Membership, questionnaires: Collection[int]) -> BulkRun:
    """Write down that a change is to be made to questionnaires, and have a worker begin. Raises NotAllowed."""
    return _start(change, member, [BulkItem(questionnaire_id=key) for key in questionnaires])


def assign_questions(change: Change, *, member: Membership, responses: Collection[Response]) -> BulkRun:
    """Write down that questions are to be given to somebody, and have a worker begin. Raises NotAllowed."""
    return _start(change, member, [BulkItem(questionnaire_id=row.questionnaire_id, response=row) for row in responses])


def _start(change: Change, member: Membership, items: list[BulkItem]) -> BulkRun:
    check(member)
    if not items:
        raise NotAllowed(f"No {change.noun} is selected.")
    if len(items) > MOST_ITEMS:
        raise NotAllowed(f"At most {MOST_ITEMS:,} {change.noun}s can be changed at once. Narrow the filter first.")
    with transaction.atomic():
        run = BulkRun.objects.create(
            action=change.action,
            owner_id=change.owner_id,
            owner_name=change.owner_name,
            owner_type=change.owner_type,
            new_due_at=change.due_at,
            note=change.note,
            asked_by=member.user,
            asked_by_name=str(member.user)[:120],
        )
        for item in items:
            item.run = run
        BulkItem.objects.bulk_create(items, batch_size=BATCH)
        _note(run, "questionnaire.bulk", f"Began with {len(items)} {change.noun}s: {run}.", member)
    return run


@transaction.atomic
def retry_bulk_run(run: BulkRun, *, member: Membership) -> int:
    """Have only those tried again that were not changed; return how many. From now on this member is the one who asks."""
    check(member)
    run = BulkRun.objects.select_for_update().get(pk=run.pk)
    now = timezone.now()
    failed = BulkItem.objects.filter(run=run).failed()
    number = failed.update(state=ItemState.WAITING, attempts=0, due_at=now, words="")
    if number:
        run.asked_by, run.asked_by_name = member.user, str(member.user)[:120]
        run.finished_at, run.due_at = None, now
        run.save(update_fields=["asked_by", "asked_by_name", "finished_at", "due_at"])
        _note(run, "questionnaire.bulk_retry", f"Tried {number} {run.change.noun}s again: {run}.", member)
    return number


def note_export(query: str, *, member: Membership) -> None:
    """Write down who took the filtered questionnaires as a file."""
    check(member)
    record(
        "questionnaire.export",
        target=("questionnaires", "list"),
        summary="Exported questionnaires as CSV.",
        actor=member.user,
        details={"filters": query},
    )


def check(member: Membership) -> None:
    if not member.may(Role.ANALYST):
        raise PermissionDenied


def _note(run: BulkRun, action: str, summary: str, member: Membership) -> None:
    record(action, target=(BULK_RUN, str(run.pk)), summary=summary, actor=member.user)
    changed("questionnaires")
    ring(WORK, run.tenant_id, run.pk)


def due_bulk_runs() -> list[tuple[int, int]]:
    """Return tenant and key of the runs that a worker can go on with, the longest waiting first."""
    with all_tenants("the sweep goes on with the bulk runs of every tenant"):
        rows = BulkRun.objects.due(timezone.now()).order_by("due_at", "id")
        return list(rows.values_list("tenant_id", "pk")[:MOST_SWEPT])
