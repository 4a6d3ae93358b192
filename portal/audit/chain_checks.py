"""The check of every chain on a clock, and what it found, so that the page of the audit trail can say it."""

import logging
from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone

from portal.audit.chain import Break, Verdict, verify
from portal.audit.models import AccountCheck, ChainCheck, Check
from portal.tenants.models import Tenant
from portal.tenants.scope import all_tenants, tenant_scope

logger = logging.getLogger(__name__)

INTERVAL = timedelta(hours=24)
NEVER = datetime.min.replace(tzinfo=UTC)


def tenants_to_check() -> list[int]:
    """Return the tenants whose chain was not checked for a day, the longest ago first."""
    with all_tenants("the chain of every tenant is checked"):
        checked = dict(ChainCheck.objects.values_list("tenant_id", "at"))
    due = timezone.now() - INTERVAL
    tenants = Tenant.objects.filter(closed_at=None).values_list("pk", flat=True)
    waiting = [tenant_id for tenant_id in tenants if tenant_id not in checked or checked[tenant_id] <= due]
    return sorted(waiting, key=lambda tenant_id: checked.get(tenant_id, NEVER))


def are_accounts_due() -> bool:
    """Say whether the chain of the account events was not checked for a day."""
    return not AccountCheck.objects.filter(at__gt=timezone.now() - INTERVAL).exists()


def check_chain(tenant_id: int) -> Check:
    """Check a tenant's chain and keep what was found. A broken one is told to the operator too."""
    verdict = verify(tenant_id)
    with tenant_scope(tenant_id):
        return _keep(ChainCheck, verdict, f"tenant {tenant_id}")


def check_accounts() -> Check:
    """Check the chain of the account events, which belongs to no tenant, and keep what was found."""
    return _keep(AccountCheck, verify(None), "the accounts")


def _keep(checks: Any, verdict: Verdict, whose: str) -> Check:
    last = checks.objects.first()
    fault = _fault_words(verdict.broken) if verdict.broken else ""
    # Of a broken chain the last good end is kept: it shows what is missing since.
    end = last if fault and last else None
    found = {"links": end.links, "head": end.head} if end else {"links": verdict.links, "head": verdict.head}
    check: Check
    check, _ = checks.objects.update_or_create(defaults={"at": timezone.now(), "fault": fault, **found})
    if fault:
        logger.error("the audit trail of %s was touched: %s", whose, fault)
    else:
        # Wherever the lines are collected, whoever owns the database cannot take this one back.
        logger.info("the audit trail of %s holds: %s links, the last is %s", whose, verdict.links, verdict.head)
    return check


def _fault_words(broken: Break) -> str:
    entry = f": entry {broken.entry_id} was {broken.what}" if broken.entry_id else f" was {broken.what}"
    return f"Link {broken.place}{entry}."
