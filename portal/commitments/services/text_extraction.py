"""Looking through the texts of contracts: each waits as a row until its present text has been read by the present patterns."""

import logging
import time
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from portal.commitments.models import Reading, Suggestion
from portal.commitments.patterns import VERSION, Found, find
from portal.commitments.selectors import AREA
from portal.commitments.unscanned_texts import unread
from portal.contracts.models import Contract, ContractPage
from portal.lib.storable import storable_text
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.page_refresh.services import touch_areas
from portal.tenants.scope import all_tenants

logger = logging.getLogger(__name__)
READ = "portal.commitments.tasks.read_contracts"
LEASE = timedelta(seconds=150)
"""A look that has not ended by then was cut off: its process died."""
MAX_PAGES = 2000
BATCH = 20


def tenants_to_read() -> list[int]:
    """Return the tenants with a contract whose text nobody has looked through."""
    with all_tenants("the sweep finds the unread texts of every tenant"):
        rows = unread(timezone.now(), patterns=VERSION).order_by().values_list("tenant_id", flat=True)
        return list(rows.distinct())


def read_contracts(*, seconds: float = TASK_TIME_BUDGET_SECONDS) -> bool:
    """Look through texts for one turn; True when some are left."""
    deadline = time.monotonic() + seconds
    while batch := list(
        unread(timezone.now(), patterns=VERSION).order_by("read_at", "pk").values_list("pk", flat=True)[:BATCH]
    ):
        for contract_id in batch:
            read_contract(contract_id)
            if time.monotonic() > deadline:
                return True
    return False


def read_contract(contract_id: int) -> int:
    """Look through one text; return how many suggestions are new. A failure is logged and tried again later."""
    reading = _claim(contract_id)
    if reading is None:
        return 0
    try:
        pages = ContractPage.objects.filter(contract_id=contract_id).order_by("number").values_list("number", "text")
        found = find(pages[:MAX_PAGES])
        return _store(reading, found)
    except Exception:
        # One document must not hold up the others: its row counts the tries. The words stay out of the log.
        logger.exception("the text of contract %s was not looked through", contract_id)
        Reading.objects.filter(pk=reading.pk, attempts=reading.attempts).update(lease_until=None)
        return 0


@transaction.atomic
def _claim(contract_id: int) -> Reading | None:
    """Take a contract for one look, unless somebody else has it. The attempt is counted before it begins."""
    now = timezone.now()
    contract = Contract.objects.select_for_update().filter(pk=contract_id, read_at__isnull=False).first()
    if contract is None or contract.read_at is None or not unread(now, patterns=VERSION).filter(pk=contract_id).exists():
        return None
    reading = Reading.objects.filter(contract=contract).first() or Reading(
        contract=contract, read_at=contract.read_at, patterns=0
    )
    if (reading.read_at, reading.patterns) != (contract.read_at, VERSION):
        reading.read_at, reading.patterns, reading.attempts, reading.is_done = contract.read_at, VERSION, 0, False
    reading.attempts += 1
    reading.lease_until = now + LEASE
    reading.save()
    return reading


@transaction.atomic
def _store(reading: Reading, found: list[Found]) -> int:
    """Keep what is new. What was decided stays decided; what is open and stands there no longer goes."""
    mine = Reading.objects.filter(pk=reading.pk, attempts=reading.attempts, read_at=reading.read_at, patterns=reading.patterns)
    if not mine.select_for_update().exists():
        return 0
    known = {row.fingerprint: row for row in Suggestion.objects.filter(contract_id=reading.contract_id)}
    prints = {one.fingerprint: one for one in found}
    gone = [row.pk for key, row in known.items() if key not in prints and row.is_open]
    Suggestion.objects.filter(pk__in=gone).delete()
    moved = [row for key, row in known.items() if key in prints and _move(row, prints[key])]
    Suggestion.objects.bulk_update(moved, ["page", "clause"])
    new = [_suggestion(reading, one) for key, one in prints.items() if key not in known]
    Suggestion.objects.bulk_create(new, ignore_conflicts=True)
    mine.update(is_done=True, lease_until=None)
    if new or gone or moved:
        touch_areas(AREA)
    return len(new)


def _move(row: Suggestion, found: Found) -> bool:
    if (row.page, row.clause) == (found.page, found.clause):
        return False
    row.page, row.clause = found.page, found.clause
    return True


def _suggestion(reading: Reading, found: Found) -> Suggestion:
    return Suggestion(
        contract_id=reading.contract_id,
        fingerprint=found.fingerprint,
        term=found.term,
        amount=found.amount,
        unit=found.unit,
        words=found.words[:300],
        clause=found.clause[:60],
        page=found.page,
        quote=storable_text(found.quote),
    )
