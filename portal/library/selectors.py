"""Reading the library: what it says to a question."""

from dataclasses import dataclass
from datetime import date

from portal.lib.text_keys import key_of
from portal.library.models import Coverage, Entry, EntryPair, Passage, Variant, Wording
from portal.library.ranking import Likeness, likeness_of
from portal.library.similarity import MIN_SCORE, Search
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
    # Found first and read then: asked for both at once, a database looks at every entry.
    asked_so = Entry.objects.filter(wording__in=wordings).values_list("pk", flat=True)
    keys = {*search.answers(), *asked_so, *(each.entry_id for each in variants)}
    entries = Entry.objects.with_state(today).defer("search").in_bulk(keys)
    others = {row.wording_id for row in entries.values() if row.wording_id} - wordings.keys()
    wordings |= Wording.objects.in_bulk(others)
    asked = [(row, wordings[row.wording_id], False) for row in entries.values() if row.wording_id]
    asked += [(entries[each.entry_id], wordings[each.wording_id], each.is_reversed) for each in variants if each.wording_id]
    answers = {row.pk: terms_of(row.answer) for row in entries.values()}
    best: dict[int, FoundEntry] = {}
    for entry, wording, is_reversed in asked:
        found = FoundEntry(entry, search.score(wording, answer=answers[entry.pk]), is_reversed, wording)
        if found.score >= max(MIN_SCORE, best[entry.pk].score if entry.pk in best else 0):
            best[entry.pk] = found
    ranked = sorted(best.values(), key=lambda each: (-each.score, each.entry.is_mirrored, each.entry.pk))
    return _without_repeated(ranked)[:most]


def _without_repeated(found: list[FoundEntry]) -> list[FoundEntry]:
    """Leave out what the platform's answer library only repeats: the tenant's own entry to the question says it already."""

    def said(each: FoundEntry) -> tuple[Wording | None, str]:
        return each.wording, key_of(each.entry.answer)

    own = {said(each) for each in found if not each.entry.is_mirrored}
    return [each for each in found if not each.entry.is_mirrored or said(each) not in own]


@dataclass(frozen=True)
class FoundPassage:
    """A passage of a document that may answer a question, and how well it fits."""

    passage: Passage
    score: float

    @property
    def is_expired(self) -> bool:
        return self.passage.resource.has_expired

    @property
    def likeness(self) -> Likeness:
        return likeness_of(self.score)

    @property
    def percent(self) -> int:
        return round(100 * self.score)


def find_passages(search: Search, *, most: int, least: float = MIN_SCORE) -> list[FoundPassage]:
    """Find the passages of the knowledge base that answer a question, the best first; of each document the best one."""
    rows = Passage.objects.filter(pk__in=search.passages(), resource__gone_at=None, resource__is_used=True)
    best: dict[int, FoundPassage] = {}
    for row in rows.select_related("resource").defer("resource__search", "resource__description"):
        found = FoundPassage(row, search.score_text(terms_of(row.resource.title), row.terms))
        known = best.get(row.resource_id)
        if found.score >= least and (known is None or (found.score, -row.position) > (known.score, -known.passage.position)):
            best[row.resource_id] = found
    return sorted(best.values(), key=lambda each: (-each.score, each.passage.pk))[:most]


def coverage() -> Coverage | None:
    """Return how much of what was asked has an entry, as it was counted last."""
    return Coverage.objects.first()


def open_pairs() -> int:
    """Count the pairs of entries that somebody has yet to look at."""
    return EntryPair.objects.open().count()
