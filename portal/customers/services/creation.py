"""Creating a customer on the platform, once, in the request of the person who does it.

What is about to be sent is written down first. When the answer is lost nothing is sent again: the platform's list tells whether
the customer arrived (`outcomes.py`, guarantee W1).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.accounts.models import Account
from portal.audit.services import record
from portal.connections.error_messages import error_message
from portal.connections.services import NotConnected, Urgency, client_for
from portal.customers.models import LEASE, NewCustomer, Step
from portal.customers.services.outcomes import AREA, NEW_CUSTOMER, mark_uncertain, record_created
from portal.lib.sealed import Locked
from portal.page_refresh.services import touch_areas
from portal.platform_api import Platform
from portal.platform_api.errors import PlatformError, TemporaryError, Unavailable, UnexpectedAnswer
from portal.tenants.models import Membership, Role

MAX_SEEN = 200


class AlreadyOnItsWay(Exception):
    """Somebody creates a customer of this name and mail domain in this very moment."""


@dataclass(frozen=True, kw_only=True)
class NewAccount:
    """What a person wants the platform to have. `loaded` holds what else goes with it, by the names that the client takes."""

    name: str
    domain: str
    told: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        return sha256(f"{self.name.casefold()}\n{self.domain}".encode()).hexdigest()


def create_customer(
    new: NewAccount, *, member: Membership, again: NewCustomer | None = None, client: Platform | None = None
) -> NewCustomer:
    """Create a customer; its row says what came of it. `again` is one that did not arrive: closed once this one has left.

    Raises AlreadyOnItsWay; NotConnected or a PlatformError when the platform has not taken it.
    """
    check(member)
    client = client or client_for(Urgency.PERSON)
    creation = _begin(new, member)
    try:
        created = client.accounts.create(name=new.name, email_domain=new.domain, **new.told)
    except UnexpectedAnswer:
        # It says success and cannot be read: very likely made.
        _close(again)
        mark_uncertain(creation)
    except (PlatformError, NotConnected, Locked) as error:
        if isinstance(error, Unavailable) and error.sent:
            _close(again)
            mark_uncertain(creation)
        elif isinstance(error, TemporaryError):
            # Nothing has left: there is nothing to be told about it.
            creation.delete()
            raise
        else:
            _refuse(creation, error_message(error, area="customers"))
            raise
    else:
        _close(again)
        record_created(creation, created)
    return NewCustomer.objects.get(pk=creation.pk)


def check(member: Membership) -> None:
    if not member.may(Role.ANALYST):
        raise PermissionDenied


def _begin(new: NewAccount, member: Membership) -> NewCustomer:
    """Write down what is about to be sent."""
    now = timezone.now()
    known = Account.objects.of_domains({new.domain}).values_list("platform_id", flat=True)
    creation = NewCustomer(
        name=new.name,
        domain=new.domain,
        key=new.key,
        told=dict(new.told),
        seen_before=list(known[:MAX_SEEN]),
        begun_by=member.user,
        begun_by_name=str(member.user)[:120],
        sent_at=now,
        due_at=now + LEASE,
    )
    try:
        with transaction.atomic():
            creation.save()
            touch_areas(AREA)
    except IntegrityError:
        raise AlreadyOnItsWay from None
    return creation


@transaction.atomic
def _close(again: NewCustomer | None) -> None:
    """Tell no longer of what did not arrive. By its key: between it and now a try may have been refused.

    Before the outcome of the new one is written: whoever dies in between must not leave an offer to create it once more.
    """
    if again and NewCustomer.objects.filter(key=again.key, state=Step.ABSENT).update(state=Step.CLOSED):
        touch_areas(AREA)


@transaction.atomic
def _refuse(creation: NewCustomer, words: str) -> None:
    """The platform has not taken it, and says why to whoever waits for the answer."""
    rows = NewCustomer.objects.filter(pk=creation.pk)
    rows.update(state=Step.REFUSED, description=words[:300], due_at=None, settled_at=timezone.now())
    summary = f"The platform did not accept {creation.name[:150]} as a customer."
    details = {**creation.what, "answer": words[:300]}
    record(
        "customer.refused", target=(NEW_CUSTOMER, str(creation.pk)), summary=summary, actor=creation.begun_by, details=details
    )
    touch_areas(AREA)


@transaction.atomic
def dismiss_creation(creation: NewCustomer, *, member: Membership) -> None:
    """Tell no longer of a customer that did not arrive."""
    check(member)
    if NewCustomer.objects.filter(pk=creation.pk, state=Step.ABSENT).update(state=Step.CLOSED):
        target, summary = (NEW_CUSTOMER, str(creation.pk)), f"Dismissed that {creation.name[:150]} did not arrive."
        record("customer.dismiss_creation", target=target, summary=summary, actor=member.user, details=creation.what)
        touch_areas(AREA)
