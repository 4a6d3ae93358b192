"""What the page of an entry shows beside the entry itself."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from portal.audit.services import history
from portal.library.filters import EntryFilters
from portal.library.models import MAX_ANSWER, Entry, Label, LabelKind, labels_of
from portal.library.ranking import NEAR
from portal.library.selectors import FoundEntry, find_entries
from portal.library.services import LIBRARY_ENTRY
from portal.library.similarity import Search

ICONS = {
    "library_entry.added": ("plus", "good"),
    "library_entry.changed": ("pencil", "info"),
    "library_entry.verified": ("badge-check", "good"),
    "library_entry.merged": ("git-merge", "info"),
    "library_entry.kept_apart": ("check-check", "muted"),
}
MAX_SIMILAR = 5


def initial_for_copy(entry: Entry) -> dict[str, Any]:
    """Return the initial values of the form of a new entry that copies an answer on the platform."""
    return {"question": entry.question, "text": entry.text[:MAX_ANSWER], "tags": ", ".join(labels_of(entry)["tags"])}


def tag_links(rows: Sequence[Entry], filters: EntryFilters) -> list[tuple[Entry, list[dict[str, str]]]]:
    """Return each entry with its tags, which lead to the list narrowed to them; one query for all."""
    names: dict[int, list[str]] = {row.pk: [] for row in rows}
    for entry_id, name in Label.objects.filter(entry__in=names, kind=LabelKind.TAG).values_list("entry_id", "name"):
        names[entry_id].append(name)
    return [(row, [{"label": name, "title": name, "url": filters.link(tag=name)} for name in names[row.pk]]) for row in rows]


def similar_entries(entry: Entry, *, today: date) -> list[FoundEntry]:
    """Return the entries with nearly the same question, which may say the same."""
    found = find_entries(Search(entry.question), today=today, most=MAX_SIMILAR + 1)
    return [each for each in found if each.entry.pk != entry.pk and each.score >= NEAR][:MAX_SIMILAR]


def events_of(entry: Entry) -> list[dict[str, Any]]:
    """Return what was done with an entry, newest first."""
    events = []
    for done in history(LIBRARY_ENTRY, str(entry.pk)):
        icon, tone = ICONS.get(done.action, ("circle-dot", "muted"))
        # Which entry it is, the page says.
        said = done.summary.partition(":")[0]
        events.append({"title": f"{done.who}: {said}", "at": done.at, "icon": icon, "tone": tone})
    return events
