"""What came of creating a customer, written into its row; and looking for one whose answer was lost (guarantee W1).

The platform's list tells: an account of the same name and mail domain that came into being since the call began, and that came
of no other call. One that is not there a minute after the answer was lost did not arrive, and a person may create it again;
nothing is ever sent a second time by itself.
"""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.accounts.models import Account
from portal.accounts.selectors import fold_domain
from portal.accounts.services import ACCOUNT, store_account
from portal.accounts.services import AREA as ACCOUNTS
from portal.audit.models import Source
from portal.audit.services import record
from portal.connections.services import NotConnected, Urgency, client_for
from portal.customers.models import LEASE, NewCustomer, Step
from portal.lib.enqueue import enqueue_on_commit
from portal.lib.sealed import Locked
from portal.lib.storable import storable_text
from portal.page_refresh.services import touch_areas
from portal.platform_api import Page, Platform
from portal.platform_api import models as remote
from portal.platform_api.errors import PlatformError, UnexpectedAnswer
from portal.platform_api.paging import pages
from portal.sync.services.waits import wait_after
from portal.tenants.scope import all_tenants

AREA = "customers"
"""The live area of what the desk has of its own."""
SETTLE = "portal.customers.tasks.verify_creation"
NEW_CUSTOMER = "new_customer"
"""The kind of a creation in the history, as long as it has no account."""
CLOCKS_DIFFER = timedelta(minutes=2)
"""An account that came of our call may be dated so much earlier than the call."""
UNTIL_SURE = timedelta(seconds=60)
"""The platform may still be at work on a call whose answer was lost."""
VERIFY_AGAIN_AFTER = timedelta(seconds=15)
MAX_SWEPT = 500
MAX_LOOKED_AT = 500
"""Of one name there are a few; a list that goes on for longer answers something else."""


def mark_uncertain(creation: NewCustomer) -> None:
    """The answer was lost: look for it at once, and again until it is sure."""
    now = timezone.now()
    with transaction.atomic():
        rows = NewCustomer.objects.filter(pk=creation.pk, state=Step.SENDING)
        if rows.update(state=Step.UNCERTAIN, doubted_at=now, due_at=now):
            touch_areas(AREA)
            enqueue_on_commit(SETTLE, creation.tenant_id, creation.pk)


def record_created(creation: NewCustomer, created: remote.Account) -> None:
    """The platform has it: keep its answer."""
    try:
        _settle_as_created(creation, created)
    except IntegrityError:
        # The comparison of the whole list had it stored in the very moment; now that row is seen.
        _settle_as_created(creation, created)


@transaction.atomic
def _settle_as_created(creation: NewCustomer, created: remote.Account) -> None:
    store_account(created)
    rows = NewCustomer.objects.filter(pk=creation.pk).exclude(state__in=(Step.CREATED, Step.CLOSED))
    settled = {"state": Step.CREATED, "account_id": created.id, "settled_at": timezone.now()}
    if not rows.update(**settled, due_at=None, description=""):
        return
    account = Account.objects.get(platform_id=created.id)
    summary = f"Created {account.name[:200]} on the platform."
    target = (ACCOUNT, account.platform_id)
    record("customer.create", target=target, summary=summary, actor=creation.begun_by, details=creation.what)
    touch_areas(AREA, ACCOUNTS)


def due_creations() -> list[tuple[int, int]]:
    """Return tenant and key of the creations that have to be looked for, the longest waiting first."""
    with all_tenants("the sweep looks for the new customers of every tenant"):
        rows = NewCustomer.objects.due(timezone.now()).order_by("due_at", "id").values_list("tenant_id", "pk")
        return list(rows[:MAX_SWEPT])


def verify_outcome(creation: NewCustomer) -> None:
    """Find out whether a customer has arrived. Failures are written into its row."""
    if not _claim(creation):
        return
    asked_at = timezone.now()
    try:
        found = find_there(client_for(Urgency.NEWS), creation)
    except (PlatformError, NotConnected, Locked) as error:
        _postpone(creation, error)
        return
    if found:
        record_created(creation, found)
    elif creation.doubted_at and asked_at - creation.doubted_at >= UNTIL_SURE:
        _settle_as_absent(creation)
    else:
        NewCustomer.objects.filter(pk=creation.pk, attempts=creation.attempts).update(
            due_at=timezone.now() + VERIFY_AGAIN_AFTER
        )


