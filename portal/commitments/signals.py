"""The text of a contract was read: it is looked through for promises at once, not with the next sweep."""

from typing import Any

from django.dispatch import receiver

from portal.commitments.services.text_extraction import READ
from portal.contracts.text_extraction import text_was_read
from portal.lib.enqueue import enqueue_on_commit
from portal.tenants.scope import tenant_scope


@receiver(text_was_read, dispatch_uid="look_for_promises")
def look_for_promises(tenant_id: int, **_: Any) -> None:
    with tenant_scope(tenant_id):
        enqueue_on_commit(READ, tenant_id)
