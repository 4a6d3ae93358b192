"""Drafts of similar questions in the words of this one, by the language model; each sentence keeps the sources it came from."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from portal.language_model.models import Outcome
from portal.language_model.services import NotRewritten, Wish, rewrite
from portal.questionnaires.answers import Part
from portal.questionnaires.drafted_answers.composition import Composed
from portal.questionnaires.drafted_answers.form_values import explanation_among, fit
from portal.questionnaires.models import DraftReason, Response

REWRITTEN: Final = (DraftReason.NEAR, DraftReason.ASSEMBLED)
"""What was said to the very question stays as it was said."""
MAX_FAILURES: Final = 2
"""In a row: then the server is left alone, and the other drafts stay as they were found."""
OF_THE_SERVER: Final = (Outcome.NO_ANSWER, Outcome.REFUSED, Outcome.UNREACHABLE)


class Rewriter:
    """Rewrites the drafts of one turn of a run, until the server or the budget ends it. `ended` says why, in words."""

    def __init__(self, *, asked_for: str, ended: str = "") -> None:
        self.ended = ended
        self._asked_for = asked_for
        self._failures = 0

    def improve(self, composed: Composed, response: Response) -> Composed:
        """Return a draft with its sentences rewritten, or as it is."""
        if self.ended:
            return composed
        try:
            found = rewritten(composed, response, asked_for=self._asked_for)
        except NotRewritten as error:
            self._note(error.outcome)
            return composed
        self._failures = 0
        return found

    def _note(self, outcome: Outcome | None) -> None:
        if outcome is None:
            self.ended = "It was turned off, or its budget is used up."
        elif outcome in OF_THE_SERVER:
            self._failures += 1
            if self._failures >= MAX_FAILURES:
                self.ended = f"{outcome.label}."


def rewritten(composed: Composed, response: Response, *, asked_for: str = "") -> Composed:
    """Have the text of a draft rewritten, if it is one of several or of a similar question. Raises NotRewritten."""
    part = _part_to_rewrite(composed, response.answer.parts)
    places = [at for at, source in enumerate(composed.sources) if source.text]
    if part is None or not places or any(source.is_reversed for source in composed.sources):
        return composed
    passages = [composed.sources[at].text for at in places]
    found = rewrite(Wish(question=response.question, passages=passages, asked_for=asked_for))
    source = replace(composed.sources[places[0]], text=" ".join(each.text for each in found), parts=[])
    text = fit(response.answer.parts, source).get(part.id)
    if text is None:
        return composed  # too long for the form, which takes the shorter one as it was found
    sentences = [{"text": each.text, "sources": [places[at] for at in each.sources]} for each in found]
    return replace(composed, values=composed.values | {part.id: text}, sentences=sentences)


def _part_to_rewrite(composed: Composed, parts: Sequence[Part]) -> Part | None:
    part = explanation_among([part for part in parts if part.is_editable])
    is_wanted = composed.reason in REWRITTEN and part is not None and part.id in composed.values
    return part if is_wanted else None
