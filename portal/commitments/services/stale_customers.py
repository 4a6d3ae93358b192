"""Which customers' answers have to be checked against their promises: rows that wait for a worker."""

from collections.abc import Iterable

from django.utils import timezone

from portal.commitments.models import CustomerCheck
from portal.lib.enqueue import enqueue_on_commit
from portal.tenants.scope import current_tenant_id

CHECK = "portal.commitments.tasks.check_answers"


def check_soon(account_ids: Iterable[str]) -> None:
    """Have customers' answers checked soon. Call it in the transaction of the change."""
    mark_customers(account_ids)
    enqueue_on_commit(CHECK, current_tenant_id())


def mark_customers(account_ids: Iterable[str]) -> None:
    """Let customers wait for a check; one that waits already keeps its place, and its tries begin anew."""
    wanted, now = sorted(set(account_ids) - {""}), timezone.now()
    known = CustomerCheck.objects.filter(account_id__in=wanted)
    missing = set(wanted) - set(known.values_list("account_id", flat=True))
    known.update(due_at=now, attempts=0)
    CustomerCheck.objects.bulk_create(
        [CustomerCheck(account_id=account_id, due_at=now) for account_id in sorted(missing)], ignore_conflicts=True
    )
