"""Deleting a customer on the platform. Here it stays, as what it was."""

from contextlib import suppress

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.accounts.models import Account
from portal.accounts.services import ACCOUNT, AREA
from portal.audit.services import record
from portal.connections.services import Urgency, client_for
from portal.customers.services.changing import refresh_account
from portal.page_refresh.services import touch_areas
from portal.platform_api.errors import NotFound
from portal.platform_writes.outcomes import OutcomeUnknown, write_and_verify
from portal.tenants.models import Membership, Role


def delete_customer(account: Account, *, member: Membership) -> None:
    """Delete a customer. Raises OutcomeUnknown, NotConnected or a PlatformError."""
    if not member.may(Role.APPROVER):
        raise PermissionDenied
    client = client_for(Urgency.PERSON)

    def take_away() -> None:
        # Not there is what was wanted.
        with suppress(NotFound):
            client.accounts.delete(account.platform_id)

    def is_gone() -> bool:
        try:
            client.accounts.get(account.platform_id)
        except NotFound:
            return True
        return False

    try:
        if not write_and_verify(write=take_away, look=is_gone, is_done=bool):
            # It said yes and still shows it; whatever comes of that, the mirror will tell.
            raise OutcomeUnknown
    except OutcomeUnknown:
        refresh_account(account)
        raise
    with transaction.atomic():
        if not Account.objects.present().filter(pk=account.pk).update(gone_at=timezone.now()):
            return
        summary = f"Deleted {account.name[:150]} on the platform."
        record("customer.delete", target=(ACCOUNT, account.platform_id), summary=summary, actor=member.user)
        touch_areas(AREA)
