"""Changing a customer on the platform: only what is different is sent, and its outcome is read back (guarantee W1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction

from portal.accounts.models import Account
from portal.accounts.selectors import fold_domain
from portal.accounts.services import ACCOUNT, AREA, as_stored, store_account
from portal.audit.services import record
from portal.connections.services import Urgency, client_for
from portal.customers.custom_fields import comparable, pairs_of
from portal.page_refresh.services import touch_areas
from portal.platform_api import models as remote
from portal.platform_api.bodies.customer_trust import AccountFields
from portal.platform_writes.outcomes import check_shown, refetching, write_and_verify
from portal.sync.freshness import fetch_now
from portal.tenants.models import Membership, Role


class CustomerGone(Exception):
    """The platform has no such customer anymore."""


@dataclass(frozen=True, kw_only=True)
class CustomerChange:
    """What is to be different; None leaves it as it is. NDA and access are taken on creation only (platform-api 4.1.7)."""

    name: str | None = None
    domain: str | None = None
    custom_fields: Sequence[Mapping[str, Any]] | None = None
    """All of them: the platform replaces the whole set."""

    @property
    def body(self) -> AccountFields:
        """What the platform is told."""
        body: AccountFields = {}
        if self.name is not None:
            body["name"] = self.name
        if self.domain is not None:
            body["email_domain"] = self.domain
        if self.custom_fields is not None:
            body["custom_fields"] = self.custom_fields
        return body

    @property
    def field_names(self) -> str:
        """The fields that it changes, for people."""
        parts = {"name": self.name, "email domain": self.domain, "custom fields": self.custom_fields}
        return ", ".join(title for title, value in parts.items() if value is not None)

    def is_done(self, found: remote.Account) -> bool:
        """Say whether the platform has it already as it should be."""
        return self.seen_in(found) == self.wanted

    @property
    def wanted(self) -> list[Any]:
        return [self.name, self.domain, None if self.custom_fields is None else comparable(self.custom_fields)]

    def seen_in(self, found: remote.Account) -> list[Any]:
        """Return what the platform has of that which this changes."""
        return [
            None if self.name is None else found.name,
            None if self.domain is None else fold_domain(found.email_domain),
            None if self.custom_fields is None else comparable(found.custom_fields or []),
        ]


def change_customer(account: Account, *, change: CustomerChange, member: Membership) -> Account:
    """Make a change. Raises CustomerGone, OutcomeUnknown, NotConnected or a PlatformError."""
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    client = client_for(Urgency.PERSON)
    with refetching(lambda: refresh_account(account), gone=CustomerGone):
        after: remote.Account = write_and_verify(
            write=lambda: client.accounts.update(account.platform_id, **change.body),
            fetch=lambda: client.accounts.get(account.platform_id),
            is_done=change.is_done,
            of=(ACCOUNT, [account.platform_id]),
        )
        seen_before = change.seen_in(remote.Account.read(account.payload))
        check_shown(change.seen_in(as_stored(after)), before=seen_before, is_done=change.is_done(after))
    before = facts_of(account)
    with transaction.atomic():
        store_account(after)
        account = Account.objects.get(pk=account.pk)
        summary = f"Changed {change.field_names} of {account.name[:150]}."
        details = {"before": before, "after": facts_of(account)}
        record("customer.change", target=(ACCOUNT, account.platform_id), summary=summary, actor=member.user, details=details)
        touch_areas(AREA)
    return account


def refresh_account(account: Account) -> None:
    """Have the customer fetched now: the mirror shows the truth as soon as it is known."""
    fetch_now((ACCOUNT, account.platform_id))


def facts_of(account: Account) -> dict[str, Any]:
    """What can be changed. Of custom fields their labels alone: what stands in them may be about a person."""
    labels = [label for label, _ in pairs_of(account)]
    return {"name": account.name, "domain": account.domain, "custom_fields": labels}
