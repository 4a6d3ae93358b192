"""What the platform sent of audits becomes rows. Runs in the caller's transaction."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from portal.engagements.kinds import PARTS
from portal.engagements.models import NO_DATE, Engagement
from portal.engagements.models.engagements import MAX_NAME_LENGTH
from portal.engagements.services.payloads import cleaned
from portal.platform_api.models import audits as remote
from portal.sync.copies import search_text, sort_key, store_copy
from portal.sync.services import mark_many

READ_EVERY = timedelta(minutes=50)
"""A little less than the comparison takes to come again: what an open audit consists of is read with each."""


def mark_parts(fetched: Sequence[remote.Audit]) -> None:
    """Have requests, evidence and controls read of the audits that go on, and once of all others."""
    read_at = dict(Engagement.objects.values_list("platform_id", "parts_read_at"))
    old = timezone.now() - READ_EVERY
    wanted = []
    for each in fetched:
        at = read_at.get(each.id)
        is_over = each.completion_date or each.deletion_date
        if at is None or (at < old and not is_over):
            wanted.append(each.id)
    mark_many(PARTS, wanted)


def store_engagement(fetched: remote.Audit) -> bool:
    """Make the row equal to what was fetched; True when it changed."""
    found = remote.Audit.read(cleaned(fetched.raw))
    return store_copy(Engagement, found.id, engagement_columns(found))


def engagement_columns(found: remote.Audit) -> dict[str, Any]:
    """Return what a row repeats of an audit."""
    framework = framework_of(found)
    name = (found.display_name or framework)[:MAX_NAME_LENGTH]
    customer = (found.customer_display_name or found.customer_organization_name)[:MAX_NAME_LENGTH]
    return {
        "name": name,
        "customer": customer,
        "customer_sort": sort_key(customer),
        "framework": framework,
        "starts_at": found.audit_start_date,
        "ends_at": found.audit_end_date,
        "ends_sort": found.audit_end_date or NO_DATE,
        "early_access_at": found.early_access_starts_at,
        "completed_at": found.completion_date,
        "deleted_at": found.deletion_date,
        "search": search_text(name, customer, framework, found.customer_organization_name),
        "payload": found.raw,
    }


def framework_of(found: remote.Audit) -> str:
    """Name the frameworks of an audit: its segments tell them, where there are any; the field of its own is deprecated."""
    said = [(each.framework or {}).get("displayName") for each in found.segments]
    names = dict.fromkeys(each for each in said if isinstance(each, str) and each)
    return (", ".join(names) or found.framework or "")[:MAX_NAME_LENGTH]
