"""The uploads that are on their way: where each stands in the line, and about when it goes out."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min, Q
from django.utils import timezone

from portal.accounts.selectors import account_names
from portal.connections.models import CallWindow
from portal.contracts.models import A_MINUTE, ATTENTION, OPEN, Upload, UploadState
from portal.page_refresh.services import cached_by_version
from portal.platform_api.buckets import CONTRACTS

MAX_SHOWN = 5
"""Uploads above the list of contracts; the others have a page of their own."""
MINUTE = timedelta(minutes=1)
IN_LINE = ("due_at", "id")
TABS = {
    "": ("In progress", OPEN),
    "look": ("Need attention", ATTENTION),
    "arrived": ("Arrived", (UploadState.DONE.value,)),
    "discarded": ("Discarded", (UploadState.DISCARDED.value,)),
}


def attention_count() -> int:
    """Count the uploads that a person has to look at. Kept: the navigation of every page asks."""
    return cached_by_version("contracts", "attention", lambda: Upload.objects.filter(state__in=ATTENTION).count())


@dataclass(frozen=True)
class Progress:
    """How far the queue is, since it was last empty."""

    done: int
    total: int
    left: int
    waiting: int
    last_at: datetime | None
    """About when the last one goes out."""


def queue_progress(*, is_connected: bool) -> Progress | None:
    """Count the present queue; None when nothing waits."""
    now, open_ones = timezone.now(), Upload.objects.open()
    found = open_ones.aggregate(
        began=Min("queue_began_at"), left=Count("pk"), waiting=Count("pk", filter=Q(state=UploadState.WAITING))
    )
    if not found["left"]:
        return None
    since = Upload.objects.filter(queue_began_at__gte=found["began"]).exclude(state=UploadState.DISCARDED).count()
    total, last_at = max(since, found["left"]), None
    if is_connected and found["waiting"]:
        last = open_ones.filter(state=UploadState.WAITING).order_by("-due_at", "-id").first()
        last_at = Line(now).expected_at(last, found["waiting"] - 1) if last else None
    return Progress(total - found["left"], total, found["left"], found["waiting"], last_at)


class Line:
    """The line at this moment: what the minute still takes, and when the next one begins."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        window = CallWindow.objects.filter(bucket=CONTRACTS).first()
        is_running = window is not None and window.started_at <= now < window.started_at + MINUTE
        self._free = max(A_MINUTE - window.calls, 0) if window and is_running else A_MINUTE
        self._next_at = window.started_at + MINUTE if window and is_running else now + MINUTE

    def expected_at(self, upload: Upload, before: int) -> datetime | None:
        """About when an upload goes out that has so many waiting before it; None: now."""
        if upload.due_at > self._now:
            # The platform has asked for a pause, and said how long.
            return upload.due_at + before // A_MINUTE * MINUTE
        if before < self._free:
            return None
        return self._next_at + (before - self._free) // A_MINUTE * MINUTE


@dataclass(frozen=True)
class UploadRow:
    """An upload as the page shows it."""

    upload: Upload
    description: str
    customer: str
    position: int | None
    """From 1; None: it is not waiting."""
    expected_at: datetime | None
    may_discard: bool
    may_send_again: bool


def first_uploads() -> list[Upload]:
    """The uploads shown above the list, those that need a person first."""
    shown = list(Upload.objects.filter(state__in=ATTENTION).select_related("contract").order_by("id")[:MAX_SHOWN])
    if len(shown) < MAX_SHOWN:
        shown += Upload.objects.open().select_related("contract").order_by(*IN_LINE)[: MAX_SHOWN - len(shown)]
    return shown


def upload_rows(uploads: Sequence[Upload], *, is_analyst: bool, is_connected: bool) -> list[UploadRow]:
    """Say of each upload where it stands. They come in the order of the line."""
    if not uploads:
        return []
    now, names = timezone.now(), account_names(upload.account_id for upload in uploads)
    line, before = Line(now), _waiting_before(uploads)
    rows = []
    for upload in uploads:
        position = None
        if upload.state == UploadState.WAITING:
            position, before = before + 1, before + 1
        rows.append(
            UploadRow(
                upload,
                description=upload_words(upload, is_connected=is_connected),
                customer=names.get(upload.account_id, ""),
                position=position,
                expected_at=line.expected_at(upload, position - 1) if position and is_connected else None,
                may_discard=is_analyst and upload.is_discardable and upload.is_free(now),
                may_send_again=is_analyst and upload.is_repeatable,
            )
        )
    return rows


def _waiting_before(uploads: Sequence[Upload]) -> int:
    first = next((upload for upload in uploads if upload.state == UploadState.WAITING), None)
    if first is None:
        return 0
    earlier = Q(due_at__lt=first.due_at) | Q(due_at=first.due_at, pk__lt=first.pk)
    return Upload.objects.filter(earlier, state=UploadState.WAITING).count()


def upload_words(upload: Upload, *, is_connected: bool) -> str:
    """Say in a sentence where an upload stands."""
    match upload.state:
        case UploadState.SENDING:
            return "Sending to the platform."
        case UploadState.UNCERTAIN:
            reason = f" {upload.last_error}" if upload.last_error else ""
            return f"It may have arrived. We'll check with the platform before sending it again.{reason}"
        case UploadState.PRESENT:
            return "A contract with this external id exists. We keep the document until you choose what to do with it."
        case UploadState.REFUSED:
            return upload.last_error
        case UploadState.DONE:
            return "The platform has it."
        case UploadState.DISCARDED:
            return "Discarded here."
    if not is_connected:
        return "Will be sent as soon as the tenant is connected."
    return upload.last_error or "Will be sent automatically."


def tab_counts() -> dict[str, int]:
    numbers = dict(Upload.objects.order_by().values_list("state").annotate(Count("pk")))
    return {key: sum(numbers.get(state, 0) for state in states) for key, (_, states) in TABS.items()}
