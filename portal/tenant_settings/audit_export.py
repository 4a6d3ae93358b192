from collections.abc import Iterator
from zoneinfo import ZoneInfo

from django.utils import timezone

from portal.audit.models import Entry
from portal.lib.keyset import keyset_page
from portal.tenant_settings.audit_changes import changes_of
from portal.tenant_settings.filters import ORDER, AuditFilters
from portal.tenant_settings.selectors import accounts_of
from portal.tenants.scope import tenant_scope

COLUMNS = ("When (UTC)", "Who", "Account", "Source", "Action", "Object", "Id", "What", "Before and after")
BATCH = 200


def lines(filters: AuditFilters, tenant_id: int, zone: ZoneInfo) -> Iterator[tuple[object, ...]]:
    """Walk the rows in batches. The answer is read after the view has ended: each batch enters the scope and zone anew."""
    yield COLUMNS
    cursor = None
    while True:
        with tenant_scope(tenant_id), timezone.override(zone):
            page = keyset_page(filters.rows(), order_by=ORDER, cursor=cursor, size=BATCH)
            accounts = accounts_of(page.rows)
            rows = [cells(entry, accounts.get(entry.actor_id or 0, "")) for entry in page.rows]
        yield from rows
        if (cursor := page.next_cursor) is None:
            return


def cells(entry: Entry, account: str) -> tuple[object, ...]:
    at = entry.at.isoformat(" ", "seconds")
    what = (entry.action, entry.target_kind, entry.target_id, entry.summary)
    return (at, entry.who, account, entry.get_source_display(), *what, "; ".join(map(str, changes_of(entry))))
