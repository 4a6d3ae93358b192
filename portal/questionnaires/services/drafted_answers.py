"""What becomes of a draft that the portal offers: a person saves it as it is or changed, dismisses it, or answers otherwise."""

from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.lib.line_breaks import unified
from portal.lib.row_keys import row_key
from portal.page_refresh.services import touch_areas
from portal.questionnaires.models import DraftedAnswer, DraftState, Questionnaire, Response
from portal.questionnaires.models.drafted import DraftedAnswerQuerySet
from portal.questionnaires.services.locks import lock_questionnaires
from portal.tenants.models import Membership, Role

SETTLED_BY_SAVE = (DraftState.OFFERED, DraftState.SUPERSEDED)
"""The save itself has the answer read back, which ends the draft a moment before it is known what became of it."""


def draft_version(response: Response) -> str:
    """Stand for the question and its form: a draft that was made for others counts no more."""
    return sha256(f"{response.question_key} {response.answer.fingerprint}".encode()).hexdigest()


def offered_draft(response: Response) -> DraftedAnswer | None:
    """Return the draft of a question that stands: nobody has answered, and the form is the one that it was made for."""
    if response.draft_confidence is None or response.is_answered or response.gone_at:
        return None
    return DraftedAnswer.objects.offered().filter(response=response, seen=draft_version(response)).first()


@transaction.atomic
def dismiss_draft(response: Response, *, member: Membership) -> bool:
    """Drop the draft of a question; the same one is not offered again. False when there is none any more."""
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    number = withdraw(DraftedAnswer.objects.filter(response=response), DraftState.DISMISSED, member=member)
    if number:
        _note(response, "response.draft_dismiss", "Dismissed the draft", member)
    return bool(number)


@transaction.atomic
def settle_draft(
    saved: Response, drafted_id: str, *, parts: Mapping[str, Any], member: Membership
) -> tuple[DraftState | None, list[int]]:
    """Note what became of a draft once an answer is saved; return its end, if this is it, and the entries that it was made of.

    `drafted_id` is the draft that the form showed; `parts` is what was saved.
    """
    lock_questionnaires([saved.questionnaire_id])
    rows = DraftedAnswer.objects.select_for_update().filter(response=saved, state__in=SETTLED_BY_SAVE)
    shown = rows.filter(pk=row_key(drafted_id)).first()
    state = None
    if shown and parts:
        state = DraftState.ACCEPTED if _is_unchanged(saved, shown.values, parts) else DraftState.EDITED
        rows.filter(pk=shown.pk).update(state=state, decided_at=timezone.now(), decided_by=member.user)
        is_edited = state == DraftState.EDITED
        summary = "Edited and accepted the draft" if is_edited else "Accepted the draft"
        _note(saved, "response.draft_accept", summary, member, confidence=shown.confidence, is_edited=is_edited)
    if saved.is_answered:
        withdraw(DraftedAnswer.objects.filter(response=saved), DraftState.SUPERSEDED, member=member)
        Response.objects.filter(pk=saved.pk).update(draft_confidence=None)
        show_drafts([saved.questionnaire_id])
    return state, [each["id"] for each in shown.sources if each["kind"] == "entry"] if shown else []


def supersede_drafts(questionnaire: Questionnaire, stored: Iterable[Response]) -> None:
    """End the drafts of questions that the platform has answered, or whose form is another one. Call it in a transaction."""
    ids = {row.platform_id: row for row in stored}
    rows = DraftedAnswer.objects.offered().filter(response__questionnaire=questionnaire, response__platform_id__in=ids)
    over = [
        row.pk
        for row in rows.select_related("response").defer("response__payload")
        if ids[row.response.platform_id].is_answered or draft_version(ids[row.response.platform_id]) != row.seen
    ]
    if over:
        withdraw(DraftedAnswer.objects.filter(pk__in=over), DraftState.SUPERSEDED)


def withdraw(rows: DraftedAnswerQuerySet, state: DraftState, *, member: Membership | None = None) -> int:
    """End those of these drafts that are offered; return how many. Call it in a transaction."""
    lock_questionnaires(rows.offered().values_list("response__questionnaire", flat=True))
    found = list(rows.offered().select_for_update().order_by("pk").values_list("pk", "response"))
    ended = DraftedAnswer.objects.offered().filter(pk__in=[key for key, _ in found])
    number = ended.update(state=state, decided_at=timezone.now(), decided_by=member.user if member else None)
    if number:
        questions = Response.objects.filter(pk__in=[response for _, response in found])
        questions.update(draft_confidence=None)
        show_drafts(questions.values_list("questionnaire", flat=True).distinct())
    return number


def show_drafts(questionnaires: Collection[int] | Any) -> None:
    """Have open pages of these questionnaires draw themselves anew."""
    Questionnaire.objects.filter(pk__in=list(questionnaires)).update(touched_at=timezone.now())
    touch_areas("questionnaires")


def _is_unchanged(saved: Response, drafted: Mapping[str, Any], parts: Mapping[str, Any]) -> bool:
    answer = saved.answer
    same = (answer.part(part_id).is_same(_unified(parts.get(part_id)), _unified(value)) for part_id, value in drafted.items())
    return drafted.keys() == parts.keys() and all(same)


def _unified(value: Any) -> Any:
    return unified(value).strip() if isinstance(value, str) else value


def _note(response: Response, action: str, summary: str, member: Membership, **details: Any) -> None:
    record(
        action,
        target=("response", response.platform_id),
        summary=f"{summary}: “{response.question[:150]}”",
        actor=member.user,
        details={"questionnaire": response.questionnaire.platform_id, **details},
    )
