"""Making the plan of an incident, and making it anew: what was done about a customer stays, whatever the plan says."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from portal.incidents.deadlines import Counting
from portal.incidents.models import NEVER, Incident, Notice, Rank, Step
from portal.incidents.plan import Place, place_of, warning_of
from portal.incidents.selectors.inputs import Customer, Inputs, inputs_of
from portal.incidents.services.incident_log import check, lock_incident, note, write_log
from portal.incidents.services.mentions import note_mentions
from portal.tenants.models import Membership

PLANNED = (
    *("customer", "domain", "name_sort", "search", "rank", "due_at", "due_sort", "tell_by", "warn_at", "zone", "notify"),
    "promises",
)
"""The columns that a plan says. The others are what was done."""
BATCH, MAX_DETAILS = 500, 200


@dataclass
class Difference:
    """What a new plan makes of the one there is."""

    stored: list[Notice] = field(default_factory=list)
    """Rows that are new or different, as they are to be."""
    leaving: list[Notice] = field(default_factory=list)
    details: list[dict[str, Any]] = field(default_factory=list)
    """The same for people: `what` is came, went, moved (another deadline) or changed (another promise, the same deadline)."""

    def count(self, what: str) -> int:
        return sum(each["what"] == what for each in self.details)

    @property
    def description(self) -> str:
        """Say in a sentence what is different."""
        moved, came, went, changed = map(self.count, ("moved", "came", "went", "changed"))
        parts = [
            f"{moved} deadline{'' if moved == 1 else 's'} moved" if moved else "",
            f"{came} customer{'' if came == 1 else 's'} added" if came else "",
            f"{went} customer{'' if went == 1 else 's'} removed" if went else "",
            f"{changed} promise{'' if changed == 1 else 's'} changed" if changed else "",
        ]
        return ", ".join(filter(None, parts)) or "no differences"


def plan_first(incident: Incident, *, member: Membership) -> Difference:
    """Make the plan of an incident that was opened just now. Call it in a transaction."""
    difference = _store(incident, inputs_of(incident))
    number = len(difference.stored)
    write_log(incident, Step.PLANNED, f"Plan created: {number} customer{'' if number == 1 else 's'} to notify.", member=member)
    return difference


def plan_again(incident: Incident, *, because: str, member: Membership) -> Difference:
    """Rebuild the plan and write down what is different. Call it in a transaction that holds the incident."""
    difference = _store(incident, inputs_of(incident))
    shown = difference.details[:MAX_DETAILS]
    write_log(incident, Step.PLANNED, f"Plan rebuilt, {because}: {difference.description}.", member=member, details=shown)
    return difference


@transaction.atomic
def replan(incident: Incident, *, member: Membership) -> Difference:
    """Rebuild the plan because promises, customers or holidays have changed. Raises IncidentClosed."""
    check(member)
    locked = lock_incident(incident)
    difference = plan_again(locked, because="because promises or customers changed", member=member)
    counts = {what: difference.count(what) for what in ("moved", "came", "went", "changed")}
    note(
        locked, "replan", f"Rebuilt the plan of the incident {locked}: {difference.description}.", member=member, details=counts
    )
    return difference


def difference_of(incident: Incident, inputs: Inputs | None = None) -> Difference:
    """Say what making the plan anew would change, without changing anything."""
    return compare(incident.notices.defer("note").all(), planned(incident, inputs or inputs_of(incident)))


def planned(incident: Incident, inputs: Inputs) -> list[Notice]:
    """Make the rows of a plan, not stored."""
    counting = Counting(incident.noticed_at, inputs.office)
    return [
        _notice(
            incident,
            customer,
            place_of(
                inputs.promises.get(customer.account_id, ()),
                standard=inputs.standard,
                kinds=incident.kinds,
                counting=counting,
            ),
        )
        for customer in inputs.customers
    ]


def compare(there: Iterable[Notice], wanted: Iterable[Notice]) -> Difference:
    """Find what is different between the rows of a plan and those that it should have."""
    before: Mapping[str, Notice] = {row.account_id: row for row in there}
    difference, now = Difference(), set()
    for row in wanted:
        now.add(row.account_id)
        old = before.get(row.account_id)
        if old is None or old.left_at is not None:
            difference.details.append(_detail("came", row, None, row.due_at))
        elif all(getattr(old, name) == getattr(row, name) for name in PLANNED):
            continue
        elif (old.due_at, old.rank) != (row.due_at, row.rank):
            difference.details.append(_detail("moved", row, old.due_at, row.due_at, _promise_words(old, row)))
        elif _gist(old) != _gist(row):
            difference.details.append(_detail("changed", row, old.due_at, row.due_at, _promise_words(old, row)))
        if old is not None and old.due_at == row.due_at:
            row.warned_at, row.missed_at = old.warned_at, old.missed_at
        difference.stored.append(row)
    difference.leaving = [row for key, row in before.items() if key not in now and row.left_at is None]
    difference.details += [_detail("went", row, row.due_at, None) for row in difference.leaving]
    return difference


def _store(incident: Incident, inputs: Inputs) -> Difference:
    difference, now = difference_of(incident, inputs), timezone.now()
    Notice.objects.bulk_create(
        difference.stored,
        update_conflicts=True,
        unique_fields=["tenant", "incident", "account_id"],
        # Never what was done: it may be done at this very moment.
        update_fields=[*PLANNED, "left_at", "warned_at", "missed_at"],
        batch_size=BATCH,
    )
    keys = [row.pk for row in difference.leaving]
    for start in range(0, len(keys), BATCH):
        Notice.objects.filter(pk__in=keys[start : start + BATCH]).update(left_at=now)
    note_mentions(difference.stored)
    incident.planned_at, incident.planned_from = now, inputs.fingerprint
    incident.save(update_fields=["planned_at", "planned_from"])
    return difference


def _notice(incident: Incident, customer: Customer, place: Place) -> Notice:
    due = place.due
    at = due.at if due else None
    return Notice(
        incident=incident,
        account_id=customer.account_id,
        customer=customer.name,
        domain=customer.domain,
        name_sort=customer.name_sort,
        search=f"{customer.name} {customer.domain}".casefold(),
        rank=place.rank,
        due_at=at,
        due_sort=at or NEVER,
        tell_by=incident.noticed_at if place.rank == Rank.AT_ONCE else at or NEVER,
        warn_at=warning_of(incident.noticed_at, at),
        zone=due.zone if due else "",
        notify=place.notify,
        promises=[each.kept() for each in place.counted],
    )


def _detail(what: str, row: Notice, before: datetime | None, after: datetime | None, promise: str = "") -> dict[str, Any]:
    moments = {"before": before and before.isoformat(), "after": after and after.isoformat()}
    return {"customer": row.customer, "what": what, "promise": promise, "state": row.state, **moments}


def _gist(row: Notice) -> list[dict[str, Any]]:
    """What was promised, without the moments it comes to."""
    return [{key: value for key, value in each.items() if key not in ("due", "reading")} for each in row.promises]


def _promise_words(old: Notice, new: Notice) -> str:
    first, second = ((row.counts or {}).get("promise", "nothing promised") for row in (old, new))
    return first if first == second else f"{first} → {second}"