def _claim(creation: NewCustomer) -> bool:
    """Take the row for one look. One that was still being sent lost its process on the way: the call may have left."""
    now = timezone.now()
    doubted_at, attempts = creation.doubted_at or now, creation.attempts + 1
    still = NewCustomer.objects.due(now).filter(pk=creation.pk, attempts=creation.attempts)
    if not still.update(state=Step.UNCERTAIN, doubted_at=doubted_at, attempts=attempts, due_at=now + LEASE):
        return False
    creation.state, creation.doubted_at, creation.attempts = Step.UNCERTAIN, doubted_at, attempts
    return True


def find_there(client: Platform, creation: NewCustomer) -> remote.Account | None:
    """Look through the platform's list for what came of the call.

    Raises UnexpectedAnswer where it may be one that cannot be read: nobody can say then that the platform has none.
    """
    candidates, looked_at, problem = list[remote.Account](), 0, ""
    for page in pages(lambda cursor: client.accounts.all.page(cursor, search_string=creation.name)):
        candidates += [one for one in page.items if _is_like(one, creation)]
        problem = problem or _problem_of(page, creation)
        looked_at += len(page.items)
        if looked_at >= MAX_LOOKED_AT:
            break
    ids = [one.id for one in candidates]
    taken = set(NewCustomer.objects.filter(account_id__in=ids).values_list("account_id", flat=True))
    free = [one for one in candidates if one.id not in taken and one.id not in creation.seen_before]
    if problem and not free:
        raise UnexpectedAnswer("GET", "/customer-trust/accounts", message=problem)
    return min(free, key=lambda one: abs((one.created_date or creation.sent_at) - creation.sent_at), default=None)


def _problem_of(page: Page[remote.Account], creation: NewCustomer) -> str:
    """Say why an account of a page could not be read, unless it was here before: those are other ones."""
    ids = [each.id for each in page.unread if each.id]
    before = Account.objects.filter(platform_id__in=ids, created_at__lt=creation.sent_at - CLOCKS_DIFFER)
    known = set(before.values_list("platform_id", flat=True))
    return next((f"one of the customers: {each.problem}" for each in page.unread if each.id not in known), "")


def _is_like(one: remote.Account, creation: NewCustomer) -> bool:
    is_old = one.created_date is not None and one.created_date < creation.sent_at - CLOCKS_DIFFER
    if is_old or fold_domain(one.email_domain) != creation.domain:
        return False
    return storable_text(one.name).strip().casefold() == creation.name.casefold()


@transaction.atomic
def _settle_as_absent(creation: NewCustomer) -> None:
    rows = NewCustomer.objects.filter(pk=creation.pk, state=Step.UNCERTAIN)
    if not rows.update(state=Step.ABSENT, due_at=None, settled_at=timezone.now(), description=""):
        return
    summary = f"{creation.name[:150]} did not reach the platform."
    target = (NEW_CUSTOMER, str(creation.pk))
    record("customer.absent", target=target, summary=summary, details=creation.what, source=Source.SYNC)
    touch_areas(AREA)


@transaction.atomic
def _postpone(creation: NewCustomer, error: Exception) -> None:
    wait = wait_after(error, attempts=creation.attempts)
    rows = NewCustomer.objects.filter(pk=creation.pk, attempts=creation.attempts, state=Step.UNCERTAIN)
    if rows.update(due_at=timezone.now() + wait.delay, description=wait.description[:300]):
        touch_areas(AREA)


@transaction.atomic
def wake_creations() -> None:
    """The tenant has a new connection: what waited for one is looked for now."""
    now = timezone.now()
    waiting = NewCustomer.objects.filter(state=Step.UNCERTAIN, due_at__gt=now)
    for tenant_id, creation_id in waiting.values_list("tenant_id", "pk"):
        enqueue_on_commit(SETTLE, tenant_id, creation_id)
    waiting.update(due_at=now)
