"""The check of every chain on a clock, and what it found, so that the page of the audit trail can say it.

It walks the links that are new, and a portion of the others again: each of them within 30 days. Where it has got to is kept
under the key of the chains. Where that record does not fit, or is too old, everything is walked anew.
"""

import logging
import math
import time
from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone

from portal.audit.chain import BEGINNING, Break, first_break, verify, verify_between
from portal.audit.models import AccountCheck, ChainCheck, Check
from portal.tenants.models import Tenant
from portal.tenants.scope import all_tenants, tenant_scope

logger = logging.getLogger(__name__)

INTERVAL = timedelta(hours=24)
CHECK_SECONDS = 5.0
"""A check stops by itself after so long, so that no chain keeps the others waiting, and goes on with the next run."""
MIN_PORTION = 1000
"""A chain of no more links than this is walked whole by each check."""
ROUND = timedelta(days=28)
MAX_ROUND = timedelta(days=30)
"""Longer than a round takes with a check every day. An older record counts for nothing: somebody may have put it back."""
NEVER = datetime.min.replace(tzinfo=UTC)


def tenants_to_check() -> list[int]:
    """Return the tenants whose chain was not checked to the end for a day, the longest ago first."""
    with all_tenants("the chain of every tenant is checked"):
        checked = dict(ChainCheck.objects.values_list("tenant_id", "at"))
        done = set(_done(ChainCheck).values_list("tenant_id", flat=True))
    tenants = Tenant.objects.filter(closed_at=None).values_list("pk", flat=True)
    waiting = [tenant_id for tenant_id in tenants if tenant_id not in done]
    return sorted(waiting, key=lambda tenant_id: checked.get(tenant_id, NEVER))


def are_accounts_due() -> bool:
    """Say whether the chain of the account events was not checked to the end for a day."""
    return not _done(AccountCheck).exists()


def check_chain(tenant_id: int, *, seconds: float = CHECK_SECONDS) -> Check:
    """Check a tenant's chain and keep what was found. A broken one is told to the operator too."""
    with tenant_scope(tenant_id):
        return _check(ChainCheck(tenant_id=tenant_id, links=0), tenant_id, seconds)


def check_accounts(*, seconds: float = CHECK_SECONDS) -> Check:
    """Check the chain of the account events, which belongs to no tenant, and keep what was found."""
    return _check(AccountCheck(links=0), None, seconds)


def _done(checks: Any) -> Any:
    return checks.objects.filter(at__gt=timezone.now() - INTERVAL, is_unfinished=False)


def _check(first: Check, tenant_id: int | None, seconds: float) -> Check:
    """Walk what is new and a portion of what is not, from where the last check has got to; `first` stands in for none."""
    now = timezone.now()
    deadline = time.monotonic() + seconds
    check: Check = type(first)._default_manager.first() or first
    goes_on = check.is_sealed() and now - check.round_began_at <= MAX_ROUND
    end = (check.links, check.head) if goes_on else BEGINNING
    place = (check.round_place, check.round_head) if goes_on else BEGINNING
    began_at = check.round_began_at if goes_on else now
    by_tomorrow = math.ceil(end[0] * ((now - began_at + INTERVAL) / ROUND))
    new = verify(tenant_id, after=end, deadline=deadline)
    again = verify_between(tenant_id, place, min(end[0], max(by_tomorrow, place[0] + MIN_PORTION)), deadline=deadline)
    broken = first_break(again.broken, new.broken)
    check.at = now
    check.is_unfinished = time.monotonic() > deadline
    if broken:
        # The places stay where they are: the next check comes to the same link, and what it has found stays found.
        check.fault = _fault_words(broken)
    else:
        # A fault is over only with a whole check: it may be in what there was no time for.
        check.fault = check.fault if check.is_unfinished else ""
        check.links = new.links
        check.head = new.head
        is_through = again.links >= end[0]
        check.round_place, check.round_head = BEGINNING if is_through else (again.links, again.head)
        check.round_began_at = now if is_through else began_at
        check.digest = check.compute_digest()
    check.save()
    _tell(check, broken)
    return check


def _tell(check: Check, broken: Break | None) -> None:
    if broken:
        logger.error("the audit trail of %s was touched: %s", check.whose, check.fault)
    elif not check.is_unfinished:
        # Wherever the lines are collected, whoever owns the database cannot take this one back.
        logger.info("the audit trail of %s holds: %s links, the last is %s", check.whose, check.links, check.head)


def _fault_words(broken: Break) -> str:
    entry = f": entry {broken.entry_id} was {broken.what}" if broken.entry_id else f" was {broken.what}"
    return f"Link {broken.place}{entry}."
