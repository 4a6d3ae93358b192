"""The filters of the Trust Center's activity, and of its conversations."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Self

from django.utils import timezone
from django.utils.formats import date_format

from portal.trust_center_activity.display_names import domain_named, subject_names
from portal.trust_center_activity.models import TYPES, Activity, ActivityQuerySet, Conversation, ConversationQuerySet
from portal.ui.list_filters import ListFilters, choice, text
from portal.users.dates import in_form

NOBODY = "-"
"""Stands for anonymous visitors in an address, where nothing means everybody."""
OWN = "own"
PERIODS = {"7": "7 days", "30": "30 days", "90": "90 days", "365": "1 year", OWN: "From … to …"}
DEFAULT = "30"
MAX_PERIOD_DAYS = 3660
"""Days of an own period; more would only be a slip of the keyboard."""
MAX_VALUE_LENGTH = 320


def _day_or_nothing(value: str) -> str:
    return value if _day(value) else ""


@dataclass(frozen=True, kw_only=True)
class ActivityFilters(ListFilters):
    """Which activity a page shows."""

    period: str = choice(PERIODS, default=DEFAULT, narrows=False)
    start: str = text(clean=_day_or_nothing, narrows=False)
    end: str = text(clean=_day_or_nothing, narrows=False)
    domain: str = text(max_length=MAX_VALUE_LENGTH, clean=domain_named)
    subject: str = text(max_length=MAX_VALUE_LENGTH)
    event_type: str = text(max_length=MAX_VALUE_LENGTH)
    country: str = text(max_length=MAX_VALUE_LENGTH)

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        return super().read(query)._settled()

    def query(self, **changes: str) -> str:
        """As any list's; a period of a name needs no dates."""
        changed = replace(self, **changes)
        return ListFilters.query(changed if changed.period == OWN else replace(changed, start="", end=""))

    def _settled(self) -> Self:
        """Whoever changes a date means these dates, whatever was chosen before."""
        given = [day for day in (_day(self.start), _day(self.end)) if day]
        if not given:
            return replace(self, period=DEFAULT) if self.period == OWN else self
        is_same = sorted({day.toordinal() for day in given}) == sorted({*type(self)(period=self.period).days})
        return self if is_same else replace(self, period=OWN)

    @property
    def days(self) -> tuple[int, int]:
        """The first and the last day of the period, by number, both within it."""
        today = timezone.now().astimezone(UTC).date()
        if self.period != OWN:
            return today.toordinal() - int(self.period) + 1, today.toordinal()
        given = [_day(self.start), _day(self.end)]
        first, last = sorted(day or today for day in given)
        return max(first.toordinal(), last.toordinal() - MAX_PERIOD_DAYS + 1), last.toordinal()

    @property
    def bounds(self) -> tuple[datetime, datetime]:
        """The same as moments; the second one is no longer within it."""
        first, last = self.days
        return _midnight(first), _midnight(last) + timedelta(days=1)

    @property
    def narrowed(self) -> dict[str, str]:
        """What the page is narrowed to, beside its period."""
        values = {name: getattr(self, name) for name in ("domain", "subject", "event_type", "country")}
        return {name: "" if value == NOBODY else value for name, value in values.items() if value}

    def rows(self) -> ActivityQuerySet:
        """The activity itself."""
        start, end = self.bounds
        rows: ActivityQuerySet = Activity.objects.filter(at__gte=start, at__lt=end, **self.narrowed)
        return rows

    @property
    def first_day(self) -> date:
        return date.fromordinal(self.days[0])

    @property
    def last_day(self) -> date:
        return date.fromordinal(self.days[1])

    def description(self) -> str:
        return " – ".join(date_format(day, in_form("j M Y")) for day in (self.first_day, self.last_day))

    def widened(self) -> str:
        """The same period, and everything in it."""
        return self.query(domain="", subject="", event_type="", country="")

    def period_tabs(self, path: str, **changes: str) -> list[dict[str, Any]]:
        """The periods as links."""
        labels = {key: label for key, label in PERIODS.items() if key != OWN}
        return replace(self, **changes).tabs(labels, name="period", path=path)

    def activity_selects(self, *, subjects: Mapping[str, str], countries: Mapping[str, str]) -> list[dict[str, Any]]:
        given = [
            ("subject", "Content", "All content", subjects),
            ("event_type", "Action", "Any action", TYPES),
            ("country", "Country", "Any country", countries),
        ]
        return [
            {"name": name, "label": label, "value": getattr(self, name), "options": self._known(name, anything, known)}
            for name, label, anything, known in given
        ]

    def _known(self, name: str, anything: str, known: Mapping[str, str]) -> list[tuple[str, str]]:
        value = getattr(self, name)
        label = subject_names([value])[value] if name == "subject" and value not in known else value
        own = [] if not value or value in known else [(value, label)]
        return [("", anything), *known.items(), *own]


@dataclass(frozen=True, kw_only=True)
class ConversationFilters(ListFilters):
    """Which conversations a page shows."""

    q: str = text()
    domain: str = text(max_length=MAX_VALUE_LENGTH, clean=domain_named)

    def rows(self) -> ConversationQuerySet:
        rows = Conversation.objects.present().matching(self.q)
        if self.domain:
            rows = rows.filter(domain="" if self.domain == NOBODY else self.domain)
        return rows


def _day(value: str) -> date | None:
    try:
        found = date.fromisoformat(value)
    except ValueError:
        return None
    return found if date(1990, 1, 1) <= found <= date(2200, 1, 1) else None


def _midnight(day: int) -> datetime:
    return datetime.combine(date.fromordinal(day), datetime.min.time(), UTC)
