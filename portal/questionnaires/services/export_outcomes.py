"""What the platform says of exports, written into their rows (platform-api 4.1.5).

It says it up to four times, in any order: with the answer to the request, with an event, with another event, when it is looked
at. An event is shown at once and looked into at once; what a look reads is the truth, and is final once the export has ended.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.audit.models import Source
from portal.audit.services import record
from portal.lib.storable import storable
from portal.page_refresh.services import touch_areas
from portal.platform_api import models as remote
from portal.questionnaires.models import Export, ExportState
from portal.sync.services.marks import GONE_AFTER

EXPORTS = "exports"
"""The live area: a page of exports is drawn anew when one of them changed."""
LOOK = "portal.questionnaires.tasks.verify_export"
FIRST_LOOK, MAX_PAUSE = 10.0, 60.0
UNTIL_GIVEN_UP = timedelta(minutes=10)
"""How long we wait for the event of a request whose answer was lost. Exports typically take minutes."""
MAX_WAIT = timedelta(hours=2)
OUTCOME = ("platform_id", "state", "is_confirmed", "told_at", "ended_at", "reason", "due_at", "attempts")
NO_SUCH_EXPORT = "The platform no longer has this export."
MISSING = "The platform says it has no such export. We'll ask once more in two minutes."
MISSING_AT_DOWNLOAD = "The platform says it has no such export. Try again in two minutes."
"""Each stands in a row after a first 404, until the next look."""


def lock(questionnaires: Iterable[int]) -> list[Export]:
    """Take the exports of some questionnaires. In one order, so that two who need several of them wait for each other."""
    return list(Export.objects.select_for_update().filter(questionnaire_id__in=list(questionnaires)).order_by("pk"))


def accept(export: Export, fetched: remote.Export) -> None:
    """The platform took the request: now the row has an id."""
    try:
        _accept(export, fetched)
    except IntegrityError:
        # Its event made a row of its own in the very moment; now that one is seen.
        _accept(export, fetched)


@transaction.atomic
def _accept(export: Export, fetched: remote.Export) -> None:
    rows = lock([export.questionnaire_id])
    row = _row(rows, export)
    if row is None or row.platform_id:
        return
    twin = next((each for each in rows if each.platform_id == fetched.id), None)
    if twin:
        _adopt(row, twin)
    else:
        row.platform_id, row.state, row.attempts, row.due_at = fetched.id, ExportState.PENDING, 0, timezone.now() + pause(0)
        row.save()
    touch_areas(EXPORTS)


@transaction.atomic
def mark_uncertain(export: Export) -> None:
    """The answer was lost. An event that came meanwhile may be of this request; otherwise we wait for one (guarantee W1)."""
    rows = lock([export.questionnaire_id])
    row = _row(rows, export)
    if row is None or row.platform_id or row.state != ExportState.ASKING:
        return
    strangers = [each for each in rows if each.is_elsewhere and each.format == row.format and row.is_of_request(each.asked_at)]
    if strangers:
        _adopt(row, nearest(strangers, row.asked_at))
    else:
        row.state, row.due_at = ExportState.UNCERTAIN, timezone.now() + UNTIL_GIVEN_UP
        row.save()
    touch_areas(EXPORTS)


@transaction.atomic
def give_up(export: Export) -> None:
    """No event came: nobody knows whether the request arrived, and a person may decide to ask again."""
    if Export.objects.filter(pk=export.pk, platform_id="", state=ExportState.UNCERTAIN).update(
        state=ExportState.UNANSWERED, due_at=None
    ):
        touch_areas(EXPORTS)


@transaction.atomic
def take(export: Export, fetched: remote.Export, *, asked_at: datetime) -> None:
    """Write down what a look has found; `asked_at` is when it began."""
    row = Export.objects.select_for_update().filter(pk=export.pk).first()
    if row is None or row.is_settled:
        return
    row.format = str(storable(fetched.format))[:40]
    match fetched.status:
        case "completed":
            _end(row, ExportState.COMPLETED, at=fetched.completed_at)
        case "failed":
            _end(row, ExportState.FAILED, at=fetched.failed_at, reason=str(storable(fetched.error_message or "")))
        case _:
            _go_on(row, asked_at=asked_at)
    row.save()
    touch_areas(EXPORTS)


@transaction.atomic
def lose(export: Export) -> None:
    """The platform answered 404. That may pass: what it says twice, long enough apart, is so (guarantee Q15)."""
    row = Export.objects.select_for_update().filter(pk=export.pk).first()
    if row is None or row.is_settled:
        return
    if row.reason == MISSING:
        _end(row, ExportState.FAILED, at=None, reason=NO_SUCH_EXPORT)
    elif row.reason == MISSING_AT_DOWNLOAD:
        row.state, row.is_confirmed, row.reason, row.due_at = ExportState.EXPIRED, True, "", None
    else:
        row.reason, row.due_at = MISSING, timezone.now() + GONE_AFTER
    row.save()
    touch_areas(EXPORTS)


@transaction.atomic
def doubt(export: Export) -> None:
    """The platform answered a download with 404: whether the export has expired is looked at once more."""
    row = Export.objects.select_for_update().filter(pk=export.pk).first()
    if row is None or not row.is_ready or row.reason:
        return
    row.is_confirmed, row.reason, row.due_at = False, MISSING_AT_DOWNLOAD, timezone.now() + GONE_AFTER
    row.save()
    touch_areas(EXPORTS)


def _end(row: Export, state: ExportState, *, at: datetime | None, reason: str = "") -> None:
    row.state, row.is_confirmed, row.ended_at, row.due_at = state, True, at or row.ended_at or timezone.now(), None
    row.reason = reason[:500]
    if state == ExportState.FAILED:
        details = {"export": row.platform_id, "format": row.format, "reason": row.reason}
        summary = f"An export of {str(row.questionnaire)[:150]} failed ({row})."
        target = target_of(row)
        record("questionnaire.export_failed", target=target, summary=summary, details=details, source=Source.SYNC)


def _go_on(row: Export, *, asked_at: datetime) -> None:
    """It has not ended. Unless an event said so while the look was under way: then the next look knows."""
    if row.told_at and row.told_at >= asked_at:
        return
    now = timezone.now()
    row.state, row.reason, row.ended_at, row.due_at = ExportState.PENDING, "", None, now + pause(row.attempts)
    if now - row.asked_at > MAX_WAIT:
        row.state, row.due_at = ExportState.UNANSWERED, None


def _adopt(row: Export, twin: Export) -> None:
    """What an event made a row for was asked for by this one."""
    twin_pk = twin.pk
    for name in OUTCOME:
        setattr(row, name, getattr(twin, name))
    Export.objects.filter(pk=twin_pk).delete()
    row.save()


def _row(rows: list[Export], export: Export) -> Export | None:
    return next((each for each in rows if each.pk == export.pk), None)


def nearest(rows: list[Export], at: datetime) -> Export:
    return min(rows, key=lambda each: abs(each.asked_at - at))


def target_of(export: Export) -> tuple[str, str]:
    """Exports stand in the history of their questionnaire."""
    return "questionnaire", export.questionnaire.platform_id


def pause(attempts: int) -> timedelta:
    """10 s before the first look, growing to 60 s: exports typically take minutes (platform-api 4.1.5)."""
    return timedelta(seconds=min(FIRST_LOOK * 1.5 ** min(attempts, 20), MAX_PAUSE))
