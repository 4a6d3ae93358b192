"""Drafting all unanswered questions of a questionnaire, turn by turn; nothing of it leaves the portal.

Each question of a run is a row that waits. A worker that dies leaves its rows waiting, and the next one goes on with them.
"""

import time
from collections import Counter
from itertools import batched

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from portal.audit.services import record
from portal.lib.enqueue import enqueue_on_commit
from portal.lib.storable import storable
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.platform_writes.models import LEASE
from portal.questionnaires.drafted_answers.composition import Composed, compose
from portal.questionnaires.drafted_answers.rewriting import Rewriter
from portal.questionnaires.models import (
    DRAFTED_FOR,
    DraftedAnswer,
    DraftingRun,
    DraftReason,
    DraftState,
    Questionnaire,
    Response,
    ResponseQuerySet,
)
from portal.questionnaires.services.decisions import NotAllowed
from portal.questionnaires.services.drafted_answers import draft_version, show_drafts, withdraw
from portal.questionnaires.services.locks import lock_questionnaires
from portal.tenants.models import Membership, Role
from portal.tenants.scope import all_tenants

WORK_ON_DRAFTS = "portal.questionnaires.tasks.work_on_drafting_run"
BATCH, AT_ONCE = 500, 10
PREVIEW_SECONDS = 1.5
"""How long a page may count before it is shown."""
MAX_SWEPT = 500
MAX_SOURCES = 5
MIN_CONFIDENCES = (60, 75, 90, 95)
"""Percent, among which people choose."""


def questions_to_draft(questionnaire: Questionnaire) -> ResponseQuerySet:
    """Return what nobody has answered and nothing is drafted for."""
    rows = Response.objects.present().filter(questionnaire=questionnaire, is_answered=False, is_pending=False)
    return rows.filter(draft_confidence=None).order_by("position", "id")


def preview(questionnaire: Questionnaire, *, seconds: float = PREVIEW_SECONDS) -> tuple[int, Counter[int]]:
    """Try the first questions: return how many were tried, and how many would be drafted at each least confidence."""
    deadline, now, tried, found = time.monotonic() + seconds, timezone.now(), 0, Counter[int]()
    for response in questions_to_draft(questionnaire).select_related("questionnaire").iterator(AT_ONCE):
        composed, tried = compose(response, now=now), tried + 1
        is_draft = composed.reason in DRAFTED_FOR
        found.update(least for least in MIN_CONFIDENCES if is_draft and composed.confidence >= least)
        if time.monotonic() > deadline:
            break
    return tried, found


def start_drafting(questionnaire: Questionnaire, *, least: int, member: Membership, rewrites: bool = False) -> DraftingRun:
    """Write down that the unanswered questions are to be drafted, and have a worker begin. Raises NotAllowed."""
    _check(member)
    keys = list(questions_to_draft(questionnaire).values_list("pk", flat=True))
    if not keys or questionnaire.gone_at:
        raise NotAllowed("Every question has an answer or a draft.")
    run = DraftingRun(questionnaire=questionnaire, least=least, asked_by=member.user, asked_by_name=str(member.user)[:120])
    run.rewrites = rewrites
    try:
        with transaction.atomic():
            run.save()
            for some in batched(keys, BATCH):
                DraftedAnswer.objects.bulk_create(DraftedAnswer(run=run, response_id=key) for key in some)
            _note(run, "questionnaire.draft", f"Started to draft {run.counted(len(keys))}: {run}.", member)
            enqueue_on_commit(WORK_ON_DRAFTS, run.tenant_id, run.pk)
    except IntegrityError as error:
        raise NotAllowed("Drafting is already in progress for this questionnaire.") from error
    return run


def work_on_drafts(run: DraftingRun, *, seconds: float = TASK_TIME_BUDGET_SECONDS) -> None:
    """Bring a run as far as one turn gets, unless another worker has it."""
    now = timezone.now()
    taken = DraftingRun.objects.due(now).filter(pk=run.pk, turn=run.turn)
    if not taken.update(turn=F("turn") + 1, lease_until=now + LEASE):
        return
    run.turn += 1
    deadline, is_allowed = time.monotonic() + seconds, _may_still(run)
    rewriter = Rewriter(asked_for=run.asked_by_name, ended=run.rewriting_ended) if run.rewrites else None
    while is_allowed and time.monotonic() < deadline:
        rows = DraftedAnswer.objects.waiting().filter(run=run).select_related("response__questionnaire")
        if not (some := list(rows.order_by("id")[:AT_ONCE])):
            break
        # Outside of the transaction: each is a search, and may be a call over the network.
        made = _compose(run, some, rewriter, deadline)
        if rewriter and rewriter.ended != run.rewriting_ended:
            run.rewriting_ended = rewriter.ended
            DraftingRun.objects.filter(pk=run.pk).update(rewriting_ended=rewriter.ended)
        if not _store(run, made):
            return
    _end_turn(run, is_allowed=is_allowed)


def stop_drafting(run: DraftingRun, *, member: Membership, undo: bool) -> int:
    """End a run where it is; with `undo` the drafts go that nobody has decided on. Return how many went."""
    _check(member)
    with transaction.atomic():
        run = DraftingRun.objects.select_for_update().select_related("questionnaire").get(pk=run.pk)
        now = timezone.now()
        was_open = not run.is_over
        DraftedAnswer.objects.waiting().filter(run=run).delete()
        # Another turn: what a worker has in hand at this moment is not written any more.
        columns = {"stopped_at": now, "finished_at": run.finished_at or now, "turn": F("turn") + 1, "lease_until": None}
        if was_open or undo:
            DraftingRun.objects.filter(pk=run.pk).update(**columns)
        number = withdraw(DraftedAnswer.objects.filter(run=run), DraftState.REMOVED, member=member) if undo else 0
        if undo:
            _note(run, "questionnaire.draft_undo", f"Undid {number} draft{'' if number == 1 else 's'}.", member)
        elif was_open:
            _note(run, "questionnaire.draft_stop", f"Stopped: {run}.", member)
    return number


