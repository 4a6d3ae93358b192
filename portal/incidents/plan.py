"""Where a customer stands in the plan of an incident, by what was promised to it: rules without a database.

The strictest promise counts: one in words alone ("without undue delay") before all others, then the one that ends first. With a
promise in words, the end of the next one is the latest moment all the same. Promises about other data do not count, and are
shown. A customer without a promise that counts stands under our own standard, if there is one.
"""

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from portal.incidents.data_kinds import is_touched, kinds_words
from portal.incidents.deadlines import Counting, Deadline
from portal.incidents.models.notices import Rank

LATEST_WARNING = timedelta(days=1)
FAR = datetime(9999, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Promise:
    """One promise to tell a customer of a breach, or our standard."""

    commitment: int = 0
    """Its row; 0: our standard."""
    description: str
    amount: Decimal | None
    unit: str
    zone: str = ""
    country: str = ""
    kinds: tuple[str, ...] = ()
    notify: str = ""
    clause: str = ""
    page: int | None = None
    quote: str = ""
    contract: str = ""
    contract_id: str = ""

    @property
    def values(self) -> tuple[Any, ...]:
        """What the plan depends on."""
        return tuple(asdict(self).values())


@dataclass(frozen=True)
class Counted:
    """A promise with the moment that it comes to."""

    promise: Promise
    deadline: Deadline
    applies: bool

    @property
    def strictness(self) -> tuple[bool, bool, datetime, int]:
        at = self.deadline.at
        return not self.applies, at is not None, at or FAR, self.promise.commitment

    def kept(self) -> dict[str, Any]:
        """Write it down as it is now, for the plan to keep."""
        promise, at = self.promise, self.deadline.at
        return {
            "commitment": promise.commitment,
            "promise": promise.description,
            "applies": self.applies,
            "due": at and at.isoformat(),
            "zone": self.deadline.zone,
            "reading": self.deadline.reading,
            "kinds": kinds_words(promise.kinds),
            "notify": promise.notify,
            "clause": promise.clause,
            "page": promise.page,
            "quote": promise.quote,
            "contract": promise.contract,
            "contract_id": promise.contract_id,
        }


@dataclass(frozen=True)
class Place:
    """Where a customer stands, until when to tell it, and all that was promised to it, the strictest first."""

    rank: Rank
    counted: tuple[Counted, ...]

    @property
    def due(self) -> Deadline | None:
        """The deadline that comes first; None: no moment is promised."""
        moments = [each.deadline for each in self.counted if each.applies and each.deadline.at]
        return min(moments, key=lambda each: each.at or FAR, default=None)

    @property
    def notify(self) -> str:
        """Whom to tell, as the strictest promise says that says anything about it."""
        return next((each.promise.notify for each in self.counted if each.applies and each.promise.notify), "")


def place_of(promises: Iterable[Promise], *, standard: Promise | None, kinds: Collection[str], counting: Counting) -> Place:
    """Say where a customer stands to whom all this was promised."""
    counted = sorted((_count(each, kinds, counting) for each in promises), key=lambda each: each.strictness)
    if counted and counted[0].applies:
        rank = Rank.DEADLINE if counted[0].deadline.at else Rank.AT_ONCE
        return Place(rank, tuple(counted))
    if standard is None:
        return Place(Rank.NOTHING, tuple(counted))
    return Place(Rank.STANDARD, (_count(standard, kinds, counting), *counted))


def warning_of(noticed_at: datetime, due_at: datetime | None) -> datetime | None:
    """Return from when on a deadline is near: for the last quarter of its time, and at most for a day."""
    return due_at and due_at - min((due_at - noticed_at) / 4, LATEST_WARNING)


def _count(promise: Promise, kinds: Collection[str], counting: Counting) -> Counted:
    deadline = counting.until(promise.amount, promise.unit, zone=promise.zone, country=promise.country)
    return Counted(promise, deadline, is_touched(promise.kinds, kinds))
