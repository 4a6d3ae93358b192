"""Have read what somebody opens: an open audit is read with each comparison, one request or evidence item only when asked."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from portal.connections.services import connection_of_tenant
from portal.engagements.kinds import PARTS
from portal.engagements.models import Engagement
from portal.engagements.services.coverage import covers_audits
from portal.engagements.services.writing import KIND_OF
from portal.lib.page_cache import cache
from portal.sync.services import mark_stale
from portal.sync.wake import wake_drain
from portal.tenants.scope import current_tenant_id

LISTS_HOLD, DETAILS_HOLD = timedelta(minutes=30), timedelta(minutes=10)
ASKED_AGAIN = 300
"""Seconds until an open page asks again for what has not come: it asks for itself every few seconds."""


def ask_for_lists(engagement: Engagement) -> None:
    """Have requests, evidence and controls of an audit read when they are old. Nothing is asked while nobody could answer."""
    at = engagement.parts_read_at
    if engagement.is_present and (at is None or at < timezone.now() - LISTS_HOLD):
        _ask(PARTS, engagement.platform_id)


def ask_for_details(row: Any) -> None:
    """Have comments and what else belongs to a request, evidence item or control read when it is old."""
    at = row.details_read_at
    if getattr(row, "gone_at", None) is None and (at is None or at < timezone.now() - DETAILS_HOLD):
        _ask(KIND_OF[type(row)], row.platform_id)


def _ask(kind: str, object_id: str) -> None:
    connection = connection_of_tenant()
    if connection is None or not connection.is_active or not covers_audits():
        return
    if cache.add(f"audits:{kind}:{current_tenant_id()}:{object_id}", True, ASKED_AGAIN):
        mark_stale(kind, object_id, urgent=True)
        wake_drain()
