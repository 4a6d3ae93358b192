"""Deleting a customer on the platform. Here it stays, as what it was."""

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.accounts.models import Account
from portal.accounts.services import ACCOUNT, AREA
from portal.audit.services import record
from portal.connections.services import Urgency, client_for
from portal.customers.services.changes import refresh_account
from portal.page_refresh.services import touch_areas
from portal.platform_api.errors import Conflict, ValidationFailed
from portal.platform_writes.outcomes import OutcomeUnknown, delete_and_verify
from portal.tenants.models import Membership, Role


def delete_customer(account: Account, *, member: Membership) -> None:
    """Delete a customer. Raises OutcomeUnknown, NotConnected or a PlatformError."""
    if not member.may(Role.APPROVER):
        raise PermissionDenied
    client = client_for(Urgency.PERSON)

    def is_known_gone() -> bool:
        return Account.objects.filter(pk=account.pk).exclude(gone_at=None).exists()

    try:
        delete_and_verify(
            delete=lambda: client.accounts.delete(account.platform_id),
            fetch=lambda: client.accounts.get(account.platform_id),
            is_known_gone=is_known_gone,
            of=(ACCOUNT, [account.platform_id]),
        )
    except (Conflict, OutcomeUnknown, ValidationFailed):
        refresh_account(account)
        raise
    with transaction.atomic():
        if not Account.objects.present().filter(pk=account.pk).update(gone_at=timezone.now()):
            return
        summary = f"Deleted {account.name[:150]} on the platform."
        record("customer.delete", target=(ACCOUNT, account.platform_id), summary=summary, actor=member.user)
        touch_areas(AREA)
