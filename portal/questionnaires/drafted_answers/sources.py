"""What was said before that may answer a question: entries of the library and earlier answers, each with how sure it is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q
from django.utils import timezone

from portal.lib.text_keys import key_of
from portal.library.caveats import Caveat, asks_of_time, caveats
from portal.library.models import Entry, State, Wording
from portal.library.selectors import FoundEntry, find_entries
from portal.library.similarity import Search, like
from portal.library.terms import terms_of
from portal.questionnaires.answers import Kind, Part
from portal.questionnaires.drafted_answers.confidence import Signs, lead_of, signs_of
from portal.questionnaires.drafted_answers.meaning import Meaning, meaning_of_label, meaning_of_text
from portal.questionnaires.models import Response, Standing
from portal.questionnaires.stages import FINISHED

ENTRIES, ANSWERS, WORDINGS = 5, 12, 12
"""So many are looked at for one question."""
SAME_ENTRY, SAME_ANSWER = 99, 97
"""Percent: for an entry and for an approved answer to the very question."""
WORTH_READING: Final = 60
"""Answers to other questions that are less sure are not looked at."""
CAVEAT_PERCENT: Final = 60
"""The most that is left where something stands against it: less than what is drafted unless somebody asks for less."""
NOT_VERIFIED, NOT_APPROVED, NOT_SENT, OLD, VERY_OLD = 15, 8, 25, 8, 15
RECENT, AGED = timedelta(days=180), timedelta(days=365)
CHOSEN: Final = (Kind.CHOICE, Kind.CHOICES, Kind.BOOLEAN)


@dataclass(frozen=True, kw_only=True)
class Source:
    """Something that was said before."""

    row: Entry | Response
    percent: int
    """How sure it is that it answers the question."""
    is_same: bool
    """It was said to the very same question."""
    is_whole: bool = True
    """It has what is asked for; otherwise it says something to it, and what to choose is left to a person."""
    is_reversed: bool = False
    """The question asks for the contrary of what it was written for."""
    meaning: Meaning | None = None
    """What it says to the question at hand."""
    short: str = ""
    text: str = ""
    parts: list[Part] = field(default_factory=list)
    """Of an earlier answer."""
    caveats: frozenset[Caveat] = frozenset()

    @property
    def key(self) -> tuple[str, int]:
        return ("entry" if isinstance(self.row, Entry) else "response"), self.row.pk


def sources_for(response: Response, now: datetime) -> list[Source]:
    """Find what may answer a question, the surest first. What has expired, and what a reviewer returned, is not among it."""
    search = Search(response.question)
    entries = find_entries(search, today=timezone.localdate(now), most=ENTRIES)
    found = [_from_entry(response, search, each, entries) for each in entries if each.entry.state != State.EXPIRED]
    found += _from_answers(response, search, now)
    return sorted(found, key=lambda source: (-source.percent, source.key))


def _is_same(found: FoundEntry, search: Search) -> bool:
    return bool(found.wording and found.wording.key == search.key)


def signs_of_entry(search: Search, wording: Wording, found: FoundEntry, entries: Sequence[FoundEntry]) -> Signs:
    """Tell how an entry fits a question beside the others that were found for it. `wording` is the one it was found by."""
    others = [(each.wording, each.score) for each in entries if each is not found and each.wording]
    lead = lead_of(search, wording, found.score, others)
    return signs_of(search, wording, score=found.score, lead=lead, answer=terms_of(found.entry.answer))


def _from_entry(response: Response, search: Search, found: FoundEntry, entries: Sequence[FoundEntry]) -> Source:
    entry, is_same, against = found.entry, _is_same(found, search), frozenset[Caveat]()
    percent, is_whole = SAME_ENTRY, True
    if found.wording and not is_same:
        against = frozenset(caveats(response.question, found.wording.words.split(), entry.answer))
        signs = signs_of_entry(search, found.wording, found, entries)
        percent, is_whole = signs.percent, signs.is_whole
    if entry.state != State.VERIFIED:
        percent -= NOT_VERIFIED
        if asks_of_time(response.question):
            against |= {Caveat.TIME}
    meaning = meaning_of_label(entry.short) if entry.short else meaning_of_text(entry.text)
    return Source(
        row=entry,
        percent=_capped(percent, against),
        is_same=is_same,
        is_whole=is_whole,
        is_reversed=found.is_reversed,
        meaning=meaning.contrary if meaning and found.is_reversed else meaning,
        short=entry.short,
        text=entry.text,
        caveats=against,
    )


def _from_answers(response: Response, search: Search, now: datetime) -> Iterable[Source]:
    """Take each answer once: the newest approved one to the same question, and those to questions that are like it."""
    rows = Response.objects.remembered().reviewed().exclude(pk=response.pk).exclude(Q(standing=Standing.RETURNED))
    rows = rows.select_related("questionnaire").order_by("-id")
    same = list(rows.filter(question_key=response.question_key)[:ANSWERS]) if response.question_key else []
    near = _near_wordings(search, besides=response.question_key)
    known = {each.key: each for each in search.wordings}
    taken = set[tuple[str, str]]()
    others = rows.filter(question_key__in=[key for key, signs in near.items() if signs.percent >= WORTH_READING])[:ANSWERS]
    for row in [*sorted(same, key=lambda row: row.standing != Standing.APPROVED), *others]:
        if (row.question_key, row.answer_key) in taken:
            continue
        taken.add((row.question_key, row.answer_key))
        is_same, against = row.question_key == response.question_key, frozenset[Caveat]()
        percent, is_whole = SAME_ANSWER, True
        if not is_same:
            wording = known[row.question_key]
            against = frozenset(caveats(response.question, wording.words.split(), row.answer_text))
            percent, is_whole = near[row.question_key].percent, near[row.question_key].is_whole
        yield _from_answer(response, row, percent=percent, is_whole=is_whole, against=against, now=now)


def _near_wordings(search: Search, *, besides: str) -> dict[str, Signs]:
    """Return what tells whether the answers to earlier questions fit this one, by the keys of the earlier ones."""
    scores = like(search, most=WORDINGS, besides=[besides])
    near = [(each, scores[each.key]) for each in search.wordings if each.key in scores]
    found = dict[str, Signs]()
    for wording, score in near:
        lead = lead_of(search, wording, score, [each for each in near if each[0] is not wording])
        found[wording.key] = signs_of(search, wording, score=score, lead=lead)
    return found


def _from_answer(
    response: Response, row: Response, *, percent: int, is_whole: bool, against: frozenset[Caveat], now: datetime
) -> Source:
    parts = [part for part in row.answer.parts if part.is_editable and not part.is_empty(part.value)]
    short = next((part.text for part in parts if part.kind in CHOSEN), "")
    text = "\n".join(part.text for part in parts if part.kind is Kind.TEXT)
    if row.standing != Standing.APPROVED:
        percent -= NOT_APPROVED if row.questionnaire.status in FINISHED else NOT_SENT
    age = now - (row.questionnaire.completed_at or row.questionnaire.updated_at)
    percent -= VERY_OLD if age > 2 * AGED else OLD if age > AGED else 0
    if age > RECENT and asks_of_time(response.question):
        against |= {Caveat.TIME}
    return Source(
        row=row,
        percent=_capped(percent, against),
        is_same=key_of(row.question) == response.question_key,
        is_whole=is_whole,
        meaning=meaning_of_label(short) if short else meaning_of_text(text),
        short=short,
        text=text,
        parts=parts,
        caveats=against,
    )


def _capped(percent: int, against: frozenset[Caveat]) -> int:
    return max(0, min(percent, CAVEAT_PERCENT if against else percent))
