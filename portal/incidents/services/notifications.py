"""Customers are told, or need not be, and what was said of it by mistake is taken back. Nothing of it is ever deleted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from portal.incidents.formatting import length_of
from portal.incidents.models import Channel, Incident, Notice, State, Step
from portal.incidents.services.incident_log import check, lock_incident, note, write_log, write_logs
from portal.incidents.services.mentions import note_mentions
from portal.tenants.models import Membership
from portal.users.dates import stored

BATCH = 500


class AlreadySettled(Exception):
    """Somebody else has said meanwhile what became of this customer."""

    def __init__(self, notice: Notice) -> None:
        super().__init__(str(notice))
        self.notice = notice


@dataclass(frozen=True, kw_only=True)
class Telling:
    """That somebody was told."""

    told_at: datetime
    way: str
    note: str = ""


@dataclass
class Outcome:
    """What came of telling several."""

    told: list[Notice] = field(default_factory=list)
    settled_before: list[Notice] = field(default_factory=list)
    """Told, or found not needed, by somebody else meanwhile: left as they are."""


def mark_notified(incident: Incident, keys: Sequence[int], telling: Telling, *, member: Membership) -> Outcome:
    """Note that customers were told. Those of whom somebody else has said something are left alone. Raises IncidentClosed."""
    check(member)
    outcome = Outcome()
    with transaction.atomic():
        locked = lock_incident(incident)
        for start in range(0, len(keys), BATCH):
            _tell_some(locked, keys[start : start + BATCH], telling, member, outcome)
        if outcome.told:
            number = len(outcome.told)
            summary = f"Notified {outcome.told[0] if number == 1 else f'{number} customers'} of the incident {locked}."
            details = {"way": telling.way, "told_at": telling.told_at.isoformat(), "number": number}
            note(locked, "tell", summary, member=member, details=details)
    return outcome


@transaction.atomic
def exempt(notice: Notice, *, reason: str, member: Membership) -> None:
    """Note that a customer need not be told, and why. Raises AlreadySettled, IncidentClosed."""
    check(member)
    incident = lock_incident(notice.incident)
    locked = _locked(notice)
    if locked.state != State.TO_TELL:
        raise AlreadySettled(locked)
    _settle(locked, State.NOT_NEEDED, member, note=reason)
    write_log(incident, Step.NOT_NEEDED, f"{locked} does not need a notice.", member=member, notice=locked, note=reason)
    note(incident, "spare", f"{locked} does not need a notice of the incident {incident}.", member=member)


@transaction.atomic
def revert(notice: Notice, *, seen: str, reason: str, member: Membership) -> None:
    """A customer is to be told after all: it was a mistake. The log keeps both. Raises AlreadySettled, IncidentClosed."""
    check(member)
    incident = lock_incident(notice.incident)
    locked = _locked(notice)
    if locked.state != seen or locked.state == State.TO_TELL:
        raise AlreadySettled(locked)
    what = f"notified on {stored(locked.told_at)}" if locked.told_at else "not needed"
    text = f"Undone: {locked} was marked as {what} by {locked.settled_by_name}. It still has to be notified."
    _settle(locked, State.TO_TELL, None)
    write_log(incident, Step.TAKEN_BACK, text, member=member, notice=locked, note=reason)
    note(incident, "revert", f"Reopened the notice to {locked} in the incident {incident}.", member=member)


def _tell_some(incident: Incident, keys: Sequence[int], telling: Telling, member: Membership, outcome: Outcome) -> None:
    rows = list(incident.notices.select_for_update().filter(pk__in=keys).order_by("tell_by", "due_sort", "name_sort", "id"))
    open_ones = [row for row in rows if row.state == State.TO_TELL]
    outcome.settled_before += [row for row in rows if row.state != State.TO_TELL]
    for row in open_ones:
        row.state, row.told_at, row.way, row.note = State.TOLD, telling.told_at, telling.way, telling.note
        row.settled_by_name, row.settled_at = str(member.user)[:120], timezone.now()
    columns = {"state": State.TOLD, "told_at": telling.told_at, "way": telling.way, "note": telling.note}
    Notice.objects.filter(pk__in=[row.pk for row in open_ones]).update(
        **columns, settled_by_name=str(member.user)[:120], settled_at=timezone.now()
    )
    note_mentions(open_ones)
    write_logs(incident, Step.TOLD, list(_words(open_ones, telling)), member=member, note=telling.note)
    outcome.told += open_ones


def _words(rows: Sequence[Notice], telling: Telling) -> Iterator[tuple[Notice, str]]:
    at, way = stored(telling.told_at), Channel(telling.way).label
    for row in rows:
        late = f", {length_of(telling.told_at - row.due_at)} late" if row.due_at and telling.told_at > row.due_at else ""
        yield row, f"{row} was notified on {at}{late}. Channel: {way}."


def _locked(notice: Notice) -> Notice:
    return Notice.objects.select_for_update().get(pk=notice.pk)


def _settle(locked: Notice, state: State, member: Membership | None, *, note: str = "") -> None:
    locked.state, locked.note, locked.told_at, locked.way = state, note, None, ""
    locked.settled_by_name = str(member.user)[:120] if member else ""
    locked.settled_at = timezone.now() if member else None
    locked.save(update_fields=["state", "note", "told_at", "way", "settled_by_name", "settled_at"])
    note_mentions([locked])
