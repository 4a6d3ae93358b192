"""Checking the answers given to customers against what was promised to them.

A worker goes through the questionnaires in the order in which they were touched here, and lets their customers wait for a
check; a change of a promise does the same. A check reads the answers of one customer and keeps what says another thing as rows.
"""

import logging
import time
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from portal.accounts.merged_accounts import customers_of, ids_of_customer
from portal.commitments.comparison import compare, strictest
from portal.commitments.models import CheckProgress, Commitment, Contradiction, CustomerCheck, Term, Verdict
from portal.commitments.patterns import Found, find_in_answer
from portal.commitments.selectors import AREA
from portal.commitments.services.stale_customers import mark_customers
from portal.lib.storable import storable_text
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.page_refresh.services import touch_areas
from portal.platform_api.errors import EMAIL
from portal.questionnaires.models import Questionnaire, Response
from portal.tenants.models import Tenant, TenantQuerySet
from portal.tenants.scope import all_tenants

logger = logging.getLogger(__name__)
BATCH, ANSWERS_AT_ONCE = 200, 500
LEASE = timedelta(seconds=150)
MAX_ATTEMPTS = 5
OVERLAP = timedelta(minutes=2)
"""A row is dated when it is written and seen when that is committed, so that the last minutes are looked at once more."""
TURN_LASTS = timedelta(minutes=1)
"""Who is in the middle of it is left alone for so long: each call of the sweep would begin another row of turns beside it."""

type Told = tuple[int, Found]
"""The key of an answer, and what it promises."""


def tenants_to_check() -> list[int]:
    """Return the tenants whose questionnaires or promises have changed since they were checked; first those that never were."""
    with all_tenants("the sweep finds what was touched, and who waits, in every tenant"):
        # From the tenants, of which there are a thousand, and not from the questionnaires, of which there are a million.
        there = Questionnaire.objects.filter(tenant=OuterRef("pk"))
        begun = CheckProgress.objects.values("tenant")
        fresh = Tenant.objects.filter(Exists(there), closed_at=None).exclude(pk__in=begun).order_by("pk")
        touched = Questionnaire.objects.touched_after(OuterRef("seen_at"), OuterRef("seen_id"))
        is_touched = Exists(touched.filter(tenant=OuterRef("tenant")))
        late = CheckProgress.objects.filter(is_touched, tenant__closed_at=None).order_by("seen_at")
        waiting = _waiting(timezone.now()).filter(tenant__closed_at=None).order_by().values_list("tenant_id", flat=True)
        found = [*fresh.values_list("pk", flat=True), *late.values_list("tenant_id", flat=True), *waiting.distinct()]
        under_way = CheckProgress.objects.filter(turn_at__gt=timezone.now() - TURN_LASTS).values_list("tenant_id", flat=True)
        busy = set(under_way)
    # Of those where both have changed once.
    return [tenant_id for tenant_id in dict.fromkeys(found) if tenant_id not in busy]


def check_answers(*, seconds: float = TASK_TIME_BUDGET_SECONDS) -> bool:
    """Go on checking for one turn; True when something is left to do."""
    deadline = time.monotonic() + seconds
    CheckProgress.objects.update_or_create(defaults={"turn_at": timezone.now()})
    progress, is_late = _progress(), False
    while not is_late and (batch := _touched_after(progress)):
        _mark(batch)
        progress.seen_id, progress.seen_at = batch[-1][0], batch[-1][1]
        is_late = time.monotonic() > deadline
    _keep(progress)
    while not is_late and (check := _waiting(timezone.now()).order_by("due_at", "pk").first()):
        check_customer(check)
        is_late = time.monotonic() > deadline
    if not is_late:
        CheckProgress.objects.update(turn_at=None)
    return is_late


def check_customer(check: CustomerCheck) -> None:
    """Check one customer. A failure is logged and tried again later."""
    claimed = _claim(check)
    if claimed is None:
        return
    try:
        _check(claimed)
    except Exception:
        # One customer must not hold up the others: its row counts the tries. The words stay out of the log.
        logger.exception("the answers of check %s were not looked through", claimed.pk)
        CustomerCheck.objects.filter(pk=claimed.pk, lease_until=claimed.lease_until).update(lease_until=None)


def _progress() -> CheckProgress:
    return CheckProgress.objects.first() or CheckProgress()


def _keep(progress: CheckProgress) -> None:
    seen_at = min(progress.seen_at, timezone.now() - OVERLAP)
    CheckProgress.objects.update_or_create(defaults={"seen_at": seen_at, "seen_id": progress.seen_id})


def _touched_after(progress: CheckProgress) -> list[tuple[int, datetime, str]]:
    rows = Questionnaire.objects.touched_after(progress.seen_at, progress.seen_id)
    return list(rows.values_list("pk", "touched_at", "account_id")[:BATCH])


