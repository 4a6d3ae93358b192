"""Rows as the pages, the files and the paper show them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.utils import timezone

from portal.incidents.formatting import Left, left_until, moment_in, told_words
from portal.incidents.models import Channel, Incident, Notice, Rank, State
from portal.incidents.selectors.contacts import Contact, contacts_of
from portal.ui.times import exact_words


@dataclass(frozen=True)
class PromiseShown:
    """One promise as the plan has kept it."""

    promise: str
    applies: bool
    counts: bool
    due_at: datetime | None
    zone: str
    reading: str
    kinds: str
    notify: str
    place: str
    """The contract with clause and page; what it is instead where there is none."""
    contract_id: str
    quote: str
    is_standard: bool

    @property
    def until(self) -> str:
        return moment_in(self.due_at, self.zone) if self.due_at else ""


@dataclass(frozen=True)
class RowShown:
    """One customer of a plan."""

    notice: Notice
    incident: Incident
    now: datetime
    contacts: Sequence[Contact] = ()
    """Whom to tell, the likeliest first."""

    @property
    def whom(self) -> str:
        """Whom to tell, and where that is from, for files and paper."""
        return "; ".join(f"{each.description} ({each.source})" for each in self.contacts)

    @cached_property
    def left(self) -> Left | None:
        """How much time is left; nothing once it is settled, or where no deadline is promised."""
        notice = self.notice
        if notice.due_at is None or not notice.is_to_tell or notice.left_at:
            return None
        return left_until(notice.due_at, warn_at=notice.warn_at, now=self.now)

    @property
    def here(self) -> str:
        """The deadline where the reader is."""
        return exact_words(self.notice.due_at) if self.notice.due_at else ""

    @property
    def there(self) -> str:
        """The deadline where the promise is at home, if the clocks differ."""
        notice = self.notice
        if notice.due_at is None or not notice.zone:
            return ""
        there = moment_in(notice.due_at, notice.zone)
        return "" if there.startswith(self.here) else there

    @cached_property
    def promises(self) -> list[PromiseShown]:
        return list(_promises(self.notice))

    @property
    def counting(self) -> PromiseShown | None:
        """The promise that counts."""
        return next((each for each in self.promises if each.counts), None)

    @property
    def others(self) -> list[PromiseShown]:
        return [each for each in self.promises if not each.counts]

    @property
    def told(self) -> tuple[str, bool]:
        """Whether it was told in time, in words; and whether that was late."""
        notice = self.notice
        if notice.told_at is None:
            return "", False
        noticed_at = self.incident.noticed_at
        return told_words(notice.told_at, notice.due_at, noticed_at=noticed_at, is_at_once=notice.is_at_once)

    @property
    def way(self) -> str:
        return Channel(self.notice.way).label if self.notice.way in Channel.values else self.notice.way

    @property
    def until_words(self) -> str:
        """Until when, for files and paper: where the reader is, and where the promise is at home."""
        if self.notice.due_at is None:
            return "immediately" if self.notice.is_at_once else "no deadline is promised"
        words = f"{self.here}{f'; {self.there}' if self.there else ''}"
        return f"immediately, by {words} at the latest" if self.notice.is_at_once else words

    @property
    def state_words(self) -> str:
        notice = self.notice
        if notice.state == State.TOLD and notice.told_at:
            return f"Notified {exact_words(notice.told_at)}, {self.told[0]}, by {notice.settled_by_name}, {self.way}"
        if notice.state == State.NOT_NEEDED:
            return f"Not needed, {notice.settled_by_name}: {notice.note}"
        return f"To notify{f', {self.left.description}' if self.left else ''}"

    @property
    def promise_words(self) -> str:
        """The promise that counts, and where it stands."""
        counting = self.counting
        if counting is None:
            return Rank(self.notice.rank).label
        return f"{counting.promise} ({counting.place})"


def shown(notices: Iterable[Notice], incident: Incident) -> list[RowShown]:
    """Give notices of one incident as they are shown."""
    now, rows = timezone.now(), list(notices)
    contacts = contacts_of(rows)
    return [RowShown(notice, incident, now, contacts.get(notice.pk, ())) for notice in rows]


def _promises(notice: Notice) -> Iterator[PromiseShown]:
    for number, kept in enumerate(notice.promises):
        is_standard = not kept["commitment"]
        where = [kept["contract"] or "no contract", kept["clause"], f"page {kept['page']}" if kept["page"] else ""]
        yield PromiseShown(
            promise=kept["promise"] or "a promise without words",
            applies=kept["applies"],
            counts=not number and kept["applies"],
            due_at=datetime.fromisoformat(kept["due"]) if kept["due"] else None,
            zone=kept["zone"],
            reading=kept["reading"],
            kinds=kept["kinds"],
            notify=kept["notify"],
            place="our standard" if is_standard else ", ".join(filter(None, where)),
            contract_id=kept["contract_id"],
            quote=kept["quote"],
            is_standard=is_standard,
        )
