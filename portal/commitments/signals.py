"""The text of a contract was read: it is looked through for promises at once, not with the next sweep.

Accounts were merged or unmerged: the answers to all of them are checked against their promises anew.
"""

from collections.abc import Set
from typing import Any

from django.dispatch import receiver

from portal.accounts.signals import accounts_regrouped
from portal.commitments.models import Commitment
from portal.commitments.services.stale_customers import check_soon
from portal.commitments.services.text_extraction import READ
from portal.contracts.text_extraction import text_was_read
from portal.lib.enqueue import enqueue_on_commit
from portal.tenants.scope import tenant_scope


@receiver(text_was_read, dispatch_uid="look_for_promises")
def look_for_promises(tenant_id: int, **_: Any) -> None:
    with tenant_scope(tenant_id):
        enqueue_on_commit(READ, tenant_id)


@receiver(accounts_regrouped, dispatch_uid="check_answers_of_regrouped_accounts")
def check_anew(account_ids: Set[str], **_: Any) -> None:
    promised = Commitment.objects.in_force().filter(account_id__in=account_ids).order_by()
    check_soon(promised.values_list("account_id", flat=True).distinct())