def _mark(batch: Sequence[tuple[int, datetime, str]]) -> None:
    """Let those customers wait who have promises, and were not checked since."""
    touched: dict[str, datetime] = {}
    for _, touched_at, account_id in batch:
        touched[account_id] = max(touched_at, touched.get(account_id, touched_at))
    # What is answered to one account of a customer is checked against the promises to all of them.
    for whole in set(customers_of(touched).values()):
        newest = max(touched[each] for each in whole.account_ids if each in touched)
        touched |= dict.fromkeys(whole.account_ids, newest)
    promised = Commitment.objects.in_force().filter(account_id__in=touched).order_by()
    wanted = set(promised.values_list("account_id", flat=True).distinct())
    rows = CustomerCheck.objects.filter(account_id__in=wanted).values_list("account_id", "checked_at")
    checked: dict[str, datetime | None] = dict(rows)
    mark_customers(account_id for account_id in wanted if (at := checked.get(account_id)) is None or at <= touched[account_id])


def _waiting(now: datetime) -> "TenantQuerySet[CustomerCheck]":
    free = Q(lease_until=None) | Q(lease_until__lte=now)
    return CustomerCheck.objects.filter(free, due_at__isnull=False, attempts__lt=MAX_ATTEMPTS)


@transaction.atomic
def _claim(check: CustomerCheck) -> CustomerCheck | None:
    now = timezone.now()
    row = _waiting(now).select_for_update().filter(pk=check.pk).first()
    if row:
        row.attempts, row.lease_until = row.attempts + 1, now + LEASE
        row.save(update_fields=["attempts", "lease_until"])
    return row


def _check(check: CustomerCheck) -> None:
    now, due_at = timezone.now(), check.due_at
    promises = list(Commitment.objects.in_force().filter(account_id=check.account_id).defer("search", "quote"))
    # Read and understood outside of the transaction: it may be thousands of answers.
    told = list(_told(check.account_id, {each.term for each in promises})) if promises else []
    with transaction.atomic():
        _store(check.account_id, promises, told)
        # What changed meanwhile has a later date, and is checked once more.
        rows = CustomerCheck.objects.filter(pk=check.pk, lease_until=check.lease_until)
        rows.filter(due_at=due_at).update(due_at=None, attempts=0)
        rows.update(checked_at=now, lease_until=None)


def _told(account_id: str, terms: set[str]) -> Iterator[Told]:
    """Walk what the answers to one customer promise of these terms."""
    asked_by = ids_of_customer(account_id)
    rows = Response.objects.remembered().filter(questionnaire__account_id__in=asked_by, questionnaire__gone_at=None)
    last = 0
    while batch := list(rows.filter(pk__gt=last).order_by("pk").values_list("pk", "question", "answer_text")[:ANSWERS_AT_ONCE]):
        for last, question, answer in batch:
            for found in find_in_answer(question, answer):
                if found.term in terms:
                    yield last, found


def _store(account_id: str, promises: Sequence[Commitment], told: Sequence[Told]) -> None:
    """Make the rows equal to what was found; what a person has said of one stays while it says the same."""
    known = {
        (row.commitment_id, row.response_id): row
        for row in Contradiction.objects.select_for_update().filter(commitment__account_id=account_id)
    }
    is_new, kept = False, set[int]()
    for response_id, found in told:
        against = _contradicted(found, promises)
        if against is None:
            continue
        commitment, verdict = against
        row = known.get((commitment.pk, response_id)) or Contradiction(commitment=commitment, response_id=response_id)
        if _take(row, found, verdict):
            row.save()
            is_new = True
        kept.add(row.pk)
    gone = [row.pk for row in known.values() if row.pk not in kept]
    Contradiction.objects.filter(pk__in=gone).delete()
    if is_new or gone:
        touch_areas(AREA)


def _contradicted(found: Found, promises: Sequence[Commitment]) -> tuple[Commitment, Verdict] | None:
    """Find the strictest promise that an answer contradicts; none when another promise says what the answer says."""
    same = [each for each in promises if each.term == found.term]
    verdicts = [(each, compare(found.term, found, each).verdict) for each in same if _is_comparable(found, each)]
    if not verdicts or any(verdict == Verdict.EQUAL for _, verdict in verdicts):
        return None
    hardest = strictest(found.term, [each for each, _ in verdicts])
    return next(((each, verdict) for each, verdict in verdicts if each is hardest), None)


def _is_comparable(found: Found, promise: Commitment) -> bool:
    """Words against a number say nothing; of words only those about places are few enough to be another thing."""
    if found.amount is None and promise.amount is None:
        return found.term == Term.DATA_LOCATION
    return found.amount is not None and promise.amount is not None


def _take(row: Contradiction, found: Found, verdict: Verdict) -> bool:
    """Take in what an answer says now; True when that is another thing than before, so that somebody has to look again."""
    # The answer itself is the questionnaire's; of this copy nobody would erase an address.
    quote = EMAIL.sub("[address]", storable_text(found.quote))
    now = (found.amount, found.unit, found.words, quote, verdict)
    if row.pk and (row.amount, row.unit, row.words, row.quote, row.verdict) == now:
        return False
    row.amount, row.unit, row.words, row.quote, row.verdict = now
    row.is_open, row.reason, row.settled_at, row.settled_by_name = True, "", None, ""
    row.found_at = timezone.now()
    return True
