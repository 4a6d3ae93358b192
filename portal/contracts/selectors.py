"""What the pages of the desk show, over several rows and models."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from portal.audit.services import history
from portal.connections.services import connection_of_tenant
from portal.contracts.models import A_MINUTE, ATTENTION, Contract, Upload, UploadState
from portal.sync.models import Run, RunState
from portal.tenants.scope import all_tenants

MOST_SWEPT = 5000
MOST_SHOWN = 50
"""Uploads above the list; how many more there are is said in words."""
ICONS = {
    "contract.upload": ("upload", "good"),
    "contract.repeat_upload": ("copy", "warn"),
}


def attention_count() -> int:
    """Count the uploads that a person has to look at."""
    return Upload.objects.filter(state__in=ATTENTION).count()


def due_uploads() -> list[tuple[int, int]]:
    """Return tenant and key of the uploads that are due, the longest waiting first; of each tenant what a minute takes."""
    taken: Counter[int] = Counter()
    found = []
    with all_tenants("the sweep goes on with the uploads of every tenant"):
        rows = Upload.objects.due(timezone.now()).order_by("due_at", "id").values_list("tenant_id", "pk")[:MOST_SWEPT]
        for tenant_id, upload_id in rows:
            taken[tenant_id] += 1
            if taken[tenant_id] <= A_MINUTE:
                found.append((tenant_id, upload_id))
    return found


def tenants_with_leftover_files() -> list[int]:
    with all_tenants("the sweep finds the leftover files of every tenant"):
        rows = Upload.objects.with_leftover_file().order_by().values_list("tenant_id", flat=True)
        return list(rows.distinct()[:MOST_SWEPT])


@dataclass(frozen=True)
class Readiness:
    """What stands between the tenant and its contracts."""

    is_connected: bool
    was_connected: bool
    is_fetching: bool
    problem: str


def readiness() -> Readiness:
    connection = connection_of_tenant()
    run = Run.objects.filter(kind="contract").first()
    is_connected = connection is not None and connection.is_active
    has_problem = is_connected and run is not None and run.state in (RunState.BLOCKED, RunState.FAILED)
    return Readiness(
        is_connected=is_connected,
        was_connected=connection is not None and connection.connected_at is not None,
        is_fetching=is_connected and (run is None or (run.is_first and not has_problem)),
        problem=run.error if run and has_problem else "",
    )


@dataclass(frozen=True)
class UploadRow:
    """An upload as the page shows it."""

    upload: Upload
    words: str
    expected_at: datetime | None
    may_discard: bool
    may_send_again: bool


def upload_rows(*, is_analyst: bool, is_connected: bool) -> list[UploadRow]:
    """Give the uploads that are on their way or need a person, those that need one first."""
    now = timezone.now()
    uploads = list(Upload.objects.shown().select_related("contract").order_by("due_at", "id")[:MOST_SHOWN])
    uploads.sort(key=lambda upload: upload.state not in ATTENTION)
    expected = expected_times([upload for upload in uploads if upload.state == UploadState.WAITING], now=now)
    return [
        UploadRow(
            upload,
            words=upload_words(upload, is_connected=is_connected),
            expected_at=expected.get(upload.pk) if is_connected else None,
            may_discard=is_analyst and upload.is_discardable and upload.is_free(now),
            may_send_again=is_analyst and upload.is_repeatable,
        )
        for upload in uploads
    ]


def expected_times(waiting: list[Upload], *, now: datetime) -> dict[int, datetime]:
    """Say about when each goes out that does not go now: when it is due, or in its turn when a minute does not take all."""
    times = {}
    for position, upload in enumerate(waiting):
        at = max(upload.due_at, now) + timedelta(minutes=position // A_MINUTE)
        if at > now:
            times[upload.pk] = at
    return times


def upload_words(upload: Upload, *, is_connected: bool) -> str:
    """Say in a sentence where an upload stands."""
    match upload.state:
        case UploadState.SENDING:
            return "It is being sent to the platform."
        case UploadState.UNCERTAIN:
            reason = f" {upload.last_error}" if upload.last_error else ""
            return f"It may have arrived. The platform is asked before anything is sent again.{reason}"
        case UploadState.PRESENT:
            return "The platform had a contract with this external id already. This document was not added."
        case UploadState.REFUSED:
            return upload.last_error
    if not is_connected:
        return "It goes out as soon as the tenant is connected."
    return upload.last_error or "It goes out by itself."


def events_of(contract: Contract) -> list[dict[str, Any]]:
    """What was done here about a contract, newest first."""
    events = []
    for entry in history("contract", contract.platform_id[:100]):
        icon, tone = ICONS.get(entry.action, ("circle-dot", "muted"))
        events.append({"title": f"{entry.who}: {entry.summary}", "text": "", "at": entry.at, "icon": icon, "tone": tone})
    return events
