"""The platform's limits on calls, counted here before the platform does; in the database, so for all processes together."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from portal.connections.models import CallWindow
from portal.connections.policy import Urgency
from portal.platform_api.buckets import CALLS_A_MINUTE, INTEGRATION, MANAGEMENT
from portal.platform_api.errors import CallLimitReached

WINDOW = timedelta(seconds=60)

SHARES = {Urgency.PERSON: 0.96, Urgency.NEWS: 0.56, Urgency.BULK: 0.48, Urgency.PERIODIC: 0.48}
"""How much of a shared bucket each kind of work may use up.

What fetches in bulk stops first, so that news of a single object comes through during the first copy too, and a person never
waits for either: in a minute that machines have used up, twenty calls are left, enough for somebody who saves ten answers.
What nobody's share holds is kept for reading back what a write has done (`reserved_calls`).
"""
SHARED = {MANAGEMENT, INTEGRATION}
"""People and machines both draw on these."""
_is_reading_back: ContextVar[bool] = ContextVar("is_reading_back", default=False)


@contextmanager
def reserved_calls() -> Iterator[None]:
    """Let the calls inside use those of the bucket that are kept for reading back what a write has done (guarantee W1).

    Without them a person would be told that an accepted write is not confirmed, only because others had used the minute up.
    """
    token = _is_reading_back.set(True)
    try:
        yield
    finally:
        _is_reading_back.reset(token)


def calls_a_minute(bucket: str, urgency: Urgency) -> int:
    """Say how many; the other buckets have one kind of work each, which nobody has to be kept from."""
    has_share = bucket in SHARED and not _is_reading_back.get()
    return round(CALLS_A_MINUTE[bucket] * (SHARES[urgency] if has_share else 1))


@transaction.atomic
def count_call(bucket: str, *, urgency: Urgency) -> None:
    """Count one call of the tenant in scope against its minute. Raises CallLimitReached before the platform would refuse."""
    now = timezone.now()
    window, _ = CallWindow.objects.select_for_update().get_or_create(bucket=bucket, defaults={"started_at": now})
    if not window.started_at <= now < window.started_at + WINDOW:
        window.started_at, window.calls = now, 0
    if window.calls >= calls_a_minute(bucket, urgency):
        wait = (window.started_at + WINDOW - now).total_seconds()
        message = "the tenant's calls of this minute are used up"
        raise CallLimitReached("", "", message=message, retry_after=wait, bucket=bucket)
    window.calls += 1
    window.save(update_fields=["started_at", "calls"])
