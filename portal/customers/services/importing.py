"""Customers out of a file, one after the other: each is created and settled as if a person had typed it (guarantees W1, W4)."""

from collections.abc import Callable, Sequence

from django.db import transaction

from portal.accounts.selectors import matches_by_domain
from portal.connections.error_messages import error_message
from portal.connections.services import NotConnected
from portal.customers.models import ImportItem, ImportRun, NewCustomer, Step
from portal.customers.services.creating import AlreadyOnItsWay, NewAccount, create_customer
from portal.customers.services.settling import AREA, look_for
from portal.platform_api import Platform, errors
from portal.tenants.models import Membership, Role
from portal.writes import working
from portal.writes.bulk import Bulk, begin, try_again
from portal.writes.models import MOST_ITEMS
from portal.writes.settling import OutcomeUnknown

WORK = "portal.customers.tasks.work_on_import"
LONGEST_FILENAME = 255
NOTHING_CREATED = "Nothing was created."


class NotPossible(Exception):
    """It makes no sense to create this customer; the message says why."""


def start_import(lines: Sequence[tuple[str, str]], *, filename: str, member: Membership) -> ImportRun:
    """Write down that customers, given as name and mail domain, are to be created, and have a worker begin."""
    IMPORTS.check(member)
    if not 0 < len(lines) <= MOST_ITEMS:
        raise NotPossible(f"One import takes from one to {MOST_ITEMS:,} customers.")
    items = [ImportItem(name=name, domain=domain) for name, domain in lines]
    return begin(IMPORTS, ImportRun(filename=filename[:LONGEST_FILENAME]), items, member=member)


def retry_import(run: ImportRun, *, member: Membership) -> int:
    """Have only those tried again that were not created; return how many."""
    return try_again(IMPORTS, run, member=member)


def work_on_import(run: ImportRun) -> bool:
    """Bring an import as far as one turn gets; False when another worker has it. Failures are written into the lines."""
    return working.work_on(IMPORTS, run)


def _create(item: ImportItem, *, member: Membership, client: Platform, looks_first: bool, then: Callable[[], object]) -> None:
    """Create the customer of one line, unless an earlier call has, or may have. `then` tells the run that it is there."""
    new = NewAccount(name=item.name, domain=item.domain)
    begun = NewCustomer.objects.filter(key=new.key, sent_at__gte=item.run.started_at).first()
    if begun and begun.state in (Step.SENDING, Step.UNCERTAIN):
        look_for(begun)
        begun.refresh_from_db()
    if begun is None or begun.state in (Step.ABSENT, Step.REFUSED, Step.CLOSED):
        match = matches_by_domain([item.domain]).get(item.domain)
        if match:
            raise NotPossible(f"{match.words} has this mail domain already.")
        begun = create_customer(new, member=member, again=begun, client=client)
    if begun.state != Step.CREATED:
        raise OutcomeUnknown
    with transaction.atomic():
        then()


def say(error: Exception, slug: str) -> str:
    """Say in words why a line has not become a customer."""
    match error:
        case OutcomeUnknown():
            return error_message(error)
        case AlreadyOnItsWay():
            return "Somebody is creating the same customer in this moment."
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
    words=say,
)
