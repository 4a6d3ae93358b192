"""Starting a bulk run, having its failures tried again, and taking the list as a file."""

from collections.abc import Collection

from portal.audit.services import record
from portal.platform_writes.bulk import begin, try_again
from portal.platform_writes.models import MAX_ITEMS
from portal.questionnaires.changes import Action, Change
from portal.questionnaires.models import BulkItem, BulkRun, Questionnaire, Response
from portal.questionnaires.services.bulk_runs import BULK
from portal.questionnaires.services.decisions import NotAllowed
from portal.questionnaires.services.sure_drafts import sure_drafts
from portal.tenants.models import Membership


def start_bulk_run(change: Change, *, member: Membership, questionnaires: Collection[int]) -> BulkRun:
    """Write down that a change is to be made to questionnaires, and have a worker begin. Raises NotAllowed."""
    return _start(change, member, [BulkItem(questionnaire_id=key) for key in questionnaires])


def assign_questions(change: Change, *, member: Membership, responses: Collection[Response]) -> BulkRun:
    """Write down that questions are to be given to somebody, and have a worker begin. Raises NotAllowed."""
    return _start(change, member, [BulkItem(questionnaire_id=row.questionnaire_id, response=row) for row in responses])


def save_sure_drafts(questionnaire: Questionnaire, *, drafts: Collection[int], member: Membership) -> BulkRun:
    """Write down that these drafts are to be saved as they are, and have a worker begin. Raises NotAllowed."""
    keys = sure_drafts(questionnaire).filter(pk__in=drafts).values_list("response", flat=True)
    change = Change(action=Action.SAVE_DRAFTS)
    return _start(change, member, [BulkItem(questionnaire=questionnaire, response_id=key) for key in keys])


def _start(change: Change, member: Membership, items: list[BulkItem]) -> BulkRun:
    BULK.check(member)
    if not items:
        raise NotAllowed(f"No {change.noun} is selected.")
    if len(items) > MAX_ITEMS:
        raise NotAllowed(f"At most {MAX_ITEMS:,} {change.noun}s can be changed at a time. Narrow the filter first.")
    run = BulkRun(
        action=change.action,
        owner_id=change.owner_id,
        owner_name=change.owner_name,
        owner_type=change.owner_type,
        new_due_at=change.due_at,
        note=change.note,
    )
    return begin(BULK, run, items, member=member)


def retry_bulk_run(run: BulkRun, *, member: Membership) -> int:
    """Have only those tried again that were not changed; return how many. From now on this member is the one who asks."""
    return try_again(BULK, run, member=member)


def note_export(query: str, *, member: Membership) -> None:
    """Write down who took the filtered questionnaires as a file."""
    BULK.check(member)
    record(
        "questionnaire.export",
        target=("questionnaires", "list"),
        summary="Exported questionnaires as CSV.",
        actor=member.user,
        # Not the filters themselves: what was searched for may be somebody's address, and audit rows stay.
        details={"is_filtered": bool(query)},
    )
