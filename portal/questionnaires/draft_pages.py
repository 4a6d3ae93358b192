"""What pages say of a draft: why it is there, what it was made of, and what came of the others of its run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count
from django.urls import reverse

from portal.library.models import Entry
from portal.questionnaires.models import DraftedAnswer, DraftingRun, DraftReason, DraftState, Questionnaire, Response

DRAFTED_STATES = tuple(state for state in DraftState if state not in (DraftState.WAITING, DraftState.LEFT_OUT))


@dataclass(frozen=True, kw_only=True)
class ShownSource:
    """An entry or an earlier answer, as a link."""

    title: str
    url: str
    where: str
    percent: int
    is_reversed: bool = False
    at: Any = None


@dataclass(frozen=True, kw_only=True)
class ShownDraft:
    """A draft with what it was made of."""

    row: DraftedAnswer
    sources: Sequence[ShownSource]
    sentences: Sequence[tuple[str, Sequence[int]]] = ()
    """Of the language model, each with the numbers of its sources, from 1 on."""

    @property
    def parts(self) -> list[tuple[str, str]]:
        """What it would answer, as people read it: the label of each part and its value."""
        answer = self.row.response.answer
        return [(part.label, part.read(self.row.values[part.id])) for part in answer.parts if part.id in self.row.values]


def shown_draft(row: DraftedAnswer | None, slug: str) -> ShownDraft | None:
    return shown_drafts([row], slug)[0] if row else None


def shown_drafts(rows: Sequence[DraftedAnswer], slug: str) -> list[ShownDraft]:
    """Name the sources of drafts, in two queries for all of them; a source that is gone is left out."""
    named = [(each["kind"], each["id"]) for row in rows for each in row.sources]
    known = _entries(_ids(named, "entry"), slug) | _answers(_ids(named, "response"), slug)
    return [ShownDraft(row=row, sources=_sources_of(row, known), sentences=_sentences_of(row, known)) for row in rows]


def running_draft(questionnaire: Questionnaire) -> DraftingRun | None:
    return DraftingRun.objects.filter(questionnaire=questionnaire, finished_at=None).first()


def left_out_by_reason(run: DraftingRun) -> list[tuple[DraftReason, int]]:
    """Count what was not drafted by why, the most first."""
    rows = DraftedAnswer.objects.filter(run=run, state=DraftState.LEFT_OUT).order_by().values("reason")
    counted = rows.annotate(number=Count("pk")).order_by("-number", "reason")
    return [(DraftReason(each["reason"]), each["number"]) for each in counted]


def outcome_of(counts: Mapping[str, int]) -> str:
    """Say what came of a run's drafts, for example `12 drafted · 8 accepted unchanged · 1 edited`."""
    words = {
        DraftState.OFFERED: "to review",
        DraftState.ACCEPTED: "accepted unchanged",
        DraftState.EDITED: "accepted with edits",
        DraftState.DISMISSED: "dismissed",
        DraftState.SUPERSEDED: "answered otherwise",
        DraftState.REMOVED: "undone",
    }
    return " · ".join(f"{counts[state]} {said}" for state, said in words.items() if counts.get(state))


def _ids(named: Iterable[tuple[str, int]], kind: str) -> set[int]:
    return {key for each, key in named if each == kind}


def _sources_of(row: DraftedAnswer, known: Mapping[tuple[str, int], Mapping[str, Any]]) -> list[ShownSource]:
    there = [(known[each["kind"], each["id"]], each) for each in row.sources if (each["kind"], each["id"]) in known]
    return [ShownSource(**facts, percent=each["percent"], is_reversed=each["is_reversed"]) for facts, each in there]


def _sentences_of(row: DraftedAnswer, known: Mapping[tuple[str, int], Mapping[str, Any]]) -> list[tuple[str, list[int]]]:
    """Name the sources by their numbers among those that are still there."""
    there = [at for at, each in enumerate(row.sources) if (each["kind"], each["id"]) in known]
    numbers = {at: number for number, at in enumerate(there, 1)}
    return [(each["text"], [numbers[at] for at in each["sources"] if at in numbers]) for each in row.sentences]


def _entries(ids: set[int], slug: str) -> dict[tuple[str, int], Mapping[str, Any]]:
    rows = Entry.objects.filter(pk__in=ids).only("question", "verified_at")
    return {
        ("entry", row.pk): {
            "title": str(row),
            "url": reverse("library:entry", args=[slug, row.pk]),
            "where": "Library",
            "at": row.verified_at,
        }
        for row in rows
    }


def _answers(ids: set[int], slug: str) -> dict[tuple[str, int], Mapping[str, Any]]:
    rows = Response.objects.filter(pk__in=ids).select_related("questionnaire").defer("payload", "search")
    return {
        ("response", row.pk): {
            "title": str(row),
            "url": reverse("questionnaires:response", args=[slug, row.questionnaire.platform_id, row.platform_id]),
            "where": str(row.questionnaire),
            "at": row.questionnaire.completed_at or row.questionnaire.updated_at,
        }
        for row in rows
    }
