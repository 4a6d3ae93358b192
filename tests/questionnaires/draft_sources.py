"""A library and earlier answers to draft from."""

from typing import Any

from django.utils import timezone

from portal.library.models import Entry
from portal.library.services import EntryContent, add_entry
from portal.questionnaires.models import DraftedAnswer, DraftingRun, Questionnaire, Response
from portal.questionnaires.services import start_drafting
from portal.questionnaires.tasks import work_on_drafting_run
from portal.tenants.models import Membership
from tests.questionnaires.conftest import TWO_PARTS, Desk

MFA = "Is multi-factor authentication required for employees?"
WRITTEN = "Every employee signs in with a passkey."


def add_verified(member: Membership, question: str = MFA, **words: Any) -> Entry:
    """Write an entry that is true today."""
    given = {"short": "Yes", "text": WRITTEN, **words}
    entry = add_entry(EntryContent(question=question, **given), member=member)
    Entry.objects.filter(pk=entry.pk).update(verified_at=timezone.now())
    return entry


def ask_there(desk: Desk, question: str = MFA, schema: Any = TWO_PARTS) -> Response:
    """Have the platform ask the first question of the open questionnaire anew, without an answer."""
    return desk.set_answer(schema, {}, question=question, approvedBy=None, answer=None)


def draft_all(questionnaire: Questionnaire, member: Membership, *, least: int = 75) -> DraftingRun:
    run = start_drafting(questionnaire, least=least, member=member)
    work_on_drafting_run(run.tenant_id, run.pk)
    run.refresh_from_db()
    return run


def draft_of_question(response: Response) -> DraftedAnswer:
    return DraftedAnswer.objects.filter(response=response).latest("pk")
