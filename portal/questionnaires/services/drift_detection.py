"""Noticing that customers were told different things.

A worker goes through the questionnaires in the order in which they were touched here, and compares the answers to each of their
questions with those in all finished questionnaires. A row stands for each question, and says when it was compared.
"""

import time
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.page_refresh.services import touch_areas
from portal.questionnaires.answer_meaning import severity_of
from portal.questionnaires.models import BEGINNING, Drift, DriftProgress, Questionnaire, Response
from portal.questionnaires.models.drift import DriftQuerySet
from portal.questionnaires.sent_answers import Comparison, SentAnswer
from portal.questionnaires.stages import FINISHED
from portal.questionnaires.stock_sentences import count_answers, find_stock_sentences
from portal.tenants.models import Tenant
from portal.tenants.scope import all_tenants

COMPARE = "portal.questionnaires.tasks.compare_answers"
BATCH, KEYS_AT_ONCE = 200, 50
OVERLAP = timedelta(minutes=2)
"""A row is dated when it is written and seen when that is committed, so that the last minutes are looked at once more."""
CHECKED_AGAIN = timedelta(days=1)
"""A question whose wording changed leaves a row that no questionnaire leads to any more."""
COLUMNS = ("question", "search", "answers", "answer_count", "newest_at", "checked_at", "is_open", "severity")
STOCK_KEPT = timedelta(hours=1)
"""So long the tenant's stock sentences are used before they are counted again."""
TURN_LASTS = timedelta(minutes=1)
"""Who is in the middle of it is left alone for so long: each call of the sweep would begin another row of turns beside it."""
STOCK_OUTGROWN = 1.5
"""With so many times the answers they are counted again at once: while a first copy comes in, a few answers say little."""


def tenants_to_compare() -> list[int]:
    """Return the tenants whose questionnaires have been touched since they were compared; first those that never were."""
    with all_tenants("the sweep finds what was touched in every tenant"):
        # From the tenants, of which there are a thousand, and not from the questionnaires, of which there are a million.
        there = Questionnaire.objects.filter(tenant=OuterRef("pk"))
        begun = DriftProgress.objects.values("tenant")
        fresh = Tenant.objects.filter(Exists(there), closed_at=None).exclude(pk__in=begun).order_by("pk")
        touched = Questionnaire.objects.touched_after(OuterRef("seen_at"), OuterRef("seen_id"))
        is_touched = Exists(touched.filter(tenant=OuterRef("tenant")))
        is_old = Exists(_old(timezone.now()).filter(tenant=OuterRef("tenant")))
        at_rest = DriftProgress.objects.exclude(turn_at__gt=timezone.now() - TURN_LASTS)
        late = at_rest.filter(is_touched | is_old, tenant__closed_at=None).order_by("seen_at")
        return [*fresh.values_list("pk", flat=True), *late.values_list("tenant_id", flat=True)]


def compare(*, seconds: float = TASK_TIME_BUDGET_SECONDS) -> bool:
    """Go on comparing for one turn; True when something is left to do."""
    now = timezone.now()
    DriftProgress.objects.update_or_create(defaults={"turn_at": now})
    is_more = _compare_until(time.monotonic() + seconds, now)
    if not is_more:
        DriftProgress.objects.update(turn_at=None)
    return is_more


def _compare_until(deadline: float, now: datetime) -> bool:
    _renew_stock(now)
    progress, compared = _progress(), set[str]()
    while batch := _touched_after(progress):
        for progress.seen_id, progress.seen_at, status in batch:
            keys = _keys_of(progress, status) - compared
            _compare_keys(keys, now=now)
            # What many questionnaires ask is compared once; what is touched after that comes later in the order.
            compared |= keys
            if time.monotonic() > deadline:
                _keep(progress, now=now)
                return True
        _keep(progress, now=now)
    while keys_again := _old_rows(now):
        _compare_keys(keys_again, now=now)
        if time.monotonic() > deadline:
            return True
    return False


def _progress() -> DriftProgress:
    return DriftProgress.objects.first() or DriftProgress()


def _keep(progress: DriftProgress, *, now: datetime) -> None:
    columns = {"seen_at": min(progress.seen_at, now - OVERLAP), "seen_id": progress.seen_id}
    DriftProgress.objects.update_or_create(defaults=columns)


