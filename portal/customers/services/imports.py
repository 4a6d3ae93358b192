"""Customers out of a file, one after the other: each is created and settled as if a person had typed it (guarantees W1, W4)."""

from collections.abc import Callable, Sequence

from django.db import transaction

from portal.accounts.selectors import matches_by_domain
from portal.connections.error_messages import error_message
from portal.connections.services import NotConnected
from portal.customers.models import ImportItem, ImportRun, NewCustomer, Step
from portal.customers.services.creation import AlreadyOnItsWay, NewAccount, create_customer
from portal.customers.services.outcomes import AREA, verify_outcome
from portal.platform_api import Platform, errors
from portal.platform_writes import bulk_worker
from portal.platform_writes.bulk import Bulk, begin, try_again
from portal.platform_writes.models import MAX_ITEMS
from portal.platform_writes.outcomes import OutcomeUnknown
from portal.tenants.models import Membership, Role

WORK = "portal.customers.tasks.work_on_import"
MAX_FILENAME_LENGTH = 255
NOTHING_CREATED = "Nothing was created."


class NotPossible(Exception):
    """It makes no sense to create this customer; the message says why."""


def start_import(lines: Sequence[tuple[str, str]], *, filename: str, member: Membership) -> ImportRun:
    """Write down that customers, given as name and mail domain, are to be created, and have a worker begin."""
    IMPORTS.check(member)
    if not 0 < len(lines) <= MAX_ITEMS:
        raise NotPossible(f"An import can have 1 to {MAX_ITEMS:,} customers.")
    items = [ImportItem(name=name, domain=domain) for name, domain in lines]
    return begin(IMPORTS, ImportRun(filename=filename[:MAX_FILENAME_LENGTH]), items, member=member)


def retry_import(run: ImportRun, *, member: Membership) -> int:
    """Have only those tried again that were not created; return how many."""
    return try_again(IMPORTS, run, member=member)


def work_on_import(run: ImportRun) -> bool:
    """Bring an import as far as one turn gets; False when another worker has it. Failures are written into the lines."""
    return bulk_worker.work_on(IMPORTS, run)


def _create(
    item: ImportItem, *, member: Membership, client: Platform, checks_before_retry: bool, then: Callable[[], object]
) -> None:
    """Create the customer of one line, unless an earlier call has, or may have. `then` tells the run that it is there."""
    new = NewAccount(name=item.name, domain=item.domain)
    begun = NewCustomer.objects.filter(key=new.key, sent_at__gte=item.run.started_at).first()
    if begun and begun.state in (Step.SENDING, Step.UNCERTAIN):
        verify_outcome(begun)
        begun.refresh_from_db()
    if begun is None or begun.state in (Step.ABSENT, Step.REFUSED, Step.CLOSED):
        match = matches_by_domain([item.domain]).get(item.domain)
        if match:
            raise NotPossible(f"{match.description} already has this email domain.")
        begun = create_customer(new, member=member, again=begun, client=client)
    if begun.state != Step.CREATED:
        raise OutcomeUnknown
    with transaction.atomic():
        then()


def refusal_message(error: Exception, slug: str) -> str:
    """Say in words why a line has not become a customer."""
    match error:
        case OutcomeUnknown():
            return error_message(error)
        case AlreadyOnItsWay():
            return "Someone else is creating the same customer right now."
        case errors.PlatformError() | NotConnected():
            return f"{error_message(error, area='customers')} {NOTHING_CREATED}"
    return str(error)


IMPORTS = Bulk(
    runs=ImportRun,
    items=ImportItem,
    task=WORK,
    area=AREA,
    kind="customer_import",
    action="customer.import",
    role=Role.ANALYST,
    change=_create,
    refusals=(errors.PlatformError, NotConnected, AlreadyOnItsWay, NotPossible),
    error_message=refusal_message,
)
