from collections.abc import Collection

from django.db.models import QuerySet

from portal.event_log.models import WriteMatch


def matches_of(entry_ids: Collection[int]) -> dict[int, WriteMatch]:
    """Return what was found in the platform's log of these audit entries; those that were not looked for are left out."""
    rows = WriteMatch.objects.filter(audit_entry_id__in=entry_ids).select_related("log_entry")
    return {row.audit_entry_id: row for row in rows}


def entries_looked_for(*, is_found: bool) -> QuerySet[WriteMatch, int]:
    """Return the keys of the audit entries that the platform's log names, or does not."""
    return WriteMatch.objects.filter(log_entry__isnull=not is_found).values_list("audit_entry_id", flat=True)
