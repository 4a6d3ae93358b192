from collections.abc import Iterator, Sequence
from zoneinfo import ZoneInfo

from portal.audit.models import Entry
from portal.tenant_settings.audit_changes import changes_of
from portal.tenant_settings.filters import ORDER, AuditFilters
from portal.tenant_settings.selectors import accounts_of
from portal.ui.list_export import Line, list_lines

COLUMNS = ("When (UTC)", "Who", "Account", "Source", "Action", "Object", "Id", "What", "Before and after")


def lines_of(filters: AuditFilters, tenant_id: int, zone: ZoneInfo) -> Iterator[Line]:
    def lines(entries: Sequence[Entry]) -> list[Line]:
        accounts = accounts_of(entries)
        return [cells(entry, accounts.get(entry.actor_id or 0, "")) for entry in entries]

    return list_lines(COLUMNS, filters.rows, lines, tenant_id=tenant_id, order_by=ORDER, zone=zone)


def cells(entry: Entry, account: str) -> Line:
    at = entry.at.isoformat(" ", "seconds")
    what = (entry.action, entry.target_kind, entry.target_id, entry.summary)
    return (at, entry.who, account, entry.get_source_display(), *what, "; ".join(map(str, changes_of(entry))))
