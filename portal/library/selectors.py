"""Reading the library: what it says to a question."""

from dataclasses import dataclass
from datetime import date

from django.db.models import Q

from portal.library.finding import MIN_SCORE, Search
from portal.library.models import Coverage, Entry, EntryPair, Variant, Wording
from portal.library.ranking import Likeness, likeness_of
from portal.library.terms import terms_of


@dataclass(frozen=True)
class FoundEntry:
    """An entry that may answer a question, and how like the two are."""

    entry: Entry
    score: float = 0
    """From 0 to 1; 0 for what was found by its words."""
    is_reversed: bool = False
    """It is asked for by a variant that asks for the contrary."""
    wording: Wording | None = None
    """The way to ask for it that is most like the question."""

    @property
    def likeness(self) -> Likeness | None:
        return likeness_of(self.score) if self.score else None

    @property
    def percent(self) -> int:
        return round(100 * self.score)


def find_entries(search: Search, *, today: date, most: int) -> list[FoundEntry]:
    """Find the entries that answer a question, the most like first."""
    wordings = {row.pk: row for row in search.wordings}
    variants = list(Variant.objects.filter(wording__in=wordings))
    keys = {*search.answers(), *(each.entry_id for each in variants)}
    rows = Entry.objects.with_state(today).select_related("wording").filter(Q(pk__in=keys) | Q(wording__in=wordings))
    entries = {row.pk: row for row in rows}
    asked = [(row, row.wording, False) for row in entries.values() if row.wording]
    asked += [(entries[each.entry_id], wordings[each.wording_id], each.is_reversed) for each in variants if each.wording_id]
    answers = {row.pk: terms_of(row.answer) for row in entries.values()}
    best: dict[int, FoundEntry] = {}
    for entry, wording, is_reversed in asked:
        found = FoundEntry(entry, search.score(wording, answer=answers[entry.pk]), is_reversed, wording)
        if found.score >= max(MIN_SCORE, best[entry.pk].score if entry.pk in best else 0):
            best[entry.pk] = found
    return sorted(best.values(), key=lambda each: (-each.score, each.entry.pk))[:most]


def coverage() -> Coverage | None:
    """Return how much of what was asked has an entry, as it was counted last."""
    return Coverage.objects.first()


def open_pairs() -> int:
    """Count the pairs of entries that somebody has yet to look at."""
    return EntryPair.objects.open().count()