def end_drafting() -> None:
    """The tenant has disconnected: nothing can be saved, so nothing is offered any more."""
    with transaction.atomic():
        DraftedAnswer.objects.waiting().delete()
        DraftingRun.objects.filter(finished_at=None).update(finished_at=timezone.now(), turn=F("turn") + 1)
        withdraw(DraftedAnswer.objects.all(), DraftState.SUPERSEDED)


def due_drafting_runs() -> list[tuple[int, int]]:
    """Return tenant and key of the runs that a worker can go on with, the longest waiting first."""
    with all_tenants("the sweep goes on with the drafts of every tenant"):
        rows = DraftingRun.objects.due(timezone.now()).order_by("due_at", "id")
        return list(rows.values_list("tenant_id", "pk")[:MAX_SWEPT])


def _compose(
    run: DraftingRun, rows: list[DraftedAnswer], rewriter: Rewriter | None, deadline: float
) -> list[tuple[DraftedAnswer, Composed]]:
    """Make the drafts of some rows, at least of one; what the time is not enough for goes on waiting."""
    made = list[tuple[DraftedAnswer, Composed]]()
    for row in rows:
        if made and time.monotonic() > deadline:
            break
        composed = compose(row.response, now=timezone.now()).at_least(run.least)
        made.append((row, rewriter.improve(composed, row.response) if rewriter else composed))
    return made


@transaction.atomic
def _store(run: DraftingRun, made: list[tuple[DraftedAnswer, Composed]]) -> bool:
    """Write drafts down, if the run still counts this turn; False when it does not."""
    if not DraftingRun.objects.select_for_update().filter(pk=run.pk, turn=run.turn, finished_at=None).exists():
        return False
    lock_questionnaires([run.questionnaire_id])
    keys = [row.response_id for row, _ in made]
    # Somebody may have answered while the drafts were made: no update of the mirror can come between.
    free = Response.objects.select_for_update().filter(pk__in=keys, is_answered=False, gone_at=None, draft_confidence=None)
    there = {row.pk: row for row in free.order_by("pk")}
    for row, composed in made:
        current = there.get(row.response_id)
        if current and draft_version(current) != draft_version(row.response):
            # Nobody has answered: the question or its form is another one, which it is drafted for next.
            continue
        _fill(row, composed, is_free=current is not None)
        row.save(update_fields=["state", "reason", "confidence", "values", "sources", "sentences", "seen", "made_at"])
        if row.state == DraftState.OFFERED:
            Response.objects.filter(pk=row.response_id).update(draft_confidence=row.confidence)
    show_drafts([run.questionnaire_id])
    return True


def _fill(row: DraftedAnswer, composed: Composed, *, is_free: bool) -> None:
    row.reason = composed.reason if is_free else DraftReason.ANSWERED
    row.confidence, row.made_at = composed.confidence, timezone.now()
    row.sources = [
        {"kind": each.key[0], "id": each.key[1], "percent": each.percent, "is_reversed": each.is_reversed}
        for each in composed.sources[:MAX_SOURCES]
    ]
    values, is_draft = storable(composed.values), is_free and composed.reason in DRAFTED_FOR
    if is_draft and DraftedAnswer.objects.filter(response=row.response_id, state=DraftState.DISMISSED, values=values).exists():
        row.reason, is_draft = DraftReason.DISMISSED, False
    row.state = DraftState.OFFERED if is_draft else DraftState.LEFT_OUT
    row.values, row.seen = (values, draft_version(row.response)) if is_draft else ({}, "")
    row.sentences = list(composed.sentences) if is_draft else []


def _may_still(run: DraftingRun) -> bool:
    """Ask again at each turn: whoever began it may have lost the role since."""
    return Membership.objects.who_may(Role.ANALYST).filter(user=run.asked_by).exists()


@transaction.atomic
def _end_turn(run: DraftingRun, *, is_allowed: bool) -> None:
    waiting = DraftedAnswer.objects.waiting().filter(run=run)
    if not is_allowed:
        waiting.delete()
    now, is_over = timezone.now(), not waiting.exists()
    still = DraftingRun.objects.filter(pk=run.pk, turn=run.turn, finished_at=None)
    if not still.update(lease_until=None, due_at=now, finished_at=now if is_over else None):
        return
    if is_over:
        counts = DraftedAnswer.objects.filter(run=run).counts()
        left, total = counts.get(DraftState.LEFT_OUT, 0), sum(counts.values())
        summary = f"Drafted {total - left} of {run.counted(total)}: {run}."
        target = ("questionnaire", run.questionnaire.platform_id)
        record("questionnaire.draft_end", target=target, summary=summary, actor=run.asked_by, details={"run": run.pk, **counts})
    else:
        enqueue_on_commit(WORK_ON_DRAFTS, run.tenant_id, run.pk)
    show_drafts([run.questionnaire_id])


def _note(run: DraftingRun, action: str, summary: str, member: Membership) -> None:
    target = ("questionnaire", run.questionnaire.platform_id)
    record(action, target=target, summary=summary, actor=member.user, details={"run": run.pk, "least": run.least})
    show_drafts([run.questionnaire_id])


def _check(member: Membership) -> None:
    if not member.may(Role.ANALYST):
        raise PermissionDenied
