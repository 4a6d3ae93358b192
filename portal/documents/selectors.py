"""Reads of the desk's pages."""

from datetime import date
from typing import Any

from portal.audit.services import history
from portal.documents.filters import RENEWAL, TABS, DocumentFilters
from portal.documents.kinds import AREA, DOCUMENT, EVIDENCE
from portal.documents.models import Document, ProvenControl
from portal.lib.counts import count_together
from portal.page_refresh.services import cached_by_version
from portal.sync.models import StaleMark
from portal.trust_center.models import ShownControl

ICONS = {
    "document.upload": ("upload", "good"),
    "document.delete_file": ("trash-2", "warn"),
    "document.add_link": ("link", "good"),
    "document.remove_link": ("unlink", "warn"),
    "document.download": ("download", "muted"),
}
MAX_CONTROLS = 100


def figures(filters: DocumentFilters, today: date) -> dict[str, object]:
    """Count the documents of each tab, with every other filter; not with the search, which would read every row.

    That no renewal is due is known once every renewal day was read (guarantee R3).
    """

    def count() -> dict[str, object]:
        found = count_together({tab: filters.of_tab(tab, today) for tab in TABS})
        return {**found, RENEWAL: found[RENEWAL] or ("–" if has_unread_days(filters, today) else 0)}

    return count() if filters.is_narrowed else cached_by_version(AREA, f"figures-{today.isoformat()}", count)


def has_unread_days(filters: DocumentFilters, today: date) -> bool:
    """Say whether there is a document whose renewal day was never read: the list leaves it out."""
    return filters.of_tab("", today).filter(details_read_at=None).exists()


def controls_of(document: Document) -> list[tuple[ProvenControl, bool]]:
    """Return the controls that a document proves, each with whether the Trust Center shows it: there it has a page here."""
    rows = list(document.controls.all()[:MAX_CONTROLS])
    shown = ShownControl.objects.present().filter(platform_id__in=[row.platform_id for row in rows])
    ids = set(shown.values_list("platform_id", flat=True)) if rows else set()
    return [(row, row.platform_id in ids) for row in rows]


def evidence_trouble(document: Document) -> str:
    """Say why files and links could not be read again; empty while nothing is in the way."""
    marks = StaleMark.objects.waiting().filter(kind=EVIDENCE, object_id=document.platform_id)
    mark = marks.only("last_error", "problem").first()
    return (mark.problem or mark.last_error) if mark else ""


def events_of(document: Document) -> list[dict[str, Any]]:
    """Tell what was done with a document here, newest first."""
    events = []
    for done in history(DOCUMENT, document.platform_id):
        icon, tone = ICONS.get(done.action, ("circle-dot", "muted"))
        events.append({"title": f"{done.who}: {done.summary}", "at": done.at, "icon": icon, "tone": tone})
    return events
