"""What the page of coverage shows: lines of questions without an entry, and what fills the form of a new one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Window
from django.db.models.functions import RowNumber

from portal.library.asked import Question, approved_answer, last_answered, questions
from portal.library.models import MAX_QUESTION, Entry, Gap, Wording
from portal.library.similarity import WORTH_SHOWING
from portal.library.themes import OTHER_TITLE, theme_titles
from portal.library.typed import one_line

MAX_WORDINGS = 5
"""Of each line so many wordings are looked through for an answer."""
MAX_OTHERS = 10
"""So many other wordings are put into the form of a new entry."""


@dataclass(frozen=True, kw_only=True)
class GapLine:
    """A question without an entry, as the page lists it."""

    gap: Gap
    theme: str
    question: Question | None
    """As it was asked last in its most frequent wording; nothing once that is gone."""
    others: Sequence[Question]
    """Other wordings of it."""
    answered: Question | None
    """The one that was answered last, of any wording."""

    @property
    def nearest(self) -> Entry | None:
        """The entry that may answer it all the same."""
        return self.gap.wording.best_entry if self.gap.wording.score >= WORTH_SHOWING else None

    @property
    def percent(self) -> int:
        return round(100 * self.gap.wording.score)


def gap_lines(gaps: Sequence[Gap], slug: str) -> list[GapLine]:
    """Say of the gaps of one page what was asked and answered: a handful of queries."""
    wordings = _wordings_of(gaps)
    asked = questions({row.asked_as for rows in wordings.values() for row in rows if row.asked_as}, slug)
    answers = last_answered([row.key for rows in wordings.values() for row in rows], slug)
    titles = theme_titles()
    return [
        GapLine(
            gap=gap,
            theme=titles.get(gap.theme, OTHER_TITLE),
            question=asked.get(gap.wording.asked_as or 0),
            others=[
                asked[row.asked_as]
                for row in wordings.get(gap.pk, ())
                if row.pk != gap.wording_id and row.asked_as and row.asked_as in asked
            ],
            answered=next((answers[row.key] for row in wordings.get(gap.pk, ()) if row.key in answers), None),
        )
        for gap in gaps
    ]


def entry_of_gap(gap: Gap, slug: str) -> dict[str, Any]:
    """Give what the form of a new entry begins with: how it was asked, and the newest approved answer."""
    rows = list(gap.wordings.order_by("-asked_count", "pk")[: MAX_OTHERS + 1])
    asked = questions([row.asked_as for row in rows if row.asked_as], slug)
    texts = [one_line(asked[row.asked_as].text)[:MAX_QUESTION] for row in rows if row.asked_as and row.asked_as in asked]
    answer = approved_answer([row.key for row in rows])
    return {
        "question": texts[0] if texts else "",
        "variants": "\n".join(texts[1:]),
        **({"short": answer.short, "text": answer.text} if answer else {}),
    }


def _wordings_of(gaps: Sequence[Gap]) -> Mapping[int, list[Wording]]:
    """Return the most frequent wordings of each gap."""
    place = Window(RowNumber(), partition_by=F("gap"), order_by=[F("asked_count").desc(), F("pk")])
    rows = Wording.objects.filter(gap__in=gaps).annotate(place=place).filter(place__lte=MAX_WORDINGS).order_by("gap", "place")
    found: dict[int, list[Wording]] = {}
    for row in rows:
        found.setdefault(row.gap_id or 0, []).append(row)
    return found
