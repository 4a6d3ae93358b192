"""Have read what somebody opens: an open audit is read with each comparison, what belongs to it or to one object when asked."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from portal.connections.services import connection_of_tenant
from portal.engagements.kinds import ORGANIZATION, PARTS
from portal.engagements.models import Engagement, OpenedList, PartKind
from portal.engagements.services.coverage import covers_audits
from portal.engagements.services.writes import KIND_OF
from portal.lib.outages import if_writable
from portal.lib.page_cache import cache
from portal.sync.freshness import ask_for
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


def ask_for_list(engagement: Engagement, kind: PartKind) -> OpenedList | None:
    """Have a list of the audited organization read when it is old. Return what is known of it; None when nothing is."""
    now, lists = timezone.now(), OpenedList.objects.filter(engagement=engagement, kind=kind)
    known = lists.first()
    at = known.read_at if known else None
    if engagement.is_present and (at is None or at < now - LISTS_HOLD) and _may_ask(f"{kind}:{engagement.platform_id}"):
        with if_writable():
            known, _ = OpenedList.objects.update_or_create(engagement=engagement, kind=kind, defaults={"asked_at": now})
            ask_for(ORGANIZATION, engagement.platform_id)
    return known


def _ask(kind: str, object_id: str) -> None:
    if _may_ask(f"{kind}:{object_id}"):
        ask_for(kind, object_id)


def _may_ask(name: str) -> bool:
    """Say whether the platform may be asked now, and remember that it is."""
    connection = connection_of_tenant()
    if connection is None or not connection.is_active or not covers_audits():
        return False
    return bool(cache.add(f"audits:{current_tenant_id()}:{name}", True, ASKED_AGAIN))
