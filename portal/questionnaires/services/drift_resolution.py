"""A person says which of different answers is true: the library keeps it, and customers who got another are corrected."""

from datetime import timedelta
from typing import Final

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.page_refresh.services import touch_areas
from portal.questionnaires.library_uses import keep_true_answer
from portal.questionnaires.models import Correction, CorrectionState, Drift, Response
from portal.questionnaires.sent_answers import Comparison, SentAnswer, Telling
from portal.questionnaires.services.decisions import NotAllowed
from portal.tenants.models import Membership, Role

DRIFT: Final = "questionnaire_drift"
"""The kind of a question in the history."""
CORRECT_WITHIN: Final = timedelta(days=7)


def dismiss_drift(drift: Drift, *, member: Membership, seen: str) -> Drift:
    """Say that every answer is right that the person has seen (`Drift.version`). Another one opens the question again.

    Raises NotAllowed when there is another one already.
    """
    with transaction.atomic():
        drift = _lock(drift, member, seen=seen)
        Correction.objects.open().filter(drift=drift).delete()
        drift.resolve()
        return _save(drift, "questionnaire.drift_dismiss", f"All answers are right: {drift.question[:200]}", member)


def resolve_drift(drift: Drift, *, right: str, member: Membership, seen: str) -> bool:
    """Say which answer is true (the key of what it says): it goes into the library, and a correction per customer is due.

    Return whether its entry in the library, which was about to expire, does so no longer.
    Raises NotAllowed when the answers are other ones than the person has seen.
    """
    answers = Comparison().answers_to(drift.question_key)
    with transaction.atomic():
        drift = _lock(drift, member, seen=seen)
        if right not in answers or right not in drift.answers:
            raise NotAllowed("This answer no longer exists. Check again.")
        wrong = {key: answer for key, answer in answers.items() if key != right}
        drift.resolve(right, (telling.response_id for answer in wrong.values() for telling in answer.tellings))
        entry, is_lasting = keep_true_answer(Response.objects.get(pk=answers[right].newest.response_id), member=member)
        drift.entry_id = entry.pk
        due = to_correct(answers[right], [*wrong.values()])
        # Those of an earlier truth, or of a customer who was told the true one since, are not due any more.
        still = [each.response_id for each in due]
        Correction.objects.open().filter(drift=drift).exclude(right_answer=right, response__in=still).delete()
        _require_corrections(drift, due, member)
        _save(drift, "questionnaire.drift_resolve", f"One answer is right: {drift.question[:200]}", member)
    return is_lasting


def reopen_drift(drift: Drift, *, member: Membership) -> Drift:
    """Take that word back. Corrections that nobody has made yet are no longer due; the library keeps its entry."""
    with transaction.atomic():
        drift = _lock(drift, member)
        Correction.objects.open().filter(drift=drift).delete()
        drift.dismissed_answers, drift.right_answer, drift.settled_responses = [], [], []
        drift.is_open = drift.answer_count > 1
        return _save(drift, "questionnaire.drift_reopen", f"Reopened: {drift.question[:200]}", member, settled=False)


def decide_correction(correction: Correction, state: CorrectionState, *, member: Membership) -> Correction:
    """Say that a customer was corrected, need not be, or has to be after all."""
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    with transaction.atomic():
        row = Correction.objects.select_for_update().get(pk=correction.pk)
        is_open = state == CorrectionState.OPEN
        row.state = state
        row.decided_by = None if is_open else member.user
        row.decided_at = None if is_open else timezone.now()
        row.save()
        summary = f"{state.label}: {row.response.questionnaire} ({row.drift})"
        record("questionnaire.correction", target=(DRIFT, row.drift.question_key), summary=summary, actor=member.user)
        touch_areas("questionnaires")
    return row


def to_correct(right: SentAnswer, wrong: list[SentAnswer]) -> list[Telling]:
    """Return where each customer was told otherwise last; whoever got the true answer since needs no correction."""
    last: dict[str, Telling] = {}
    for answer in wrong:
        for telling in answer.tellings:
            known = last.get(telling.customer)
            last[telling.customer] = telling if known is None or telling.at > known.at else known
    told_right = {telling.customer: telling.at for telling in sorted(right.tellings, key=lambda one: one.at)}
    return [each for name, each in last.items() if name not in told_right or told_right[name] <= each.at]


def _require_corrections(drift: Drift, tellings: list[Telling], member: Membership) -> None:
    """Those that were made when it was settled before stay: nobody is asked twice for one truth."""
    due_at = timezone.now() + CORRECT_WITHIN
    Correction.objects.bulk_create(
        [
            Correction(
                drift=drift,
                response_id=each.response_id,
                right_answer=drift.right_answer[0],
                account_id=each.account_id,
                due_at=due_at,
                owner=member.user,
            )
            for each in tellings
        ],
        ignore_conflicts=True,
    )


def _lock(drift: Drift, member: Membership, *, seen: str | None = None) -> Drift:
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    row = Drift.objects.select_for_update().get(pk=drift.pk)
    if seen is not None and row.version != seen:
        raise NotAllowed("There has been another answer since. Check it first.")
    return row


def _save(drift: Drift, action: str, summary: str, member: Membership, *, settled: bool = True) -> Drift:
    drift.dismissed_by = member.user if settled else None
    drift.dismissed_at = timezone.now() if settled else None
    drift.dismissed_by_name = str(member.user)[:120] if settled else ""
    drift.save()
    record(action, target=(DRIFT, drift.question_key), summary=summary, actor=member.user)
    touch_areas("questionnaires")
    return drift
