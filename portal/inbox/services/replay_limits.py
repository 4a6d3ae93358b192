"""How often people may have deliveries handled again (guarantees Q9 and S9): each replay is work that others wait behind."""

from datetime import timedelta
from math import ceil

from django.db import transaction
from django.utils import timezone

from portal.inbox.models import ReplayWindow
from portal.lib.counted import counted

WITHIN = timedelta(minutes=10)
ONE, MANY = "one", "many"
MAX_REPLAYS = {ONE: 30, MANY: 3}
"""Replays of a tenant within that time: of a single delivery, and of many at once."""
MAX_AT_ONCE = 10_000


class TooManyReplays(Exception):
    """The tenant has to wait, or to ask for less; the message says so to people."""


@transaction.atomic
def take(kind: str) -> None:
    """Count one replay of the tenant in scope, in the transaction that makes it if there is one. Raises TooManyReplays."""
    now = timezone.now()
    ReplayWindow.objects.get_or_create(kind=kind, defaults={"started_at": now})
    window = ReplayWindow.objects.select_for_update().get(kind=kind)
    if not window.started_at <= now < window.started_at + WITHIN:
        window.started_at, window.count = now, 0
    if window.count >= MAX_REPLAYS[kind]:
        minutes = ceil((window.started_at + WITHIN - now).total_seconds() / 60)
        times = counted(window.count, "time") if kind == MANY else counted(window.count, "delivery", "deliveries")
        raise TooManyReplays(
            f"Nothing was replayed: the limit for one tenant is {times} in {WITHIN.seconds // 60} minutes. "
            f"Try again in {minutes} minute{'' if minutes == 1 else 's'}."
        )
    window.count += 1
    window.save(update_fields=["started_at", "count"])
