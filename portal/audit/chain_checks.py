"""The check of every tenant's chain on a clock, and what it found, so that the page of the audit trail can say it."""

import logging
from datetime import UTC, datetime, timedelta

from django.utils import timezone

from portal.audit.chain import Break, Verdict, verify
from portal.audit.models import ChainCheck, Link
from portal.tenants.models import Tenant
from portal.tenants.scope import all_tenants, tenant_scope

logger = logging.getLogger(__name__)

INTERVAL = timedelta(hours=24)
NEVER = datetime.min.replace(tzinfo=UTC)
CUT_OFF = "cut off: it held at the last check"


def tenants_to_check() -> list[int]:
    """Return the tenants whose chain was not checked for a day, the longest ago first."""
    with all_tenants("the chain of every tenant is checked"):
        checked = dict(ChainCheck.objects.values_list("tenant_id", "at"))
    due = timezone.now() - INTERVAL
    tenants = Tenant.objects.filter(closed_at=None).values_list("pk", flat=True)
    waiting = [tenant_id for tenant_id in tenants if tenant_id not in checked or checked[tenant_id] <= due]
    return sorted(waiting, key=lambda tenant_id: checked.get(tenant_id, NEVER))


def check_chain(tenant_id: int) -> ChainCheck:
    """Check a tenant's chain and keep what was found. A broken one is told to the operator too."""
    verdict = verify(tenant_id)
    with tenant_scope(tenant_id):
        last = ChainCheck.objects.first()
        broken = verdict.broken or _cut_off(last)
        fault = _fault_words(broken) if broken else ""
        # Of a broken chain the last good end is kept: it shows what is missing since.
        found = {"links": verdict.links, "head": verdict.head} if not broken else _end_of(last, verdict)
        check, _ = ChainCheck.objects.update_or_create(defaults={"at": timezone.now(), "fault": fault, **found})
    if fault:
        logger.error("the audit trail of tenant %s was touched: %s", tenant_id, fault)
    return check


def _end_of(last: ChainCheck | None, verdict: Verdict) -> dict[str, object]:
    return {"links": last.links, "head": last.head} if last else {"links": verdict.links, "head": verdict.head}


def _cut_off(last: ChainCheck | None) -> Break | None:
    """Say where a chain that holds has lost links that it had at the last check."""
    if last is None or not last.head or Link.objects.filter(place=last.links, hash=last.head).exists():
        return None
    return Break(last.links, 0, CUT_OFF)


def _fault_words(broken: Break) -> str:
    entry = f": entry {broken.entry_id} was {broken.what}" if broken.entry_id else f" was {broken.what}"
    return f"Link {broken.place}{entry}."