def _renew_stock(now: datetime) -> None:
    """Count the tenant's stock sentences again; where they are other ones, all that differs is compared anew."""
    progress, answers = _progress(), count_answers()
    is_fresh = progress.stock_at and progress.stock_at > now - STOCK_KEPT
    if is_fresh and answers <= STOCK_OUTGROWN * progress.stock_from:
        return
    stock = find_stock_sentences()
    with transaction.atomic():
        if set(stock) != set(progress.stock):
            Drift.objects.drifting().update(checked_at=BEGINNING)
        DriftProgress.objects.update_or_create(defaults={"stock": stock, "stock_at": now, "stock_from": answers})


def _keys_of(progress: DriftProgress, status: str) -> set[str]:
    """Return the questions of the questionnaire at hand that have to be compared; if it is not finished, those that drift."""
    rows = Response.objects.filter(questionnaire_id=progress.seen_id).exclude(question_key="").order_by()
    keys = set(rows.values_list("question_key", flat=True))
    known = Drift.objects.filter(question_key__in=keys).order_by()
    if status not in FINISHED:
        keys = set(known.drifting().values_list("question_key", flat=True))
    compared_since = known.filter(checked_at__gt=progress.seen_at + OVERLAP)
    return keys - set(compared_since.values_list("question_key", flat=True))


def _touched_after(progress: DriftProgress) -> list[tuple[int, datetime, str]]:
    rows = Questionnaire.objects.touched_after(progress.seen_at, progress.seen_id)
    return list(rows.values_list("pk", "touched_at", "status")[:BATCH])


def _old(now: datetime) -> DriftQuerySet:
    return Drift.objects.drifting().filter(checked_at__lt=now - CHECKED_AGAIN)


def _old_rows(now: datetime) -> list[str]:
    return list(_old(now).order_by("checked_at").values_list("question_key", flat=True)[:KEYS_AT_ONCE])


def _compare_keys(keys: Iterable[str], *, now: datetime) -> None:
    wanted = list(keys)
    for start in range(0, len(wanted), KEYS_AT_ONCE):
        part = wanted[start : start + KEYS_AT_ONCE]
        # Read outside of the transaction: it may be thousands of rows.
        comparison = Comparison()
        told = {key: comparison.answers_to(key) for key in part}
        try:
            _store(part, told, now=now)
        except IntegrityError:
            # Another worker has made one of the rows in the very moment; now it is seen.
            _store(part, told, now=now)


@transaction.atomic
def _store(keys: Collection[str], told: dict[str, dict[str, SentAnswer]], *, now: datetime) -> None:
    known = {row.question_key: row for row in Drift.objects.select_for_update().filter(question_key__in=keys).order_by("pk")}
    rows = [known.get(key) or Drift(question_key=key, newest_at=now, is_open=False) for key in sorted(keys)]
    news = [_take(row, told[row.question_key], now=now) for row in rows]
    Drift.objects.bulk_create([row for row in rows if row.pk is None])
    Drift.objects.bulk_update(list(known.values()), COLUMNS)
    if any(news):
        touch_areas("questionnaires")


def _take(row: Drift, answers: dict[str, SentAnswer], *, now: datetime) -> bool:
    """Make a row equal to what was found; True when a page shows another thing then. What a person has said of it stays."""
    before = (row.answers, row.newest_at, row.severity) if row.answer_count > 1 else None
    row.checked_at = now
    row.take({key: answer.wordings for key, answer in answers.items()})
    row.is_open = row.is_open or _is_told_otherwise_since(row, answers)
    row.severity = severity_of([answer.meaning for answer in answers.values()])
    if row.answer_count < 2:
        return before is not None
    newest = max((answer.newest for answer in answers.values()), key=lambda telling: telling.at)
    row.newest_at = newest.at
    if before == (row.answers, row.newest_at, row.severity):
        return False
    row.question = Response.objects.values_list("question", flat=True).get(pk=newest.response_id)
    row.search = row.question.lower()
    return True


def _is_told_otherwise_since(row: Drift, answers: dict[str, SentAnswer]) -> bool:
    """Say whether a customer got a wrong answer after a person had said which one is true."""
    if not row.right_answer or row.answer_count < 2:
        return False
    wrong = (answer for key, answer in answers.items() if not row.is_right(key))
    return not {telling.response_id for answer in wrong for telling in answer.tellings} <= {*row.settled_responses}
