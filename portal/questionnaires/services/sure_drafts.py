"""Saving together the drafts that answer the very same question: a person has read them, and each is saved as it stands.

Drafts of other questions, and those that the language model has put into other words, are read and saved one by one.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from portal.platform_api import Platform
from portal.questionnaires.models import DraftedAnswer, DraftReason, Questionnaire, Response
from portal.questionnaires.models.drafted import DraftedAnswerQuerySet
from portal.questionnaires.services.answers import AnswerConflict, update_answer
from portal.questionnaires.services.decisions import NotAllowed
from portal.questionnaires.services.drafted_answers import SETTLED_BY_SAVE, draft_version
from portal.questionnaires.services.saved_answers import Inserted, note_save
from portal.tenants.models import Membership

MIN_CONFIDENCE: Final = 95
"""Percent: an approved answer to the very question, or a verified entry."""
GONE = "The draft no longer exists: the question was answered or has changed, or the draft was dismissed. Nothing was saved."
ANSWERED = "Someone answered it in the meantime. Nothing was saved."


def sure_drafts(questionnaire: Questionnaire) -> DraftedAnswerQuerySet:
    """Return the drafts that may be saved together, in the order of the questions.

    A question that somebody has begun to answer in words of their own is left to them.
    """
    rows = DraftedAnswer.objects.offered().filter(response__questionnaire=questionnaire, response__gone_at=None)
    rows = rows.filter(reason=DraftReason.SAME, confidence__gte=MIN_CONFIDENCE, sentences=[], response__drafts=None)
    return rows.order_by("response__position", "response_id")


def save_draft(
    response: Response,
    *,
    offered_before: datetime,
    member: Membership,
    client: Platform,
    checks_before_retry: bool,
    then: Callable[[], object],
) -> None:
    """Save the draft that a person saw at `offered_before`, unless the question has another answer by now.

    `checks_before_retry`: an earlier call may have saved it. `then` runs in the transaction that writes it down.
    Raises NotAllowed, ResponseGone, OutcomeUnknown, NotConnected or a PlatformError.
    """
    # What an earlier call has saved is here already; it has ended the draft.
    may_be_saved = checks_before_retry and response.is_answered
    rows = DraftedAnswer.objects.filter(response=response, made_at__lte=offered_before)
    drafted = (rows.filter(state__in=SETTLED_BY_SAVE) if may_be_saved else rows.offered()).order_by("pk").last()
    if drafted is None or not (may_be_saved or drafted.seen == draft_version(response)):
        raise NotAllowed(GONE)

    def note(saved: Response) -> None:
        inserted = Inserted(drafted=str(drafted.pk))
        note_save(response, saved, inserted=inserted, parts=drafted.values, member=member, is_timed=False)
        then()

    # An answer that is here is never written over: it is the draft's, or somebody else's.
    seen = "" if response.is_answered else response.answer.fingerprint
    try:
        update_answer(response, member=member, seen=seen, parts=drafted.values, client=client, then=note)
    except AnswerConflict as error:
        raise NotAllowed(ANSWERED) from error
