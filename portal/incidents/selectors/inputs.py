"""What a plan is made of: the customers that it concerns, what was promised to them, our standard, the office's days."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from portal.accounts.merged_accounts import customers_of
from portal.accounts.models import Account
from portal.calendars.office_time import OfficeTime
from portal.calendars.selectors import office_time
from portal.commitments.models import Commitment, Standard, Term
from portal.commitments.models.commitments import CommitmentQuerySet
from portal.incidents.models import Incident
from portal.incidents.plan import Promise
from portal.lib.key_batches import key_batches
from portal.lib.unnamed import named
from portal.page_refresh.services import cached_by_version

MAX_QUOTE_LENGTH = 600


@dataclass(frozen=True)
class Customer:
    """Somebody who may have to be told."""

    account_id: str
    name: str
    domain: str
    name_sort: str


@dataclass(frozen=True)
class Inputs:
    """All that a plan is made of."""

    customers: Sequence[Customer]
    promises: Mapping[str, Sequence[Promise]]
    standard: Promise | None
    office: OfficeTime

    @property
    def fingerprint(self) -> str:
        """Name this state of things: another one means that the plan could come out differently."""
        text = sha256()
        for account_id in sorted(each.account_id for each in self.customers):
            text.update(f"{account_id}\n".encode())
            for promise in self.promises.get(account_id, ()):
                text.update(f"{promise.values}\n".encode())
        text.update(f"{self.standard and self.standard.values} {self.office.zone} {sorted(self.office.holidays)}".encode())
        return text.hexdigest()


def inputs_of(incident: Incident) -> Inputs:
    """Read what the plan of an incident is made of now."""
    if incident.concerns_all:
        promises = _promises(_breach_notices())
        customers = list(_customers(Account.objects.of_customers().there()))
        # Gone from the platform, and a promise is in force: better told than forgotten.
        customers += _named(promises.keys() - {each.account_id for each in customers})
    else:
        wholes = set(customers_of(incident.account_ids).values())
        batches = key_batches(account_id for whole in wholes for account_id in whole.account_ids)
        promises = _promises(row for batch in batches for row in _breach_notices().filter(account_id__in=batch))
        customers = _named({whole.main_id for whole in wholes})
    return Inputs(customers, promises, _standard(), office_time())


def is_outdated(incident: Incident) -> bool:
    """Say whether the plan is made of something that has changed since. Told within a minute."""
    name = f"incident:{incident.pk}:{incident.version}:{incident.planned_from}"
    return cached_by_version("commitments", name, lambda: inputs_of(incident).fingerprint) != incident.planned_from


def promise_of(row: Commitment) -> Promise:
    contract = row.contract
    return Promise(
        commitment=row.pk,
        description=row.promise,
        amount=row.amount,
        unit=row.unit,
        zone=row.zone,
        country=row.country,
        kinds=tuple(map(str, row.data_kinds)),
        notify=row.notify,
        clause=row.clause,
        page=row.page,
        quote=row.quote[:MAX_QUOTE_LENGTH],
        contract=str(contract) if contract else "",
        contract_id=contract.platform_id if contract else "",
    )


def _breach_notices() -> CommitmentQuerySet:
    rows: CommitmentQuerySet = Commitment.objects.in_force().of_term(Term.BREACH_NOTICE)
    return rows.select_related("contract").defer("search", "contract__payload", "contract__search").order_by("id")


def _promises(rows: Iterable[Commitment]) -> dict[str, list[Promise]]:
    """Sort promises by customer: by its main account, where several accounts are one customer."""
    rows, found = list(rows), defaultdict[str, list[Promise]](list)
    wholes = customers_of({row.account_id for row in rows})
    for row in rows:
        found[wholes[row.account_id].main_id].append(promise_of(row))
    return dict(found)


def _standard() -> Promise | None:
    row = Standard.objects.filter(term=Term.BREACH_NOTICE).first()
    if row is None:
        return None
    # It reads as a promise does.
    promise = Commitment(amount=row.amount, unit=row.unit, words=row.words).promise
    return Promise(description=promise, amount=row.amount, unit=row.unit)


def _customers(rows: Iterable[Account]) -> Iterator[Customer]:
    columns = rows.values_list("platform_id", "name", "domain", "name_sort")  # type: ignore[attr-defined]
    for account_id, name, domain, name_sort in columns:
        yield Customer(account_id, named(name, domain), domain, name_sort or account_id.casefold()[:300])


def _named(account_ids: set[str]) -> list[Customer]:
    """Name customers, also those that the platform has no longer; one that was never known here keeps its id as a name."""
    found: dict[str, Customer] = {}
    for batch in key_batches(account_ids):
        found |= {each.account_id: each for each in _customers(Account.objects.filter(platform_id__in=batch))}
    return [found.get(each) or Customer(each, each, "", each.casefold()) for each in sorted(account_ids)]
