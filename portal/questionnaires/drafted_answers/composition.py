"""The draft of an answer to one question: of the surest source, completed by others; or why there is none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from portal.library.caveats import Caveat
from portal.questionnaires.answers import Kind, Part
from portal.questionnaires.drafted_answers.form_values import SHORT, fit
from portal.questionnaires.drafted_answers.sources import Source, sources_for
from portal.questionnaires.models import DRAFTED_FOR, DraftReason, Response

EMPTY_CHOICE, EMPTY_REQUIRED, EMPTY_TEXT = 25, 25, 4
"""What an empty part counts against a source beside another: a choice, another part that has to be filled in, and any other."""
INCOMPLETE: Final = 90
"""The most that is left where a choice or a part that has to be filled in stays empty: somebody has to add to it."""
ASSEMBLED: Final = 3
"""Percent that it takes off where an answer comes from several sources."""
WORTH_NAMING: Final = 25
"""What is less sure is about something else."""
COUNTS_AGAINST: Final = 80
"""From so many percent on, a source that says otherwise stands against a draft."""


@dataclass(frozen=True, kw_only=True)
class Composed:
    """A draft with how sure it is; or none, why, and how sure the closest one would be."""

    reason: DraftReason
    confidence: int = 0
    values: dict[str, Any] = field(default_factory=dict)
    """By part id, as the platform takes them."""
    sources: Sequence[Source] = ()
    sentences: Sequence[Mapping[str, Any]] = ()
    """Where the language model has rewritten it: `{"text", "sources"}`, with the places of the sources from 0 on."""

    def at_least(self, least: int) -> "Composed":
        """Return it if it is sure enough; else why it is left out."""
        if self.reason not in DRAFTED_FOR or self.confidence >= least:
            return self
        return replace(self, reason=_why_unsure(self.sources[0]), values={})


def compose(response: Response, *, now: datetime) -> Composed:
    """Draft an answer to a question, however sure it is."""
    parts = response.answer.parts
    if not any(part.is_editable for part in parts):
        return Composed(reason=DraftReason.FORM)
    sources = [source for source in sources_for(response, now) if source.percent >= WORTH_NAMING]
    if not sources:
        return Composed(reason=DraftReason.NOTHING)
    if Caveat.CONTRARY in sources[0].caveats:
        return Composed(reason=DraftReason.CONTRARY, confidence=sources[0].percent, sources=sources[:1])
    if contradicting := _contradicting(sources):
        return Composed(reason=DraftReason.CONTRADICTION, confidence=sources[0].percent, sources=contradicting)
    tried = [_composed(parts, source, sources) for source in sources if _is_near_best(source, sources)]
    return max(tried, key=lambda composed: (bool(composed.values), composed.confidence - _missing(parts, composed.values)))


def _is_near_best(source: Source, sources: Sequence[Source]) -> bool:
    """A source of the very question may fit the form better than one that is a little surer."""
    return source is sources[0] or (source.is_same and not source.caveats)


def _composed(parts: Sequence[Part], source: Source, sources: Sequence[Source]) -> Composed:
    values, used = fit(parts, source), [source]
    for other in sources:
        if other is source or not _completes(other, source):
            continue
        more = {part_id: value for part_id, value in fit(parts, other).items() if part_id not in values}
        if more:
            values |= more
            used.append(other)
    if not values:
        return Composed(reason=DraftReason.FORM, confidence=source.percent, sources=used)
    confidence = min(each.percent for each in used) - (ASSEMBLED if len(used) > 1 else 0)
    if any(part.kind in SHORT or part.is_required for part in _empty(parts, values)):
        confidence = min(confidence, INCOMPLETE)
    reason = DraftReason.ASSEMBLED if len(used) > 1 else DraftReason.SAME if source.is_same else DraftReason.NEAR
    return Composed(reason=reason, confidence=max(0, confidence), values=values, sources=used)


def _completes(other: Source, source: Source) -> bool:
    """Say whether the one may stand beside the other in one answer. What contradicts it has ended the draft before."""
    return other.is_same and source.is_same and other.is_reversed == source.is_reversed and not other.caveats


def _empty(parts: Sequence[Part], values: dict[str, Any]) -> list[Part]:
    return [part for part in parts if part.id not in values and part.kind is not Kind.UNKNOWN]


def _missing(parts: Sequence[Part], values: dict[str, Any]) -> int:
    empty = _empty(parts, values)
    return sum(EMPTY_CHOICE if part.kind in SHORT else EMPTY_REQUIRED if part.is_required else EMPTY_TEXT for part in empty)


def _contradicting(sources: Sequence[Source]) -> list[Source]:
    """Return two sources of which one says Yes and the other something else, if either could have been the draft."""
    saying = [source for source in sources if source.meaning and (source.is_same or source.percent >= COUNTS_AGAINST)]
    others = [source for source in saying if source.meaning is not saying[0].meaning]
    return [saying[0], others[0]] if others else []


def _why_unsure(source: Source) -> DraftReason:
    order = (Caveat.CONTRARY, Caveat.SCOPE, Caveat.NUMBERS, Caveat.TIME)
    return next((DraftReason(caveat.value) for caveat in order if caveat in source.caveats), DraftReason.UNSURE)
