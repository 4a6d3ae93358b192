"""What events say of exports: shown at once, provisional until a look has confirmed it."""

from collections.abc import Sequence

from django.utils import timezone

from portal.lib.enqueue import enqueue_on_commit
from portal.platform_api.webhooks import ExportCompleted, ExportFailed
from portal.questionnaires.models import Export, ExportState, Questionnaire
from portal.questionnaires.models.export import NAMELESS
from portal.questionnaires.services.export_outcomes import LOOK, NO_SUCH_EXPORT, lock, nearest
from portal.tenants.scope import current_tenant_id

type Ended = ExportCompleted | ExportFailed


def apply_events(events: Sequence[Ended]) -> bool:
    """Show what events state, in the caller's transaction, and have it looked at. Says whether a row changed."""
    ids = {event.questionnaire_id for event in events}
    # Of a questionnaire that is not here yet nobody asked for an export here.
    known = dict(Questionnaire.objects.filter(platform_id__in=ids).values_list("platform_id", "pk"))
    rows = lock(known.values())
    is_changed = False
    for event in events:
        if event.questionnaire_id not in known:
            continue
        row = _row_of_event(event, known[event.questionnaire_id], rows)
        if row and _show(row, event):
            is_changed = True
    return is_changed


def _row_of_event(event: Ended, questionnaire: int, rows: list[Export]) -> Export | None:
    candidates = [each for each in rows if each.questionnaire_id == questionnaire]
    for row in candidates:
        if row.platform_id == event.export_id:
            return row
    if Export.objects.filter(platform_id=event.export_id).exists():
        return None  # it stands on another questionnaire
    nameless = [
        each
        for each in candidates
        if not each.platform_id
        and each.state in NAMELESS
        and each.format == event.format
        and each.is_of_request(event.requested_at)
    ]
    if nameless and event.requested_at:
        row = nearest(nameless, event.requested_at)
        row.platform_id = event.export_id
        return row
    return _add_stranger(event, questionnaire, rows)


def _add_stranger(event: Ended, questionnaire: int, rows: list[Export]) -> Export | None:
    """Make the row of an export that was asked for elsewhere, or whose answer is still on its way to us."""
    made = Export(
        questionnaire_id=questionnaire,
        platform_id=event.export_id,
        format=event.format[:40],
        state=ExportState.PENDING,
        is_elsewhere=True,
        asked_at=event.requested_at or timezone.now(),
    )
    # Another worker may be making it in this moment.
    Export.objects.bulk_create([made], ignore_conflicts=True)
    row = Export.objects.select_for_update().filter(questionnaire=questionnaire, platform_id=event.export_id).first()
    if row:
        rows.append(row)
    return row


def _show(row: Export, event: Ended) -> bool:
    state, reason = ExportState.COMPLETED, ""
    if isinstance(event, ExportFailed):
        state, reason = ExportState.FAILED, event.reason[:500]
    elif row.reason == NO_SUCH_EXPORT and row.told_at is None:
        # Only that it was not found had said that it is lost.
        row.is_confirmed = False
    if row.is_settled or (row.state, row.reason) == (state, reason):
        return False
    now = timezone.now()
    row.state, row.reason, row.told_at, row.ended_at, row.due_at = state, reason, now, now, now
    row.save()
    enqueue_on_commit(LOOK, current_tenant_id(), row.pk)
    return True
