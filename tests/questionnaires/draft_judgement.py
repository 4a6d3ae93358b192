"""Judging drafts: over a library and questions with the entries that answer them, as `tests.library.judgement` reads them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils import timezone

from portal.lib.text_keys import key_of
from portal.library.models import Entry
from portal.questionnaires.drafted_answers.composition import Composed, compose
from portal.questionnaires.models import DRAFTED_FOR, Questionnaire, Response
from tests.library.judgement import fill_library

FORM: Final = {
    "type": "object",
    "properties": {
        "choice": {"type": "string", "enum": ["Yes", "No", "Not applicable"], "title": "Answer"},
        "text": {"type": "string", "title": "Explanation"},
    },
}
type Asked = dict[str, Any]
"""A line of a library, or of questions."""


@dataclass
class DraftJudgement:
    """What became of questions at a least confidence."""

    right: int = 0
    wrong: list[str] = field(default_factory=list)
    """Drafted from an entry that does not answer the question, or with a choice where the contrary was asked."""
    chosen_wrong: int = 0
    """How many of the wrong ones say Yes, No or Not applicable."""
    left_out: int = 0


def draft_each(entries: Sequence[Asked], questions: Iterable[Asked]) -> list[tuple[Asked, Composed]]:
    """Store entries in the tenant in scope, all of them verified, and draft an answer to each question, however sure."""
    fill_library(entries)
    Entry.objects.update(verified_at=timezone.now())
    now = timezone.now()
    questionnaire = Questionnaire.objects.create(
        platform_id="judged", name="Judged", status="IN_PROGRESS", created_at=now, updated_at=now
    )
    found = []
    for each in questions:
        payload = {"id": "one", "question": each["question"], "answerPartsSchema": FORM, "answerPartsValues": {}}
        columns = {"question": each["question"], "question_key": key_of(each["question"]), "payload": payload}
        response = Response(pk=1, questionnaire=questionnaire, platform_id="one", position=0, **columns)
        found.append((each, compose(response, now=now)))
    return found


def judge_drafts(entries: Sequence[Asked], drafted: Iterable[tuple[Asked, Composed]], least: int) -> DraftJudgement:
    ids, judgement = {each["question"]: each["id"] for each in entries}, DraftJudgement()
    for asked, composed in drafted:
        draft = composed.at_least(least)
        if draft.reason not in DRAFTED_FOR:
            judgement.left_out += 1
            continue
        is_right = ids[draft.sources[0].row.question] in asked["expected"]
        if is_right and not (asked.get("kind") == "reversed" and "choice" in draft.values):
            judgement.right += 1
        else:
            judgement.wrong.append(asked["question"])
            judgement.chosen_wrong += "choice" in draft.values
    return judgement
